"""Who is in which series: counted from a column of a long table, and cut to so many series."""

import csv
import io
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz.series_file.any_layout import NO_NAMES, ColumnNames, named_roles
from dpviz.series_file.columns import column_named, columns_of
from dpviz.series_file.errors import SeriesFileError, quoted
from dpviz.series_file.layout import Roles, find_roles
from dpviz.series_file.lengths_in_table import LongReader, holds_years
from dpviz.series_file.read import lengths_of, table_in
from dpviz.series_file.series_lengths import SeriesLengths
from dpviz.series_file.stamps import order_by_time
from dpviz.series_file.table import MISSING_CODE, Block, DistinctTexts, Table, is_blank

IntArray = NDArray[np.int64]
# Codes of two texts in one number.
_BASE = 2**31


@dataclass(frozen=True, kw_only=True)
class Lost:
    """What is left out if nobody may be in more than so many series.

    Args:
        left_out: how many of their values are left out.
        series: series of which nothing is left.
    """

    persons: int
    left_out: int
    all_values: int
    series: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Persons:
    """How many values each person has in each series.

    Args:
        of_pairs: the person of each pair of person and series, in order of appearance.
        series: the series of each pair.
        counts: how many values each pair has.
    """

    of_pairs: IntArray
    series: IntArray
    counts: IntArray

    @cached_property
    def series_each(self) -> IntArray:
        """In how many series each person is who has a value, shape (persons,)."""
        return np.unique(self.of_pairs, return_counts=True)[1]

    @property
    def most_values(self) -> int:
        """The most values of one person in one series."""
        return int(self.counts.max())

    def kept(self, most: int) -> NDArray[np.bool_]:
        """Return which pairs stay: of each person the series with most values, the first of equals.

        How large values are has no part in it.
        """
        rank = pd.Series(-self.counts).groupby(self.of_pairs).rank(method="first")
        return np.asarray(rank <= most)

    def lost(self, most: int) -> Lost:
        """Return what is left out if nobody may be in more than ``most`` series."""
        kept = self.kept(most)
        return Lost(
            persons=int(np.count_nonzero(self.series_each > most)),
            left_out=int(self.counts[~kept].sum()),
            all_values=int(self.counts.sum()),
            series=len(np.unique(self.series)) - len(np.unique(self.series[kept])),
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class PersonFile:
    """A long table with a column that names persons."""

    lengths: SeriesLengths
    persons: Persons
    table: Table
    roles: Roles
    person: int

    def longest_stretch(self) -> int:
        """Return how far apart in time one person's values in one series are, both ends counted.

        In values of the series, missing ones among them: what has to be protected as so many values
        in a row.
        """
        reader = LongReader(self.table, self.roles)
        rows = list(reader.rows())
        lines, series, stamps = (
            np.concatenate([getattr(one, name) for one in rows])
            for name in ("lines", "series", "stamps")
        )
        order = np.arange(len(lines))
        if self.roles.times:
            as_years = holds_years(self.table, self.roles)
            order = order_by_time(stamps, series, reader.stamps.texts, as_years=as_years)
        places = np.empty(len(order), dtype=np.int64)
        places[order] = pd.Series(order).groupby(series[order]).cumcount()
        keys, own = [], []
        pairs = _Pairs(self.table, self.roles, self.person)
        columns = (self.roles.series, self.person)
        for block in self.table.blocks(columns, self.roles.values):  # type: ignore[arg-type]
            people, owners, present = pairs.read(block)
            keys.append(_keys(people, owners)[present])
            own.append(places[np.searchsorted(lines, np.asarray(block.lines)[present])])
        ends = pd.Series(np.concatenate(own)).groupby(np.concatenate(keys)).agg(["min", "max"])
        return int((ends["max"] - ends["min"]).max()) + 1

    def cut(self, most: int) -> str:
        """Return the table as CSV without the rows that they lose who keep so many series."""
        pairs = _keys(self.persons.of_pairs, self.persons.series)[self.persons.kept(most)]
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.table.header)
        # A column is read as texts or as numbers; of the values' own each cell is asked for.
        value = self.roles.values[0]  # noqa: PD011  not of pandas
        others = [at for at in range(len(self.table.header)) if at != value]
        reader = _Pairs(self.table, self.roles, self.person)
        for block in self.table.blocks(tuple(others), (value,)):
            people, series, present = reader.read(block)
            kept = ~present | np.isin(_keys(people, series), pairs)
            texts = block.texts(others).tolist()
            for at in np.flatnonzero(kept).tolist():
                row = texts[at]
                row.insert(value, block.text(at, value) if present[at] else "")
                writer.writerow(row)
        return text.getvalue()


