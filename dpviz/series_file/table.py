"""A table of texts, read block by block, and the numbers in its cells."""

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz.scenario import TimeStep
from dpviz.series_file.errors import SeriesFileError, quoted

FloatArray = NDArray[np.float64]

MISSING = frozenset(
    {"", "na", "n/a", "#n/a", "nan", "-nan", "null", "none", "<na>", "nat", "?"}
)  # as written by spreadsheets, R, pandas and public data sets; compared in lower case

# For lengths only whether a cell is a number matters, not which: a decimal comma, and thousands set
# off by commas or points, count as well.
_OTHER_NUMBER = re.compile(
    r"[+-]?(\d+,\d*|,\d+|\d{1,3}(,\d{3})+(\.\d*)?|\d{1,3}(\.\d{3})+(,\d*)?)([eE][+-]?\d+)?",
    re.ASCII,
)
_NOT_0 = re.compile("[^eE]*[1-9]")
# Stands for numbers in those spellings; it is not whole, so that it is never taken for an id.
UNKNOWN_NUMBER = 0.5
MISSING_CODE = -1
MOST_SERIES = 100_000
MOST_ROWS = 10_000_000
MOST_STAMPS = 1_000_000  # different ones: they are held as Python strings
MOST_LINES = 2 * MOST_ROWS  # cells may hold line breaks, and some lines be blank
MOST_COLUMNS = MOST_SERIES + 10  # a few columns besides the series, such as the time
CELLS_PER_BLOCK = 200_000  # about 20 MB as Python strings
_ONE_COLUMN_HINT = (
    "; the file was read as one column, because its first line has no comma, semicolon, tab or "
    "pipe between column names"
)


@dataclass(frozen=True)
class Numbers:
    """Cells read as numbers (NaN where missing), which are none, and which could be several."""

    numbers: NDArray[np.float64]
    unreadable: NDArray[np.bool_]
    unsure: NDArray[np.bool_]


def is_missing(text: str) -> bool:
    """Return whether a cell says that its value is missing.

    >>> is_missing(" NaN "), is_missing("0")
    (True, False)
    """
    return text.strip().lower() in MISSING


def is_blank(text: str) -> bool:
    """Return whether a cell names nobody: ``NA`` may well be a name, of a country for one."""
    return not text.strip()


def read_numbers(cells: NDArray[np.object_]) -> Numbers:
    """Return cells as numbers, in the same shape.

    >>> read = read_numbers(np.array(["1.5", "", "2,5", "two"], dtype=object))
    >>> read.unreadable, read.unsure
    (array([False, False, False,  True]), array([False, False,  True, False]))
    """
    # Each distinct text is judged once: data have few digits, and cells are often empty.
    return Coded(*pd.factorize(cells.ravel())).numbers(cells.shape)


@dataclass(frozen=True, eq=False)
class Coded:
    """Cells by the number of their text.

    Args:
        codes: the place of each cell's text.
        texts: each once; also such as no cell has.
    """

    codes: NDArray[np.int64]
    texts: NDArray[np.object_]

    def numbers(self, shape: tuple[int, ...]) -> Numbers:
        """Return the cells as numbers."""
        try:
            numbers = self.texts.astype(np.float64)
            together = "".join(self.texts)
            if "_" in together or not together.isascii():
                raise ValueError("not all are plain")
            if any(map(_NOT_0.match, self.texts[numbers == 0.0])):
                raise ValueError("not all are kept")
            unreadable = unsure = np.zeros(len(numbers), dtype=np.bool_)
        except ValueError:
            found = [_number(text) for text in self.texts]
            numbers = np.array([math.nan if n is None else n for n in found])
            unreadable = np.array([n is None for n in found])
            unsure = numbers == UNKNOWN_NUMBER
            # It may well be written so.
            unsure[unsure] = [_plain(text) is None for text in self.texts[unsure]]
        at = self.codes.reshape(shape)
        return Numbers(numbers[at], unreadable[at], unsure[at])


