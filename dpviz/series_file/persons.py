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
from dpviz.series_file.errors import SeriesFileError
from dpviz.series_file.layout import Roles, find_roles
from dpviz.series_file.lengths_in_table import LongReader, Rows
from dpviz.series_file.read import are_dates, table_in
from dpviz.series_file.series_lengths import SeriesLengths
from dpviz.series_file.table import Table

IntArray = NDArray[np.int64]
# Codes of two texts in one number.
_BASE = 2**31


@dataclass(frozen=True, kw_only=True, eq=False)
class Persons:
    """How many values each person has in each series.

    Args:
        pairs: of a person and a series who have values, each in one number.
    """

    pairs: IntArray
    counts: IntArray

    @cached_property
    def series_each(self) -> IntArray:
        """In how many series each person is who has a value, shape (persons,)."""
        return np.unique(self.pairs // _BASE, return_counts=True)[1]

    @property
    def most_values(self) -> int:
        """The most values of one person in one series."""
        return int(self.counts.max())

    def kept(self, most: int) -> NDArray[np.bool_]:
        """Return which pairs stay: of each person the series with most values, the first of equals.

        How large values are has no part in it.
        """
        rank = pd.Series(-self.counts).groupby(self.pairs // _BASE).rank(method="first")
        return np.asarray(rank <= most)

    def lost(self, most: int) -> dict[str, int]:
        """Return what is left out if nobody may be in more than ``most`` series.

        Who is in more, how many of their values, of how many, and series of which nothing is left.
        """
        kept, series = self.kept(most), self.pairs % _BASE
        return {
            "in_more_series": int(np.count_nonzero(self.series_each > most)),
            "values_lost": int(self.counts[~kept].sum()),
            "values": int(self.counts.sum()),
            "series_lost": len(np.unique(series)) - len(np.unique(series[kept])),
        }


@dataclass(frozen=True, kw_only=True, eq=False)
class PersonFile:
    """A long table with a column that names persons."""

    lengths: SeriesLengths
    persons: Persons
    table: Table
    roles: Roles
    reader: LongReader
    rows: Rows

    def longest_stretch(self) -> int:
        """Return how far apart in time one person's values in one series are, both ends counted.

        In values of the series, missing ones among them: what has to be protected as so many values
        in a row.
        """
        rows = self.rows
        order = self.reader.order(rows.stamps, rows.series)
        places = np.empty(len(order), dtype=np.int64)
        places[order] = pd.Series(order).groupby(rows.series[order]).cumcount()
        present = ~np.isnan(rows.values)
        ends = pd.Series(places[present]).groupby(_pairs(rows)[present]).agg(["min", "max"])
        return int((ends["max"] - ends["min"]).max()) + 1

    def cut(self, most: int) -> str:
        """Return the table as CSV without the rows that they lose who keep so many series."""
        kept = np.isin(_pairs(self.rows), self.persons.pairs[self.persons.kept(most)])
        lost = self.rows.lines[~kept & ~np.isnan(self.rows.values)]
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.table.header)
        # A column is read as texts or as numbers; of the values' own each cell is asked for.
        value = self.roles.values[0]  # noqa: PD011  not of pandas
        others = [at for at in range(len(self.table.header)) if at != value]
        for block in self.table.blocks(others, (value,)):
            missing = np.isnan(self.table.numbers(block, (value,)).numbers[:, 0])
            texts = block.texts(others).tolist()
            for at in np.flatnonzero(~np.isin(block.lines, lost)).tolist():
                row = texts[at]
                row.insert(value, "" if missing[at] else block.text(at, value))
                writer.writerow(row)
        return text.getvalue()


def read_persons(
    content: bytes | Path, name: str, person: str, named: ColumnNames = NO_NAMES
) -> PersonFile:
    r"""Return the series of a long table, and who is in which of them.

    Args:
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
    reader = LongReader(table, roles, owner.position)
    rows = reader.all_rows()
    lengths = reader.lengths([rows], are_dates=are_dates(roles, columns))
    pairs, counts = np.unique(_pairs(rows)[~np.isnan(rows.values)], return_counts=True)
    if not len(pairs):
        raise SeriesFileError("The file holds no values, so it tells of nobody.")
    return PersonFile(
        lengths=lengths,
        persons=Persons(pairs=pairs, counts=counts),
        table=table,
        roles=roles,
        reader=reader,
        rows=rows,
    )


def _pairs(rows: Rows) -> IntArray:
    """Return the person and the series of each row, in one number."""
    return rows.people * _BASE + rows.series
