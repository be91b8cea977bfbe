"""A privacy loss distribution on an evenly spaced grid.

A composition needs losses that are multiples of one interval. One unit's own points may lie
further apart where losses are large and rare: most outcomes have small losses, and a distance in
proportion to the loss, beyond many standard deviations, changes the sum's spread as little as the
interval does near 0.
"""

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from dpviz.accounting.buckets import FloatArray

IndexArray = NDArray[np.int64]

# From this many spreads on, and not before so many intervals, points lie twice as far apart; and
# twice again wherever the loss has doubled. So their distance is at most a 320th of the loss.
_EVEN_SPREADS = 64.0
_EVEN_INTERVALS = 640


def spaced_indices(last: int, interval: float, spread: float) -> IndexArray:
    """Return increasing indices from 0 to ``last``, closer to each other near 0.

    Args:
        last: the last index, at least 1.
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


class Rounding(Enum):
    """On which side of the exact distribution a discrete one lies."""

    UP = "up"
    DOWN = "down"


class Direction(Enum):
    """Which privacy loss of a pair (P, Q) is meant.

    MIRRORED: of the pair whose profile at orders below 1 mirrors the one above.
    FORWARD: of (P, Q).
    BACKWARD: of (Q, P).
    """

    MIRRORED = "mirrored"
    FORWARD = "forward"
    BACKWARD = "backward"


@dataclass(frozen=True, kw_only=True, eq=False)
class LossDistribution:
    """Masses at the losses ``origin + index * interval``, in nats.

    Args:
        interval: every distance between losses is a multiple of it, in nats.
        origin: the loss of index 0.
        indices: whole numbers, increasing, shape (points,).
        mass: probability at each loss, shape (points,); may sum to less than 1 - infinity.
        infinity: probability of an outcome that reveals everything.
    """

    interval: float
    origin: float
    indices: IndexArray
    mass: FloatArray
    infinity: float

    def __post_init__(self) -> None:
        # Rounded up, a probability may be above 1, whose logarithm of what is left is no number.
        object.__setattr__(self, "infinity", min(self.infinity, 1.0))

    @property
    def first(self) -> int:
        """Index of the first mass."""
        return int(self.indices[0])

    @property
    def last(self) -> int:
        """Index of the last mass."""
        return int(self.indices[-1])

    @property
    def losses(self) -> FloatArray:
        """The losses themselves, in nats, shape (points,)."""
        return grid_losses(self.origin, self.indices, self.interval)

    @property
    def variance(self) -> float:
        """Of the loss where it is finite, in nats squared; never below 0."""
        mean = float(np.sum(self.mass * self.losses))
        return max(float(np.sum(self.mass * self.losses**2)) - mean**2, 0.0)


def grid_losses(origin: float, indices: IndexArray | FloatArray, interval: float) -> FloatArray:
    """Return the losses ``origin + index * interval``.

    Indices near 0 lose no digits to the far ends of the grid.
    """
    return np.asarray(origin + indices * interval, dtype=np.float64)
