"""Number and lengths of series: as a file has them, or as somebody has typed them."""

import re
from dataclasses import dataclass
from statistics import median

from dpviz.scenario import TimeStep
from dpviz.series_file.errors import SeriesFileError
from dpviz.series_file.table import MOST_SERIES


@dataclass(frozen=True)
class Doubt:
    """That a file may be meant in another way."""

    sentence: str
    layout: str


@dataclass(frozen=True, kw_only=True)
class SeriesLengths:
    """Number and lengths of the series in a file.

    Args:
        lengths: the length of each series in time steps, in order of appearance.
        layout: ``long`` (one row a value), ``wide`` (one column a series) ``rows`` (one row a
            series), or ``typed`` where it is no file.
        time_step: the time from one value to the next, where all time stamps agree on it.
        doubt: why another layout may be meant; ``None`` where none seems to be.

    >>> lengths = SeriesLengths(lengths=(68, 126, 69), layout="long")
    >>> lengths.num_series, lengths.shortest, lengths.median, lengths.longest
    (3, 68, 69.0, 126)
    """

    lengths: tuple[int, ...]
    layout: str
    time_step: TimeStep | None = None
    notes: tuple[str, ...] = ()
    doubt: Doubt | None = None

    def __post_init__(self) -> None:
        if not self.lengths:
            raise SeriesFileError("There are no series.")
        if min(self.lengths) < 1:
            raise SeriesFileError("There is a series without a value.")

    @property
    def num_series(self) -> int:
        """N, the number of series."""
        return len(self.lengths)

    @property
    def shortest(self) -> int:
        """Length of the shortest series."""
        return min(self.lengths)

    @property
    def median(self) -> float:
        """Median length."""
        return float(median(self.lengths))

    @property
    def longest(self) -> int:
        """Length of the longest series."""
        return max(self.lengths)


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
