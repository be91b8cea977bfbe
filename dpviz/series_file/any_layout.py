"""A file's series in any of the layouts that people have; what is doubtful is refused.

A page shows what it assumed, and its visitor looks at it. Who starts a training may not, so here
whatever :mod:`dpviz.series_file.layout` would guess has to be said.
"""

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dpviz.series_file.columns import SERIES_NAMES, TIME_NAMES, VALUE_NAMES, Column, columns_of
from dpviz.series_file.errors import SeriesFileError, listed, quoted
from dpviz.series_file.layout import Roles, by_name, named_series, time_columns
from dpviz.series_file.read import read_with_roles, table_in
from dpviz.series_file.stamps import looks_like_stamps
from dpviz.series_file.table import Table, is_missing
from dpviz.series_file.unpack import unpacked
from dpviz.series_file.values import SeriesValues, values_of

LAYOUTS = ("auto", "long", "wide", "rows")
_NUMBERED = re.compile(r"(\D*)(\d+)", re.ASCII)
_LOOKED_AT = 50
_SAY = "Say which column is which with --series, --time and --value, or --layout wide or rows."


@dataclass(frozen=True, kw_only=True)
class ColumnNames:
    """Names of a long table's columns, as far as they are said."""

    series: str | None = None
    time: str | None = None
    value: str | None = None

    def __bool__(self) -> bool:
        return any((self.series, self.time, self.value))


@dataclass(frozen=True, kw_only=True, eq=False)
class UnderstoodSeries:
    """The series of a file, and a sentence on which columns they were found in."""

    series: SeriesValues
    sentence: str


def read_any_layout(
    content: bytes | Path, name: str, *, layout: str = "auto", named: ColumnNames | None = None
) -> UnderstoodSeries:
    r"""Return the series in a file of one row a value, one column a series or one row a series.

    Args:
        content: the whole file, or where it lies: CSV, TSV or Parquet; text may be gzipped.
        name: its name, for the ending.
        layout: ``long`` (tidy), ``wide``, ``rows`` or ``auto``.
        named: columns of a long table.

    Raises:
        SeriesFileError: the file cannot be read, or could mean several things.

    >>> tidy = b"shop,day,sold\na,2024-01-01,3\na,2024-01-02,5\n"
    >>> named = ColumnNames(series="shop", value="sold")
    >>> print(read_any_layout(tidy, "sales.csv", named=named).sentence)
    One row for each value: series in column "shop", time in "day", values in "sold".
    >>> read_any_layout(b"V1,V2,V3\nM1,4,5\nM2,6,\n", "m4.csv").series.values
    (array([4., 5.]), array([6.]))
    """
    named = named or ColumnNames()
    if layout not in LAYOUTS:
        raise SeriesFileError(
            f"The layout {quoted(layout)} is not known: it must be one of {', '.join(LAYOUTS)}."
        )
    if named and layout not in ("auto", "long"):
        raise SeriesFileError(f"Columns are named in a long table, and the layout is {layout}.")
    is_auto = layout == "auto" and not named
    if layout == "rows" or (is_auto and _are_series(_text_rows(content, name, _LOOKED_AT))):
        return _series_of_rows(_text_rows(content, name))
    if named or layout == "long":
        table = table_in(content, name)
        columns = columns_of(table.header, table.sample)
        return _understood(table, _named_roles(columns, named), columns)

    def read(table: Table, roles: Roles, columns: Sequence[Column]) -> UnderstoodSeries:
        if roles.notes and layout == "auto":
            raise SeriesFileError(f"{' '.join(roles.notes)} That is a guess. {_SAY}")
        return _understood(table, roles, columns)

    return read_with_roles(content, name, layout, read)


def _understood(table: Table, roles: Roles, columns: Sequence[Column]) -> UnderstoodSeries:
    title = table.header.__getitem__
    times = " and ".join(quoted(title(place)) for place in roles.times)
    if roles.layout == "wide":
        told = "One column for each series" + (f", time in {times}" if times else "")
    else:
        owner = "one series"
        if roles.series is not None:
            owner = f"series in column {quoted(title(roles.series))}"
        place = f"time in {times}" if times else "in the order of the file"
        told = (
            f"One row for each value: {owner}, {place}, values in {quoted(title(roles.values[0]))}"
        )
    return UnderstoodSeries(series=values_of(table, roles, columns), sentence=f"{told}.")


