"""How often any attacker can be right who wants to tell two neighbouring data sets apart.

The attacker sees all that training reveals, knows both data sets and all settings, and decides
which one it was. A false positive takes the first for the second, a true positive finds the second.
The numbers come from the whole curve delta(epsilon), of which one pair (epsilon, delta) keeps
little. Each is the bracket of one bound: of an upper bound, no attacker does better than ``high``.

Some attacker reaches what an attained pair shows. A lower bound rests on two real output
distributions, P and Q, and on both of their directions, delta(epsilon; P, Q) and delta(epsilon; Q,
P) from epsilon = 0 on: together they are the whole hockey-stick curve of *one* of the directions,
and its best test has (Neyman and Pearson 1933; Dong et al. 2022, *Gaussian Differential Privacy*,
Prop. 2.12)

    TPR(FPR) = min over all real epsilon of  delta(epsilon; P, Q) + e^epsilon FPR.

Each term grows with delta, so what lies below both directions' deltas gives what lies below the
TPR. The larger delta of the two must not stand in for either one. ``docs/attack-rates.md`` has the
proof.
"""

from collections.abc import Sequence

import numpy as np

from dpviz.accounting import Bracket, Brackets, Curve
from dpviz.accounting.buckets import FloatArray
from dpviz.accounting.loss_distribution import Rounding
from dpviz.accounting.profile import Profile
from dpviz.guarantees import Composition

# e^epsilon stays a finite number, and far beyond what any rate could show.
_LARGEST_EPSILON = 700.0
# A delta below this is counted as 0 in a bound from below, which spares thousands of lines.
_NEGLIGIBLE = 1e-18
# A place on the grid is off by a few units in the last place of its terms.
_PLACE_ERROR = 2.0**-49
# Neighbouring lines that are looked at together.
_BLOCK = 64
# A few roundings of numbers that are at most about 1.
_ABSOLUTE = 2.0**-48


def checked_rates(false_positive_rates: FloatArray | Sequence[float]) -> FloatArray:
    """Return the rates as an array; ``ValueError`` if one is not from 0 to 1."""
    rates = np.asarray(false_positive_rates, dtype=np.float64)
    wrong = rates[~((rates >= 0.0) & (rates <= 1.0))]
    if len(wrong):
        raise ValueError(
            f"false_positive_rate = {float(wrong[0])} is not allowed: it must be from 0 to 1"
        )
    return rates


def both_sides(
    lows: Sequence[FloatArray], highs: Sequence[FloatArray], rates: FloatArray
) -> tuple[Brackets, ...]:
    """Return brackets from their sides; one that was not computed claims nothing.

    That is, the true positive rate of who decides by lot, and of who is always right.
    """
    lows = lows or [rates] * len(highs)
    highs = highs or [np.ones_like(rates)] * len(lows)
    return tuple(Brackets(low=low, high=high) for low, high in zip(lows, highs, strict=True))


def largest(brackets: Sequence[Brackets]) -> Brackets:
    """Return the brackets of the largest rate at each place."""
    return Brackets(
        low=np.stack([one.low for one in brackets]).max(axis=0),
        high=np.stack([one.high for one in brackets]).max(axis=0),
    )


def best_test(own: Profile, opposite: Profile, rates: FloatArray) -> FloatArray:
    """Return the true positive rates of the best tests, bounded on the profiles' own side.

    For epsilon < 0 the term of the minimum is 1 - e^-epsilon (1 - FPR - delta of the opposite
    direction at -epsilon). Between two places of the grid a bound from below is a straight line in
    e^epsilon; there both terms are monotone, so the smallest of all are at the corners. From above
    any terms will do.

    Args:
        own: delta of what is looked for against what is not.
        opposite: delta of the two exchanged, rounded to the same side.
        rates: false positive rates, shape (rates,).
    """
    odds, delta = _corners(own)
    inverse_odds, opposite_delta = _corners(opposite)
    slopes = np.concatenate([odds, 1.0 / inverse_odds])
    starts = np.concatenate([delta, 1.0 - (1.0 - opposite_delta) / inverse_odds])
    best = _smallest(starts, slopes, rates)
    best += _ABSOLUTE if own.rounding is Rounding.UP else -_ABSOLUTE
    # Who decides by lot has a true positive rate that is the false one.
    return np.asarray(np.clip(best, rates, 1.0))


