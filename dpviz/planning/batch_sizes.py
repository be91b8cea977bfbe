"""The largest batch size that meets a target, where a larger batch means fewer steps."""

from collections.abc import Callable
from dataclasses import dataclass
from math import isqrt

from dpviz.planning.boundary import Ladder, last_met

# A look takes milliseconds to tenths of a second; hardly any search needs half of them.
MOST_LOOKS = 100
_COARSEST, _FINEST = 0.1, 1e-2


@dataclass(frozen=True, kw_only=True)
class Largest:
    """The largest batch size found.

    Args:
        size: ``None`` where none meets the target, or none was found in time.
        is_complete: whether all larger ones are known not to meet it.
    """

    size: int | None
    is_complete: bool


class _TooManyLooksError(Exception):
    pass


def largest_size(
    excess: Callable[[int], float],
    least_excess: Callable[[int, int, float], float],
    *,
    windows: int,
    first: int,
    last: int,
    most_looks: int = MOST_LOOKS,
) -> Largest:
    """Return the largest of the batch sizes ``first`` to ``last`` with an excess of at most 0.

    An epoch has floor(windows / size) steps. Where that stays the same the excess increases with
    the size; where it falls the excess may fall. So sizes are looked at in blocks, the largest
    first. A block that cannot meet the target even with the rate of its smallest batch and the
    steps of its largest one is left out, any other is cut in two, down to blocks of one number
    of steps.

    Args:
        excess: how far a size is from the target; at most 0 where it meets it.
        least_excess: a lower bound of it over all sizes from one to another, to a relative
            tolerance.
        windows: N lambda, what one epoch draws from.
        first: the smallest size.
        last: the largest size.
        most_looks: how often the two may be called in all.

    >>> from math import log, sqrt
    >>> def excess_of(size, steps):
    ...     return log(size / 321 * sqrt(steps) / 0.51)
    >>> largest_size(lambda size: excess_of(size, 321 // size),
    ...              lambda low, high, _: excess_of(low, 321 // high),
    ...              windows=321, first=1, last=321)
    Largest(size=163, is_complete=True)
    """
    looks = 0

    def count_look() -> None:
        nonlocal looks
        looks += 1
        if looks > most_looks:
            raise _TooManyLooksError

    def counted_excess(size: int) -> float:
        count_look()
        return excess(size)

    blocks = [(first, last)]
    try:
        while blocks:
            low, high = blocks.pop()
            count_look()
            # The narrower a block, the less is lost by its corner, and the finer it pays to look.
            tolerance = min(_COARSEST, max(_FINEST, (high - low) / high))
            if least_excess(low, high, tolerance) > 0.0:
                continue
            if windows // low == windows // high:
                same_steps = Ladder(first=low, last=high)
                found = last_met(counted_excess, same_steps, start=low)
                if found is not None:
                    return Largest(size=found, is_complete=True)
                continue
            steps = windows // isqrt(low * high)
            cut = windows // (steps + 1) + 1  # the smallest size of so many steps
            if cut <= low:
                cut = windows // steps + 1
            blocks += [(low, cut - 1), (cut, high)]
    except _TooManyLooksError:
        return Largest(size=None, is_complete=False)
    return Largest(size=None, is_complete=True)