def _number(text: str) -> float | None:
    """Return the number in a cell, NaN if it is missing, or ``None`` if there is none."""
    number = _plain(text)
    if number is None and is_missing(text):
        return math.nan
    return UNKNOWN_NUMBER if number is None and _OTHER_NUMBER.fullmatch(text.strip()) else number


def _plain(text: str) -> float | None:
    """Return the number that digits 0 to 9 write, or ``None``; it is 0 only where they say so."""
    try:
        number = float(text)  # which also takes 1_000, digits of other scripts, and 1e-400 for 0
    except ValueError:
        return None
    is_lost = "_" in text or not text.strip().isascii() or (number == 0.0 and _NOT_0.match(text))
    return None if is_lost else number


class DistinctTexts:
    """Numbers texts in order of first appearance, block by block.

    Args:
        missing: tells the texts that get no number, but :data:`MISSING_CODE`.

    >>> texts = DistinctTexts()
    >>> cells = Coded(*pd.factorize(np.array(["b", "a", "", "b "], dtype=object)))
    >>> texts.codes(cells).tolist(), texts.texts
    ([0, 1, -1, 0], ['b', 'a'])
    """

    def __init__(self, missing: Callable[[str], bool] = is_missing) -> None:
        self._missing = missing
        self._codes: dict[str, int] = {}

    def codes(self, cells: Coded) -> NDArray[np.int64]:
        """Return the number of each cell's text, giving new ones to new texts."""
        used, first = pd.factorize(cells.codes)  # in the order in which they come
        numbers = [
            MISSING_CODE
            if self._missing(text)
            else self._codes.setdefault(text.strip(), len(self._codes))
            for text in cells.texts[first]
        ]
        return np.asarray(np.array(numbers, dtype=np.int64)[used])

    @property
    def texts(self) -> list[str]:
        """The distinct texts without surrounding blanks, in order of their numbers."""
        return list(self._codes)

    def __len__(self) -> int:
        return len(self._codes)


