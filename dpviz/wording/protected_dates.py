"""When protected values were taken, in words: by dates where they are known, else by number."""

from datetime import datetime, time, timedelta

from dpviz.planning.placement import Placement, SeriesCalendar
from dpviz.wording.numbers import listed

# strftime's names would be those of the server's language.
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_MIDNIGHT = time()
_DAY = timedelta(days=1)


def span_words(first: int, last: int, series_calendar: SeriesCalendar | None) -> str:
    """Return which values of a series these are: dates where all have one, else numbers from 1 on.

    Args:
        first: the first value, counted from 0.
        last: the last value.
        series_calendar: when values were taken, if that is known.

    >>> from dpviz.scenario import TimeStep
    >>> hourly = SeriesCalendar.of("2024-01-01", TimeStep(1, "hour"))
    >>> span_words(840, 1175, hourly)
    'from Monday 5 February 2024 to Sunday 18 February 2024'
    >>> span_words(840, 840, hourly), span_words(840, 843, None)
    ('Monday 5 February 2024, 00:00', 'values 841 to 844')
    """
    if series_calendar is None or not series_calendar.covers(first, last):
        return f"value {first + 1:,}" if first == last else f"values {first + 1:,} to {last + 1:,}"
    start, end = series_calendar.moment(first), series_calendar.moment(last + 1)
    assert start is not None  # the calendar covers them
    assert end is not None
    if series_calendar.step_months == 1 and start.day == 1:
        months = [_month(start), _month(end - _DAY)]
        return months[0] if first == last else f"from {months[0]} to {months[1]}"
    if start.time() == end.time() == _MIDNIGHT:
        days = [_day(start), _day(end - _DAY)]
        return days[0] if days[0] == days[1] else f"from {days[0]} to {days[1]}"
    if first == last:
        return _instant(start)
    return f"from {_instant(start)} until {_instant(end)}"


def protected_dates(
    placed: Placement, series_calendar: SeriesCalendar | None, *, most: int = 4
) -> str:
    """Return when the placed protected values were taken.

    Args:
        placed: the values.
        series_calendar: when values were taken, if that is known.
        most: no more single values are listed.

    >>> from dpviz.planning.placement import placement
    >>> from dpviz.scenario import DataShape, Relation, TimeStep
    >>> shape = DataShape(num_series=1, series_lengths=(400,),
    ...                   context_length=6, forecast_length=1)
    >>> daily = SeriesCalendar.of("2024-01-01", TimeStep(1, "day"))
    >>> protected_dates(placement(shape, Relation(level="user", width=2), daily), daily)
    'Monday 8 January 2024 and Thursday 18 January 2024'
    """
    told = min(placed.count, most)
    spans = [span_words(*placed.values(at), series_calendar) for at in range(told)]
    more = placed.count - told
    if more:
        return f"{', '.join(spans)} and {more:,} more, evenly spaced"
    return listed(spans)


def _day(moment: datetime) -> str:
    return f"{WEEKDAYS[moment.weekday()]} {moment.day} {_month(moment)}"


def _month(moment: datetime) -> str:
    return f"{MONTHS[moment.month - 1]} {moment.year}"


def _instant(moment: datetime) -> str:
    clock = f"{moment:%H:%M}" + (f":{moment.second:02}" if moment.second else "")
    return f"{_day(moment)}, {clock}"
