"""What is proven about training on draws in stages, and what is printed about it."""

from dataclasses import dataclass
from math import expm1, inf, log, log1p, nextafter

import numpy as np
from scipy.special import logsumexp

from dpviz.accounting.gaussian import gaussian_delta, log_gaussian_delta
from dpviz.guarantees import (
    SUBSTITUTION_SHIFT,
    Bound,
    Composition,
    Guarantee,
    Kind,
    ShiftedMixturePair,
    Unit,
)
from dpviz.multistage.draw import StagedDraw
from dpviz.scenario.levels import levels_in

# Named in full wherever they stand: dpviz's Propositions 1 and 2 are others.
PROPOSITIONS = {
    "upper": "Proposition 1 of docs/multistage.md",
    "lower": "Proposition 2 of docs/multistage.md",
}
PRINTED = "Theorem 3 of Tombs et al. as printed"
# As printed one record is removed and none takes its place, so that the sum moves by C alone.
PRINTED_SHIFT = 1.0
# e^600, also divided by the smallest rate, is a double.
_LARGEST_EXPONENT = 600.0
# More than the roundings of an amplified epsilon.
_UP = 1.0 + 2.0**-50


def staged_guarantee(draw: StagedDraw, noise_multiplier: float, episodes: int) -> Guarantee:
    """Return the bounds on releasing noisy clipped sums of drawn records, one for each episode.

    Formal guarantee: for one *episode*, the replacement of one record and orders alpha >= 1 the
    profile is at most p H((1 - q) N(0) + q N(2) || N(0)), with q the chance of the levels from
    ``draw.hidden_from`` on and p that of the levels above (Prop. 1), and at least H((1 - eta) N(0)
    + eta N(2) || N(0)), eta = p q, which gradients that are all the same attain (Prop. 2). With p =
    1 these are equal. The noise is in units of the norm C that each gradient is clipped to.

    >>> draw = StagedDraw(levels=levels_in("levels", "1:2,5:10"))
    >>> upper = staged_guarantee(draw, 1.0, 1).upper
    >>> upper.share, upper.pair.rate
    (0.5, 0.5)
    """
    upper = Bound(
        theorem=PROPOSITIONS["upper"],
        kind=Kind.TIGHT if draw.hides_units else Kind.UPPER,
        unit=Unit.STEP,
        count=episodes,
        pair=_pair(draw.inner_rate, noise_multiplier, SUBSTITUTION_SHIFT),
        composition=Composition.MIRRORED,
        share=draw.outer_rate,
    )
    lower = Bound(
        theorem=PROPOSITIONS["lower"],
        kind=Kind.TIGHT if draw.hides_units else Kind.LOWER,
        unit=Unit.STEP,
        count=episodes,
        pair=_pair(draw.rate, noise_multiplier, SUBSTITUTION_SHIFT),
        composition=Composition.ATTAINED,
    )
    return Guarantee(upper=upper, lower=lower)


def printed_claim(draw: StagedDraw, noise_multiplier: float, episodes: int) -> Bound:
    """Return what the print claims, composed as the proven bound is. It is no bound.

    For one *episode* and orders >= 1 the claim is H((1 - eta) N(0) + eta N(1) || N(0)). It is
    false where a fixed number of units is drawn: see :mod:`dpviz.multistage.counterexample`.
    """
    return Bound(
        theorem=PRINTED,
        kind=Kind.UNPROVEN,
        unit=Unit.STEP,
        count=episodes,
        pair=_pair(draw.rate, noise_multiplier, PRINTED_SHIFT),
        composition=Composition.MIRRORED,
    )


def _pair(rate: float, noise_multiplier: float, shift: float) -> ShiftedMixturePair:
    return ShiftedMixturePair(rate=rate, noise_multiplier=noise_multiplier, shift=shift)


@dataclass(frozen=True, kw_only=True)
class Amplified:
    """What one episode has, if the mechanism without a draw has (epsilon, delta)."""

    epsilon: float
    delta: float


