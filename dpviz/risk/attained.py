"""How often some attacker is right at least: the trade-off curves of attained pairs.

A lower bound rests on two real output distributions, P and Q, and on both of their directions:
delta(epsilon; P, Q) and delta(epsilon; Q, P) from epsilon = 0 on. Together they are the whole
hockey-stick curve of *one* of the directions, since for epsilon < 0

    delta(epsilon; P, Q) = 1 - e^epsilon + e^epsilon delta(-epsilon; Q, P).

Whoever takes Q for the null hypothesis and tests for P reaches, by the best test,

    TPR(FPR) = min over all real epsilon of  delta(epsilon; P, Q) + e^epsilon FPR

(Neyman and Pearson 1933; Dong et al. 2022, *Gaussian Differential Privacy*, Prop. 2.12). Each term
grows with delta, so what lies below both directions' deltas gives what lies below the TPR. The
larger delta of the two directions must not stand in for either one. ``docs/attack-rates.md`` has
the proof.
"""

from dataclasses import dataclass

import numpy as np

from dpviz.accounting import Bracket, Curve
from dpviz.accounting.buckets import FloatArray
from dpviz.accounting.loss_distribution import Rounding
from dpviz.accounting.profile import Profile
from dpviz.guarantees import Composition

# e^epsilon stays a finite number, and far beyond what any rate could show.
_LARGEST_EPSILON = 700.0
# A delta below this is counted as 0 in a lower bound, which spares thousands of lines.
_NEGLIGIBLE = 1e-18
# A place on the grid is off by a few units in the last place of its terms.
_PLACE_ERROR = 2.0**-49
# A few roundings of numbers that are at most about 1.
_ABSOLUTE = 2.0**-48


@dataclass(frozen=True, kw_only=True, eq=False)
class DirectedRates:
    """True positive rates of the best tests between one pair of distributions, in one direction.

    Args:
        low: some test reaches at least these, shape as the false positive rates.
        high: no test between these two distributions reaches more.
    """

    low: FloatArray
    high: FloatArray


def directed_true_positive_rates(
    curve: Curve, false_positive_rates: FloatArray
) -> tuple[DirectedRates, ...]:
    """Return what the best tests reach, for each pair and direction apart.

    Each of these curves is concave: it is the whole trade-off curve of one attack that looks for
    one thing. Of each pair the first direction has P as what is looked for, the second has Q; a
    symmetric pair has one.

    Args:
        curve: of a lower bound that is composed as attained.
        false_positive_rates: from 0 to 1, shape (rates,).

    Raises:
        ValueError: the curve's pair is not attained, or a rate is not from 0 to 1.
    """
    rates = np.asarray(false_positive_rates, dtype=np.float64)
    if curve.bound.composition is not Composition.ATTAINED:
        raise ValueError("curve is not of an attained pair: no attacker need reach its rates")
    wrong = rates[~((rates >= 0.0) & (rates <= 1.0))]
    if len(wrong):
        raise ValueError(
            f"false_positive_rate = {float(wrong[0])} is not allowed: it must be from 0 to 1"
        )
    attacks = zip(_attacks(curve, curve.low), _attacks(curve, curve.high), strict=True)
    return tuple(
        DirectedRates(low=_best_test(*low, rates), high=_best_test(*high, rates))
        for low, high in attacks
    )


def attained_true_positive_rate(curve: Curve, false_positive_rate: float) -> Bracket:
    """Return the true positive rate that some attacker reaches with this false positive rate.

    It is the larger one of all pairs and directions, each of which is a real attack by itself:
    which of them it is may change from rate to rate. Of the bracket, ``low`` is the one to quote.

    Args:
        curve: of a lower bound that is composed as attained.
        false_positive_rate: from 0 to 1.

    Raises:
        ValueError: see :func:`directed_true_positive_rates`.

    >>> from dpviz.accounting import account_for
    >>> from dpviz.scenario import PRESETS
    >>> lower = account_for(PRESETS["toy"].scenario).lower
    >>> f"{attained_true_positive_rate(lower, 0.01).low:.3f}"
    '0.275'
    """
    directed = directed_true_positive_rates(curve, np.array([false_positive_rate]))
    return Bracket(
        low=max(float(attack.low[0]) for attack in directed),
        high=max(float(attack.high[0]) for attack in directed),
    )


def _attacks(curve: Curve, profiles: tuple[Profile, ...]) -> list[tuple[Profile, Profile]]:
    """Return for each attack the profiles of its own direction and of the opposite one."""
    if len(profiles) == len(curve.bound.pairs):
        return [(profile, profile) for profile in profiles]
    both = zip(profiles[::2], profiles[1::2], strict=True)
    return [attack for one, other in both for attack in ((one, other), (other, one))]


def _best_test(own: Profile, opposite: Profile, rates: FloatArray) -> FloatArray:
    """Return min over epsilon of delta(epsilon) + e^epsilon FPR, on the profiles' own side.

    Below 0 a term is 1 - e^-epsilon (1 - FPR - delta(epsilon; opposite)), epsilon > 0. Between two
    places of the grid a bound from below is a straight line in e^epsilon; there the terms are
    monotone, so the smallest of all are at the corners. Of a bound from above any terms will do.
    """
    odds, delta = _corners(own)
    inverse_odds, opposite_delta = _corners(opposite)
    slopes = np.concatenate([odds, 1.0 / inverse_odds])
    starts = np.concatenate([delta, 1.0 - (1.0 - opposite_delta) / inverse_odds])
    best = np.array([np.min(starts + slopes * rate) for rate in rates])
    best += _ABSOLUTE if own.rounding is Rounding.UP else -_ABSOLUTE
    # Who decides by lot has a true positive rate that is the false one.
    return np.asarray(np.clip(best, rates, 1.0))


def _corners(profile: Profile) -> tuple[FloatArray, FloatArray]:
    """Return e^epsilon and delta at 0, at each place of the grid above it and at a last one."""
    up = profile.rounding is Rounding.UP
    places = profile.start + np.arange(len(profile.delta)) * profile.interval
    used = (places > 0.0) & (places < _LARGEST_EPSILON)
    ends = np.array([0.0, _LARGEST_EPSILON])
    at_ends = profile.delta_at(ends)
    epsilon = np.concatenate([ends[:1], places[used], ends[1:]])
    delta = np.concatenate([at_ends[:1], profile.delta[used], at_ends[1:]])
    error = _PLACE_ERROR * (1.0 + epsilon + abs(profile.start))
    odds = np.exp(epsilon) * (1.0 + error if up else 1.0 - error)
    if up:
        return odds, delta
    # From there on, or from the last place on, nothing is claimed: delta is at least 0.
    end = int(np.argmax(np.append(delta, 0.0) <= _NEGLIGIBLE))
    last = odds[min(end, len(odds) - 1)]
    return np.append(odds[:end], last), np.append(delta[:end], 0.0)
