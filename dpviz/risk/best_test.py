"""The trade-off curve between false and true positives, from delta as a function of epsilon."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.accounting import Bracket
from dpviz.accounting.buckets import FloatArray
from dpviz.accounting.loss_distribution import Rounding
from dpviz.accounting.profile import Profile

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


@dataclass(frozen=True, kw_only=True, eq=False)
class RateBrackets:
    """Brackets of true positive rates, arrays of the shape of the false positive rates."""

    low: FloatArray
    high: FloatArray

    def at(self, place: int) -> Bracket:
        """Return one of them."""
        return Bracket(low=float(self.low[place]), high=float(self.high[place]))


def checked_rates(false_positive_rates: FloatArray | Sequence[float]) -> FloatArray:
    """Return the rates as an array.

    Raises:
        ValueError: one of them is not from 0 to 1.
    """
    rates = np.asarray(false_positive_rates, dtype=np.float64)
    wrong = rates[~((rates >= 0.0) & (rates <= 1.0))]
    if len(wrong):
        raise ValueError(
            f"false_positive_rate = {float(wrong[0])} is not allowed: it must be from 0 to 1"
        )
    return rates


def both_sides(
    lows: Sequence[FloatArray], highs: Sequence[FloatArray], rates: FloatArray
) -> tuple[RateBrackets, ...]:
    """Return brackets from their sides; one that was not computed claims nothing.

    That is, the true positive rate of who decides by lot, and of who is always right.
    """
    lows = lows or [rates] * len(highs)
    highs = highs or [np.ones_like(rates)] * len(lows)
    return tuple(RateBrackets(low=low, high=high) for low, high in zip(lows, highs, strict=True))


def largest(brackets: Sequence[RateBrackets]) -> RateBrackets:
    """Return the brackets of the largest rate at each place."""
    return RateBrackets(
        low=np.stack([one.low for one in brackets]).max(axis=0),
        high=np.stack([one.high for one in brackets]).max(axis=0),
    )


def best_test(own: Profile, opposite: Profile, rates: FloatArray) -> FloatArray:
    """Return the true positive rates of the best tests, bounded on the profiles' own side.

    TPR(FPR) = min over all real epsilon of delta(epsilon) + e^epsilon FPR (Dong et al. 2022,
    *Gaussian Differential Privacy*, Prop. 2.12). For epsilon < 0 the term is 1 - e^-epsilon (1 -
    FPR - delta of the opposite direction at -epsilon).

    Between two places of the grid a bound from below is a straight line in e^epsilon; there both
    terms are monotone, so the smallest of all are at the corners. From above any terms will do.

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
