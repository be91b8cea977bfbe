"""A file's series in any of the layouts that people have; what is doubtful is refused.

A page shows what it assumed, and its visitor looks at it. Who starts a training may not, so here
whatever :mod:`dpviz.series_file.layout` would guess has to be said.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from dpviz.series_file.adopt import Choice
from dpviz.series_file.columns import SERIES_NAMES, VALUE_NAMES, Column, column_named, columns_of
from dpviz.series_file.errors import SeriesFileError, listed, quoted
from dpviz.series_file.layout import Roles, by_name, named_series, numbered, roles_of, time_columns
from dpviz.series_file.read import doubt_of, read_with_roles, table_in
from dpviz.series_file.stamps import looks_like_stamps
from dpviz.series_file.table import Table
from dpviz.series_file.values import SeriesValues, values_of

_SAY = "Say which column is which with --series, --time and --value, or --layout wide or rows."


@dataclass(frozen=True, kw_only=True)
class ColumnNames:
    """Names of columns, as far as they are said: those of time and values in a long table alone."""

    series: str | None = None
    time: str | None = None
    value: str | None = None

    def __bool__(self) -> bool:
        return any((self.series, self.time, self.value))


NO_NAMES = ColumnNames()


@dataclass(frozen=True, kw_only=True, eq=False)
class UnderstoodSeries:
    """The series of a file, and a sentence on which columns they were found in."""

    series: SeriesValues
    sentence: str


def read_any_layout(
    content: bytes | Path, name: str, *, layout: str = "auto", named: ColumnNames = NO_NAMES
) -> UnderstoodSeries:
    r"""Return the series in a file of one row a value, one column a series or one row a series.

    Args:
        content: the whole file, or where it lies: CSV, TSV or Parquet; text may be gzipped.

    >>> tidy = b"shop,day,sold\na,2024-01-01,3\na,2024-01-02,5\n"
    >>> named = ColumnNames(series="shop", value="sold")
    >>> print(read_any_layout(tidy, "sales.csv", named=named).sentence)
    One row for each value: series in column "shop", time in "day", values in "sold".
    >>> read_any_layout(b"V1,V2,V3,V4\nM1,4,5,\nM2,6,,\n", "m4.csv").series.values
    (array([4., 5.]), array([6.]))
    """
    names_rows = layout == "rows" and named == ColumnNames(series=named.series)
    if layout == "long" or (named and not names_rows):
        if layout not in ("auto", "long"):
            raise SeriesFileError(f"Columns are named in a long table, and the layout is {layout}.")
        table = table_in(content, name)
        columns = columns_of(table.header, table.sample)
        roles = named_roles(columns, named)
        return _understood(table, roles, values_of(table, roles, columns)[0])

    def read(table: Table, roles: Roles, columns: Sequence[Column]) -> UnderstoodSeries:
        is_guess = layout == "auto" and table.ragged is None
        if is_guess:
            _check_certain(roles, columns)
        if named.series:
            place = column_named(columns, named.series).position
            roles = Choice(series=place).applied(roles, columns)
        series, lengths = values_of(table, roles, columns)
        doubt = doubt_of(lengths, columns)
        if is_guess and doubt is not None and not roles.times:
            raise SeriesFileError(f"{doubt.sentence} Say which with --layout long, wide or rows.")
        return _understood(table, roles, series)

    return read_with_roles(content, name, layout, read)


def names_in(header: Sequence[str], roles: Roles) -> ColumnNames:
    """Return the names of a long table's columns; of a table of rows the one of their names."""
    series = None if roles.series is None else header[roles.series]
    if roles.layout != "long":
        return ColumnNames(series=series)
    return ColumnNames(
        series=series,
        time=header[roles.times[0]] if len(roles.times) == 1 else None,
        value=header[roles.values[0]],
    )


def _check_certain(roles: Roles, columns: Sequence[Column]) -> None:
    """Refuse roles that were guessed."""
    if roles.layout != "rows":
        if roles.notes:
            raise SeriesFileError(f"{' '.join(roles.notes)} That is a guess. {_SAY}")
        return
    is_named = roles.series is not None and columns[roles.series].key in SERIES_NAMES
    # M4 calls the column of names V1, and the values go on from V2.
    all_count = numbered([replace(one, kind="number") for one in columns])
    if not (
        is_named or len(all_count) == len(columns) or looks_like_stamps([numbered(columns)[0].name])
    ):
        raise SeriesFileError(
            "Each row could be a series, or a time of which each column is a series: say "
            "--layout rows or --layout wide."
        )


def _understood(table: Table, roles: Roles, series: SeriesValues) -> UnderstoodSeries:
    title = table.header.__getitem__
    times = " and ".join(quoted(title(place)) for place in roles.times)
    owner = "" if roles.series is None else quoted(title(roles.series))
    if roles.layout == "rows":
        told = "One row for each series" + (f": names in column {owner}" if owner else "")
    elif roles.layout == "wide":
        told = "One column for each series" + (f", time in {times}" if times else "")
    else:
        told = "One row for each value: "
        told += f"series in column {owner}" if owner else "one series"
        told += f", time in {times}" if times else ", in the order of the file"
        told += f", values in {quoted(title(roles.values[0]))}"
    return UnderstoodSeries(series=series, sentence=f"{told}.")


def named_roles(columns: Sequence[Column], named: ColumnNames) -> Roles:
    """Return the roles of a long table: as said, by usual names, or where only one is left."""
    series, time, value = (
        None if name is None else column_named(columns, name)
        for name in (named.series, named.time, named.value)
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
    return roles_of("long", series, times, [value])
