"""The lengths of the series in a table."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz.scenario.number_text import counted
from dpviz.series_file.errors import SeriesFileError, listed, quoted
from dpviz.series_file.layout import Roles
from dpviz.series_file.series_lengths import SeriesLengths
from dpviz.series_file.stamps import SERIES, FoundStep, common_step, order_by_time
from dpviz.series_file.table import (
    MISSING_CODE,
    MOST_STAMPS,
    Block,
    DistinctTexts,
    FloatArray,
    SeriesRow,
    Table,
    check_series,
    is_blank,
)
from dpviz.series_file.totals import Sums, added_up

_CELLS_AT_ONCE = 10_000_000
_NO_STAMP = "the time stamp is missing"
_CLOCKS = "; if clocks were put back, write times with their offset, such as +02:00"
_ALL_EMPTY = "The file holds no values: all cells are empty."


class RepeatedTimeError(SeriesFileError):
    """The same series has the same time stamp twice.

    Attributes:
        share: of the rows, those whose series and time came before.
    """

    def __init__(self, message: str, share: float = 0.0) -> None:
        super().__init__(message)  # from another process it comes with its attributes
        self.share = share


@dataclass(frozen=True)
class Rows:
    """Rows of values, NaN where missing: where they stand, their series, time and person."""

    lines: NDArray[np.int64]
    series: NDArray[np.int64]
    stamps: NDArray[np.int64]
    people: NDArray[np.int64]
    values: FloatArray

    @property
    def keys(self) -> NDArray[np.int64]:
        """What no two rows have in common: series and time."""
        return self.series * SERIES + self.stamps

    def where(self, wanted: NDArray[np.bool_]) -> "Rows":
        """Return some of the rows."""
        return self if wanted.all() else Rows(*(part[wanted] for part in vars(self).values()))


class Reader(ABC):
    """Reads the rows of a table block by block, remembering time stamps.

    Attributes:
        is_unsure: whether a number that was read may mean several ones.
    """

    def __init__(self, table: Table, roles: Roles) -> None:
        self.table = table
        self.roles = roles
        self.stamps = DistinctTexts()
        self.is_unsure = False

    @abstractmethod
    def rows(self, *, exact: bool = False) -> Iterator[Rows]:
        """Yield the rows; ``exact`` as for :meth:`Table.numbers`."""

    @abstractmethod
    def lengths(self, pieces: Iterable[Rows], *, are_dates: bool) -> SeriesLengths:
        """Return number and lengths of the series.

        Args:
            are_dates: whether time stamps seem to be.
        """

    def all_rows(self, *, exact: bool = False) -> Rows:
        """Return the rows in one piece."""
        pieces = [*map(vars, self.rows(exact=exact))]
        if not pieces:
            raise SeriesFileError(_ALL_EMPTY)
        return Rows(*(np.concatenate([piece[name] for piece in pieces]) for name in pieces[0]))

    def order(self, stamps: NDArray[np.int64], series: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the order of rows by time; of the file where nothing tells it."""
        if not self.roles.times:
            return np.arange(len(stamps))
        as_years = "year" in self.table.header[self.roles.times[0]].lower()
        return order_by_time(stamps, series, self.stamps.texts, as_years=as_years)

    def _numbers(self, block: Block, *, exact: bool) -> FloatArray:
        read = self.table.numbers(block, self.roles.values, exact=exact)
        self.is_unsure |= bool(read.unsure.any())
        return read.numbers

    def _check_filled(
        self, block: Block, missing: NDArray[np.bool_], column: int, what: str
    ) -> None:
        if missing.any():
            line = block.lines[int(np.argmax(missing))]
            raise SeriesFileError(f"{self.table.place} {line}, {self.table.label(column)}: {what}.")


