"""Where noise comes from, the system's entropy or a seed, and normal noise drawn exactly."""

import os
from collections.abc import Callable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

Bits = Callable[[int], int]
"""Gives so many fair bits as a whole number."""

# Digits that a first look at a uniform number has beyond those that the answer has.
_SPARE_BITS = 24


def rounded_normal(scale: Fraction, bits: Bits, *, first_bits: int | None = None) -> int:
    """Return floor(s N + 1/2) for a standard normal N, exactly: from fair bits, by whole numbers.

    No function is approximated. It is an algorithm of Karney (Sampling exactly from the normal
    distribution, 2016, algorithm N), with coins of probability e^-x as in Canonne, Kamath and
    Steinke (2020, algorithm 1). docs/release.md proves it.

    Args:
        scale: s, more than 0.
        first_bits: of a uniform number that are looked at before more are drawn. The law is the
            same for any.
    """
    if first_bits is None:
        # Few numbers then need a second look.
        top, bottom = scale.numerator.bit_length(), scale.denominator.bit_length()
        first_bits = max(32, top - bottom + _SPARE_BITS)
    while True:
        whole = _whole_part(bits)
        if whole is None:
            continue
        part = _Uniform(bits, first_bits)
        # e^(-x (2 k + x) / 2) in k + 1 equal factors, so that no exponent is above 1.
        if all(_accepts(whole, part, bits) for _ in range(whole + 1)):
            return _rounded(scale, whole, part, is_negative=bits(1) == 1)


class _Uniform:
    """A uniform number of [0, 1], of which only the digits that were needed are drawn.

    It lies between digits / 2^length and (digits + 1) / 2^length.
    """

    def __init__(self, bits: Bits, length: int) -> None:
        self._bits = bits
        self.digits, self.length = bits(length), length

    def lengthen(self, length: int) -> None:
        """Draw digits until there are so many."""
        more = length - self.length
        self.digits = (self.digits << more) | self._bits(more)
        self.length = length


def _whole_part(bits: Bits) -> int | None:
    """Return k = 0, 1, ... with a chance in proportion to e^(-k^2 / 2), or nothing."""
    whole = 0
    while half_coin(bits):
        whole += 1
    # e^(-k/2) so far; what is left of e^(-k^2 / 2) are k (k - 1) coins of e^(-1/2).
    for _ in range(whole * (whole - 1)):
        if not half_coin(bits):
            return None
    return whole


def half_coin(bits: Bits) -> bool:
    """Return True with probability e^(-1/2)."""
    # The first of coins of 1/2, 1/4, 1/6, ... to fail has an odd number with that chance.
    count = 1
    while bits(1) == 0 and _is_zero_of(count, bits):
        count += 1
    return count % 2 == 1


def _is_zero_of(count: int, bits: Bits) -> bool:
    """Return True with probability 1 / count."""
    length = (count - 1).bit_length()
    drawn = bits(length) if length else 0
    while drawn >= count:
        drawn = bits(length)
    return drawn == 0


def _accepts(whole: int, part: _Uniform, bits: Bits) -> bool:
    """Return True with probability e^-c, c = x (2 k + x) / (2 k + 2), x the uniform number."""
    count = 1
    while _is_below(whole, part, count, bits):
        count += 1
    return count % 2 == 1


def _is_below(whole: int, part: _Uniform, count: int, bits: Bits) -> bool:
    """Return whether a fresh uniform number u is below c / count."""
    fresh = _Uniform(bits, part.length)
    factor = (2 * whole + 2) * count
    while True:
        length, u, x = part.length, fresh.digits, part.digits
        # Both sides of u (2 k + 2) count < x (2 k + x), times 4^length; each lies between two.
        twice = whole << (length + 1)
        if ((u + 1) * factor) << length <= x * (twice + x):
            return True
        if (u * factor) << length >= (x + 1) * (twice + x + 1):
            return False
        part.lengthen(2 * length)
        fresh.lengthen(2 * length)


def _rounded(scale: Fraction, whole: int, part: _Uniform, *, is_negative: bool) -> int:
    """Return floor(s y + 1/2) for y = k + x, or for -y."""
    while True:
        least = (whole << part.length) + part.digits
        most = least + 1
        if is_negative:
            least, most = -most, -least
        top, bottom = 2 * scale.numerator, scale.denominator << part.length
        low, high = ((end * top + bottom) // (2 * bottom) for end in (least, most))
        if low == high:
            return low
        part.lengthen(2 * part.length)


# One bit less than a double has: the middle of each part is a double, too, and never rounds to 1.
_BYTES, _DROPPED_BITS, _BITS = 8, 12, 52
# Asked of the system at once.
_POOL_BYTES = 256


class SystemEntropy:
    """Noise that nobody can repeat, from the operating system's cryptographic generator.

    Another ``source`` of random bytes is for tests.
    """

    def __init__(self, source: Callable[[int], bytes] | None = None) -> None:
        self._bytes = os.urandom if source is None else source

    def rounded_normals(self, noise: float, exponent: int, size: int) -> list[int]:
        """Return floor(s N + 1/2) for normal numbers N, exactly (:func:`rounded_normal`).

        The grid's exponent sets s = noise / 2^exponent.
        """
        scale = Fraction(noise) / Fraction(2) ** exponent
        # Of this call alone: a copy of the process must not go on with the same bits.
        bits = _Bits(self._bytes)
        return [rounded_normal(scale, bits) for _ in range(size)]

    def coins(self, rate: float, size: int) -> NDArray[np.bool_]:
        """Return coins that are True with exactly the given probability.

        That is 0, or from 2^-75 to 1: then it is a multiple of 2^-128, as any double is there.
        """
        if rate >= 1.0:
            return np.ones(size, dtype=np.bool_)
        # A whole number below 2^128; the coin compares another one with it, digit by digit.
        high, low = divmod(int(Fraction(rate) * 2**128), 2**64)
        drawn = np.frombuffer(self._bytes(2 * _BYTES * size), dtype=np.uint64).reshape(2, size)
        first, second = drawn
        is_below = first < np.uint64(high)
        return np.asarray(is_below | ((first == np.uint64(high)) & (second < np.uint64(low))))

    def standard_normal(self, size: int) -> NDArray[np.float64]:
        """Return numbers of mean 0 and standard deviation 1, in double precision.

        They are for what hides nothing; noise on data is :meth:`rounded_normals`.
        """
        drawn = np.frombuffer(self._bytes(_BYTES * size), dtype=np.uint64)
        whole = (drawn >> np.uint64(_DROPPED_BITS)).astype(np.float64)
        # The middle of each of 2^52 equal parts: neither end is ever hit.
        return np.asarray(ndtri((whole + 0.5) / 2.0**_BITS))


Randomness = SystemEntropy | np.random.Generator
"""What the mechanisms draw from.

Only the first one's noise is exact, and what is drawn with it may be published. A generator is for
simulations and tests: it can be repeated from its seed, draws in floating point, and is not
cryptographic.
"""


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
