"""Lengths of series that somebody has typed, with how many series have each."""

import re

from dpviz.series_file.errors import SeriesFileError
from dpviz.series_file.series_lengths import SeriesLengths
from dpviz.series_file.table import MOST_SERIES

_NUMBER = r"(\d{1,3}(?:,\d{3})+|\d{1,12})"
_PAIR = re.compile(rf"{_NUMBER}\s*[x×*]\s*{_NUMBER}(?=\s*[,;]|\s*$)", re.ASCII)
_LIST = re.compile(rf"\s*{_PAIR.pattern}(?:\s*[,;]\s*{_PAIR.pattern})*\s*", re.ASCII)
_LONGEST = 10_000


def is_list_of_lengths(text: str) -> bool:
    """Return whether a text is such a list.

    >>> is_list_of_lengths("1,095 x 800, 730 x 400"), is_list_of_lengths("1,095")
    (True, False)
    """
    return len(text) <= _LONGEST and _LIST.fullmatch(text) is not None


def typed_lengths(text: str) -> SeriesLengths:
    """Return the lengths in a list such as ``1095 x 800, 730 x 400``.

    Raises:
        SeriesFileError: there are too many series, or one has no value.

    >>> typed_lengths("5x2,3x1").lengths
    (5, 5, 3)
    """
    pairs = [
        (int(length.replace(",", "")), int(count.replace(",", "")))
        for length, count in _PAIR.findall(text)
    ]
    if sum(count for _, count in pairs) > MOST_SERIES:
        raise SeriesFileError(f"Lengths of more than {MOST_SERIES:,} series cannot be typed.")
    lengths = tuple(length for length, count in pairs for _ in range(count))
    return SeriesLengths(lengths=lengths, layout="typed")