class LongReader(Reader):
    """Reads the rows of a long table, remembering names, too.

    Args:
        person: position of the column that names the person of each value, if it is read.
    """

    def __init__(self, table: Table, roles: Roles, person: int | None = None) -> None:
        super().__init__(table, roles)
        self._person = person
        self.names, self._people = DistinctTexts(missing=is_blank), DistinctTexts()

    def rows(self, *, exact: bool = False) -> Iterator[Rows]:
        """Yield the rows, without those that are blank."""
        named = (self.roles.series, *self.roles.times, self._person)
        texts = [column for column in named if column is not None]
        for block in self.table.blocks(texts, self.roles.values):
            yield self._rows_of(block, self._numbers(block, exact=exact)[:, 0])

    def _rows_of(self, block: Block, values: FloatArray) -> Rows:
        roles = self.roles
        missing = np.isnan(values)
        series = stamps = people = np.zeros(len(missing), dtype=np.int64)
        blank = missing & (roles.series is not None or bool(roles.times))
        if roles.series is not None:
            series = self.names.codes(block.coded(roles.series))
            blank &= series < 0
        if roles.times:
            stamps = self.stamps.codes(block.times(roles.times))
            blank &= stamps < 0
        if roles.series is not None:
            self._check_filled(
                block, (series < 0) & ~blank, roles.series, "the name of the series is missing"
            )
        if roles.times:
            self._check_filled(block, (stamps < 0) & ~blank, roles.times[0], _NO_STAMP)
        if self._person is not None:
            people = self._people.codes(block.coded(self._person))
            lacking = ~missing & (people == MISSING_CODE)
            if lacking.any():
                row = int(np.argmax(lacking))
                cell = str(block.texts((self._person,))[row, 0]).strip()
                # It may be anybody, also somebody who is named elsewhere.
                why = f", as {quoted(cell)} stands for a missing name: write another"
                raise SeriesFileError(
                    f"{self.table.place} {block.lines[row]}: the value has no person"
                    f"{why if cell else ''}."
                )
        check_series(len(self.names))
        if len(self.stamps) > MOST_STAMPS:
            raise SeriesFileError(f"The file holds more than {MOST_STAMPS:,} different times.")
        return Rows(block.lines, series, stamps, people, values).where(~blank)

    def lengths(self, pieces: Iterable[Rows], *, are_dates: bool) -> SeriesLengths:
        """Return how many rows each series has.

        Rows may come in any order. A row without a number is a value that is missing: it counts.
        """
        table, roles = self.table, self.roles
        kept, sums = [], Sums()
        lengths = missing = np.zeros(0, dtype=np.int64)
        for rows in pieces:
            lengths = added_up(lengths, rows.series)
            missing = added_up(missing, rows.series[np.isnan(rows.values)])
            if roles.times:
                kept.append(rows.keys)
                sums.add_rows(rows.series, rows.stamps, rows.values)
        if not lengths.any():
            raise SeriesFileError("The file holds no values: all rows are blank.")
        names = self.names.texts
        found = _step(self, kept, names, are_dates=are_dates)
        found_notes = (*_missing_notes(missing, names), *sums.notes(names), *found.notes)
        return SeriesLengths(
            lengths=tuple(lengths.tolist()),
            layout="long",
            time_step=found.step,
            notes=(*table.notes, *roles.notes, *found_notes),
        )


class WideReader(Reader):
    """Reads the rows of a wide table."""

    def rows(self, *, exact: bool = False) -> Iterator[Rows]:
        """Yield the rows, without those that have no time stamp; they are of no series."""
        table, roles = self.table, self.roles
        check_series(len(roles.values))
        for block in table.blocks(roles.times, roles.values):
            values = self._numbers(block, exact=exact)
            nobody = np.zeros(len(values), dtype=np.int64)
            stamps = self.stamps.codes(block.times(roles.times)) if roles.times else nobody
            unstamped = stamps < 0
            if unstamped.any():
                lost = unstamped & ~np.isnan(values).all(axis=1)
                self._check_filled(block, lost, roles.times[0], _NO_STAMP)
            rows = Rows(block.lines, nobody, stamps, nobody, values).where(~unstamped)
            if len(rows.lines):
                yield rows

    def lengths(self, pieces: Iterable[Rows], *, are_dates: bool) -> SeriesLengths:
        """Return the number of rows from the first to the last value in time of each column.

        Cells without a value before the first and after the last value of a column are outside
        its series; those between are values that are missing, and count.
        """
        table, roles = self.table, self.roles
        counts = np.zeros(len(roles.values), dtype=np.int64)
        kept, bits, sums = [], [], Sums()
        for rows in pieces:
            present = ~np.isnan(rows.values)
            counts += present.sum(axis=0)
            sums.add_columns(rows.values, present)
            kept.append(rows.stamps)
            # There may be hundreds of millions of cells.
            bits.append((np.packbits(present, axis=0), len(present)))
        if not counts.any():
            raise SeriesFileError(_ALL_EMPTY)
        stamps = np.concatenate(kept)
        found = _step(self, kept, [], are_dates=are_dates)
        lengths = counts
        if (counts < len(stamps)).any():
            lengths = _spans(bits, self.order(stamps, np.zeros_like(stamps)))
        names = [table.header[column] for column in roles.values]  # noqa: PD011  not of pandas
        cell_notes = _cell_notes(lengths, counts, len(stamps), names)
        return SeriesLengths(
            lengths=tuple(lengths[lengths > 0].tolist()),
            layout="wide",
            time_step=found.step,
            notes=(*table.notes, *roles.notes, *cell_notes, *sums.notes(names), *found.notes),
        )


def reader_of(table: Table, roles: Roles) -> LongReader | WideReader:
    """Return what reads a table, whose rows are no series."""
    return WideReader(table, roles) if roles.layout == "wide" else LongReader(table, roles)


