"""Which columns of a table name the series, the time and the values."""

from collections.abc import Sequence
from dataclasses import dataclass

from dpviz.series_file.candidates import (
    by_name,
    is_time_like,
    named_series,
    numbered_series,
    possible_series,
    text_series,
    time_columns,
    wide_time_columns,
)
from dpviz.series_file.columns import INDEX_NAMES, TIME_NAMES, VALUE_NAMES, Column
from dpviz.series_file.errors import SeriesFileError, counted, listed, quoted


@dataclass(frozen=True, kw_only=True)
class Roles:
    """What the columns of a table are.

    Args:
        layout: ``long`` or ``wide``.
        series: position of the column that names the series; ``None`` for one series, and in
            a wide table.
        times: positions of the columns that together tell the time; may be empty.
        values: positions of the columns with values: one in a long table.
        notes: what was assumed.
    """

    layout: str
    series: int | None
    times: tuple[int, ...]
    values: tuple[int, ...]
    notes: tuple[str, ...] = ()


def find_roles(columns: Sequence[Column], layout: str) -> Roles:
    """Return the roles of a table's columns; ``layout`` is ``auto``, ``long`` or ``wide``.

    Raises:
        SeriesFileError: no column holds numbers, or each row is one series.
    """
    if layout == "wide" or (layout == "auto" and len(columns) == 1):
        return _wide(columns)
    times = time_columns(columns)
    series = named_series(columns, times)
    if series is not None:
        if layout == "auto":
            _check_rows_are_no_series(columns, series, times)
        return _long(columns, series, times)
    series = text_series(columns, times) or numbered_series(columns, times)
    if series is not None:
        return _long(columns, series, times, (_guessed_series(series),))
    others = [c for c in columns if c.kind != "text" and c not in times and not is_time_like(c)]
    if layout == "long" or (times and len(others) == 1 and others[0].key in VALUE_NAMES):
        return _long(columns, None, times)
    return _wide(columns)


def find_roles_of_repeated_times(columns: Sequence[Column]) -> Roles | None:
    """Return the roles in a long table that looked wide, as its first rows are of one series.

    Found out when the same time comes again later in the file: some column of whole numbers
    must tell the series apart.
    """
    times = time_columns(columns)
    candidates = [c for c in possible_series(columns, times) if c.repeats]
    if not times or not candidates:
        return None
    return _long(columns, candidates[0], times, (_guessed_series(candidates[0]),))


def _long(
    columns: Sequence[Column],
    series: Column | None,
    times: tuple[Column, ...],
    notes: tuple[str, ...] = (),
) -> Roles:
    free = [c for c in columns if c is not series and c not in times]
    usable = [c for c in free if c.kind in ("number", "empty")]
    named = by_name(usable or free, VALUE_NAMES)
    plain = [c for c in usable if not is_time_like(c)] or usable
    if not named and not plain:
        raise SeriesFileError(
            "No column with numbers was found beside those for series and time: a long table "
            "has one row a value, with columns such as series_id, time and value."
        )
    value = named[0] if named else plain[0]
    if not named and len(plain) > 1:
        notes = (*notes, f"Column {quoted(value.name)} was taken to hold the values.")
    if not times:
        notes = (*notes, "No column for the time was found: rows count in the order of the file.")
    return Roles(
        layout="long",
        series=None if series is None else series.position,
        times=tuple(c.position for c in times),
        values=(value.position,),
        notes=notes,
    )


def _wide(columns: Sequence[Column]) -> Roles:
    notes: list[str] = []
    times = wide_time_columns(columns)
    for column in times:
        if not is_time_like(column) and column.kind != "time":
            notes.append(
                f"Column {quoted(column.name)} was taken to be the time, not a series: "
                'name it "time" if so, and give it another place if not.'
            )
    left_out = [c for c in columns if c not in times and _is_no_series(c, bool(times))]
    series = [c for c in columns if c not in times and c not in left_out]
    if not series:
        raise SeriesFileError("No column with numbers was found, so there is no series to read.")
    if left_out:
        names = listed([c.name for c in left_out])
        notes.append(f"Not counted as series, because they number or date the rows: {names}.")
    doubtful = any(c.key in (*VALUE_NAMES, *TIME_NAMES) for c in series)
    if len(series) > 1 and (notes or doubtful):
        names = listed([c.name for c in series])
        notes.append(
            f"Each of {counted(len(series), 'column')} was taken to be one series ({names}): "
            'choose the layout "long" if each row is one value of a series.'
        )
    return Roles(
        layout="wide",
        series=None,
        times=tuple(c.position for c in times),
        values=tuple(c.position for c in series),
        notes=tuple(notes),
    )


def _is_no_series(column: Column, has_time: bool) -> bool:
    """Whether a column of a wide table numbers or dates the rows once more."""
    if column.kind == "time":
        return True
    label = column.key in (*TIME_NAMES, *INDEX_NAMES, "id", "key")
    return has_time and label and column.monotone and column.whole


def _check_rows_are_no_series(
    columns: Sequence[Column], series: Column, times: tuple[Column, ...]
) -> None:
    """Refuse a table in which each row is a series, as its lengths would all come out as 1."""
    num_numbers = sum(c.kind == "number" for c in columns)
    if not times and num_numbers > 1 and len(series.cells) > 1 and not series.repeats:
        raise SeriesFileError(
            f"Each row seems to be one series, as column {quoted(series.name)} has another name in "
            "each: turn the table, so that each column is one series."
        )


def _guessed_series(column: Column) -> str:
    return (
        f"Column {quoted(column.name)} was taken to name the series: name the right one "
        'series_id if it is not, or choose the layout "wide" if each column is one series.'
    )
