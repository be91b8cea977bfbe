"""Which columns of a table could tell its series and its times."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from dpviz.series_file.columns import (
    EXPLICIT_SERIES_NAMES,
    INDEX_NAMES,
    SERIES_NAMES,
    TIME_NAMES,
    VALUE_NAMES,
    Column,
)

# The column that names the series comes early; looking closely at very many takes minutes.
_MOST_CANDIDATES = 20


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
    if times and (times[0].kind != "number" or _dates_rows(times[0])):
        return times
    first = columns[0]
    counts = first.counting
    labels = first.kind == "text" and not first.repeats and len(first.cells) > 1
    return (first,) if len(columns) > 1 and (counts or labels) else ()


def _dates_rows(column: Column) -> bool:
    """Whether numbers under the name of a time tell the rows of a wide table apart."""
    # A series may well be called "t", but then its values go up and down.
    return column.monotone or (column.key != "t" and not column.repeats)


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
    found = [c for c in texts[:_MOST_CANDIDATES] if c.repeats or together or len(c.cells) == 1]
    apart = [c for c in found if times and not _come_again((c, *times))]
    return next(iter(apart + found), None)


def numbered_series(columns: Sequence[Column], times: tuple[Column, ...]) -> Column | None:
    """A column of whole numbers that tells apart rows of the same time."""
    if not _come_again(times):
        return None
    candidates = possible_series(columns, times)
    return next((c for c in candidates if not _come_again((c, *times))), None)


def possible_series(columns: Sequence[Column], times: tuple[Column, ...]) -> list[Column]:
    """Columns of whole numbers that may name series, if another can hold the values."""
    numbers = [c for c in columns if c.kind == "number" and c not in times and not is_time_like(c)]
    if len(numbers) < 2:
        return []
    return [c for c in numbers[:_MOST_CANDIDATES] if c.whole and c.key not in VALUE_NAMES]


def _come_again(columns: tuple[Column, ...]) -> bool:
    """Whether two of the first rows agree in all of these columns."""
    if not columns:
        return False
    cells = np.stack([column.cells for column in columns], axis=1)
    return bool(pd.DataFrame(cells).duplicated().any())


def by_name(columns: Sequence[Column], names: Sequence[str]) -> list[Column]:
    """The columns with these names, in the order of the names."""
    rank = {name: position for position, name in enumerate(names)}
    return sorted((c for c in columns if c.key in rank), key=lambda c: rank[c.key])


def is_time_like(column: Column) -> bool:
    """Whether a column is called like times or row labels."""
    return column.key in (*TIME_NAMES, *INDEX_NAMES)
