"""Numbers in what is recorded: how long lists are told in short, and which of them are equal."""

import hashlib
import math
import re
from collections.abc import Sequence

MOST_LISTED = 12
# Of numbers that are written with more digits than anybody reads, the later ones may change:
# another order of sums is no other answer.
RELATIVE = 1e-6
MOST_DIGITS_EXACT = 7
# What a change of one number by that much adds to a mix, see `mix`.
ABSOLUTE_OF_MIX = 2e-6
_NEGATIVE, _ZERO, _NOTHING = 7.7, -800.0, 55.5
_GOLDEN = 0.6180339887498949
# No part of a word, a name or a hash.
_NUMBER = re.compile(r"(?<![\w.@#])(mix=)?[-−]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w])")


def rounded(value: float) -> str:
    """Return a number with ten digits."""
    return f"{value:.10g}"


def mix(values: Sequence[float | None]) -> float:
    """Return a sum that tells lists apart, and that moves little where numbers move little.

    A hash would be another one after a change in the last digit. The logarithm makes small numbers
    count as much as large ones, and a weight of its own for each place tells their order.
    """
    known = [abs(value) for value in values if value is not None and math.isfinite(value)]
    one_sided = all(value is not None and value > 0.0 for value in values)
    # Of numbers around 0, what is left after cancellation is noise.
    noise = 0.0 if one_sided else 1e-13 * max(known, default=0.0)

    def told(value: float | None) -> float:
        if value is None or not math.isfinite(value):
            return _NOTHING if value is None or value != value else math.copysign(99.0, value)
        if abs(value) <= noise:
            return _ZERO
        return math.log(abs(value)) + (_NEGATIVE if value < 0.0 else 0.0)

    return math.fsum((1.0 + (at * _GOLDEN) % 1.0) * told(value) for at, value in enumerate(values))


def numbers_in_short(values: Sequence[float | None]) -> str:
    """Return a list of numbers, or some of them and what tells it from others."""
    words = ["null" if value is None else rounded(value) for value in values]
    if len(words) <= MOST_LISTED:
        return f"[{', '.join(words)}]"
    known = [value for value in values if value is not None] or [math.nan]
    some = [words[round(at * (len(words) - 1) / 5)] for at in range(6)]
    return (
        f"{len(words)} numbers: {', '.join(some)}; {words.count('null')} null, "
        f"min {rounded(min(known))}, max {rounded(max(known))}, mix={mix(values):.8f}"
    )


def texts_in_short(values: Sequence[str]) -> str:
    """Return first and last of many texts, and a hash of them all."""
    digest = hashlib.sha256("\0".join(values).encode()).hexdigest()[:10]
    middle = values[len(values) // 2]
    return f"{len(values)} texts h{digest}: {values[0]!r}, {middle!r}, {values[-1]!r}"


def masked(text: str) -> str:
    """Return a text without its numbers."""
    return _NUMBER.sub("\N{REPLACEMENT CHARACTER}", text)


def are_equal(before: str, now: str) -> bool:
    """Return whether two texts say the same, but for late digits of long numbers.

    >>> are_equal("at most 19.02794421 of 20", "at most 19.02794422 of 20")
    True
    >>> are_equal("at most 19.03 of 20", "at most 19.04 of 20")
    False
    """
    if before == now:
        return True
    if masked(before) != masked(now):
        return False
    olds, news = _NUMBER.finditer(before), _NUMBER.finditer(now)
    return all(_is_same(old[0], new[0]) for old, new in zip(olds, news, strict=True))


def _is_same(old: str, new: str) -> bool:
    if old == new:
        return True
    if old.startswith("mix="):
        return abs(_read(old[4:]) - _read(new[4:])) <= ABSOLUTE_OF_MIX
    if max(_digits(old), _digits(new)) <= MOST_DIGITS_EXACT:
        return False
    one, other = _read(old), _read(new)
    return abs(one - other) <= RELATIVE * max(abs(one), abs(other))


def _read(text: str) -> float:
    return float(text.replace("−", "-"))


def _digits(text: str) -> int:
    """Return how many digits a real number is written with; those of counts have to be the same."""
    mantissa = re.split("[eE]", text)[0]
    is_real = mantissa != text or "." in text
    return len(mantissa.replace(".", "").lstrip("-−0")) if is_real else 0
