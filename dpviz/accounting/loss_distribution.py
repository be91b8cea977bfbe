"""A privacy loss distribution on an evenly spaced grid."""

from dataclasses import dataclass
from enum import Enum

import numpy as np

from dpviz.accounting.buckets import FloatArray
from dpviz.accounting.lattice import IndexArray


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


def grid_losses(origin: float, indices: IndexArray | FloatArray, interval: float) -> FloatArray:
    """Return the losses ``origin + index * interval``.

    Indices near 0 lose no digits to the far ends of the grid.
    """
    return np.asarray(origin + indices * interval, dtype=np.float64)
