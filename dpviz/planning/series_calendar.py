"""When each value of a series was taken, from the day that the series begins on."""

import calendar
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Self

from dpviz.scenario import TimeStep

_SECOND, _MONTH = TimeStep(1, "second"), TimeStep(1, "month")
_DAY_SECONDS = _SECOND.values_in(1, "day") or 0
_MONTHS_OF_A_YEAR = 12
_DAYS_OF_A_WEEK = 7


@dataclass(frozen=True, kw_only=True)
class SeriesCalendar:
    """Value ``i`` of a series stands for the time from ``moment(i)`` up to ``moment(i + 1)``.

    Args:
        first: the day on which the first value's time begins, at midnight.
        step: the time from value to value.
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

        A month that lacks the first date's day ends the count on its own last day.

        Args:
            index: of the value, 0 for the first; below 0 for times before the series.

        >>> monthly = SeriesCalendar.of("2024-01-31", TimeStep(1, "month"))
        >>> [monthly.moment(index).date().isoformat() for index in (0, 1, 2)]
        ['2024-01-31', '2024-02-29', '2024-03-31']
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

        Args:
            width: number of values in a row.

        >>> hourly = SeriesCalendar.of("2024-01-03", TimeStep(1, "hour"))  # a Wednesday
        >>> hourly.natural_starts(336), hourly.natural_starts(1)
        ([(168, 120), (24, 0)], [(24, 0)])
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
