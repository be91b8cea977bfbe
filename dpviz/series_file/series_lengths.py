"""What is read of a file: number and lengths of its series."""

from dataclasses import dataclass
from statistics import median

from dpviz.scenario import TimeStep
from dpviz.series_file.errors import SeriesFileError


@dataclass(frozen=True)
class Doubt:
    """That a file may be meant in another way.

    Args:
        sentence: what speaks for that.
        layout: the other way.
    """

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
        notes: sentences on what was assumed or left out in reading.
        doubt: why another layout may be meant; ``None`` where none seems to be.

    Raises:
        SeriesFileError: there is no series, or one without a value.

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
            raise SeriesFileError("The file holds no series.")
        if min(self.lengths) < 1:
            raise SeriesFileError("The file holds a series without a value.")

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
