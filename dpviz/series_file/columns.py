"""What a column seems to hold, by its name and its first cells."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz.series_file.errors import SeriesFileError, listed, quoted
from dpviz.series_file.stamps import looks_like_stamps
from dpviz.series_file.table import Cells, is_missing, read_numbers

# In order of preference, where a table has several of them.
EXPLICIT_SERIES_NAMES = ("series_id", "unique_id", "item_id", "ts_id", "timeseries_id")
SERIES_NAMES = (
    *EXPLICIT_SERIES_NAMES, "series", "id", "item", "sensor_id", "sensor", "station_id", "station",
    "meter_id", "meter", "location_id", "location", "store_id", "customer_id", "user_id",
    "household_id", "lane_id", "patient_id", "key", "group", "name",
)  # fmt: skip
TIME_NAMES = (
    "timestamp", "time_stamp", "datetime", "date_time", "ds", "date", "time", "t", "time_index",
    "time_idx", "time_step", "timestep", "step", "period", "day", "week", "month", "quarter",
    "year",
)  # fmt: skip
VALUE_NAMES = (
    "value", "values", "y", "target", "count", "counts", "observation", "measurement", "sales",
    "demand", "load", "consumption", "quantity", "volume", "flow", "price", "temperature",
)  # fmt: skip
INDEX_NAMES = ("", "#", "№", "index", "unnamed_0", "index_level_0")  # of row labels

# Telling dates takes a while: of very many columns without numbers, the others are text.
_MOST_TIME_COLUMNS = 50


@dataclass(frozen=True, eq=False)
class Column:
    """One column of a table's first rows.

    Args:
        kind: ``number``, ``time`` or ``text``, whichever most cells are, or ``empty``.
        numbers: the same as numbers, NaN where missing or unreadable.
    """

    position: int
    name: str
    kind: str
    cells: NDArray[np.object_]
    numbers: NDArray[np.float64]

    @cached_property
    def key(self) -> str:
        """The name in lower case, with words joined by underscores."""
        return _key(self.name)

    @cached_property
    def repeats(self) -> bool:
        """Whether a cell comes a second time."""
        return len(pd.unique(self.cells)) < len(self.cells)

    @cached_property
    def whole(self) -> bool:
        """Whether all cells are whole numbers."""
        return bool(np.all(np.isfinite(self.numbers)) and np.all(self.numbers % 1 == 0))

    @cached_property
    def monotone(self) -> bool:
        """Whether each number is larger than the one before, or each is smaller."""
        later, earlier = self.numbers[1:], self.numbers[:-1]
        return self.kind == "number" and bool(np.all(later > earlier) or np.all(later < earlier))

    @cached_property
    def counting(self) -> bool:
        """Whether at least three numbers count up by one."""
        steps = self.numbers[1:] == self.numbers[:-1] + 1
        return self.monotone and len(self.numbers) > 2 and bool(np.all(steps))


def columns_of(header: tuple[str, ...], sample: Cells) -> tuple[Column, ...]:
    """Return what each column seems to hold.

    >>> rows = Cells(np.array([2]), np.array([["2024-01-01", "5"]], dtype=object))
    >>> [column.kind for column in columns_of(("date", "load"), rows)]
    ['time', 'number']
    """
    cells = sample.cells
    read = read_numbers(cells)
    present = ~np.isnan(read.numbers) | read.unreadable
    num_present = present.sum(axis=0)
    mostly_numbers = 2 * read.unreadable.sum(axis=0) <= num_present
    kinds = np.where(num_present == 0, "empty", np.where(mostly_numbers, "number", "text"))
    for column in np.flatnonzero(kinds == "text")[:_MOST_TIME_COLUMNS]:
        texts = [text.strip() for text in cells[:, column] if not is_missing(text)]
        if looks_like_stamps(texts):
            kinds[column] = "time"
    return tuple(
        Column(position, name, str(kinds[position]), cells[:, position], read.numbers[:, position])
        for position, name in enumerate(header)
    )


def column_named(columns: Sequence[Column], name: str) -> Column:
    """Return the column of a name."""
    for column in columns:
        if column.name == name:
            return column
    raise SeriesFileError(
        f"There is no column {quoted(name)}: there are {listed([one.name for one in columns])}."
    )


def is_usual_name(text: str) -> bool:
    """Return whether a cell is a usual name of a column of series, times or values."""
    return _key(text) in (*SERIES_NAMES, *TIME_NAMES, *VALUE_NAMES)


def _key(name: str) -> str:
    # Letters of all scripts count: of a name in another one nothing would be left, or what is
    # left would be another name.
    return re.sub(r"[\W_]+", "_", name.lower()).strip("_") or name.strip()
