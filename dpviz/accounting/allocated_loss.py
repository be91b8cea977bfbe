"""The privacy loss of an allocated pair, from bounds on its profile at many orders."""

from dataclasses import dataclass
from functools import cached_property, lru_cache, partial

import numpy as np

from dpviz.accounting.allocated_orders import MOST_POINTS, SumOfRatios
from dpviz.accounting.buckets import UNIT_ROUNDOFF, UNRESOLVED_TAIL, FloatArray
from dpviz.accounting.cell_loss import CellLoss
from dpviz.accounting.gaussian import hockey_stick
from dpviz.accounting.loss_distribution import Rounding
from dpviz.accounting.privacy_loss import LARGEST_LOSS
from dpviz.guarantees import AllocatedPair, DominatingPair

# Distances of orders on the scale of losses, the first of the losses' spread, each next one larger;
# and points of a sum's grid. Of the coarse ones epsilon is larger by 0.6 % in the middle of
# 18 settings, and may be twice as large for many batches and little noise, for a fifth of the time.
_FIRST_STEP, _GROWTH = 0.06, 1.04
_COARSE_FIRST_STEP, _COARSE_GROWTH, _COARSE_POINTS = 0.18, 1.08, 2**12
# The spread is taken for no less than this part of the total variation distance, which no mean loss
# is below: where the distributions of a batch hardly overlap, typical outputs tell nothing.
_OF_DISTANCE = 0.4
_LARGEST_EXPONENT = 600.0  # of squares, with room for all factors
# Relative room for the rounding of slopes.
_ROOM = 1e-9
_CACHED = 16


class CoarseAllocatedPair(AllocatedPair):
    """An allocated pair of which less is known: its profile is bounded at fewer orders."""


def coarsely(pair: DominatingPair) -> DominatingPair:
    """Return an allocated pair as a coarse one, and any other as it is.

    Where another series takes the place, small grids do not hold what many batches add up to.
    """
    if not isinstance(pair, AllocatedPair) or pair.is_replaced:
        return pair
    return CoarseAllocatedPair(**vars(pair))


@dataclass(frozen=True, kw_only=True, eq=False)
class _Outcomes:
    """Masses of U and of V where U / V is above 1 (or V / U), from the largest ratio on.

    Args:
        first: of the distribution that has more.
        revealing: of the first, where the second has nothing.
    """

    first: FloatArray
    second: FloatArray
    revealing: float

    @property
    def total(self) -> tuple[float, float]:
        """All of the masses."""
        return float(np.sum(self.first)) + self.revealing, float(np.sum(self.second))


class AllocatedLoss(CellLoss):
    """The loss of an allocated pair's outcomes, put together from one order to the next.

    Upwards they are those of the largest convex profile below upper bounds at the orders, which is
    above the profile: it is convex. Downwards they are the outcomes between the events that were
    tried, so far as these lie on a concave curve: a function of the outputs is no more than they.
    """

    def __init__(self, pair: AllocatedPair, rounding: Rounding) -> None:
        """Look up, or find, the outcomes of U and V, and mix them."""
        is_coarse = isinstance(pair, CoarseAllocatedPair)
        halves = _halves(pair.batches, pair.noise_multiplier, pair.is_replaced, is_coarse)
        if rounding is Rounding.UP:
            high, low = (half.from_above for half in halves)
            upper, lower = _joined(high, low)
        else:
            high, low = (half.from_below for half in halves)
            upper, lower = _concave(high, low)
        rate, kept = pair.rate, 1.0 - pair.rate
        upper, revealed = kept * lower + rate * upper, rate * high.revealing
        self._lost_above = revealed + (UNRESOLVED_TAIL if rounding is Rounding.UP else 0.0)
        self._lost_below = 0.0
        if low.revealing > 0.0 and kept > 0.0:
            upper = np.append(kept * low.revealing, upper)
            lower = np.append(low.revealing, lower)
        else:
            self._lost_below = low.revealing
        seen = (upper > 0.0) & (lower > 0.0)
        upper, lower = upper[seen], lower[seen]
        error = 16.0 * UNIT_ROUNDOFF
        self._cells = np.array([upper, error * upper, lower, error * lower])
        self._keep(
            np.maximum.accumulate(np.log(upper) - np.log(lower)),
            64.0 * UNIT_ROUNDOFF * (1.0 + float(np.max(np.abs(np.log(lower))))),
        )
        # Of few outcomes the first, which has mass to spare, had best lie on the grid.
        self.infimum = float(self._losses[0]) - self._error


def _joined(high: _Outcomes, low: _Outcomes) -> tuple[FloatArray, FloatArray]:
    """Return the masses of U and of V from the smallest ratio on; the rest has the ratio 1."""
    rest = max(1.0 - max(high.total[0] + low.total[1], high.total[1] + low.total[0]), 0.0)
    return (
        np.concatenate([low.second, [rest], high.first[::-1]]),
        np.concatenate([low.first, [rest], high.second[::-1]]),
    )