def _step(
    reader: Reader, kept: list[NDArray[np.int64]], names: list[str], *, are_dates: bool
) -> FoundStep:
    """Return the time step, refusing a second row with the same time stamp of the same series.

    Args:
        kept: the keys of all rows, which are forgotten.
        names: the names of the series; none for a single one.

    Raises:
        RepeatedTimeError: with both lines, the series if there are several, and the stamp.
    """
    table, roles, texts = reader.table, reader.roles, reader.stamps.texts
    if not roles.times:
        return FoundStep(None)
    keys = np.concatenate(kept)
    kept.clear()
    same = keys[1:] <= keys[:-1]
    if same.any():
        keys.sort()
        same = keys[1:] == keys[:-1]
    if not same.any():
        return common_step(texts, keys, table.header[roles.times[0]], are_dates=are_dates)
    later, earlier, key = _first_repeat(np.unique(keys[1:][same]), reader.rows())
    stamp, place = quoted(texts[key % SERIES]), table.place
    share = float(same.mean())
    before = f"a second time, after {place.lower()} {earlier}"
    if not names:
        raise RepeatedTimeError(
            f"{place} {later}: the time stamp {stamp} appears {before}; if the rows belong "
            f"to several series, name the column that tells them apart series_id{_CLOCKS}.",
            share,
        )
    raise RepeatedTimeError(
        f"{place} {later}: the series {quoted(names[key // SERIES])} has the time stamp "
        f"{stamp} {before}; if several columns together name a series, join them into one named "
        f"series_id{_CLOCKS}.",
        share,
    )


def _first_repeat(repeated: NDArray[np.int64], again: Iterator[Rows]) -> tuple[int, int, int]:
    """Return the first line whose key came before, the line where it did, and the key."""
    seen = np.zeros(len(repeated), dtype=np.int64)
    for rows in again:
        of_them = np.isin(rows.keys, repeated)
        lines, places = rows.lines[of_them], np.searchsorted(repeated, rows.keys[of_them])
        is_second = (seen[places] > 0) | pd.Series(places).duplicated().to_numpy()
        if is_second.any():
            row = int(np.argmax(is_second))
            place = places[row]
            earlier = seen[place] or lines[int(np.argmax(places == place))]
            return int(lines[row]), int(earlier), int(repeated[place])
        seen[places] = lines
    raise AssertionError("a file that has changed while it was read")  # pragma: no cover


def _missing_notes(
    missing: NDArray[np.int64], names: Sequence[str], within: str = "in"
) -> tuple[str, ...]:
    """Return the note on missing values, given how many each series lacks."""
    affected, total = np.flatnonzero(missing), int(missing.sum())
    if not len(affected):
        return ()
    where = f" {within} series {quoted(names[affected[0]])}" if names else ""
    if names and len(affected) > 1:
        where += f" and {len(affected) - 1:,} more series"
    count = f"{counted(total, 'value')} {'is' if total == 1 else 'are'}"
    return (f"{count} missing{where}: missing values count, as training meets their place.",)


def _spans(
    bits: list[tuple[NDArray[np.uint8], int]], order: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return how many rows each column has from its first to its last value, 0 without any.

    Args:
        bits: where there are values, of each piece of the table with its height.
    """
    spans = []
    at_once = max(1, _CELLS_AT_ONCE // len(order))
    for start in range(0, bits[0][0].shape[1], at_once):
        parts = [
            np.unpackbits(of_piece[:, start : start + at_once], axis=0, count=height)
            for of_piece, height in bits
        ]
        present = np.concatenate(parts)[order]
        outside = present.argmax(axis=0) + present[::-1].argmax(axis=0)
        spans.append(np.where(present.any(axis=0), len(order) - outside, 0))
    return np.concatenate(spans)


def _cell_notes(
    lengths: NDArray[np.int64], counts: NDArray[np.int64], height: int, names: list[str]
) -> tuple[str, ...]:
    """Return notes on empty cells inside and outside the series."""
    notes = [*_missing_notes(lengths - counts, names, "inside")]
    outside = int(np.sum((lengths > 0) & (lengths < height)))
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


def row_lengths(table: Table, roles: Roles, rows: Iterable[SeriesRow]) -> SeriesLengths:
    """Return how many values each row has, from the first to the last."""
    sums, told = Sums(), []
    for row in rows:
        sums.add_series(row.values)
        told.append((len(row.values), np.count_nonzero(np.isnan(row.values)), row.name))
    if not told:
        raise SeriesFileError("The file holds no values: all rows are empty.")
    lengths, missing, names = zip(*told, strict=True)
    found = FoundStep(table.time_step)
    if table.ragged is None:
        titles = [table.header[column] for column in roles.values]  # noqa: PD011
        places = np.arange(len(titles))
        found = common_step(titles, places, "year", are_dates=False, is_order_known=True)
    missing_notes = _missing_notes(np.array(missing), names)
    found_notes = (*missing_notes, *sums.notes(names), *found.notes)
    return SeriesLengths(
        lengths=lengths,
        layout="rows",
        time_step=found.step,
        notes=(*table.notes, *roles.notes, *found_notes),
    )
