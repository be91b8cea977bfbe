"""A scenario that takes over the data shape of a file, which is looked at and corrected before."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from dpviz.scenario import DataShape, Rates, Scenario, ScenarioError, worst_case_lengths
from dpviz.scenario.mechanism import MOST_STEPS
from dpviz.scenario.number_text import counted
from dpviz.series_file.columns import Column
from dpviz.series_file.errors import SeriesFileError
from dpviz.series_file.layout import Roles
from dpviz.series_file.read import doubt_of, lengths_of, read_with_roles
from dpviz.series_file.series_lengths import SeriesLengths
from dpviz.series_file.table import Table

# Of a forecast whose length is still to be chosen: no series is too short for it.
SHORTEST = 1


@dataclass(frozen=True)
class Adoption:
    """A scenario with a file's data shape, and in plain sentences what was changed for it."""

    scenario: Scenario
    changes: tuple[str, ...]


def adopt_lengths(
    base: Scenario,
    lengths: SeriesLengths,
    *,
    untold: Collection[str] = (),
    forecast_length: int | None = None,
) -> Adoption:
    """Return ``base`` with number and lengths of the series in a file.

    The windows are those of ``base``, or of another ``forecast_length``. Series too short to be
    forecast are left out; where all of them are, the forecast length is lowered to the shortest
    instead. Batch size and epochs are lowered where the file has too few or too many series for
    them. Of ``untold`` fields no change is told: they are asked for, or were told before. Without
    a forecast length nothing is told of the series: it decides which of them are long enough.

    Raises:
        SeriesFileError: more different lengths could be the worst case than a scenario holds.

    >>> from dpviz.scenario import PRESETS
    >>> adoption = adopt_lengths(
    ...     PRESETS["toy"].scenario, SeriesLengths(lengths=(60, 24, 48), layout="long"))
    >>> adoption.scenario.data.num_series, adoption.scenario.data.series_lengths
    (3, (24,))
    """
    windows = base.known_shape
    asked = forecast_length or (SHORTEST if windows is None else windows.forecast_length)
    forecast = lengths.shortest if asked > lengths.longest else asked
    kept = [length for length in lengths.lengths if length >= forecast]
    try:
        shape = worst_case_lengths(
            kept,
            num_series=len(kept),
            context_length=1 if windows is None else windows.context_length,
            forecast_length=forecast,
            relation=base.relation,
        )
    except ScenarioError as error:
        raise SeriesFileError(f"These lengths cannot be used: {error}") from None
    # With all N series in one batch, or all windows of one bag, an epoch is one step. As N is at
    # least 1, this batch holds the windows of at least one series: lambda can stay as it is.
    most = base.sampling.largest_batch(shape)
    sampling = replace(base.sampling, batch_size=min(base.sampling.batch_size, most))
    training = base.training
    if training.unit == "epochs":
        # Too many steps for one epoch are refused by name.
        epochs = max(1, MOST_STEPS // (most // sampling.batch_size))
        training = replace(training, count=min(training.count, epochs))
    units = replace(base.units, time_step=lengths.time_step or base.units.time_step)
    scenario = replace(base, data=shape, sampling=sampling, training=training, units=units)
    return Adoption(scenario, tuple(_changes(base, scenario, lengths, untold, asked)))


def _changes(
    base: Scenario,
    scenario: Scenario,
    lengths: SeriesLengths,
    untold: Collection[str],
    forecast_length: int,
) -> Iterator[str]:
    """Yield a sentence for each thing that differs from ``base`` and its ``forecast_length``."""
    before, shape = base.known_shape, scenario.given_shape
    if isinstance(base.data, Rates):
        yield "The rates set by hand were replaced by those that follow from the file."
    left_out = lengths.num_series - shape.num_series
    if "forecast_length" in untold:
        left_out, untold = 0, {*untold, "num_series", "series_length"}
    elif before is None:
        yield "Context and forecast length were not known, and were set to 1: set your own."
    elif shape.forecast_length < forecast_length:
        alone = lengths.num_series == 1
        yield (
            f"{'The only series is' if alone else 'All series are'} shorter than the forecast "
            f"length {forecast_length:,}, so it was lowered to {shape.forecast_length:,}, "
            f"the length of {'that' if alone else 'the shortest'} series."
        )
    if left_out:
        place = "" if lengths.layout == "typed" else " in the file"
        yield (
            f"N is {shape.num_series:,}: {left_out:,} of the {lengths.num_series:,} series{place} "
            f"{'is' if left_out == 1 else 'are'} shorter than the forecast length "
            f"{shape.forecast_length:,} and left out. Training must leave "
            f"{'it' if left_out == 1 else 'them'} out, too."
        )
    elif "num_series" not in untold and (before is None or before.num_series != shape.num_series):
        instead = "" if before is None else f" instead of {before.num_series:,}"
        yield f"The number of series is now {shape.num_series:,}{instead}."
    is_new = before is None or _lengths_of(before) != _lengths_of(shape)
    if is_new and "series_length" not in untold:
        shortest, values = shape.series_lengths[0], counted(lengths.longest, "value")
        if shape.num_series == 1:
            yield f"The only series now has {values}."
        else:
            spread = values if shortest == lengths.longest else f"{shortest:,} to {values}"
            yield f"The series now have {spread} each."
    yield from _other_changes(base, scenario, lengths, untold)


def _other_changes(
    base: Scenario, scenario: Scenario, lengths: SeriesLengths, untold: Collection[str]
) -> Iterator[str]:
    batch, old_batch = scenario.sampling.batch_size, base.sampling.batch_size
    if batch < old_batch and "batch_size" not in untold:
        drawn = scenario.sampling.series_per_batch
        one, many = ("window", "windows") if scenario.sampling.is_bag else ("series", "series")
        there = f"the only {one}" if drawn == 1 else f"the {drawn:,} {many} there are"
        yield (
            f"The batch size was lowered from {old_batch:,} to {batch:,}: more would draw more "
            f"than {there}."
        )
    if scenario.training.count < base.training.count and "training" not in untold:
        yield (
            f"The epochs were lowered from {base.training.count:,} to "
            f"{scenario.training.count:,}, to come to at most {MOST_STEPS:,} steps."
        )
    before = base.units.time_step
    if lengths.time_step is None and before is not None:
        yield f"The file gives no time step, so {before} was kept: check that it is right."
    elif lengths.time_step != before:
        yield f"The time step is now {lengths.time_step}, as the file's time stamps say."


def _lengths_of(shape: DataShape) -> tuple[tuple[int, ...], int | None]:
    return shape.series_lengths, shape.longer_series_beyond


NO_COLUMN = -1
_SHOWN_ROWS = 4


@dataclass(frozen=True)
class Choice:
    """How a file is to be read; what is ``None`` is detected.

    Args:
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
        owner = () if roles.series is None else (roles.series,)
        series, times = _chosen(self.series, owner), _chosen(self.time, roles.times)
        if roles.layout == "long":
            values = _chosen(self.value, roles.values)
        else:
            numbers = {c.position for c in columns if c.kind in ("number", "empty")}
            free = numbers & {*roles.values, *roles.times, *owner}
            values = tuple(sorted(free - {*series, *times}))
        if not values or {*values} & {*series, *times} or {*series} & {*times}:
            raise SeriesFileError("Each column has one role, and one at least holds values.")
        series_at = next(iter(series), None)
        return replace(roles, series=series_at, times=times, values=values, notes=())


def _chosen(place: int | None, found: Sequence[int]) -> tuple[int, ...]:
    if place is None:
        return tuple(found)
    return () if place == NO_COLUMN else (place,)


@dataclass(frozen=True)
class Offer:
    """A file as it was read, or why it cannot be read so.

    Args:
        lengths: of its series; ``None`` where there is a problem.
        header: names of its columns; none of a file that is no table.
    """

    lengths: SeriesLengths | None
    problem: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    roles: Roles | None


def read_offer(content: bytes | Path, name: str, choice: Choice) -> Offer:
    r"""Return what a file holds if it is read in a certain way.

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