def _named_roles(columns: Sequence[Column], named: ColumnNames) -> Roles:
    """Return the roles of a long table: as said, by usual names, or where only one is left."""
    series, time, value = (
        _column(columns, name) for name in (named.series, named.time, named.value)
    )
    free = [one for one in columns if one not in (series, time, value)]
    times = time_columns(free) if time is None else (time,)
    free = [one for one in free if one not in times]
    if series is None:
        series = named_series(free, times)
        texts = [one.name for one in free if one.kind == "text"]
        if series is None and texts:
            raise SeriesFileError(
                f"Which column names the series is not certain: say it with --series, such as "
                f"{listed(texts)}."
            )
    if value is None:
        numbers = [one for one in free if one is not series and one.kind == "number"]
        usual = by_name(numbers, VALUE_NAMES)
        found = usual or numbers
        if len(found) != 1:
            listing = listed([one.name for one in found]) if found else "no column has numbers"
            raise SeriesFileError(
                f"Which column has the values is not certain ({listing}): say it with --value."
            )
        value = found[0]
    return Roles(
        layout="long",
        series=None if series is None else series.position,
        times=tuple(one.position for one in times),
        values=(value.position,),
    )


def _column(columns: Sequence[Column], name: str | None) -> Column | None:
    if name is None:
        return None
    for column in columns:
        if column.name == name:
            return column
    raise SeriesFileError(
        f"There is no column {quoted(name)}: there are {listed([one.name for one in columns])}."
    )


def _text_rows(content: bytes | Path, name: str, most: int | None = None) -> list[list[str]]:
    """Return rows of a text table; none of Parquet, and of what is no text in UTF-8."""
    source = unpacked(content, name)
    if source.is_parquet:
        return []
    chunks = source.chunks()
    try:
        found = b"".join(chunks) if most is None else next(chunks)
        if next(chunks, b""):  # the first chunk may end within a line
            found = found.rpartition(b"\n")[0]
        lines = found.decode("utf-8-sig").splitlines()
        separator = max("\t;|,", key=lines[0].count) if lines else ","
        return list(islice(filter(None, csv.reader(lines, delimiter=separator)), most))
    except (UnicodeDecodeError, csv.Error):
        return []  # which is told where the table is read


def _are_series(rows: list[list[str]]) -> bool:
    """Return whether each row is a series: its name, then values in numbered columns.

    Raises:
        SeriesFileError: that may be, and may not.
    """
    if len(rows) < 2 or len(rows[0]) < 3:
        return False
    first, *others = (cell.strip() for cell in rows[0])
    names = [row[0].strip() for row in rows[1:]]
    key = first.lower()
    if len(set(names)) < len(names) or key in TIME_NAMES or looks_like_stamps(names):
        return False
    is_called_series = key in SERIES_NAMES
    if all(_is_number(one) for one in names) and not is_called_series:
        return False
    if not all(_is_number(cell) for row in rows[1:] for cell in row[1:]):
        return False
    if _count_on([first, *others]) or (is_called_series and _count_on(others)):
        return True
    raise SeriesFileError(
        f"Column {quoted(first)} has another text in each row, so each row could be a series, or "
        "a time of which each column is a series: say --layout rows or --layout wide."
    )


def _count_on(names: list[str]) -> bool:
    """Return whether names are numbered one after the other, such as V2, V3."""
    found = [_NUMBERED.fullmatch(name) for name in names]
    parts = [(one[1], int(one[2])) for one in found if one is not None]
    return len(parts) == len(names) and all(
        later == (prefix, number + 1) for (prefix, number), later in pairwise(parts)
    )


def _is_number(text: str) -> bool:
    if is_missing(text):
        return True
    try:
        return bool(np.isfinite(float(text)))
    except ValueError:
        return False


def _series_of_rows(rows: list[list[str]]) -> UnderstoodSeries:
    if len(rows) < 2:
        raise SeriesFileError("The file has no rows under its first line, or is no text.")
    if all(map(_is_number, rows[0][1:])) and not _count_on(rows[0][1:]):
        raise SeriesFileError(
            "The first line seems to hold values: put a line with names before it, such as "
            "V1, V2, V3."
        )
    found: dict[str, NDArray[np.float64]] = {}
    for number, (name, *cells) in enumerate(rows[1:], start=1):
        if not name.strip() or name in found:
            raise SeriesFileError(
                f"Row {number} under the first line: its name {quoted(name)} is missing or was "
                "there before."
            )
        found[name] = _values_of_row(number, cells)
    sentence = f"One row for each series: names in column {quoted(rows[0][0])}."
    series = SeriesValues(
        names=tuple(found), values=tuple(found.values()), time_step=None, notes=()
    )
    return UnderstoodSeries(series=series, sentence=sentence)


def _values_of_row(number: int, cells: list[str]) -> NDArray[np.float64]:
    """Return a row's values from the first to the last that is there."""
    wrong = next((cell for cell in cells if not _is_number(cell)), None)
    if wrong is not None:
        raise SeriesFileError(f"Row {number} under the first line: {quoted(wrong)} is no number.")
    values = np.array([np.nan if is_missing(cell) else float(cell) for cell in cells])
    present = np.flatnonzero(~np.isnan(values))
    if not len(present):
        raise SeriesFileError(f"Row {number} under the first line has no values.")
    return values[present[0] : present[-1] + 1]
