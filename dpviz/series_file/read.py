"""A file's bytes to the lengths of its series, and what speaks for another layout."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from dpviz.scenario.number_text import counted
from dpviz.series_file.columns import Column, columns_of
from dpviz.series_file.csv_table import csv_table
from dpviz.series_file.errors import SeriesFileError, quoted
from dpviz.series_file.layout import (
    LEAST_TOGETHER,
    Roles,
    find_roles,
    find_roles_of_repeated_times,
    numbered,
)
from dpviz.series_file.lengths_in_table import RepeatedTimeError, reader_of, row_lengths
from dpviz.series_file.parquet_table import parquet_table
from dpviz.series_file.rows import is_tsf, series_rows, tsf_table
from dpviz.series_file.series_lengths import Doubt, SeriesLengths
from dpviz.series_file.table import Table
from dpviz.series_file.text_file import text_file, unpacked


def doubt_of(lengths: SeriesLengths, columns: Sequence[Column]) -> Doubt | None:
    """Return what speaks for another layout than the one that was found; ``None`` if nothing.

    >>> doubt_of(SeriesLengths(lengths=(1, 1, 1), layout="long"), ()).layout
    'wide'
    """
    count = f"{lengths.num_series:,} series"
    if lengths.layout == "long" and lengths.num_series > 1 and lengths.longest == 1:
        return Doubt(
            f"The file was read as {count} of one value each: no series has a second row.",
            "rows" if sum(c.kind == "number" for c in columns) > 2 else "wide",
        )
    if lengths.layout == "wide" and lengths.num_series > 1:
        values = counted(lengths.longest, "value")
        if lengths.num_series > lengths.longest:
            return Doubt(
                f"The file was read as {count} of at most {values}, one a column: there are more "
                "series than values.",
                "rows",
            )
        if len(numbered(columns)) == len(columns):
            return Doubt(
                f"The file was read as {count}, one a column, though the columns are only "
                "numbered or dated.",
                "rows",
            )
    if lengths.layout == "rows" and lengths.num_series > 1:
        first = columns[0] if columns else None
        if first is not None and first.kind == "number" and first.counting:
            return Doubt(
                f"The file was read as {count}, one a row, though the first column counts them.",
                "wide",
            )
    return None


LAYOUTS = ("auto", "long", "wide", "rows")

Found = TypeVar("Found")


def read_series_lengths(content: bytes | Path, name: str, *, layout: str = "auto") -> SeriesLengths:
    r"""Return number and lengths of the time series in a file.

    Reads CSV (separated by comma, semicolon, tab or pipe; UTF-8, UTF-16 or Latin-1; also
    compressed with gzip or Zstandard) and Parquet, in one of three layouts: *long*, one row a
    value, with columns such as series_id, time and value; *wide*, one column a series, with a
    column for the time or none; or *rows*, one row a series. Monash's ``.tsf`` is of the last. What
    the columns are is told by their names and by what they hold; where that is not certain, a note
    says what was assumed, or a doubt what else may be meant.

    Args:
        content: the whole file, or where it lies.
        layout: ``auto``, ``long``, ``wide`` or ``rows``.

    Raises:
        SeriesFileError: the file cannot be read; the message says what, where and why.

    >>> table = b"date,north,south\n2024-01-01,3,\n2024-01-02,5,1\n2024-01-03,4,2\n"
    >>> lengths = read_series_lengths(table, "sales.csv")
    >>> lengths.layout, lengths.lengths, str(lengths.time_step)
    ('wide', (3, 2), '1 day')
    """

    def found(table: Table, roles: Roles, columns: Sequence[Column]) -> SeriesLengths:
        lengths = lengths_of(table, roles, columns)
        return replace(lengths, doubt=doubt_of(lengths, columns)) if layout == "auto" else lengths

    return read_with_roles(content, name, layout, found)


def read_with_roles(
    content: bytes | Path,
    name: str,
    layout: str,
    read: Callable[[Table, Roles, Sequence[Column]], Found],
) -> Found:
    """Return what ``read`` finds in a file, given what its columns are.

    Args:
        read: called again with other roles where a series has a time twice by the first ones.
    """
    if layout not in LAYOUTS:
        raise SeriesFileError(
            f"The layout {quoted(layout)} is not known: it must be one of {', '.join(LAYOUTS)}."
        )
    table = table_in(content, name)
    if table.ragged is not None:
        return read(table, Roles(layout="rows", series=None, times=(), values=()), ())
    columns = columns_of(table.header, table.sample)
    roles = find_roles(columns, layout)
    try:
        return read(table, roles, columns)
    except RepeatedTimeError as problem:
        # The first rows may all be of one series, which looks like a wide table.
        other = find_roles_of_repeated_times(columns)
        is_settled = layout in ("wide", "rows") or roles.series is not None
        if is_settled or other is None or problem.share < LEAST_TOGETHER:
            raise
        return read(table, other, columns)


def table_in(content: bytes | Path, name: str) -> Table:
    """Return the table in a file, CSV or Parquet."""
    file = unpacked(content, name)
    if file.is_parquet:
        return parquet_table(file.whole())
    text = text_file(file.chunks)
    return (tsf_table if is_tsf(next(file.chunks())) else csv_table)(text)


def lengths_of(table: Table, roles: Roles, columns: Sequence[Column]) -> SeriesLengths:
    """Return number and lengths of the series in a table."""
    if roles.layout == "rows":
        return row_lengths(table, roles, series_rows(table, roles))
    reader = reader_of(table, roles)
    return reader.lengths(reader.rows(), are_dates=are_dates(roles, columns))


def are_dates(roles: Roles, columns: Sequence[Column]) -> bool:
    """Return whether time stamps seem to be dates."""
    return any(columns[position].kind == "time" for position in roles.times)
