"""Normal noise rounded to whole numbers, drawn exactly: from fair bits, by whole numbers alone.

The law is that of floor(s N + 1/2) for a standard normal N, to the last digit: no function is
approximated. It is an algorithm of Karney (Sampling exactly from the normal distribution, 2016,
algorithm N), with coins of probability e^-x as in Canonne, Kamath and Steinke (2020, algorithm 1).
docs/release.md proves it.
"""

from collections.abc import Callable
from fractions import Fraction

Bits = Callable[[int], int]
"""Gives so many fair bits as a whole number."""

# Digits that a first look at a uniform number has beyond those that the answer has.
_SPARE_BITS = 24


def rounded_normal(scale: Fraction, bits: Bits, *, first_bits: int | None = None) -> int:
    """Return floor(s N + 1/2) for a standard normal N.

    Args:
        scale: s, more than 0; any fraction.
        bits: where randomness comes from.
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
        least, most = (
            (whole << part.length) + part.digits,
            (whole << part.length) + part.digits + 1,
        )
        if is_negative:
            least, most = -most, -least
        top, bottom = 2 * scale.numerator, scale.denominator << part.length
        low, high = ((end * top + bottom) // (2 * bottom) for end in (least, most))
        if low == high:
            return low
        part.lengthen(2 * part.length)
