"""Lengths of the series in a long table: one row a value."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpviz.series_file.distinct import DistinctTexts
from dpviz.series_file.errors import SeriesFileError, counted, quoted
from dpviz.series_file.layout import Roles
from dpviz.series_file.lengths import SeriesLengths
from dpviz.series_file.repeats import check_times_once, check_times_once_a_series
from dpviz.series_file.table import MOST_SERIES, Block, Table
from dpviz.series_file.time_step import FoundStep, StampedRows, common_step


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
        if roles.series is None:
            check_times_once(table, lines, stamps, texts)
        else:
            check_times_once_a_series(table, lines, stamps, texts, series, names)
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
