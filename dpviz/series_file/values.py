"""A file's bytes to the values of its series, for whoever trains on them."""

import importlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dpviz.scenario import TimeStep
from dpviz.series_file.adopt import Choice
from dpviz.series_file.columns import Column
from dpviz.series_file.layout import Roles
from dpviz.series_file.lengths_in_table import WideReader, reader_of, row_lengths
from dpviz.series_file.read import are_dates, doubt_of, read_with_roles
from dpviz.series_file.rows import between, series_rows
from dpviz.series_file.series_lengths import SeriesLengths
from dpviz.series_file.table import FloatArray, Table


def import_readers() -> None:
    """Import what reading a file needs, as far as it is there: it takes most of a second."""
    with suppress(ImportError):
        importlib.import_module("pyarrow.compute")
        importlib.import_module("pyarrow.csv")
        importlib.import_module("pyarrow.parquet")


@dataclass(frozen=True, kw_only=True, eq=False)
class SeriesValues:
    """The series in a file, each in the order of time.

    Args:
        values: of each series, NaN where one is missing, each of shape (values,).
        guess: those of the notes that say what nobody has said, as one text.
    """

    names: tuple[str, ...]
    values: tuple[NDArray[np.float64], ...]
    time_step: TimeStep | None
    notes: tuple[str, ...]
    guess: str = ""


def read_series_values(
    content: bytes | Path, name: str, *, layout: str = "auto", choice: Choice | None = None
) -> SeriesValues:
    r"""Return the series in a file; formats are those of ``read_series_lengths``.

    Args:
        choice: layout and columns, in the place of ``layout``. Where all is detected, a note says
            what is in doubt.

    Raises:
        SeriesFileError: the file cannot be read, or a number or a date could mean two things.

    >>> table = b"date,north\n2024-01-02,5.5\n2024-01-01,3\n"
    >>> read_series_values(table, "sales.csv").values[0].tolist()
    [3.0, 5.5]
    """
    chosen = Choice(layout=layout) if choice is None else choice

    def read(table: Table, found: Roles, columns: Sequence[Column]) -> SeriesValues:
        series, lengths = values_of(table, chosen.applied(found, columns), columns)
        if chosen.layout != "auto" or chosen.names_columns:
            return series
        doubt = doubt_of(lengths, columns)
        doubts = () if doubt is None else (doubt.sentence,)
        guess = " ".join([*doubts, *found.notes])
        return replace(series, notes=(*doubts, *series.notes), guess=guess)

    return read_with_roles(content, name, chosen.layout, read)


def values_of(
    table: Table, roles: Roles, columns: Sequence[Column]
) -> tuple[SeriesValues, SeriesLengths]:
    """Return the series in a table whose columns are known, and their lengths."""
    if roles.layout == "rows":
        rows_of_series = [*series_rows(table, roles, exact=True)]
        names = [one.name for one in rows_of_series]
        lengths = row_lengths(table, roles, rows_of_series)
        return _series(names, [one.values for one in rows_of_series], lengths), lengths
    reader = reader_of(table, roles)
    rows = reader.all_rows()
    lengths = reader.lengths([rows], are_dates=are_dates(roles, columns))
    if reader.is_unsure:
        del rows  # of millions two would not fit
        rows = reader.all_rows(exact=True)
    order = reader.order(rows.stamps, rows.series)
    values, owner = rows.values[order], rows.series[order]
    if isinstance(reader, WideReader):
        parts = [between(column) for column in values.T]
        names = [table.title(at) for at, one in zip(roles.values, parts, strict=True) if len(one)]
        parts = [one for one in parts if len(one)]
    else:
        names = reader.names.texts or [table.title(roles.values[0])]
        ends = np.cumsum(np.bincount(owner, minlength=len(names)))[:-1]
        parts = np.split(values[np.argsort(owner, kind="stable")], ends)
    return _series(names, parts, lengths), lengths


def _series(
    names: Sequence[str], values: Sequence[FloatArray], lengths: SeriesLengths
) -> SeriesValues:
    return SeriesValues(
        names=tuple(names),
        values=tuple(values),
        time_step=lengths.time_step,
        notes=lengths.notes,
    )
