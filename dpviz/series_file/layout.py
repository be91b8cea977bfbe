"""Which columns of a table name the series, the time and the values."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz.scenario.number_text import counted
from dpviz.series_file.columns import (
    EXPLICIT_SERIES_NAMES,
    INDEX_NAMES,
    SERIES_NAMES,
    TIME_NAMES,
    VALUE_NAMES,
    Column,
)
from dpviz.series_file.errors import SeriesFileError, listed, quoted
from dpviz.series_file.stamps import looks_like_stamps, readings

# The column that names the series comes early; looking closely at very many takes minutes.
_MOST_CANDIDATES = 20
_LEAST_NUMBERED = 3
# Of rows: if fewer have a time that comes again, it is no second series that they are of, but an
# hour that comes twice when clocks are put back, or a slip.
LEAST_TOGETHER = 0.1
_FLAGS = frozenset({"true", "false", "yes", "no", ""})  # are values, and name no series
_NUMBERED = re.compile(r"(.*?)(\d{1,6})", re.ASCII)


def time_columns(columns: Sequence[Column]) -> tuple[Column, ...]:
    """The columns that tell the time, dates before counts; none if there are none."""
    by_key = {c.key: c for c in reversed(columns)}
    date, clock = by_key.get("date"), by_key.get("time")
    if date and clock and clock.kind == "time" and all(":" in text[:3] for text in clock.cells):
        return (date, clock)
    filled = [c for c in columns if c.kind != "empty"]
    named = sorted(by_name(filled, TIME_NAMES), key=lambda c: c.kind != "time")
    dated = [c for c in columns if c.kind == "time"]
    labels = [c for c in columns if c.key in INDEX_NAMES and c.kind == "number"]
    return tuple((named + dated + labels)[:1])


def wide_time_columns(columns: Sequence[Column]) -> tuple[Column, ...]:
    """The columns that tell the time if the others are series; none if there are none."""
    times = time_columns(columns)
    if times:
        # A series may well be called "t", but then its values go up and down.
        time, is_date = times[0], times[0].kind != "number"
        if is_date or time.monotone or (time.key != "t" and not time.repeats):
            return times
    first = columns[0]
    counts = first.counting
    labels = first.kind == "text" and not first.repeats and len(first.cells) > 1
    return (first,) if len(columns) > 1 and (counts or labels) else ()


def named_series(columns: Sequence[Column], times: tuple[Column, ...]) -> Column | None:
    """The column whose name says that it names the series."""
    free = [c for c in columns if c not in times]
    other_ids = [c for c in free if c.key.endswith("_id") and c.key not in SERIES_NAMES]
    one_time = bool(times) and not any(len(pd.unique(c.cells)) > 1 for c in times)
    for column in by_name(free, SERIES_NAMES) + other_ids:
        if column.kind == "text" or column.key in EXPLICIT_SERIES_NAMES:
            return column
        # Numbers under a general name may also number the rows, or be a series.
        if column.kind == "number" and column.whole and (column.repeats or one_time):
            return column
    return None


def text_series(columns: Sequence[Column], times: tuple[Column, ...]) -> Column | None:
    """The first column of texts that tells apart rows of the same time."""
    together = _come_again(times)
    texts = [c for c in columns if c.kind == "text" and c not in times and c.key not in VALUE_NAMES]
    texts = [c for c in texts if not _are_flags(c) or _tells_many_apart(c, times)]
    found = [c for c in texts[:_MOST_CANDIDATES] if c.repeats or together or len(c.cells) == 1]
    apart = [c for c in found if times and not _come_again((c, *times))]
    return next(iter(apart + found), None)


def numbered_series(columns: Sequence[Column], times: tuple[Column, ...]) -> Column | None:
    """A column of whole numbers that tells apart rows of the same time, if many are."""
    candidates = possible_series(columns, times)
    return next((c for c in candidates if _tells_many_apart(c, times)), None)


def possible_series(columns: Sequence[Column], times: tuple[Column, ...]) -> list[Column]:
    """Columns of whole numbers that may name series, if another can hold the values."""
    numbers = [c for c in columns if c.kind == "number" and c not in times and not is_time_like(c)]
    if len(numbers) < 2:
        return []
    return [c for c in numbers[:_MOST_CANDIDATES] if c.whole and c.key not in VALUE_NAMES]


def _come_again(columns: tuple[Column, ...]) -> bool:
    """Whether two of the first rows agree in all of these columns."""
    return bool(columns) and bool(_repeated(columns).any())


def _tells_many_apart(column: Column, times: tuple[Column, ...]) -> bool:
    """Whether a column tells apart rows of the same time, and many of the first rows are such."""
    if not _come_again(times) or _come_again((column, *times)):
        return False
    repeated, cells = _repeated(times), column.cells
    # Of series one after the other, the first rows may end soon after the second begins.
    num_starts = 1 + np.count_nonzero(cells[1:] != cells[:-1])
    is_in_blocks = column.repeats and num_starts == len(pd.unique(cells))
    is_begun = is_in_blocks and repeated[cells == cells[-1]].mean() > 0.5
    return bool(is_begun or repeated.mean() >= LEAST_TOGETHER)


def _are_flags(column: Column) -> bool:
    return {text.strip().lower() for text in column.cells} <= _FLAGS


def _repeated(columns: tuple[Column, ...]) -> NDArray[np.bool_]:
    """Return which of the first rows agree with another one in all of these columns."""
    cells = np.stack([column.cells for column in columns], axis=1)
    return np.asarray(pd.DataFrame(cells).duplicated(keep=False))


def by_name(columns: Sequence[Column], names: Sequence[str]) -> list[Column]:
    """The columns with these names, in the order of the names."""
    rank = {name: position for position, name in enumerate(names)}
    return sorted((c for c in columns if c.key in rank), key=lambda c: rank[c.key])


def is_time_like(column: Column) -> bool:
    """Whether a column is called like times or row labels."""
    return column.key in (*TIME_NAMES, *INDEX_NAMES)


@dataclass(frozen=True, kw_only=True)
class Roles:
    """What the columns of a table are.

    Args:
        layout: ``long``, ``wide`` or ``rows``.
        series: position of the column that names the series; ``None`` for one series, and where
            none does.
        times: positions of the columns that together tell the time; may be empty.
        values: positions of the columns with values: one in a long table, one for each time where
            a row is a series.
    """

    layout: str
    series: int | None
    times: tuple[int, ...]
    values: tuple[int, ...]
    notes: tuple[str, ...] = ()


def roles_of(
    layout: str,
    series: Column | None,
    times: Sequence[Column],
    values: Sequence[Column],
    notes: Sequence[str] = (),
) -> Roles:
    """Return the roles of columns."""
    return Roles(
        layout=layout,
        series=None if series is None else series.position,
        times=tuple(c.position for c in times),
        values=tuple(c.position for c in values),
        notes=tuple(notes),
    )


def find_roles(columns: Sequence[Column], layout: str) -> Roles:
    """Return the roles of a table's columns; ``layout`` is one of ``LAYOUTS``."""
    if layout == "wide" or (layout == "auto" and len(columns) == 1):
        return _wide(columns)
    if layout == "rows":
        return _rows(columns)
    times = time_columns(columns)
    if layout == "auto" and rows_are_series(columns, times):
        return _rows(columns)
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

    Found out when many times come again later in the file: some column of flags or whole numbers,
    the same in all of the first rows, must tell the series apart.
    """
    times = time_columns(columns)
    flags = [c for c in columns if c.kind == "text" and _are_flags(c)]
    some = flags + possible_series(columns, times)
    candidates = [c for c in some if len(pd.unique(c.cells)) == 1]
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
    return roles_of("long", series, times, [value], notes)


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
    return roles_of("wide", None, times, series, notes)


def numbered(columns: Sequence[Column]) -> list[Column]:
    """The last columns, as far as their names go on from one to the next: V2, V3, ..., or dates."""
    names = [c.name for c in columns]
    some = range(min(len(names) - _LEAST_NUMBERED + 1, _MOST_CANDIDATES))
    dated = next((at for at in some if looks_like_stamps(names[at : at + 1])), None)
    if dated is not None and readings(names[dated:]):
        return list(columns[dated:])
    parts = [_NUMBERED.fullmatch(name) for name in names]
    start = len(names) - 1
    while start > 0 and (one := parts[start - 1]) and (other := parts[start]):
        if (one[1], int(one[2]) + 1) != (other[1], int(other[2])):
            break
        start -= 1
    # M4 calls the column of names V1, and the values go on from V2.
    start += columns[start].kind == "text"
    return list(columns[start:]) if len(names) - start >= _LEAST_NUMBERED else []


def rows_are_series(columns: Sequence[Column], times: tuple[Column, ...]) -> bool:
    """Whether the names of the columns count or date the values of one series a row."""
    values = numbered(columns)
    if not values or any(c.kind not in ("number", "empty") for c in values):
        return False
    before = columns[: len(columns) - len(values)]
    if any(c not in values and c.kind == "time" for c in times) or not all(
        c.kind == "text" or not (c.key in TIME_NAMES or c.counting) or c.key in SERIES_NAMES
        for c in before
    ):
        return False
    if looks_like_stamps([values[0].name]):
        return True
    first = columns[0]
    labels = first.kind == "text" and first.key not in TIME_NAMES
    numbers = first.kind == "number" and first.key in SERIES_NAMES and first not in values
    return (labels or numbers) and not first.repeats


def _rows(columns: Sequence[Column]) -> Roles:
    """The roles in a table whose rows are series."""
    values = [c for c in numbered(columns) if c.kind in ("number", "empty")]
    if not values:
        values = [c for c in columns if c.kind in ("number", "empty")]
        if values and values[0] is columns[0] and columns[0].key in (*SERIES_NAMES, *INDEX_NAMES):
            values = values[1:]
    if not values:
        raise SeriesFileError("No column with numbers was found, so there is no value to read.")
    others = [c for c in columns if c not in values]
    named = by_name(others, SERIES_NAMES) + [c for c in others if c.kind == "text"] + others
    series = next((c for c in named if not c.repeats), None)
    left_out = [c.name for c in others if c is not series and c.name]
    notes = [f"Each row was taken to be one series, of {counted(len(values), 'value')} at most."]
    first = columns[0]
    if first in values and first.whole and not first.repeats:
        notes.append(
            f"Column {quoted(first.name)} counts as values: call it series_id if it names the "
            "series."
        )
    if left_out:
        notes.append(f"Not read, as they are no values: {listed(left_out)}.")
    return roles_of("rows", series, (), values, notes)


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
            'each: choose the layout "rows" if so, or turn the table, so that each column is one.'
        )


def _guessed_series(column: Column) -> str:
    return (
        f"Column {quoted(column.name)} was taken to name the series. If another one does, "
        'choose it, or call it series_id; choose the layout "wide" if each column is one series.'
    )
