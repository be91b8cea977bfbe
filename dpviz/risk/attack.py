"""How often any attacker can be right who wants to tell two neighbouring data sets apart.

The attacker sees all that training reveals, knows both data sets and all settings, and decides
which one it was. A false positive takes the first for the second, a true positive finds the
second. The numbers come from the whole curve delta(epsilon), of which one pair (epsilon, delta)
keeps little. Each is the bracket of one bound, as epsilon's is: of an upper bound, no attacker
does better than ``high``.
"""

import numpy as np

from dpviz.accounting import Bracket, Curve
from dpviz.accounting.buckets import FloatArray

# Where a rate is read off at first: the accountant's domain of epsilon. Then finely around the
# best of these.
_EPSILONS = np.concatenate([[0.0], np.geomspace(1e-4, 1e3, 600)])
_AROUND = 8
_FINER = np.linspace(0.0, 1.0, 1025)
# A few roundings of numbers that are at most about 1, and of exponentials.
_RELATIVE, _ABSOLUTE = 2.0**-44, 2.0**-50


def advantage(curve: Curve) -> Bracket:
    """Return how much larger the true than the false positive rate of any attack can be.

    It is the total variation distance of the outputs, delta(0).

    >>> from dpviz.accounting import best_upper
    >>> from dpviz.scenario import PRESETS
    >>> f"{advantage(best_upper(PRESETS['traffic'].scenario)).high:.3f}"
    '0.056'
    """
    at_zero = curve.delta_at(np.zeros(1))
    return Bracket(low=float(at_zero.low[0]), high=min(1.0, float(at_zero.high[0])))


def success(curve: Curve) -> Bracket:
    """Return how often an attacker can be right who finds both data sets equally likely.

    (1 + advantage) / 2: of a hundred such attacks that many percent are right on average.

    >>> from dpviz.accounting import best_upper
    >>> from dpviz.scenario import PRESETS
    >>> f"{success(best_upper(PRESETS['traffic'].scenario)).high:.3f}"
    '0.528'
    """
    more = advantage(curve)
    assert more.low is not None
    assert more.high is not None
    low, high = (0.5 + 0.5 * side for side in (more.low, more.high))
    return Bracket(low=low * (1.0 - _RELATIVE), high=min(1.0, high * (1.0 + _RELATIVE)))


def true_positive_rate(curve: Curve, false_positive_rate: float) -> Bracket:
    """Return the largest true positive rate of any attack with this false positive rate.

    For each epsilon >= 0, TPR <= e^epsilon FPR + delta(epsilon); and since the relation of
    neighbours is symmetric, 1 - FPR <= e^epsilon (1 - TPR) + delta(epsilon). The smallest of all
    these bounds is the trade-off curve (Dong et al. 2022, *Gaussian Differential Privacy*).

    Args:
        curve: of an upper bound.
        false_positive_rate: from 0 to 1.

    Raises:
        ValueError: the curve is of a lower bound, whose two directions have each a trade-off curve
            of their own, or the rate is not from 0 to 1.

    >>> from dpviz.accounting import best_upper
    >>> from dpviz.scenario import PRESETS
    >>> f"{true_positive_rate(best_upper(PRESETS['traffic'].scenario), 0.01).high:.4f}"
    '0.0144'
    """
    if not curve.bound.bounds_from_above:
        raise ValueError("curve is of a lower bound")
    if not 0.0 <= false_positive_rate <= 1.0:
        raise ValueError(
            f"false_positive_rate = {false_positive_rate} is not allowed: it must be from 0 to 1"
        )
    coarse = _bounds_above(curve, false_positive_rate, _EPSILONS)
    best = int(np.argmin(coarse))
    left = _EPSILONS[max(best - _AROUND, 0)]
    right = _EPSILONS[min(best + _AROUND, len(_EPSILONS) - 1)]
    finer = left + _FINER * (right - left)
    above = min(coarse[best], np.min(_bounds_above(curve, false_positive_rate, finer)))
    # Between two epsilons of the coarse grid the bound may be smaller than at both.
    below = _bounds_below(curve, false_positive_rate, np.union1d(_EPSILONS, finer))
    # Whoever decides by lot has a true positive rate that is the false one.
    low, high = (max(false_positive_rate, float(side)) for side in (below, above))
    return Bracket(low=min(1.0, low, high), high=min(1.0, high))


def _bounds_above(curve: Curve, rate: float, epsilons: FloatArray) -> FloatArray:
    forward, backward = _both(rate, epsilons, curve.delta_at(epsilons).high)
    smaller = np.minimum(forward, backward)
    return np.asarray(smaller + _RELATIVE * smaller + _ABSOLUTE)


def _bounds_below(curve: Curve, rate: float, epsilons: FloatArray) -> float:
    """Return the smallest bound from below: in each cell the first epsilon and the last delta."""
    delta = curve.delta_at(epsilons).low
    forward, backward = _both(rate, epsilons[:-1], delta[1:])
    beyond = _both(rate, epsilons[-1:], np.zeros(1))
    smaller = min(float(np.min(side)) for side in (forward, backward, *beyond))
    return smaller - _RELATIVE * abs(smaller) - _ABSOLUTE


def _both(rate: float, epsilons: FloatArray, delta: FloatArray) -> tuple[FloatArray, FloatArray]:
    with np.errstate(over="ignore"):
        odds = np.exp(epsilons) * rate if rate > 0.0 else np.zeros(len(epsilons))
    return odds + delta, 1.0 - np.exp(-epsilons) * (1.0 - rate - delta)
