"""Which data sets count as neighbours, and which lengths of series can attain the worst case."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from dpviz.scenario.data import MOST_LENGTHS, DataShape
from dpviz.scenario.errors import (
    ScenarioError,
    checked_choice,
    checked_text,
    keep_integer,
    keep_real,
)

LEVELS = ("event", "user")
WIDEST_RELATION = 10**6
MOST_CHANNELS = 10**6
MOST_SERIES_PER_PERSON = 1000
SMALLEST_CHANGE, LARGEST_CHANGE = 1e-12, 1e12

SECONDS_OF_UNITS = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400, "week": 604_800}
_MONTHS = {"month": 1, "quarter": 3, "year": 12}
TIME_UNITS = (*SECONDS_OF_UNITS, *_MONTHS)


@dataclass(frozen=True, kw_only=True)
class Relation:
    """Which change must stay hidden, of one series (Schuchardt et al., App. I.2) or of several.

    Args:
        level: ``event``: ``width`` consecutive values of one series change; ``user``: any
            ``width`` values of one series change.
        width: w, the number of values that may change. It may exceed the length of a series:
            then all values may change, and all windows are touched.
        max_change: v, the largest change of one value, in the data's unit; ``None`` for no
            limit. Only noise on context or labels makes use of it.
        num_channels: D_in, values per time step that may change together.
        series_per_person: m, the number of series that may change so, each of them.
    """

    level: str = "event"
    width: int = 1
    max_change: float | None = None
    num_channels: int = 1
    series_per_person: int = 1

    def __post_init__(self) -> None:
        checked_choice("relation", self.level, LEVELS)
        keep_integer(self, "width", 1, WIDEST_RELATION, field="relation_width")
        if self.max_change is not None:
            keep_real(self, "max_change", SMALLEST_CHANGE, LARGEST_CHANGE)
        keep_integer(self, "num_channels", 1, MOST_CHANNELS)
        keep_integer(self, "series_per_person", 1, MOST_SERIES_PER_PERSON)

    def touched_windows(self, shape: DataShape, start_positions: int | None = None) -> int:
        """Return k, the most windows of one series that one individual can touch (App. I)."""
        positions = shape.start_positions if start_positions is None else start_positions
        return min(self.reach(shape.window_length), positions)

    def reach(self, window_length: int) -> int:
        """Return how many windows one individual can touch in a very long series (App. I)."""
        if self.level == "event":
            return window_length + self.width - 1
        return window_length * self.width


@dataclass(frozen=True)
class TimeStep:
    """The time from one value of a series to the next, such as ``10 minutes``.

    >>> TimeStep.parse("10 minutes").values_in(2, "week")
    2016
    >>> str(TimeStep.parse("1 month"))
    '1 month'
    """

    count: int
    unit: str

    def __post_init__(self) -> None:
        keep_integer(self, "count", 1, 10**15, field="time_step")
        checked_choice("time_step", self.unit, TIME_UNITS)

    def __str__(self) -> str:
        return f"{self.count} {self.unit}{'s' if self.count > 1 else ''}"

    @classmethod
    def parse(cls, text: object) -> "TimeStep":
        """Read ``"1 hour"`` or ``"10 minutes"``; raise :class:`ScenarioError` otherwise."""
        match = re.fullmatch(r"([0-9]{1,16}) ([a-z]+?)s?", text) if isinstance(text, str) else None
        if match is None or match[2] not in TIME_UNITS:
            raise ScenarioError(
                "time_step", text, 'it must read like "1 hour", in ' + ", ".join(TIME_UNITS)
            )
        return cls(int(match[1]), match[2])

    @classmethod
    def in_largest_unit(cls, total: int, table: dict[str, int]) -> Self:
        """Return so many of a table's first unit, in the largest of its units that fits exactly."""
        unit = next(unit for unit in reversed(table) if total % table[unit] == 0)
        return cls(total // table[unit], unit)

    def lasting(self, values: int) -> "TimeStep":
        """Return how long ``values`` steps last, in the largest unit that fits exactly."""
        table = SECONDS_OF_UNITS if self.unit in SECONDS_OF_UNITS else _MONTHS
        return TimeStep.in_largest_unit(values * self.count * table[self.unit], table)

    def duration(self, values: int) -> str:
        """Return the same in words.

        >>> TimeStep.parse("1 hour").duration(336), TimeStep.parse("10 minutes").duration(9)
        ('2 weeks', '90 minutes')
        >>> TimeStep.parse("1 day").duration(17_544)
        '17,544 days'
        """
        count, _, unit = str(self.lasting(values)).partition(" ")
        return f"{int(count):,} {unit}"

    def values_in(self, count: int, unit: str) -> int | None:
        """Return how many values cover ``count`` units of time, rounded up.

        ``None`` where calendar units and clock units do not convert (weeks of monthly data).
        """
        for table in (SECONDS_OF_UNITS, _MONTHS):
            if unit in table and self.unit in table:
                return -(-count * table[unit] // (self.count * table[self.unit]))
        return None


@dataclass(frozen=True, kw_only=True)
class Units:
    """How to say lengths and changes in the data's own terms; both may be unknown."""

    time_step: TimeStep | None = None
    value_unit: str | None = None

    def __post_init__(self) -> None:
        if self.value_unit is not None:
            object.__setattr__(self, "value_unit", checked_text("value_unit", self.value_unit, 40))


def worst_case_lengths(
    lengths: Iterable[int],
    *,
    num_series: int,
    context_length: int,
    forecast_length: int,
    relation: Relation,
) -> DataShape:
    """Return the data shape that keeps only the lengths that can attain the worst case.

    With T = L - L_F + 1 start positions and c = the windows one individual touches in a very
    long series, the bounds for bottom-level sampling with replacement grow with
    min(c, T) / T, so the shortest series decides (Schuchardt et al., App. I.1). For Poisson
    sampling and for noise on context or labels no order among the series with T < c is
    proven, so all of these are kept; among those with T >= c the shortest is the worst.

    Args:
        lengths: the length of every series, or the distinct lengths, in time steps.
        num_series: N, the number of series.

    Raises:
        ScenarioError: there is no length, a length is too short to be forecast, or more
            lengths than a scenario holds could be the worst.

    >>> shape = worst_case_lengths([126, 68, 69, 69], num_series=4, context_length=36,
    ...                            forecast_length=18, relation=Relation())
    >>> shape.series_lengths, shape.longer_series_beyond
    ((68, 69, 126), None)
    """
    distinct = sorted(set(lengths))
    if not distinct:
        raise ScenarioError("series_length", (), "there must be at least one series")
    reach = relation.reach(context_length + forecast_length)
    shorter = [length for length in distinct if length - forecast_length + 1 < reach]
    longer = distinct[len(shorter) :]
    kept = shorter + longer[:1]
    if len(kept) > MOST_LENGTHS:
        # Rounding a length down only adds to the worst case, for sampling with replacement;
        # no such order is known for the other schemes, so there is no honest way to thin out.
        raise ScenarioError(
            "series_length",
            f"{len(kept)} different lengths",
            f"at most {MOST_LENGTHS} lengths shorter than the {reach:,} windows that one "
            "individual touches are kept: shorten the windows, or cut the series to fewer lengths",
        )
    return DataShape(
        num_series=num_series,
        series_lengths=tuple(kept),
        context_length=context_length,
        forecast_length=forecast_length,
        longer_series_beyond=reach if len(kept) < len(distinct) else None,
    )
