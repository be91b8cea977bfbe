"""A table of texts, read block by block, and the numbers in its cells."""

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz.series_file.errors import SeriesFileError, quoted

MISSING = frozenset(
    {"", "na", "n/a", "#n/a", "nan", "-nan", "null", "none", "<na>", "nat", "?"}
)  # as written by spreadsheets, R, pandas and public data sets; compared in lower case

# For lengths only whether a cell is a number matters, not which: a decimal comma, and thousands set
# off by commas or points, count as well.
_OTHER_NUMBER = re.compile(
    r"[+-]?(\d+,\d*|,\d+|\d{1,3}(,\d{3})+(\.\d*)?|\d{1,3}(\.\d{3})+(,\d*)?)([eE][+-]?\d+)?",
    re.ASCII,
)
# Stands for numbers in those spellings; it is not whole, so that it is never taken for an id.
UNKNOWN_NUMBER = 0.5
MISSING_CODE = -1
MOST_SERIES = 100_000
MOST_ROWS = 1_000_000
MOST_LINES = 2 * MOST_ROWS  # cells may hold line breaks, and some lines be blank
MOST_COLUMNS = MOST_SERIES + 10  # a few columns besides the series, such as the time
CELLS_PER_BLOCK = 200_000  # about 20 MB as Python strings
_ONE_COLUMN_HINT = (
    "; the file was read as one column, because its first line has no comma, semicolon, tab or "
    "pipe between column names"
)


@dataclass(frozen=True)
class Numbers:
    """Cells read as numbers (NaN where missing), and which cells are no number."""

    numbers: NDArray[np.float64]
    unreadable: NDArray[np.bool_]


def is_missing(text: str) -> bool:
    """Return whether a cell says that its value is missing.

    >>> is_missing(" NaN "), is_missing("0")
    (True, False)
    """
    return text.strip().lower() in MISSING


def read_numbers(cells: NDArray[np.object_]) -> Numbers:
    """Return cells as numbers, in the same shape.

    >>> read = read_numbers(np.array(["1.5", "", "2,5", "two"], dtype=object))
    >>> read.unreadable
    array([False, False, False,  True])
    """
    # Each distinct text is judged once: data have few digits, and cells are often empty.
    codes, texts = pd.factorize(cells.ravel())
    try:
        numbers = texts.astype(np.float64)
        unreadable = np.zeros(len(texts), dtype=np.bool_)
    except ValueError:
        found = [_number(text) for text in texts]
        numbers = np.array([math.nan if n is None else n for n in found])
        unreadable = np.array([n is None for n in found])
    return Numbers(numbers[codes].reshape(cells.shape), unreadable[codes].reshape(cells.shape))


def _number(text: str) -> float | None:
    """Return the number in a cell, NaN if it is missing, or ``None`` if there is none."""
    try:
        return float(text)
    except ValueError:
        if is_missing(text):
            return math.nan
        return UNKNOWN_NUMBER if _OTHER_NUMBER.fullmatch(text.strip()) else None


class DistinctTexts:
    """Numbers texts in order of first appearance, block by block.

    Args:
        missing: tells the texts that get no number, but :data:`MISSING_CODE`.

    >>> texts = DistinctTexts()
    >>> texts.codes(np.array(["b", "a", "", "b "], dtype=object)).tolist(), texts.texts
    ([0, 1, -1, 0], ['b', 'a'])
    """

    def __init__(self, missing: Callable[[str], bool] = is_missing) -> None:
        self._missing = missing
        self._codes: dict[str, int] = {}

    def codes(self, cells: NDArray[np.object_]) -> NDArray[np.int64]:
        """Return the number of each text, giving new ones to new texts."""
        codes, texts = pd.factorize(cells)
        numbers = [MISSING_CODE if self._missing(text) else self._number(text) for text in texts]
        numbered: NDArray[np.int64] = np.array(numbers, dtype=np.int64)[codes]
        return numbered

    def _number(self, text: str) -> int:
        return self._codes.setdefault(text.strip(), len(self._codes))

    @property
    def texts(self) -> list[str]:
        """The distinct texts without surrounding blanks, in order of their numbers."""
        return list(self._codes)

    def __len__(self) -> int:
        return len(self._codes)


@dataclass(frozen=True)
class Block:
    """Consecutive rows of a table.

    Args:
        lines: where each row stands in the file, for messages.
        cells: texts, of shape (rows, columns); missing cells are empty texts.
    """

    lines: NDArray[np.int64]
    cells: NDArray[np.object_]

    def times(self, columns: tuple[int, ...]) -> NDArray[np.object_]:
        """Return the time stamp of each row; a date and a time of day are joined."""
        if len(columns) == 1:
            return self.cells[:, columns[0]]
        parts = self.cells[:, list(columns)]
        return np.array([" ".join(row) for row in parts], dtype=object)


@dataclass(frozen=True)
class Table:
    """Column names, and the rows under them.

    Args:
        header: column names.
        sample: the first rows, to tell what the columns hold.
        blocks: starts reading all rows from the first.
        place: what a row's number counts: ``Line`` of a text file or ``Row`` of a table.
        notes: what was assumed in reading.
    """

    header: tuple[str, ...]
    sample: Block
    blocks: Callable[[], Iterator[Block]]
    place: str
    notes: tuple[str, ...] = ()

    def label(self, column: int) -> str:
        """Return how messages name a column."""
        name = self.header[column]
        return f"column {quoted(name)}" if name else f"column {column + 1} (without a name)"

    def numbers(self, block: Block, columns: list[int]) -> NDArray[np.float64]:
        """Return columns of a block as numbers, NaN where missing.

        Raises:
            SeriesFileError: a cell holds no number, or an infinite one.
        """
        cells = block.cells if len(columns) == len(self.header) else block.cells[:, columns]
        read = read_numbers(cells)
        refused = read.unreadable | np.isinf(read.numbers)
        if refused.any():
            row, position = (int(index) for index in np.argwhere(refused)[0])
            reason = "is not a number" if read.unreadable[row, position] else "is not finite"
            hint = "" if len(self.header) > 1 else _ONE_COLUMN_HINT
            raise SeriesFileError(
                f"{self.place} {block.lines[row]}, {self.label(columns[position])}: "
                f"{quoted(cells[row, position])} {reason}{hint}."
            )
        return read.numbers


def rows_per_block(num_columns: int) -> int:
    """Return how many rows to hold in memory at once."""
    return max(1, CELLS_PER_BLOCK // num_columns)


def sample_rows(num_columns: int) -> int:
    """Return how many of the first rows to look at to tell what the columns hold."""
    return max(20, min(1_000, CELLS_PER_BLOCK // num_columns))


def check_header(header: tuple[str, ...]) -> None:
    """Refuse a header with too many columns, or with one name twice.

    Raises:
        SeriesFileError: with the name and its two columns.
    """
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
