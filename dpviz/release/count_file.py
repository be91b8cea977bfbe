"""One series of counts from a file: a column of whole numbers."""

import re

import numpy as np
from numpy.typing import NDArray

from dpviz.scenario.release_settings import LONGEST_SERIES
from dpviz.series_file.columns import INDEX_NAMES, TIME_NAMES, VALUE_NAMES, Column, columns_of
from dpviz.series_file.csv_table import csv_table
from dpviz.series_file.errors import SeriesFileError, listed, quoted
from dpviz.series_file.parquet_table import parquet_table
from dpviz.series_file.table import Block, Table
from dpviz.series_file.unpack import unpacked

LARGEST_COUNT = 10**12
_WHOLE = re.compile(r"\d{1,13}(\.0*)?", re.ASCII)


def counts_in_file(content: bytes, name: str) -> NDArray[np.float64]:
    r"""Return the series of counts in a table: CSV or Parquet, also compressed.

    The table has one column of counts; others may tell the time or number the rows.

    Args:
        content: the whole file.
        name: its name, for the ending.

    Returns:
        One count a row, of shape (length,): whole numbers, none missing.

    Raises:
        SeriesFileError: the file cannot be read so; the message says what, where and why.

    >>> counts_in_file(b"time,count\n2024-01-01,3\n2024-01-02,5\n", "road.csv").tolist()
    [3.0, 5.0]
    """
    file = unpacked(content, name)
    table = parquet_table(file.content) if file.is_parquet else csv_table(file.content)
    column = _count_column(columns_of(table.header, table.sample))
    counts = np.concatenate([_counts(table, block, column) for block in table.blocks()])
    if len(counts) > LONGEST_SERIES:
        raise SeriesFileError(
            f"The series has more than {LONGEST_SERIES:,} steps, the most that are read."
        )
    return counts


def _count_column(columns: tuple[Column, ...]) -> int:
    """Return which column has the counts."""
    if len(columns) == 1:
        return 0
    numbers = [
        column
        for column in columns
        if column.kind == "number" and column.key not in (*TIME_NAMES, *INDEX_NAMES)
    ]
    usual = [column for column in numbers if column.key in VALUE_NAMES]
    for found in (usual, numbers):
        if len(found) == 1:
            return found[0].position
    if not numbers:
        raise SeriesFileError("The table has no column of numbers that could be the counts.")
    raise SeriesFileError(
        f"The table has {len(numbers):,} columns of numbers, "
        f"{listed([column.name for column in numbers])}: keep one column of counts, or name it "
        "count."
    )


def _counts(table: Table, block: Block, column: int) -> NDArray[np.float64]:
    texts = [str(text).strip() for text in block.cells[:, column]]
    for row, text in enumerate(texts):
        if not _WHOLE.fullmatch(text) or float(text) > LARGEST_COUNT:
            raise SeriesFileError(
                f"{table.place} {block.lines[row]}, {table.label(column)}: {quoted(text)} is not "
                f"allowed: it must be a whole number from 0 to {LARGEST_COUNT:,}, a count to which "
                "one individual adds at most 1."
            )
    return np.array(texts, dtype=np.float64)
