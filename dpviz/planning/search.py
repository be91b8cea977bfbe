"""Where a slowly computed function of a whole number passes zero."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from dpviz.accounting import DEFAULT_TOLERANCE

# A rung and its excess.
Tried = tuple[int, float]
_FIRST_STRIDE, _STRIDE_GROWTH = 0.005, 3.0
_COARSE_TOLERANCE, _COARSE_RESOLUTION, _COARSE_STRIDE = 0.1, 0.02, 0.5
# Rungs in a given distance are no further apart, but for rounding.
_ROUNDED = 1.0 + 1e-9
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
    # Away from the start until the boundary is passed: to where a straight line passes it, at most
    # in growing strides.
    rung, before = start, None
    while True:
        value = excess(rung)
        if value <= 0.0:
            met = (rung, value)
        else:
            unmet = (rung, value)
        if met is not None and unmet is not None:
            return _narrowed(excess, ladder, met, unmet, resolution)
        if met is not None and rung == ladder.last:
            return rung
        if unmet is not None and rung == ladder.first:
            return None
        if before is not None:
            slope = _slope(ladder, (rung, value), before)
            stride = min(_STRIDE_GROWTH * stride, abs(value) / slope if slope else math.inf)
        before = (rung, value)
        stride = max(resolution, stride, abs(ladder.place(rung + 1) - ladder.place(rung)))
        if met is not None:
            rung = max(rung + 1, ladder.nearest(ladder.place(rung) + stride))
        else:
            rung = min(rung - 1, ladder.nearest(ladder.place(rung) - stride))


def _slope(ladder: Ladder, one: Tried, other: Tried) -> float | None:
    """Return by how much the excess grows in one unit of the scale, if it is known to grow."""
    slope = (other[1] - one[1]) / (ladder.place(other[0]) - ladder.place(one[0]))
    return slope if 0.0 < slope < math.inf else None


def _narrowed(
    excess: Callable[[int], float], ladder: Ladder, met: Tried, unmet: Tried, resolution: float
) -> int:
    """Narrow by straight lines; an end that has stayed counts half (the Illinois method)."""
    was_met: bool | None = None
    while unmet[0] - met[0] > 1:
        low, high = ladder.place(met[0]), ladder.place(unmet[0])
        if high - low <= resolution * _ROUNDED:
            break
        share = 0.5
        if math.isfinite(met[1]) and math.isfinite(unmet[1]) and met[1] < unmet[1]:
            share = met[1] / (met[1] - unmet[1])
        # Not so near to an end that a boundary between the two would leave nothing to gain.
        place = max(min(low + share * (high - low), high - resolution), low + resolution)
        rung = ladder.nearest(place)
        rung = min(max(rung, met[0] + 1), unmet[0] - 1)
        value = excess(rung)
        is_met = value <= 0.0
        stays = 0.5 if is_met is was_met else 1.0
        if is_met:
            met, unmet = (rung, value), (unmet[0], stays * unmet[1])
        else:
            met, unmet = (met[0], stays * met[1]), (rung, value)
        was_met = is_met
    return met[0]


def last_met_exactly(excess: Callable[..., float], ladder: Ladder) -> int | None:
    """Return :func:`last_met` by what is exact, searched for mostly by what is quick.

    ``excess`` takes a rung, ``tolerance`` and perhaps ``only_quoted``, which mean what they mean
    for :func:`dpviz.accounting.curve.composed_curve`.
    """
    coarse = _Quick(excess, _COARSE_TOLERANCE)
    near = last_met(
        coarse, ladder, start=ladder.middle, resolution=_COARSE_RESOLUTION, stride=_COARSE_STRIDE
    )
    quick, stride = _Quick(excess), _FIRST_STRIDE
    start = ladder.first if near is None else near
    # The boundary is about where the coarse line has it.
    above = min((rung for rung in coarse.tried if rung > start), default=None)
    if near is not None and above is not None:
        slope = _slope(ladder, (near, coarse.tried[near]), (above, coarse.tried[above]))
        value = quick(near)
        stride = abs(value) / slope if slope and math.isfinite(value) else stride
    return _in_full(excess, quick, ladder, last_met(quick, ladder, start=start, stride=stride))


class _Quick:
    """An excess by the quoted side alone, computed once at each rung.

    Attributes:
        tried: all that were computed. What is met is met: it is proven by an upper bound.
    """

    def __init__(self, excess: Callable[..., float], tolerance: float = DEFAULT_TOLERANCE) -> None:
        self._excess = partial(excess, tolerance=tolerance, only_quoted=True)
        self.tried: dict[int, float] = {}

    def __call__(self, rung: int) -> float:
        if rung not in self.tried:
            self.tried[rung] = self._excess(rung)
        return self.tried[rung]


def _in_full(
    excess: Callable[..., float], quick: _Quick, ladder: Ladder, near: int | None
) -> int | None:
    """Return the last rung that is met in full, near to the one that was found quickly.

    The rung that comes next is computed in full. Where that is no news, the quick grid was fine
    enough, and what it says of the rung before holds as well.
    """
    if near == ladder.last:
        return near
    full: dict[int, float] = {}

    def sure(rung: int) -> float:
        value, above = quick.tried.get(rung, math.inf), full.get(rung + 1, math.nan)
        if value <= 0.0 and above == quick.tried.get(rung + 1):
            return value
        full[rung] = excess(rung, tolerance=DEFAULT_TOLERANCE)
        return full[rung]

    return last_met(sure, ladder, start=ladder.first if near is None else near + 1, stride=0.0)


class TooManyLooksError(Exception):
    """A search was cut."""


def _look(left: Iterator[int]) -> None:
    if next(left, None) is None:
        raise TooManyLooksError


def largest_size(
    excess: Callable[..., float],
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
        excess: as for :func:`last_met_exactly`.
        least_excess: a lower bound of the excess over all sizes from one to another, to a relative
            tolerance.
        windows: N lambda, what one epoch draws from.
        most_looks: how often the two may be called in all before ``TooManyLooksError``.
    """
    looks = iter(range(most_looks))

    def counted_excess(size: int, **how: float) -> float:
        _look(looks)
        return excess(size, **how)

    quick = _Quick(counted_excess)
    if quick(sizes.last) <= 0.0:
        return sizes.last
    blocks = [(sizes.first, sizes.last)]
    while blocks:
        low, high = blocks.pop()
        _look(looks)
        # The narrower a block, the less is lost by its corner, and the finer it pays to look.
        tolerance = min(_COARSEST, max(_FINEST, (high - low) / high))
        if least_excess(low, high, tolerance) > 0.0:
            continue
        if windows // low == windows // high:
            block = Ladder(first=low, last=high)
            near = last_met(quick, block, start=low, stride=math.inf)
            found = _in_full(counted_excess, quick, block, near)
            if found is not None:
                return found
            continue
        steps = windows // math.isqrt(low * high)
        cut = windows // (steps + 1) + 1  # the smallest size of so many steps
        if cut <= low:
            cut = windows // steps + 1
        blocks += [(low, cut - 1), (cut, high)]
    return None
