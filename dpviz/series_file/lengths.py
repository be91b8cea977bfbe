"""The lengths of the series in a table."""

from dataclasses import dataclass
from statistics import median

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz.scenario import TimeStep
from dpviz.series_file.errors import SeriesFileError, counted, listed, quoted
from dpviz.series_file.layout import Roles
from dpviz.series_file.stamps import FoundStep, StampedRows, common_step
from dpviz.series_file.table import MOST_SERIES, Block, DistinctTexts, Table

_NEVER = -1


@dataclass(frozen=True, kw_only=True)
class SeriesLengths:
    """Number and lengths of the series in a file.

    Args:
        lengths: the length of each series in time steps, in order of appearance.
        layout: ``long`` (one row a value) or ``wide`` (one column a series).
        time_step: the time from one value to the next, where all time stamps agree on it.
        notes: sentences on what was assumed or left out in reading.

    Raises:
        SeriesFileError: there is no series, or one without a value.

    >>> lengths = SeriesLengths(lengths=(68, 126, 69), layout="long")
    >>> lengths.num_series, lengths.shortest, lengths.median, lengths.longest
    (3, 68, 69.0, 126)
    """

    lengths: tuple[int, ...]
    layout: str
    time_step: TimeStep | None = None
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.lengths:
            raise SeriesFileError("The file holds no series.")
        if min(self.lengths) < 1:
            raise SeriesFileError("The file holds a series without a value.")

    @property
    def num_series(self) -> int:
        """N, the number of series."""
        return len(self.lengths)

    @property
    def shortest(self) -> int:
        """Length of the shortest series."""
        return min(self.lengths)

    @property
    def median(self) -> float:
        """Median length."""
        return float(median(self.lengths))

    @property
    def longest(self) -> int:
        """Length of the longest series."""
        return max(self.lengths)


class RepeatedTimeError(SeriesFileError):
    """The same series has the same time stamp twice."""


def check_times_once(
    table: Table,
    lines: NDArray[np.int64],
    stamps: NDArray[np.int64],
    texts: list[str],
    series: NDArray[np.int64] | None = None,
    names: list[str] | None = None,
) -> None:
    """Refuse a second row with the same time stamp, of the same series where there are several.

    Args:
        table: what the rows are of.
        lines: where each row stands.
        stamps: which time stamp each row has.
        texts: the distinct time stamps.
        series: which series each row belongs to; ``None`` for a single one.
        names: the names of the series.

    Raises:
        RepeatedTimeError: with both lines, the series if there are several, and the stamp.
    """
    repeat = _first_repeat(stamps if series is None else series * len(texts) + stamps)
    if repeat is None:
        return
    later, earlier = repeat
    stamp, place = quoted(texts[stamps[later]]), table.place
    before = f"a second time, after {place.lower()} {lines[earlier]}"
    if series is None or names is None:
        raise RepeatedTimeError(
            f"{place} {lines[later]}: the time stamp {stamp} appears {before}; if the rows belong "
            "to several series, name the column that tells them apart series_id."
        )
    raise RepeatedTimeError(
        f"{place} {lines[later]}: the series {quoted(names[series[later]])} has the time stamp "
        f"{stamp} {before}; if several columns together name a series, join them into one named "
        "series_id."
    )


def _first_repeat(keys: NDArray[np.int64]) -> tuple[int, int] | None:
    """Return the first row whose key came before, and the row where it first came."""
    repeated = pd.Series(keys).duplicated().to_numpy()
    if not repeated.any():
        return None
    later = int(np.argmax(repeated))
    return later, int(np.argmax(keys == keys[later]))


@dataclass(frozen=True)
class _Rows:
    """Rows with a value: where they stand, their series and time, and whether it is missing."""

    lines: NDArray[np.int64]
    series: NDArray[np.int64]
    stamps: NDArray[np.int64]
    missing: NDArray[np.bool_]


class _Reader:
    """Reads the rows of a long table block by block, remembering names and time stamps."""

    def __init__(self, table: Table, roles: Roles) -> None:
        self._table = table
        self._roles = roles
        # "NA" may well be a name, so that only a blank cell is a missing one.
        self.names = DistinctTexts(missing=lambda text: not text.strip())
        self.stamps = DistinctTexts()

    def rows(self, block: Block) -> _Rows:
        """Return the rows of a block, without those that are blank."""
        roles = self._roles
        missing = np.isnan(self._table.numbers(block, list(roles.values))[:, 0])
        series = stamps = np.zeros(len(missing), dtype=np.int64)
        blank = missing & (roles.series is not None or bool(roles.times))
        if roles.series is not None:
            series = self.names.codes(block.cells[:, roles.series])
            blank &= series < 0
        if roles.times:
            stamps = self.stamps.codes(block.times(roles.times))
            blank &= stamps < 0
        if roles.series is not None:
            self._check_filled(block, (series < 0) & ~blank, roles.series, "name of the series")
        if roles.times:
            self._check_filled(block, (stamps < 0) & ~blank, roles.times[0], "time stamp")
        if len(self.names) > MOST_SERIES:
            raise SeriesFileError(f"The file holds more than {MOST_SERIES:,} series.")
        return _Rows(block.lines[~blank], series[~blank], stamps[~blank], missing[~blank])

    def _check_filled(
        self, block: Block, missing: NDArray[np.bool_], column: int, what: str
    ) -> None:
        if missing.any():
            line = block.lines[int(np.argmax(missing))]
            raise SeriesFileError(
                f"{self._table.place} {line}, {self._table.label(column)}: the {what} is missing."
            )


def long_lengths(table: Table, roles: Roles, *, are_dates: bool) -> SeriesLengths:
    """Return how many rows each series has.

    Rows may come in any order. A row without a number is a value that is missing: it counts.
    Rows without series, time and value are skipped.

    Args:
        table: the table.
        roles: what its columns are.
        are_dates: whether the first time stamps are dates.

    Raises:
        SeriesFileError: a series or time is missing, a value is no number, a series has a time
            stamp twice, or there are too many series.
    """
    reader = _Reader(table, roles)
    blocks = [reader.rows(block) for block in table.blocks()]
    lines = np.concatenate([rows.lines for rows in blocks])
    series = np.concatenate([rows.series for rows in blocks])
    stamps = np.concatenate([rows.stamps for rows in blocks])
    missing = np.concatenate([rows.missing for rows in blocks])
    if not len(series):
        raise SeriesFileError("The file holds no values: all rows are blank.")
    names = reader.names.texts
    found = FoundStep(None)
    if roles.times:
        texts = reader.stamps.texts
        owners = None if roles.series is None else series
        check_times_once(table, lines, stamps, texts, owners, names)
        time_name = table.header[roles.times[0]]
        found = common_step(StampedRows(texts, stamps, series, time_name, are_dates))
    return SeriesLengths(
        lengths=tuple(np.bincount(series).tolist()),
        layout="long",
        time_step=found.step,
        notes=(*table.notes, *roles.notes, *_missing_notes(series[missing], names), *found.notes),
    )


def _missing_notes(series: NDArray[np.int64], names: list[str]) -> tuple[str, ...]:
    """Return the note on missing values, given the series of each."""
    if not len(series):
        return ()
    affected = np.unique(series)
    where = ""
    if names:
        where = f" in series {quoted(names[affected[0]])}"
        if len(affected) > 1:
            where += f" and {len(affected) - 1:,} more series"
    verb = "is" if len(series) == 1 else "are"
    count = counted(len(series), "value")
    return (f"{count} {verb} missing{where}: missing values count, as training meets their place.",)


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
    names = [table.header[column] for column in roles.values]  # noqa: PD011  not of pandas
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
