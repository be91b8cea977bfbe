"""The moments accountant for draws in stages: a looser way to compose than dpviz's own."""

from math import inf, log

import numpy as np
from scipy.special import log_ndtr, logsumexp

from dpviz.guarantees import SUBSTITUTION_SHIFT
from dpviz.multistage.draw import StagedDraw

# Of the losses that moments are integrated over, and of the moments.
_LOSSES, _LEAST_LOSS, _LARGEST_LOSS = 20_000, 1e-9, 600.0
_ORDERS = 1.0 + np.geomspace(0.05, 1000.0, 120)
_DEVIATIONS = 39.0  # beyond them nothing of a normal distribution is a double
# A moment's largest losses end so many deviations before that: what lies beyond is far below the
# rounding of all.
_MARGIN, _ROUNDING = 10.0, 1e-6


def moments_epsilon(
    draw: StagedDraw, noise_multiplier: float, episodes: int, delta: float
) -> float:
    """Return an upper bound on epsilon by the moments accountant; infinity where it has none.

    Formal guarantee: an *episode's* profile is at most p F_q in both directions (Prop. 1), so that

        E (P / Q)^s <= 1 + s (s - 1) int_0^inf (e^((s - 1) u) + e^(-s u)) p F_q(e^u) du

    under Q for every s > 1, and moments of *episodes* multiply. As the profile falls, each piece
    of the integral is bounded by its value at the piece's begin. Epsilon follows by Markov's
    inequality (Abadi et al. 2016, Theorem 2), at the best of 120 orders s or fewer.

    Args:
        noise_multiplier: sigma, in units of the clipping norm.
        episodes: how many are composed.
        delta: above 0.

    >>> from dpviz.multistage.guarantee import draw_in
    >>> round(moments_epsilon(draw_in("1:12"), 4.0, 1000, 1e-5), 1)
    9.0
    """
    distance = SUBSTITUTION_SHIFT / noise_multiplier
    end = distance * (_DEVIATIONS + distance / 2.0)
    if end > _LARGEST_LOSS:
        return inf
    losses = np.concatenate([[0.0], np.geomspace(_LEAST_LOSS, end, _LOSSES)])
    begin, length = losses[:-1], np.diff(losses)
    log_profile = _log_profile(draw, distance, begin)
    found = inf
    for order in _ORDERS[(_ORDERS - 1.0) * distance <= _DEVIATIONS - _MARGIN].tolist():
        pieces = [
            log_profile + rate * begin + np.log(np.expm1(rate * length) / rate)
            for rate in (order - 1.0, -order)
        ]
        log_moment = float(np.logaddexp(0.0, log(order * (order - 1.0)) + logsumexp(pieces)))
        found = min(found, (episodes * log_moment - log(delta)) / (order - 1.0))
    return found * (1.0 + _ROUNDING)


def _log_profile(draw: StagedDraw, distance: float, losses: np.ndarray) -> np.ndarray:
    """Return ln of p F_q at losses, shape as given."""
    before = np.log1p(np.expm1(losses) / draw.inner_rate)
    hit = log_ndtr(distance / 2.0 - before / distance)
    miss = before + log_ndtr(-distance / 2.0 - before / distance)
    with np.errstate(divide="ignore"):
        return np.asarray(log(draw.rate) + hit + np.log(-np.expm1(np.minimum(miss - hit, 0.0))))