def _smallest(starts: FloatArray, slopes: FloatArray, rates: FloatArray) -> FloatArray:
    """Return min over the lines of start + slope * rate, for each rate.

    Only blocks of neighbouring lines are looked at whose smallest start and slope together are
    below what was found; rounding keeps that order, so nothing is missed.
    """
    missing = -len(starts) % _BLOCK
    start_blocks = np.append(starts, np.full(missing, np.inf)).reshape(-1, _BLOCK)
    slope_blocks = np.append(slopes, np.zeros(missing)).reshape(-1, _BLOCK)
    least_starts, least_slopes = start_blocks.min(axis=1), slope_blocks.min(axis=1)
    smallest = np.empty(len(rates))
    for at, rate in enumerate(rates.tolist()):
        bounds = least_starts + least_slopes * rate
        first = int(np.argmin(bounds))
        found = np.min(start_blocks[first] + slope_blocks[first] * rate)
        open_blocks = np.flatnonzero(bounds < found)
        lines = start_blocks[open_blocks] + slope_blocks[open_blocks] * rate
        smallest[at] = np.min(lines) if lines.size else found
    return smallest


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


# A few roundings.
_RELATIVE = 2.0**-44


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

    Raises:
        ValueError: the curve is of a lower bound, whose two directions have each a trade-off curve
            of their own, or the rate is not from 0 to 1.

    >>> from dpviz.accounting import best_upper
    >>> from dpviz.scenario import PRESETS
    >>> f"{true_positive_rate(best_upper(PRESETS['traffic'].scenario), 0.01).high:.4f}"
    '0.0144'
    """
    return true_positive_rates(curve, np.array([false_positive_rate])).at(0)


def true_positive_rates(curve: Curve, false_positive_rates: FloatArray) -> Brackets:
    """Return :func:`true_positive_rate` at many rates."""
    rates = checked_rates(false_positive_rates)
    if not curve.bound.bounds_from_above:
        raise ValueError("curve is of a lower bound")
    # Any of the pairs may be the worst one; each is its own mirror image.
    lows, highs = (
        [best_test(profile, profile, rates) for profile in side] for side in (curve.low, curve.high)
    )
    return largest(both_sides(lows, highs, rates))


def directed_true_positive_rates(
    curve: Curve, false_positive_rates: FloatArray
) -> tuple[Brackets, ...]:
    """Return what the best tests reach, for each pair and direction apart, of a lower bound.

    Each of these curves is concave: it is the whole trade-off curve of one attack that looks for
    one thing. Of each pair the first direction has P as what is looked for, the second has Q; a
    symmetric pair has one.

    Raises:
        ValueError: the curve is not composed as attained, or a rate is not from 0 to 1.
    """
    rates = checked_rates(false_positive_rates)
    if curve.bound.composition is not Composition.ATTAINED:
        raise ValueError("curve is not of an attained pair: no attacker need reach its rates")
    # Attacks that are computed apart have one direction or two, each by itself.
    alone = curve.attacks or (curve,)
    lows, highs = (
        [best_test(*attack, rates) for one in alone for attack in _attacks(one, getattr(one, side))]
        for side in ("low", "high")
    )
    return both_sides(lows, highs, rates)


def attained_true_positive_rates(curve: Curve, false_positive_rates: FloatArray) -> Brackets:
    """Return :func:`attained_true_positive_rate` at many rates."""
    return largest(directed_true_positive_rates(curve, false_positive_rates))


def attained_true_positive_rate(curve: Curve, false_positive_rate: float) -> Bracket:
    """Return the true positive rate that some attacker reaches with this false positive rate.

    It is the larger one of all pairs and directions, each of which is a real attack by itself:
    which of them it is may change from rate to rate. Of the bracket, ``low`` is the one to quote.
    The curve is of a lower bound that is composed as attained.

    >>> from dpviz.accounting import composed_curve
    >>> from dpviz.guarantees import guarantee_for
    >>> from dpviz.scenario import PRESETS
    >>> lower = composed_curve(guarantee_for(PRESETS["toy"].scenario).lower)
    >>> f"{attained_true_positive_rate(lower, 0.01).low:.3f}"
    '0.275'
    """
    return attained_true_positive_rates(curve, np.array([false_positive_rate])).at(0)


def _attacks(curve: Curve, profiles: tuple[Profile, ...]) -> list[tuple[Profile, Profile]]:
    """Return for each attack the profiles of its own direction and of the opposite one."""
    if len(profiles) == len(curve.bound.pairs):
        return [(profile, profile) for profile in profiles]
    both = zip(profiles[::2], profiles[1::2], strict=True)
    return [attack for one, other in both for attack in ((one, other), (other, one))]
