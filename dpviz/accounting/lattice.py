"""Which points of an even grid one unit's losses are put on: fewer where they are large and rare.

A composition needs losses that are multiples of one interval. One unit's own points may lie
further apart: most outcomes have small losses, and a distance in proportion to the loss, beyond
many standard deviations, changes the sum's spread as little as the interval does near 0.
"""

import numpy as np
from numpy.typing import NDArray

IndexArray = NDArray[np.int64]

# From this many spreads on, and not before so many intervals, points lie twice as far apart; and
# twice again wherever the loss has doubled. So their distance is at most a 320th of the loss.
_EVEN_SPREADS = 64.0
_EVEN_INTERVALS = 640


def spaced_indices(last: int, interval: float, spread: float) -> IndexArray:
    """Return increasing indices from 0 to ``last``, closer to each other near 0.

    Args:
        last: the last index, at least 1.
        interval: grid distance, in nats.
        spread: about the root mean square of the loss, in nats.

    >>> spaced_indices(3000, interval=1.0, spread=0.5).tolist()[638:643]
    [638, 639, 640, 642, 644]
    """
    end = max(int(_EVEN_SPREADS * spread / interval), _EVEN_INTERVALS)
    pieces = [np.arange(min(end, last), dtype=np.int64)]
    step = 2
    while end < last:
        pieces.append(np.arange(end, min(2 * end, last), step, dtype=np.int64))
        end, step = 2 * end, 2 * step
    return np.append(np.concatenate(pieces), last)


def covered_range(largest: float, spread: float) -> float:
    """Return the interval times the number of points that reach up to ``largest``, in nats."""
    even = _EVEN_SPREADS * spread
    if largest <= even:
        return largest
    return even * (1.0 + 0.5 * float(np.log2(largest / even)) + 0.5)