class Block(ABC):
    """Consecutive rows of a table.

    Attributes:
        lines: where each row stands in the file, for messages.
    """

    lines: NDArray[np.int64]

    @abstractmethod
    def coded(self, column: int) -> Coded:
        """Return the texts of a column; missing cells are empty texts."""

    @abstractmethod
    def numbers(self, columns: Sequence[int]) -> Numbers:
        """Return columns as numbers, of shape (rows, columns)."""

    @abstractmethod
    def text(self, row: int, column: int) -> str:
        """Return a cell as it is written."""

    def texts(self, columns: Sequence[int]) -> NDArray[np.object_]:
        """Return columns as texts, of shape (rows, columns)."""
        coded = [self.coded(column) for column in columns]
        return np.stack([one.texts[one.codes] for one in coded], axis=1)

    def times(self, columns: tuple[int, ...]) -> Coded:
        """Return the time stamp of each row; a date and a time of day are joined."""
        if len(columns) == 1:
            return self.coded(columns[0])
        date, clock = (self.coded(column) for column in columns)
        codes, pairs = pd.factorize(date.codes * len(clock.texts) + clock.codes)
        dates, clocks = date.texts[pairs // len(clock.texts)], clock.texts[pairs % len(clock.texts)]
        joined = [f"{day} {hour}" for day, hour in zip(dates, clocks, strict=True)]
        return Coded(codes, np.array(joined, dtype=object))


@dataclass(frozen=True, eq=False)
class Cells(Block):
    """Rows whose cells are all there as texts.

    Args:
        cells: texts, of shape (rows, columns); missing cells are empty texts.
    """

    lines: NDArray[np.int64]
    cells: NDArray[np.object_]

    def coded(self, column: int) -> Coded:
        """Return the texts of a column."""
        return Coded(*pd.factorize(self.cells[:, column]))

    def numbers(self, columns: Sequence[int]) -> Numbers:
        """Return columns as numbers."""
        whole = len(columns) == self.cells.shape[1]
        return read_numbers(self.cells if whole else self.cells[:, list(columns)])

    def text(self, row: int, column: int) -> str:
        """Return a cell as it is written."""
        return str(self.cells[row, column])


@dataclass(frozen=True, eq=False)
class SeriesRow:
    """One series, where a row is one.

    Args:
        values: NaN where one is missing.
    """

    line: int
    name: str
    values: FloatArray


@dataclass(frozen=True)
class Table:
    """Column names, and the rows under them.

    Args:
        sample: the first rows, to tell what the columns hold.
        blocks: starts reading all rows from the first, of the columns that are wanted as texts and
            of those wanted as numbers; no others may be asked for.
        place: what a row's number counts: ``Line`` of a text file or ``Row`` of a table.
        ragged: starts reading the series of a file that is no table, but has one a line.
        time_step: the time from one value to the next, where such a file says it.
    """

    header: tuple[str, ...]
    sample: Cells
    blocks: Callable[[Sequence[int], Sequence[int]], Iterator[Block]]
    place: str
    notes: tuple[str, ...] = ()
    ragged: Callable[[], Iterator[SeriesRow]] | None = None
    time_step: TimeStep | None = None

    def title(self, column: int) -> str:
        """Return the name of a column, or its place where it has none."""
        return self.header[column] or f"column {column + 1}"

    def label(self, column: int) -> str:
        """Return how messages name a column."""
        name = self.header[column]
        return f"column {quoted(name)}" if name else f"column {column + 1} (without a name)"

    def numbers(self, block: Block, columns: Sequence[int], *, exact: bool = False) -> Numbers:
        """Return columns of a block as numbers, NaN where missing.

        Args:
            exact: whether it matters which number a cell holds.
        """
        read = block.numbers(columns)
        refused = read.unreadable | np.isinf(read.numbers)
        if exact:
            refused |= read.unsure
        for row, place in np.argwhere(refused).tolist() if refused.any() else ():
            text = block.text(row, columns[place])
            if read.unreadable[row, place]:
                reason = "is not a number" + ("" if len(self.header) > 1 else _ONE_COLUMN_HINT)
            elif not read.unsure[row, place]:
                reason = "is not finite"
            elif _plain(text) is None:
                reason = (
                    "could mean several numbers: write numbers with a decimal point and nothing "
                    "between thousands, such as 1234.5"
                )
            else:
                continue
            where = f"{self.place} {block.lines[row]}, {self.label(columns[place])}"
            raise SeriesFileError(f"{where}: {quoted(text)} {reason}.")
        return read


def rows_per_block(num_columns: int) -> int:
    """Return how many rows to hold in memory at once."""
    return max(1, CELLS_PER_BLOCK // num_columns)


def sample_rows(num_columns: int) -> int:
    """Return how many of the first rows to look at to tell what the columns hold."""
    return max(20, min(1_000, rows_per_block(num_columns)))


def check_header(header: tuple[str, ...]) -> None:
    """Refuse a header with too many columns, or with one name twice."""
    check_width(len(header))
    first: dict[str, int] = {}
    for column, name in enumerate(header):
        if name and name in first:
            raise SeriesFileError(
                f"The column name {quoted(name)} appears twice, in columns {first[name] + 1} "
                f"and {column + 1}: give each column a name of its own."
            )
        first[name] = column


def check_width(num_columns: int) -> None:
    """Refuse a table with more columns than there may be series."""
    if num_columns > MOST_COLUMNS:
        raise SeriesFileError(
            f"The table has more than {MOST_COLUMNS:,} columns: at most {MOST_SERIES:,} series "
            "are read."
        )


def check_series(num_series: int) -> None:
    """Refuse a file with more series than are read."""
    if num_series > MOST_SERIES:
        raise SeriesFileError(f"The file holds more than {MOST_SERIES:,} series.")


def check_lines(num_lines: int) -> None:
    """Refuse a text file with more lines than are read, blank ones included."""
    if num_lines > MOST_LINES:
        raise SeriesFileError(
            f"The file has more than {MOST_LINES:,} lines: leave out some series, or blank lines."
        )


def check_height(num_rows: int) -> None:
    """Refuse a table with more rows than are read."""
    if num_rows > MOST_ROWS:
        raise SeriesFileError(
            f"The table has more than {MOST_ROWS:,} rows: leave out some series, or save the "
            "table with one column a series."
        )
