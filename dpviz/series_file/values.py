"""A file's bytes to the values of its series, for whoever trains on them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from dpviz.scenario import TimeStep
from dpviz.series_file.columns import Column
from dpviz.series_file.errors import SeriesFileError, quoted
from dpviz.series_file.layout import Roles
from dpviz.series_file.read import lengths_of, read_with_roles
from dpviz.series_file.stamps import readings
from dpviz.series_file.table import UNKNOWN_NUMBER, Block, DistinctTexts, Table


@dataclass(frozen=True, kw_only=True, eq=False)
class SeriesValues:
    """The series in a file, each in the order of time.

    Args:
        names: of each series.
        values: of each series, NaN where one is missing, each of shape (values,).
        time_step: the time from one value to the next, where all time stamps agree on it.
        notes: sentences on what was assumed or left out in reading.
    """

    names: tuple[str, ...]
    values: tuple[NDArray[np.float64], ...]
    time_step: TimeStep | None
    notes: tuple[str, ...]


def read_series_values(content: bytes, name: str, *, layout: str = "auto") -> SeriesValues:
    r"""Return the series in a file; formats are those of ``read_series_lengths``.

    Args:
        content: the whole file.
        name: its name, for the ending.
        layout: ``auto``, ``long`` or ``wide``.

    Raises:
        SeriesFileError: the file cannot be read, or a number or a date could mean two things.

    >>> table = b"date,north\n2024-01-02,5.5\n2024-01-01,3\n"
    >>> read_series_values(table, "sales.csv").values[0].tolist()
    [3.0, 5.5]
    """
    return read_with_roles(content, name, layout, _values)


def _values(table: Table, roles: Roles, columns: Sequence[Column]) -> SeriesValues:
    # Its checks are those of this table, too, and its notes.
    lengths = lengths_of(table, roles, columns)
    names, stamps = DistinctTexts(missing=lambda text: not text.strip()), DistinctTexts()
    rows, owners, times = [], [], []
    for block in table.blocks():
        numbers = _exact_numbers(table, block, list(roles.values))
        nobody = np.zeros(len(numbers), dtype=np.int64)
        owner = nobody if roles.series is None else names.codes(block.cells[:, roles.series])
        time = stamps.codes(block.times(roles.times)) if roles.times else nobody
        kept = (owner >= 0) & (time >= 0)  # the others are blank
        rows.append(numbers[kept])
        owners.append(owner[kept])
        times.append(time[kept])
    values, owner = np.concatenate(rows), np.concatenate(owners)
    order = np.arange(len(values))
    if roles.times:
        as_years = "year" in table.header[roles.times[0]].lower()
        order = _order(np.concatenate(times), owner, stamps.texts, as_years=as_years)
    values, owner = values[order], owner[order]
    if roles.layout == "wide":
        titles = [table.header[column] for column in roles.values]
        found = {title: _between(values[:, place]) for place, title in enumerate(titles)}
        found = {title: one for title, one in found.items() if len(one)}
    else:
        titles = names.texts or [table.header[roles.values[0]]]
        ends = np.cumsum(np.bincount(owner, minlength=len(titles)))[:-1]
        parts = np.split(values[np.argsort(owner, kind="stable"), 0], ends)
        found = dict(zip(titles, parts, strict=True))
    return SeriesValues(
        names=tuple(found),
        values=tuple(found.values()),
        time_step=lengths.time_step,
        notes=lengths.notes,
    )


def _exact_numbers(table: Table, block: Block, columns: list[int]) -> NDArray[np.float64]:
    """Return columns as numbers, refusing what may be a decimal comma or set off thousands."""
    numbers = table.numbers(block, columns)
    for row, place in np.argwhere(numbers == UNKNOWN_NUMBER).tolist():
        text = cast(str, block.cells[row, columns[place]])
        try:
            float(text)
        except ValueError:
            raise SeriesFileError(
                f"{table.place} {block.lines[row]}, {table.label(columns[place])}: {quoted(text)} "
                "could mean several numbers: write numbers with a decimal point and nothing "
                "between thousands, such as 1234.5."
            ) from None
    return numbers


def _between(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a column from its first to its last value; none for an empty column."""
    present = np.flatnonzero(~np.isnan(values))
    return values[present[0] : present[-1] + 1] if len(present) else values[:0]


def _order(
    stamps: NDArray[np.int64],
    owner: NDArray[np.int64],
    texts: list[str],
    *,
    as_years: bool,
) -> NDArray[np.int64]:
    """Return the order of rows by time; that of the file where stamps are neither date nor count.

    Raises:
        SeriesFileError: days and months cannot be told apart.
    """
    found: list[NDArray[np.int64]] = [
        reading.astype(np.int64) for reading in readings(texts, as_years=as_years)
    ]
    if not found:
        try:
            found = [np.argsort(np.argsort(np.array([float(text) for text in texts])))]
        except ValueError:
            return np.arange(len(stamps))
    orders = [np.lexsort((times[stamps], owner)) for times in found]
    if any(not np.array_equal(order, orders[0]) for order in orders[1:]):
        # Rows that come in the order of time by one reading only tell which one is meant.
        in_file = np.argsort(owner, kind="stable")
        orders = [order for order in orders if np.array_equal(order, in_file)]
        if len(orders) != 1:
            raise SeriesFileError(
                f"The dates can be read with the day first or the month first, such as "
                f"{quoted(texts[0])}, and come in another order by each: write them as 2024-01-31."
            )
    # Back to one order for all series, in which each one's rows stay in the order of time.
    return orders[0]
