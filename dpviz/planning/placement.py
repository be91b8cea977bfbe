"""Where one individual's values may lie in a series, and when each value was taken."""

import calendar
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import Self

from dpviz.scenario import DataShape, Relation, TimeStep

_SECOND, _MONTH = TimeStep(1, "second"), TimeStep(1, "month")
_DAY_SECONDS = _SECOND.values_in(1, "day") or 0
_MONTHS_OF_A_YEAR = 12
_DAYS_OF_A_WEEK = 7
Span = tuple[int, int]  # first and last, both included
_MOST_RUNS = 6  # single values that are drawn, with the windows that touch them
_MARGIN = 12  # the part of a drawing's width that is left free on either side
_GENEROUS = 3  # a series of so many times what matters is drawn whole, as a short one is
_SHORT = 60
# Of a series' length; a window of less shows its two parts on no screen.
_READABLE_SHARE = 1 / 20


@dataclass(frozen=True, kw_only=True)
class SeriesCalendar:
    """Value ``i`` of a series stands for the time from ``moment(i)`` up to ``moment(i + 1)``.

    The first value's time begins at midnight of the day ``first``.
    """

    first: date
    step: TimeStep

    @classmethod
    def of(cls, first_date: str, step: TimeStep | None) -> Self | None:
        """Return the calendar of a series; ``None`` where its time step is not known.

        >>> SeriesCalendar.of("2024-01-01", TimeStep(1, "hour")).moment(24).isoformat()
        '2024-01-02T00:00:00'
        """
        return None if step is None else cls(first=date.fromisoformat(first_date), step=step)

    @property
    def step_seconds(self) -> int | None:
        """The time step in seconds; ``None`` for months, which differ in length."""
        return _SECOND.values_in(self.step.count, self.step.unit)

    @property
    def step_months(self) -> int | None:
        """The time step in months; ``None`` for steps of seconds to weeks."""
        return _MONTH.values_in(self.step.count, self.step.unit)

    def moment(self, index: int) -> datetime | None:
        """Return when the time of a value begins; ``None`` outside the years 1 to 9999.

        A month that lacks the first date's day ends the count on its own last day. The first value
        has index 0, times before the series have negative ones.
        """
        start = datetime.combine(self.first, time())
        if self.step_seconds is not None:
            try:
                return start + timedelta(seconds=index * self.step_seconds)
            except OverflowError:
                return None
        assert self.step_months is not None  # a step has one of the two
        months = start.year * _MONTHS_OF_A_YEAR + start.month - 1 + index * self.step_months
        year, month = divmod(months, _MONTHS_OF_A_YEAR)
        if not date.min.year <= year <= date.max.year:
            return None
        last_day = calendar.monthrange(year, month + 1)[1]
        return start.replace(year=year, month=month + 1, day=min(start.day, last_day))

    def covers(self, first: int, last: int) -> bool:
        """Return whether all values from one to another, and their ends, have a date."""
        return self.moment(first) is not None and self.moment(last + 1) is not None

    def natural_starts(self, width: int) -> list[tuple[int, int]]:
        """Return where times that people speak of begin, as (period, remainder) of value indices.

        Mondays or Januaries where as many values last a week or a year, then midnights.
        """
        found = []
        if self.step_seconds is None:
            assert self.step_months is not None
            if _MONTHS_OF_A_YEAR % self.step_months == 0:
                year = _MONTHS_OF_A_YEAR // self.step_months
                to_january, beside = divmod(-(self.first.month - 1) % 12, self.step_months)
                if beside == 0 and width >= year > 1:
                    found.append((year, to_january))
        elif _DAY_SECONDS % self.step_seconds == 0:
            day = _DAY_SECONDS // self.step_seconds
            if width >= _DAYS_OF_A_WEEK * day:
                to_monday = -self.first.weekday() % _DAYS_OF_A_WEEK
                found.append((_DAYS_OF_A_WEEK * day, to_monday * day))
            if day > 1:
                found.append((day, 0))
        return found


