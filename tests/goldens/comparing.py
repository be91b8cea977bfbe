"""What differs between what was recorded and what is seen now; long lists are told in short."""

import hashlib
import math
import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from dpviz.wording.texts import without_formulas
from tests.goldens.store import Seen

MOST_LISTED = 12
# Of numbers that are written with more digits than anybody reads, the later ones may change:
# another order of sums, or another processor, is no other answer.
RELATIVE = 1e-5
MOST_DIGITS_EXACT = 4
# By how much a mix may move, see `mix`; those of texts hold numbers of three digits, of which one
# that lies between two may be written as either.
OF_MIX, OF_MIX_IN_TEXTS = 2e-6, 1e-3
# What is that much smaller than the largest number of its list is left after cancellation: its
# order of magnitude is told.
_TINY = 1e-9
_NEGATIVE, _NOTHING = 7.7, 55.5
_GOLDEN = 0.6180339887498949
# No part of a word, a name or a hash.
_NUMBER = re.compile(r"(?<![\w.@#])(mix=|written=)?[-−]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w])")
_WRITTEN = re.compile(r"\d+(?:\.\d+)?(?:·10(⁻?[⁰¹²³⁴-⁹]+))?")
_RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_LONGEST_LINE = 400
_MOST_LINES = 60
# Of what is fitted while the page is open: an optimiser stops elsewhere on another processor, and a
# network that is trained far elsewhere.
_OF_FITTED = {
    "protected_forecasts: first": 5e-3,
    "protected_forecasts: more forecasters": 5e-3,
    "protected_forecasts: file series.csv": 5e-3,
    "private_inference: feedforward": 0.5,
}


def rounded(value: float, noise: float = 0.0) -> str:
    """Return a number with ten digits, or its order of magnitude if it is no more than noise."""
    if 0.0 < abs(value) <= noise:
        return f"~1e{math.log10(abs(value)):.0f}"
    return f"{value:.10g}"


def mix(values: Sequence[float | None]) -> float:
    """Return a mean that tells lists apart, and that moves little where numbers move little.

    A hash would be another one after a change in the last digit. The logarithm makes small numbers
    count as much as large ones, and a weight of its own for each place tells their order.
    """
    noise = _noise(values) or 1.0

    def told(value: float | None) -> float:
        if value is None or not math.isfinite(value):
            return _NOTHING if value is None or value != value else math.copysign(99.0, value)
        return math.log(abs(value) + noise) + (_NEGATIVE if value < -noise else 0.0)

    weighted = ((1.0 + (at * _GOLDEN) % 1.0) * told(value) for at, value in enumerate(values))
    return math.fsum(weighted) / max(1, len(values))


def _noise(values: Sequence[float | None]) -> float:
    known = (abs(value) for value in values if value is not None and math.isfinite(value))
    return _TINY * max(known, default=0.0)


def numbers_in_short(values: Sequence[float | None]) -> str:
    """Return a list of numbers, or some of them and what tells it from others."""
    noise = _noise(values)
    words = ["null" if value is None else rounded(value, noise) for value in values]
    if len(words) <= MOST_LISTED:
        return f"[{', '.join(words)}]"
    known = [value for value in values if value is not None] or [math.nan]
    some = [words[round(at * (len(words) - 1) / 5)] for at in range(6)]
    return (
        f"{len(words)} numbers: {', '.join(some)}; {words.count('null')} null, "
        f"min {rounded(min(known), noise)}, max {rounded(max(known), noise)}, mix={mix(values):.8f}"
    )


def texts_in_short(values: Sequence[str]) -> str:
    """Return first, middle and last of many texts, a hash of all words, a mix of all numbers."""
    joined = "\0".join(values)
    digest = hashlib.sha256(_WRITTEN.sub("#", joined).encode()).hexdigest()[:10]
    numbers = [_value(written) for written in _WRITTEN.finditer(joined)]
    some = (values[0], values[len(values) // 2], values[-1])
    return f"{len(values)} texts h{digest} written={mix(numbers):.8f}: {', '.join(map(repr, some))}"


def _value(written: re.Match[str]) -> float:
    number, _, _ = written[0].partition("·")
    return float(number) * 10.0 ** int((written[1] or "0").translate(_RAISED))


def masked(text: str) -> str:
    return _NUMBER.sub("\N{REPLACEMENT CHARACTER}", text)


def are_equal(before: str, now: str, within: float = 0.0) -> bool:
    """Return whether two texts say the same, but for late digits of long numbers.

    Args:
        before: one text.
        now: another one.
        within: by how much of themselves all real numbers may differ.

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
    return all(_is_same(old[0], new[0], within) for old, new in zip(olds, news, strict=True))


def _is_same(old: str, new: str, within: float) -> bool:
    if old == new:
        return True
    for name, tolerance in (("mix=", OF_MIX), ("written=", OF_MIX_IN_TEXTS)):
        if old.startswith(name):
            return abs(_read(old[len(name) :]) - _read(new[len(name) :])) <= max(tolerance, within)
    digits = max(_digits(old), _digits(new))
    if digits == 0 or (digits <= MOST_DIGITS_EXACT and not within):
        return False
    one, other = _read(old), _read(new)
    return abs(one - other) <= max(RELATIVE, within) * max(abs(one), abs(other))


def _read(text: str) -> float:
    return float(text.replace("−", "-"))


def _digits(text: str) -> int:
    """Return how many digits a real number is written with; those of counts have to be the same."""
    mantissa = re.split("[eE]", text)[0]
    is_real = mantissa != text or "." in text
    return len(mantissa.replace(".", "").lstrip("-−0")) if is_real else 0


def tolerance_of(state: str) -> float:
    """Return by how much of themselves the real numbers of a state may differ."""
    return _OF_FITTED.get(state, 0.0)


def difference(before: Seen, now: Seen, within: float = 0.0) -> str:
    """Return the lines that differ, those of before with a minus; nothing if all are equal.

    Lines are equal if they are but for late digits of long numbers, and for how symbols are set.
    """
    olds, news = (list(map(without_formulas, seen.lines())) for seen in (before, now))
    if olds == news:
        return ""
    matcher = SequenceMatcher(
        None, [masked(line) for line in olds], [masked(line) for line in news], autojunk=False
    )
    told = []
    for kind, start, end, first, last in matcher.get_opcodes():
        if kind == "equal":
            pairs = zip(olds[start:end], news[first:last], strict=True)
            unequal = [(old, new) for old, new in pairs if not are_equal(old, new, within)]
            told += [line for old, new in unequal for line in _told([old], [new])]
        else:
            told += _told(olds[start:end], news[first:last])
    left = len(told) - _MOST_LINES
    more = [f"... and {left} more lines"] if left > 0 else []
    return "\n".join([*told[:_MOST_LINES], *more])


def _told(olds: list[str], news: list[str]) -> list[str]:
    # Of two long lines, what stands around the first character that differs.
    start = 0
    if len(olds) == len(news) == 1:
        pairs = zip(olds[0], news[0], strict=False)
        same = next((at for at, (one, other) in enumerate(pairs) if one != other), 0)
        start = max(0, same - _LONGEST_LINE // 2)
    return [
        f"{mark} {'... ' if start else ''}{line[start : start + _LONGEST_LINE]}"
        for mark, lines in (("-", olds), ("+", news))
        for line in lines
    ]