def read_persons(
    content: bytes | Path, name: str, person: str, named: ColumnNames = NO_NAMES
) -> PersonFile:
    r"""Return the series of a long table, and who is in which of them.

    Args:
        person: name of the column of persons.
        named: columns of series, time and value, as far as they are said.

    >>> table = b"meter,home,day,kwh\na,x,2024-01-01,3\nb,x,2024-01-01,5\nc,y,2024-01-01,1\n"
    >>> found = read_persons(table, "homes.csv", "home")
    >>> found.lengths.num_series, found.persons.series_each.tolist()
    (3, [2, 1])
    """
    table = table_in(content, name)
    if table.ragged is not None:
        raise SeriesFileError("A column of persons needs a table with one row for each value.")
    columns = columns_of(table.header, table.sample)
    owner = column_named(columns, person)
    # Persons are no series, although their column may be called as one's.
    others = [one for one in columns if one is not owner]
    roles = named_roles(others, named) if named else find_roles(others, "long")
    if roles.series is None:
        raise SeriesFileError(
            "No column that names the series was found beside that of persons: a table with one "
            "row for each value has one, such as series_id."
        )
    lengths = lengths_of(table, roles, columns)
    counts: dict[int, int] = {}
    reader = _Pairs(table, roles, owner.position)
    for block in table.blocks((roles.series, owner.position), roles.values):
        people, series, present = reader.read(block)
        keys, times = np.unique(_keys(people, series)[present], return_counts=True)
        for key, many in zip(keys.tolist(), times.tolist(), strict=True):
            counts[key] = counts.get(key, 0) + many
    if not counts:
        raise SeriesFileError("The file holds no values, so it tells of nobody.")
    pairs = np.array(list(counts), dtype=np.int64)
    persons = Persons(
        of_pairs=pairs // _BASE,
        series=pairs % _BASE,
        counts=np.array(list(counts.values()), dtype=np.int64),
    )
    return PersonFile(
        lengths=lengths, persons=persons, table=table, roles=roles, person=owner.position
    )


class _Pairs:
    """Numbers the persons and the series of rows, in order of appearance."""

    def __init__(self, table: Table, roles: Roles, person: int) -> None:
        assert roles.series is not None  # read_persons has looked
        self._table, self._values = table, roles.values  # noqa: PD011
        self._series, self._person = roles.series, person
        self._people, self._owners = DistinctTexts(), DistinctTexts(missing=is_blank)

    def read(self, block: Block) -> tuple[IntArray, IntArray, NDArray[np.bool_]]:
        """Return person and series of each row, and whether it has a value."""
        people = self._people.codes(block.coded(self._person))
        series = self._owners.codes(block.coded(self._series))
        present = ~np.isnan(self._table.numbers(block, self._values)[:, 0])
        lacking = present & (people == MISSING_CODE)
        if lacking.any():
            row = int(np.argmax(lacking))
            cell = str(block.texts((self._person,))[row, 0]).strip()
            # It may be anybody, also somebody who is named elsewhere.
            why = f", as {quoted(cell)} stands for a missing name: write another" if cell else ""
            place = f"{self._table.place} {block.lines[row]}"
            raise SeriesFileError(f"{place}: the value has no person{why}.")
        return people, series, present


def _keys(people: IntArray, series: IntArray) -> IntArray:
    return people * _BASE + series
