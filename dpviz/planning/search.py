"""Where a slowly computed function of a whole number passes zero."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from dpviz.accounting import DEFAULT_TOLERANCE

# A rung and its excess.
Tried = tuple[int, float]
_FIRST_STRIDE, _SMALL_STRIDE, _STRIDE_GROWTH = 0.005, 5e-4, 3.0
_COARSE_TOLERANCE = 0.1
# A look takes milliseconds to tenths of a second; hardly any search needs half of them.
MOST_LOOKS = 100
_COARSEST, _FINEST = 0.1, 1e-2


@dataclass(frozen=True, kw_only=True)
class Ladder:
    """Whole numbers from ``first`` to ``last``, evenly spread on a scale of their own.

    Args:
        first: the rung that is the easiest to meet.
        per_unit: rungs in one unit of the scale; ``None`` for a logarithmic scale.
        value: what a rung stands for; by default the number itself.
    """

    first: int
    last: int
    per_unit: float | None = None
    value: Callable[[int], float] = int

    def place(self, rung: int) -> float:
        """Return where a rung is on the scale."""
        return math.log(rung) if self.per_unit is None else rung / self.per_unit

    def nearest(self, place: float) -> int:
        """Return the rung at a place of the scale, or the end beyond which it lies."""
        if place >= self.place(self.last):
            return self.last
        rung = math.exp(place) if self.per_unit is None else place * self.per_unit
        return max(self.first, round(rung))

    @property
    def middle(self) -> int:
        """The rung halfway on the scale."""
        return self.nearest(0.5 * (self.place(self.first) + self.place(self.last)))


def last_met(
    excess: Callable[[int], float],
    ladder: Ladder,
    *,
    start: int,
    resolution: float = 0.0,
    stride: float = _FIRST_STRIDE,
) -> int | None:
    """Return a rung with an excess of at most 0 whose next rung has more; ``None`` without any.

    Args:
        excess: increasing, but for errors of its computation; may be infinite.
        start: the rung to try first.
        resolution: how far on the ladder's scale the rung may be below the right one.
        stride: how far from the start on that scale to try the next one.

    >>> last_met(lambda rung: rung - 1234.5, Ladder(first=1, last=10**6), start=7)
    1234
    """
    met: Tried | None = None
    unmet: Tried | None = None
    stride = max(resolution, stride)
    # Away from the start in growing strides, until the boundary is passed.
    rung = start
    while True:
        value = excess(rung)
        if value <= 0.0:
            met = (rung, value)
            further = max(rung + 1, ladder.nearest(ladder.place(rung) + stride))
        else:
            unmet = (rung, value)
            further = min(rung - 1, ladder.nearest(ladder.place(rung) - stride))
        if met is not None and unmet is not None:
            return _narrowed(excess, ladder, met, unmet, resolution)
        if met is not None and rung == ladder.last:
            return rung
        if unmet is not None and rung == ladder.first:
            return None
        rung = further
        stride *= _STRIDE_GROWTH


def _narrowed(
    excess: Callable[[int], float], ladder: Ladder, met: Tried, unmet: Tried, resolution: float
) -> int:
    """Narrow by straight lines while they are worth it, else by halves."""
    by_halves = False
    while unmet[0] - met[0] > 1:
        low, high = ladder.place(met[0]), ladder.place(unmet[0])
        if high - low <= resolution:
            break
        share = 0.5
        if not by_halves and math.isfinite(met[1]) and math.isfinite(unmet[1]):
            share = met[1] / (met[1] - unmet[1])
        rung = ladder.nearest(low + share * (high - low))
        rung = min(max(rung, met[0] + 1), unmet[0] - 1)
        value = excess(rung)
        if value <= 0.0:
            met = (rung, value)
        else:
            unmet = (rung, value)
        # A line that leaves most of the gap is followed by a halving.
        by_halves = ladder.place(unmet[0]) - ladder.place(met[0]) > 0.5 * (high - low)
    return met[0]


def last_met_exactly(excess: Callable[..., float], ladder: Ladder) -> int | None:
    """Return :func:`last_met` by what is exact, searched for mostly by what is quick.

    ``excess`` takes a rung, ``tolerance`` and perhaps ``only_quoted``, which mean what they mean
    for :func:`dpviz.accounting.curve.composed_curve`.
    """
    start = ladder.middle
    for tolerance, resolution in ((_COARSE_TOLERANCE, 0.02), (DEFAULT_TOLERANCE, 0.0)):
        quick = partial(excess, tolerance=tolerance, only_quoted=True)
        near = last_met(quick, ladder, start=start, resolution=resolution)
        start = ladder.first if near is None else near
    exact = partial(excess, tolerance=DEFAULT_TOLERANCE)
    return last_met(exact, ladder, start=start, stride=_SMALL_STRIDE)


class TooManyLooksError(Exception):
    """A search was cut."""


def _look(left: Iterator[int]) -> None:
    if next(left, None) is None:
        raise TooManyLooksError


def largest_size(
    excess: Callable[[int], float],
    least_excess: Callable[[int, int, float], float],
    *,
    windows: int,
    sizes: Ladder,
    most_looks: int = MOST_LOOKS,
) -> int | None:
    """Return the largest of some batch sizes with an excess of at most 0.

    An epoch has floor(windows / size) steps. Where that stays the same the excess increases with
    the size; where it falls the excess may fall. So sizes are looked at in blocks, the largest
    first. A block that cannot meet the target even with the rate of its smallest batch and the
    steps of its largest one is left out, any other is cut in two, down to blocks of one number of
    steps.

    Args:
        least_excess: a lower bound of the excess over all sizes from one to another, to a relative
            tolerance.
        windows: N lambda, what one epoch draws from.
        most_looks: how often the two may be called in all before ``TooManyLooksError``.
    """
    looks = iter(range(most_looks))

    def counted_excess(size: int) -> float:
        _look(looks)
        return excess(size)

    blocks = [(sizes.first, sizes.last)]
    while blocks:
        low, high = blocks.pop()
        _look(looks)
        # The narrower a block, the less is lost by its corner, and the finer it pays to look.
        tolerance = min(_COARSEST, max(_FINEST, (high - low) / high))
        if least_excess(low, high, tolerance) > 0.0:
            continue
        if windows // low == windows // high:
            found = last_met(counted_excess, Ladder(first=low, last=high), start=low)
            if found is not None:
                return found
            continue
        steps = windows // math.isqrt(low * high)
        cut = windows // (steps + 1) + 1  # the smallest size of so many steps
        if cut <= low:
            cut = windows // steps + 1
        blocks += [(low, cut - 1), (cut, high)]
    return None
