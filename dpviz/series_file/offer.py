"""What a file seems to hold, to be looked at and corrected before anything is made of it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from dpviz.series_file.columns import Column
from dpviz.series_file.doubt import doubt_of
from dpviz.series_file.errors import SeriesFileError
from dpviz.series_file.layout import Roles
from dpviz.series_file.read import lengths_of, read_with_roles
from dpviz.series_file.series_lengths import SeriesLengths
from dpviz.series_file.table import Table

NO_COLUMN = -1
_SHOWN_ROWS = 4


@dataclass(frozen=True)
class Choice:
    """How a file is to be read; what is ``None`` is detected.

    Args:
        layout: one of ``LAYOUTS``.
        series: position of the column that names the series, ``NO_COLUMN`` for none.
        time: position of the column that tells the time, or ``NO_COLUMN``.
        value: position of the column with values; of a long table only.
    """

    layout: str = "auto"
    series: int | None = None
    time: int | None = None
    value: int | None = None

    @property
    def names_columns(self) -> bool:
        """Whether a column was chosen."""
        return (self.series, self.time, self.value) != (None, None, None)

    def applied(self, roles: Roles, columns: Sequence[Column]) -> Roles:
        """Return the roles with the columns that were chosen."""
        if not self.names_columns:
            return roles
        series = _chosen(self.series, (roles.series,) if roles.series is not None else ())
        times = _chosen(self.time, roles.times)
        if roles.layout == "long":
            values = _chosen(self.value, roles.values)
        else:
            numbers = [c.position for c in columns if c.kind in ("number", "empty")]
            freed = {*roles.times, *(() if roles.series is None else (roles.series,))}
            free = [at for at in numbers if at in roles.values or at in freed]
            values = tuple(at for at in free if at not in (*series, *times))
        if not values or {*values} & {*series, *times} or {*series} & {*times}:
            raise SeriesFileError("Each column has one role, and one at least holds values.")
        return replace(
            roles, series=next(iter(series), None), times=times, values=tuple(values), notes=()
        )


def _chosen(place: int | None, found: Sequence[int]) -> tuple[int, ...]:
    if place is None:
        return tuple(found)
    return () if place == NO_COLUMN else (place,)


@dataclass(frozen=True)
class Offer:
    """A file as it was read, or why it cannot be read so.

    Args:
        lengths: of its series; ``None`` where there is a problem.
        problem: a sentence.
        header: names of its columns; none of a file that is no table.
        rows: the first ones, as texts.
        roles: what its columns were taken to be.
    """

    lengths: SeriesLengths | None
    problem: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    roles: Roles | None


def read_offer(content: bytes | Path, name: str, choice: Choice) -> Offer:
    r"""Return what a file holds if it is read in a certain way.

    Args:
        content: the whole file, or where it lies.
        name: its name, for the ending.
        choice: the way.

    Raises:
        SeriesFileError: it is no table whose columns could be looked at.

    >>> offer = read_offer(b"shop,day,sold\na,1,5\na,2,6\n", "sales.csv", Choice(series=0))
    >>> offer.lengths.lengths, offer.roles.values, offer.rows[0]
    ((2,), (2,), ('a', '1', '5'))
    """
    seen: list[tuple[Table, Roles]] = []

    def read(table: Table, found: Roles, columns: Sequence[Column]) -> SeriesLengths:
        roles = choice.applied(found, columns)
        seen.append((table, roles))
        lengths = lengths_of(table, roles, columns)
        decided = choice.layout != "auto" or choice.names_columns
        return lengths if decided else replace(lengths, doubt=doubt_of(lengths, columns))

    lengths, problem = None, ""
    try:
        lengths = read_with_roles(content, name, choice.layout, read)
    except SeriesFileError as error:
        if not seen:
            raise
        problem = str(error)
    table, roles = seen[-1]
    rows = tuple(tuple(map(str, row)) for row in table.sample.cells[:_SHOWN_ROWS])
    is_table = table.ragged is None
    return Offer(lengths, problem, table.header if is_table else (), rows, roles)