def _concave(high: _Outcomes, low: _Outcomes) -> tuple[FloatArray, FloatArray]:
    """Return the same where all masses add up to 1, so that what is left is an event, too.

    Events next to the ratio 1 are left out where those of both sides overlap, and outcomes put
    together until their ratios are in order.
    """
    first, second = low.first, low.second
    upper, lower = high.total
    while True:
        rest = 1.0 - upper - float(np.sum(second)), 1.0 - lower - float(np.sum(first))
        if min(rest) > 0.0 or len(first) == 0:
            break
        first, second = first[:-1], second[:-1]
    rises = np.concatenate([high.first, [max(rest[0], 0.0)], second[::-1]])
    widths = np.concatenate([high.second, [max(rest[1], 0.0)], first[::-1]])
    pooled = _pooled(rises, widths)[::-1]
    return pooled[:, 0], pooled[:, 1]


@lru_cache(maxsize=_CACHED)
def _halves(
    batches: int, noise_multiplier: float, is_replaced: bool, is_coarse: bool
) -> tuple["_Half", "_Half"]:
    """Return the outcomes with U / V above 1 and those with V / U above 1."""
    half = partial(_Half, batches, noise_multiplier, is_replaced, is_coarse=is_coarse)
    high = half(from_other_side=False)
    low = high
    if is_replaced:
        low = half(from_other_side=True)
        low.values[0] = high.values[0] = max(low.values[0], high.values[0])
    return high, low


class _Half:
    """Upper bounds at orders of 1 and more, of H(U || V) or of H(V || U), and tests if asked for.

    Attributes:
        orders: increasing from 1.
        values: upper bounds at the orders.
    """

    def __init__(
        self,
        batches: int,
        noise_multiplier: float,
        is_replaced: bool,
        *,
        from_other_side: bool,
        is_coarse: bool,
    ) -> None:
        shift = 2.0 / noise_multiplier
        # Joint convexity, with another batch of V beside each one of U: means in two dimensions are
        # nearer than in one. Of two batches it is exact (docs/tighter-bounds.md, Proposition 24).
        means, known = (shift / 2, -shift / 2), shift / np.sqrt(2.0)
        if is_replaced:
            means, known = (0.0, -shift) if from_other_side else (shift, 0.0), shift
        largest = min(shift * (shift / 2 + 12.0), LARGEST_LOSS / 2)
        values: list[float] = []
        orders: list[float] = []
        most_points = _COARSE_POINTS if is_coarse else MOST_POINTS
        self._ratios = partial(SumOfRatios, batches, means, most_points=most_points)
        self._guesses: list[float] = []  # at orders at which ratios are summed
        first, growth = _FIRST_STEP, _GROWTH
        if is_coarse:
            first, growth = _COARSE_FIRST_STEP, _COARSE_GROWTH
        step = first
        log_order, guess, spread = 0.0, 0.3, shift
        while log_order < largest:
            order = float(np.exp(log_order))
            value = float(hockey_stick(order, known)) * (1.0 + _ROOM)
            # Beyond, squares are larger than any double; the bound without other batches holds.
            is_within = 2.0 * log_order + shift**2 < _LARGEST_EXPONENT
            if is_within:
                self._guesses.append(guess)
                ratios = self._ratios(order, guess)
                value = min(value, ratios.value_from_above() * (1.0 + _ROOM))
                if not orders:
                    spread = min(max(ratios.spread, _OF_DISTANCE * value), shift)
            guess = value = min([value, *values[-1:]])
            orders.append(order)
            values.append(max(value, UNRESOLVED_TAIL))
            if value <= UNRESOLVED_TAIL:
                break
            # Without sums, orders cost nothing: they may lie as near as losses that are normal.
            log_order += step * spread if is_within else min(step * spread, first * shift)
            step *= growth
        self.orders = np.array(orders)
        self.values = np.array(values)

    @cached_property
    def from_above(self) -> _Outcomes:
        """Return the outcomes of the largest convex function below the values."""
        widths = np.diff(self.orders)
        falls = _pooled(-np.diff(self.values), widths)
        slopes = np.repeat(falls[:, 0] / falls[:, 1], falls[:, 2].astype(int))
        second = -np.diff(np.append(slopes, 0.0))
        first = self.orders[1:] * second
        used = second > 0.0
        return _Outcomes(
            first=first[used][::-1],
            second=second[used][::-1],
            revealing=float(self.values[-1]),
        )

    @cached_property
    def from_below(self) -> _Outcomes:
        """Return the outcomes between tests, from that with the least of the second on."""
        kept: list[tuple[float, float]] = []
        for order, guess in zip(self.orders.tolist(), self._guesses, strict=False):
            upper, lower = self._ratios(order, guess).event_from_below()
            if upper <= order * lower:
                break
            # Of nested events both masses fall.
            if not kept or (upper < kept[-1][0] and lower < kept[-1][1]):
                kept.append((upper, lower))
        falling = np.array([*kept, (0.0, 0.0)])
        parts = -np.diff(falling, axis=0)[::-1]
        pooled = _pooled(parts[:, 0], parts[:, 1])
        return _Outcomes(first=pooled[:, 0], second=pooled[:, 1], revealing=0.0)


def _pooled(rises: FloatArray, widths: FloatArray) -> FloatArray:
    """Return rises, widths and counts, put together until the quotients do not increase."""
    blocks: list[list[float]] = []
    for rise, width in zip(rises, widths, strict=True):
        blocks.append([float(rise), float(width), 1.0])
        while len(blocks) > 1 and blocks[-2][0] * blocks[-1][1] <= blocks[-1][0] * blocks[-2][1]:
            last = blocks.pop()
            blocks[-1] = [one + other for one, other in zip(blocks[-1], last, strict=True)]
    return np.array(blocks).reshape(-1, 3)