@dataclass(frozen=True, kw_only=True)
class Placement:
    """Protected values in a series, placed so that the most windows touch them.

    Values and start positions are counted from 0. The window that starts at t reads the
    ``context_length`` values before t and predicts the ``forecast_length`` values from t on; before
    the series it reads zeros (Schuchardt et al., Algorithms 4 and 6).

    Args:
        length: L, the values of the series.
        run_length: how many protected values follow each other.
        count: how many such runs there are.
        distance: from the first value of one run to that of the next.
        others: protected values beyond those placed: wherever they lie, they touch no window
            that the placed ones do not touch.
    """

    length: int
    context_length: int
    forecast_length: int
    first: int
    run_length: int
    count: int
    distance: int
    others: int

    @property
    def window_length(self) -> int:
        """L_C + L_F."""
        return self.context_length + self.forecast_length

    @property
    def start_positions(self) -> int:
        """T, the places where a window may start."""
        return self.length - self.forecast_length + 1

    @property
    def touched_windows(self) -> int:
        """How many of these windows hold at least one protected value."""
        # No window touches two runs, and only the first and the last may lie near an end.
        ends = [self.touched(at) for at in sorted({0, self.count - 1})]
        of_inner = self.run_length - 1 + self.window_length
        at_ends = sum(last - first + 1 for first, last in ends)
        return (self.count - len(ends)) * of_inner + at_ends

    @property
    def has_readable_windows(self) -> bool:
        """Whether a window's parts can be seen where all of the series is drawn."""
        is_short = self.length <= _SHORT  # each value can be seen
        return is_short or self.window_length >= _READABLE_SHARE * self.length

    def run_before(self, value: int) -> int:
        """Return the last run that begins at or before a value; below 0 where none does."""
        return min((value - self.first) // self.distance, self.count - 1)

    def values(self, at: int) -> Span:
        """Return the first and the last value of a run."""
        first = self.first + at * self.distance
        return first, first + self.run_length - 1

    def touched(self, at: int) -> Span:
        """Return the first and the last start position whose window holds a value of a run.

        Value s lies in the forecast of t for t from s - L_F + 1 to s, and in the context of t for
        t from s + 1 to s + L_C.
        """
        first, last = self.values(at)
        return (
            max(first - self.forecast_length + 1, 0),
            min(last + self.context_length, self.start_positions - 1),
        )

    def touches(self, start: int) -> bool:
        """Return whether the window that starts there holds a protected value."""
        low, high = start - self.context_length, start + self.forecast_length - 1
        at = self.run_before(high)
        return high >= self.first and self.values(at)[1] >= low


def placement(
    shape: DataShape, relation: Relation, series_calendar: SeriesCalendar | None = None
) -> Placement:
    """Return protected values in the shortest series, where they touch the most windows.

    Values in a row lie away from the ends; values anywhere so far apart that no window holds two of
    them, as long as there is room; both at the begin of a day, a week or a year, if possible.
    """
    length, window = shape.series_lengths[0], shape.window_length
    positions = shape.start_positions
    run_length, count = min(relation.width, length), 1
    if relation.level != "event":
        # More values than this touch nothing more.
        run_length, count = 1, min(relation.width, -(-positions // window))
    periods = [] if series_calendar is None else series_calendar.natural_starts(relation.width)
    distance = run_length - 1 + window
    if count > 1:
        distance = _distance(positions, window, count, periods)
    first = _first(length, shape, run_length, (count - 1) * distance, periods)
    return Placement(
        length=length,
        context_length=shape.context_length,
        forecast_length=shape.forecast_length,
        first=first,
        run_length=run_length,
        count=count,
        distance=distance,
        others=min(relation.width, length) - run_length * count,
    )


def values_in_a_row(shape: DataShape, relation: Relation, first: int) -> Placement:
    """Return as many protected values in the shortest series, one after the other."""
    return replace(placement(shape, replace(relation, level="event")), first=first)


def _distance(positions: int, window: int, count: int, periods: Sequence[Span]) -> int:
    """Return how far apart single values lie: half a window more than needed, if there is room."""
    largest = max((positions - window) // (count - 1), window)
    wanted = min(window + window // 2, largest)
    for period, _ in periods:
        whole = -(-wanted // period) * period
        if whole <= largest:
            return whole
    return wanted


def _first(
    length: int, shape: DataShape, run_length: int, spread: int, periods: Sequence[Span]
) -> int:
    """Return the first protected value: among the best places, one whose windows need no zeros."""
    best_low = shape.forecast_length - 1
    best_high = length - shape.forecast_length - shape.context_length - run_length + 1 - spread
    if best_high < best_low:
        # No place has them all on either side; from here the windows to both ends are touched.
        best_low, best_high = max(best_high, 0), min(best_low, length - run_length - spread)
    comfortable = min(max(shape.window_length, best_low), best_high)
    for period, remainder in periods:
        found = comfortable + (remainder - comfortable) % period
        if found <= best_high:
            return found
    return comfortable


@dataclass(frozen=True, kw_only=True)
class Excerpt:
    """The part of a series that is drawn.

    Args:
        first: the first drawn value; below 0 where zeros before the series are drawn.
        runs: how many of the placed runs lie in it, from the first on.
        starts: of the windows that are drawn as examples, increasing.
        cuts_zeros: whether some of the zeros that the drawn windows read are left out.
    """

    first: int
    last: int
    runs: int
    starts: tuple[int, ...]
    is_whole: bool
    cuts_zeros: bool


def excerpt(placed: Placement) -> Excerpt:
    """Return the part around the protected values that is worth drawing."""
    runs = min(placed.count, _MOST_RUNS)
    starts = _example_starts(placed)
    low = min(placed.values(0)[0], starts[0] - placed.context_length)
    ends = (placed.values(runs - 1)[1], placed.touched(runs - 1)[1] + 1, starts[-1])
    high = min(max(end + placed.forecast_length - 1 for end in ends), placed.length - 1)
    margin = (high - max(low, 0) + 1) // _MARGIN
    is_near = max(_GENEROUS * (high - max(low, 0) + 1), _SHORT) >= placed.length
    if is_near and runs == placed.count:
        first, last = 0, placed.length - 1
    else:
        first, last = max(low - margin, 0), min(high + margin, placed.length - 1)
    if low < 0:
        # As many zeros as values at most: a long context would leave no room for the series.
        first = max(low, -(last + 1))
    return Excerpt(
        first=first,
        last=last,
        runs=runs,
        starts=starts,
        is_whole=first <= 0 and last == placed.length - 1,
        cuts_zeros=low < first,
    )


def _example_starts(placed: Placement) -> tuple[int, ...]:
    """Return the first, middle and last start that touch the first run, and those just beside."""
    first, last = placed.touched(0)
    beside = [
        start
        for start in (first - 1, last + 1)
        if 0 <= start < placed.start_positions and not placed.touches(start)
    ]
    return tuple(sorted({first, (first + last) // 2, last, *beside}))
