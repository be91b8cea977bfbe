"""Where the noise comes from: the system's entropy for a release, or a seed for a simulation."""

import os
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from dpviz.release.exact_normal import rounded_normal

# One bit less than a double has: the middle of each part is a double, too, and never rounds to 1.
_BYTES, _DROPPED_BITS, _BITS = 8, 12, 52
# Asked of the system at once.
_POOL_BYTES = 256


class Randomness(Protocol):
    """What the mechanisms draw from: :class:`SystemEntropy`, or a ``numpy.random.Generator``.

    Only the first one's noise is exact, and what is drawn with it may be published. A generator is
    for simulations and tests: it can be repeated from its seed, draws in floating point, and is not
    cryptographic.
    """

    def random(self, size: int) -> NDArray[Any]:
        """Return uniform numbers in [0, 1)."""

    def standard_normal(self, size: int) -> NDArray[Any]:
        """Return numbers of mean 0 and standard deviation 1."""


class SystemEntropy:
    """Noise that nobody can repeat, from the operating system's cryptographic generator.

    Args:
        source: gives so many random bytes; the system's by default. Another one is for tests.

    >>> SystemEntropy().standard_normal(3).shape
    (3,)
    """

    def __init__(self, source: Callable[[int], bytes] | None = None) -> None:
        self._bytes = os.urandom if source is None else source

    def rounded_normals(self, noise: float, exponent: int, size: int) -> list[int]:
        """Return floor(s N + 1/2) for normal numbers N, exactly (``exact_normal.py``).

        Args:
            noise: standard deviation, more than 0.
            exponent: of the grid: s = noise / 2^exponent.
            size: how many.

        >>> len(SystemEntropy().rounded_normals(26.13, -36, 3))
        3
        """
        scale = Fraction(noise) / Fraction(2) ** exponent
        # Of this call alone: a copy of the process must not go on with the same bits.
        bits = _Bits(self._bytes)
        return [rounded_normal(scale, bits) for _ in range(size)]

    def coins(self, rate: float, size: int) -> NDArray[np.bool_]:
        """Return coins that are True with exactly the given probability.

        Args:
            rate: 0, or from 2^-75 to 1: then it is a multiple of 2^-128, as any double is there.
            size: how many.

        >>> SystemEntropy().coins(1.0, 2).tolist()
        [True, True]
        """
        if rate >= 1.0:
            return np.ones(size, dtype=np.bool_)
        # A whole number below 2^128; the coin compares another one with it, digit by digit.
        high, low = divmod(int(Fraction(rate) * 2**128), 2**64)
        drawn = np.frombuffer(self._bytes(2 * _BYTES * size), dtype=np.uint64).reshape(2, size)
        first, second = drawn
        is_below = first < np.uint64(high)
        return np.asarray(is_below | ((first == np.uint64(high)) & (second < np.uint64(low))))

    def random(self, size: int) -> NDArray[np.float64]:
        """Return uniform numbers in [0, 1), of 52 bits."""
        numbers: NDArray[np.float64] = self._whole(size) / 2.0**_BITS
        return numbers

    def standard_normal(self, size: int) -> NDArray[np.float64]:
        """Return numbers of mean 0 and standard deviation 1, in double precision.

        They are for what hides nothing; noise on data is :meth:`rounded_normals`.
        """
        # The middle of each of 2^52 equal parts: neither end is ever hit.
        numbers: NDArray[np.float64] = ndtri((self._whole(size) + 0.5) / 2.0**_BITS)
        return numbers

    def _whole(self, size: int) -> NDArray[np.float64]:
        drawn = np.frombuffer(self._bytes(_BYTES * size), dtype=np.uint64)
        whole: NDArray[np.float64] = (drawn >> np.uint64(_DROPPED_BITS)).astype(np.float64)
        return whole


class _Bits:
    """Fair bits, each given away once."""

    def __init__(self, source: Callable[[int], bytes]) -> None:
        self._source, self._pool, self._left = source, 0, 0

    def __call__(self, count: int) -> int:
        while self._left < count:
            self._pool |= int.from_bytes(self._source(_POOL_BYTES), "little") << self._left
            self._left += 8 * _POOL_BYTES
        drawn = self._pool & ((1 << count) - 1)
        self._pool >>= count
        self._left -= count
        return drawn