def amplified(draw: StagedDraw, noise_multiplier: float, epsilon: float) -> Amplified:
    """Return the proven pair of one episode, rounded up, if one record is replaced (Prop. 1).

    epsilon' = ln(1 + q (e^epsilon - 1)) and delta' = eta delta_M(epsilon), where delta_M is of the
    Gaussian mechanism that a replaced record moves by 2 C. All levels amplify delta, but only those
    from ``draw.hidden_from`` on amplify epsilon.

    >>> found = amplified(StagedDraw(levels=levels_in("levels", "1:2")), 1.0, 1.0)
    >>> f"{found.epsilon:.4f} {found.delta:.4f}"
    '0.6201 0.2549'
    """
    delta = draw.rate * float(gaussian_delta(epsilon, SUBSTITUTION_SHIFT / noise_multiplier))
    own = min(amplified_epsilon(draw.inner_rate, epsilon) * _UP, epsilon)
    return Amplified(epsilon=own, delta=nextafter(delta, inf))


def printed_amplified(draw: StagedDraw, noise_multiplier: float, epsilon: float) -> Amplified:
    """Return the pair that the print claims for one episode; it is no bound."""
    delta = draw.rate * float(gaussian_delta(epsilon, PRINTED_SHIFT / noise_multiplier))
    return Amplified(epsilon=amplified_epsilon(draw.rate, epsilon), delta=delta)


def amplified_epsilon(rate: float, epsilon: float) -> float:
    """Return ln(1 + rate (e^epsilon - 1)), for any size of epsilon."""
    if rate == 1.0:
        return epsilon
    if epsilon < _LARGEST_EXPONENT:
        return log1p(rate * expm1(epsilon))
    return epsilon + log(rate)


def epsilon_before(rate: float, epsilon: float) -> float:
    """Return the epsilon that a draw with this rate amplifies to the given one."""
    if rate == 1.0:
        return epsilon
    if epsilon < _LARGEST_EXPONENT:
        return log1p(expm1(epsilon) / rate)
    return epsilon - log(rate)


# Levels by the name of the preset: what they are called is in dpviz.wording.
PRESET_LEVELS = {"episodes": "5:64,1:20", "schools": "4:50,2:10,3:25"}


@dataclass(frozen=True, kw_only=True)
class Example:
    """One episode at one epsilon."""

    draw: StagedDraw
    noise_multiplier: float
    epsilon: float


def draw_in(text: str) -> StagedDraw:
    """Return the draw that a text such as "5:64,1:20" names."""
    return StagedDraw(levels=levels_in("levels", text))


_ONE_OF_TWO, _TEN_OF_HUNDRED = draw_in("1:2"), draw_in("10:100")


EXAMPLES = {
    "one-of-two": Example(
        draw=_ONE_OF_TWO,
        noise_multiplier=1.0,
        epsilon=amplified_epsilon(_ONE_OF_TWO.rate, 1.0),
    ),
    "ten-of-hundred": Example(
        draw=_TEN_OF_HUNDRED,
        noise_multiplier=2.0,
        epsilon=amplified_epsilon(_TEN_OF_HUNDRED.rate, 1.0),
    ),
    "two-classes": Example(draw=draw_in("1:2,5:10"), noise_multiplier=1.0, epsilon=1.0),
}


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

    under Q for every s > 1, and moments of *episodes* multiply. As the profile falls, each piece of
    the integral is bounded by its value at the piece's begin. Epsilon follows by Markov's
    inequality (Abadi et al. 2016, Theorem 2), at the best of 120 orders s or fewer.

    >>> round(moments_epsilon(draw_in("1:12"), 4.0, 1000, 1e-5), 1)
    9.0
    """
    distance = SUBSTITUTION_SHIFT / noise_multiplier
    end = distance * (_DEVIATIONS + distance / 2.0)
    if end > _LARGEST_LOSS:
        return inf
    losses = np.concatenate([[0.0], np.geomspace(_LEAST_LOSS, end, _LOSSES)])
    begin, length = losses[:-1], np.diff(losses)
    before = np.log1p(np.expm1(begin) / draw.inner_rate)
    log_profile = log(draw.rate) + log_gaussian_delta(before, distance)  # of p F_q
    found = inf
    for order in _ORDERS[(_ORDERS - 1.0) * distance <= _DEVIATIONS - _MARGIN].tolist():
        pieces = [
            log_profile + rate * begin + np.log(np.expm1(rate * length) / rate)
            for rate in (order - 1.0, -order)
        ]
        log_moment = float(np.logaddexp(0.0, log(order * (order - 1.0)) + logsumexp(pieces)))
        found = min(found, (episodes * log_moment - log(delta)) / (order - 1.0))
    return found * (1.0 + _ROUNDING)
