"""Lengths of the series in a wide table: one column a series."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpviz.series_file.distinct import DistinctTexts
from dpviz.series_file.errors import SeriesFileError, counted, listed, quoted
from dpviz.series_file.layout import Roles
from dpviz.series_file.lengths import SeriesLengths
from dpviz.series_file.repeats import check_times_once
from dpviz.series_file.table import MOST_SERIES, Table
from dpviz.series_file.time_step import FoundStep, StampedRows, common_step

_NEVER = -1


class _Extents:
    """First and last row with a value, and number of values, of each column so far."""

    def __init__(self, num_columns: int) -> None:
        self.first = np.full(num_columns, _NEVER, dtype=np.int64)
        self.last = np.full(num_columns, _NEVER, dtype=np.int64)
        self.present = np.zeros(num_columns, dtype=np.int64)
        self.height = 0

    def add(self, present: NDArray[np.bool_]) -> None:
        """Take in the next rows; ``present`` has shape (rows, columns)."""
        rows = len(present)
        some = present.any(axis=0)
        first = self.height + present.argmax(axis=0)
        last = self.height + rows - 1 - present[::-1].argmax(axis=0)
        self.first = np.where(some & (self.first == _NEVER), first, self.first)
        self.last = np.where(some, last, self.last)
        self.present += present.sum(axis=0)
        self.height += rows

    @property
    def lengths(self) -> NDArray[np.int64]:
        """From the first to the last value, 0 without any."""
        return np.where(self.first == _NEVER, 0, self.last - self.first + 1)


@dataclass(frozen=True)
class _Times:
    lines: NDArray[np.int64]
    stamps: NDArray[np.int64]
    texts: list[str]


def wide_lengths(table: Table, roles: Roles, *, are_dates: bool) -> SeriesLengths:
    """Return the number of rows from the first to the last value of each column.

    Cells without a value before the first and after the last value of a column are outside
    its series; those between are values that are missing, and count.

    Args:
        table: the table.
        roles: what its columns are.
        are_dates: whether the first time stamps are dates.

    Raises:
        SeriesFileError: a value is no number, a row with values has no time stamp, a time stamp
            comes twice, or there are too many series.
    """
    if len(roles.values) > MOST_SERIES:
        raise SeriesFileError(f"The file holds more than {MOST_SERIES:,} series.")
    extents = _Extents(len(roles.values))
    times = _read(table, roles, extents)
    lengths = extents.lengths
    if not lengths.any():
        raise SeriesFileError("The file holds no values: all cells are empty.")
    found = FoundStep(None)
    if roles.times:
        check_times_once(table, times.lines, times.stamps, times.texts)
        one_series = np.zeros(len(times.stamps), dtype=np.int64)
        time_name = table.header[roles.times[0]]
        found = common_step(
            StampedRows(times.texts, times.stamps, one_series, time_name, are_dates)
        )
    names = [table.header[column] for column in roles.values]
    return SeriesLengths(
        lengths=tuple(lengths[lengths > 0].tolist()),
        layout="wide",
        time_step=found.step,
        notes=(*table.notes, *roles.notes, *_cell_notes(extents, names), *found.notes),
    )


def _read(table: Table, roles: Roles, extents: _Extents) -> _Times:
    """Take all rows into ``extents``, and return their time stamps."""
    values = list(roles.values)
    texts = DistinctTexts()
    lines, stamps = [], []
    for block in table.blocks():
        present = ~np.isnan(table.numbers(block, values))
        if roles.times:
            codes = texts.codes(block.times(roles.times))
            unstamped = codes < 0
            if np.any(unstamped & present.any(axis=1)):
                line = block.lines[int(np.argmax(unstamped & present.any(axis=1)))]
                label = table.label(roles.times[0])
                raise SeriesFileError(f"{table.place} {line}, {label}: the time stamp is missing.")
            present = present[~unstamped]
            lines.append(block.lines[~unstamped])
            stamps.append(codes[~unstamped])
        if len(present):
            extents.add(present)
    if not stamps:
        none = np.zeros(0, dtype=np.int64)
        return _Times(none, none, [])
    return _Times(np.concatenate(lines), np.concatenate(stamps), texts.texts)


def _cell_notes(extents: _Extents, names: list[str]) -> tuple[str, ...]:
    """Return notes on empty cells inside and outside the series."""
    notes = []
    lengths = extents.lengths
    inside = lengths - extents.present
    if inside.any():
        affected = np.flatnonzero(inside)
        where = f"inside series {quoted(names[affected[0]])}"
        if len(affected) > 1:
            where += f" and {len(affected) - 1:,} more series"
        total = int(inside.sum())
        notes.append(
            f"{counted(total, 'value')} {'is' if total == 1 else 'are'} missing {where}: "
            "missing values count, as training meets their place."
        )
    outside = int(np.sum((lengths > 0) & (lengths < extents.height)))
    if outside:
        notes.append(
            f"Leading and trailing empty cells of {counted(outside, 'column')} were not counted."
        )
    # A trailing separator makes a column without a name: not worth a word.
    empty = [names[column] for column in np.flatnonzero(lengths == 0) if names[column]]
    if empty:
        count = counted(len(empty), "column")
        notes.append(f"{count} without any value left out: {listed(empty)}.")
    return tuple(notes)
