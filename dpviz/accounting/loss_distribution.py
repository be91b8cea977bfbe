"""A privacy loss distribution on an evenly spaced grid."""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from dpviz.accounting.buckets import FloatArray


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
    """Masses at the losses ``origin + (first + i) * interval``, i = 0, 1, ...

    Args:
        interval: distance of neighbouring losses, in nats.
        origin: the loss of index 0.
        first: index of the first mass.
        mass: probability at each loss, shape (points,); may sum to less than 1 - infinity.
        infinity: probability of an outcome that reveals everything.
    """

    interval: float
    origin: float
    first: int
    mass: FloatArray
    infinity: float

    @property
    def last(self) -> int:
        """Index of the last mass."""
        return self.first + len(self.mass) - 1

    @property
    def losses(self) -> FloatArray:
        """The losses themselves, in nats, shape (points,)."""
        return grid_losses(self.origin, self.first, len(self.mass), self.interval)


def grid_losses(origin: float, first: int, count: int, interval: float) -> FloatArray:
    """Return the losses ``origin + i * interval`` of the indices first, ..., first + count - 1.

    Indices near 0 lose no digits to the far ends of the grid.
    """
    return np.asarray(origin + np.arange(first, first + count) * interval, dtype=np.float64)
