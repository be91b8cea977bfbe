"""Where the noise comes from: a seed that repeats it, or the system's entropy."""

import os
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

# One bit less than a double has: the middle of each part is a double, too, and never rounds to 1.
_BYTES, _DROPPED_BITS, _BITS = 8, 12, 52


class Randomness(Protocol):
    """What the mechanisms draw from: a ``numpy.random.Generator``, or :class:`SystemEntropy`."""

    def random(self, size: int) -> NDArray[Any]:
        """Return uniform numbers in [0, 1)."""

    def standard_normal(self, size: int) -> NDArray[Any]:
        """Return numbers of mean 0 and standard deviation 1."""


class SystemEntropy:
    """Noise that nobody can repeat, from the operating system's cryptographic generator.

    >>> SystemEntropy().standard_normal(3).shape
    (3,)
    """

    def random(self, size: int) -> NDArray[np.float64]:
        """Return uniform numbers in [0, 1)."""
        numbers: NDArray[np.float64] = self._whole(size) / 2.0**_BITS
        return numbers

    def standard_normal(self, size: int) -> NDArray[np.float64]:
        """Return numbers of mean 0 and standard deviation 1."""
        # The middle of each of 2^52 equal parts: neither end is ever hit.
        numbers: NDArray[np.float64] = ndtri((self._whole(size) + 0.5) / 2.0**_BITS)
        return numbers

    @staticmethod
    def _whole(size: int) -> NDArray[np.float64]:
        drawn = np.frombuffer(os.urandom(_BYTES * size), dtype=np.uint64)
        whole: NDArray[np.float64] = (drawn >> np.uint64(_DROPPED_BITS)).astype(np.float64)
        return whole
