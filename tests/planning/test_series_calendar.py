"""When values of a series were taken: months as months, and no date where there is none."""

from datetime import date, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz.planning.placement import SeriesCalendar
from dpviz.scenario import TimeStep

MANY = settings(max_examples=200)
DAYS = st.dates(date(1800, 1, 1), date(2200, 12, 31))


@MANY
@given(DAYS, st.sampled_from(["1 month", "1 quarter", "2 months", "1 year"]), st.integers(-50, 500))
def test_months_keep_the_day_or_end_with_the_month(first, step, index):
    calendar = SeriesCalendar(first=first, step=TimeStep.parse(step))
    moment = calendar.moment(index)
    months = calendar.step_months * index
    assert (moment.year - first.year) * 12 + moment.month - first.month == months
    is_last = (moment + timedelta(days=1)).month != moment.month
    assert moment.day == first.day or (moment.day < first.day and is_last)


@MANY
@given(DAYS, st.integers(1, 10**6), st.integers(0, 1000))
def test_seconds_are_counted_one_by_one(first, seconds, index):
    calendar = SeriesCalendar(first=first, step=TimeStep(seconds, "second"))
    moment = calendar.moment(index)
    if moment is not None:
        passed = moment - datetime.combine(first, datetime.min.time())
        assert passed.total_seconds() == index * seconds


@pytest.mark.parametrize("step", ["1 hour", "1 month", "1000000000000000 years"])
def test_beyond_the_calendar_there_is_no_date(step):
    calendar = SeriesCalendar.of("2024-01-01", TimeStep.parse(step))
    assert calendar.moment(0) is not None
    assert calendar.moment(10**9) is None
    assert calendar.moment(-(10**9)) is None
    assert not calendar.covers(0, 10**9)


def test_unknown_time_step_has_no_calendar():
    assert SeriesCalendar.of("2024-01-01", None) is None


@MANY
@given(DAYS, st.sampled_from(["10 minutes", "1 hour", "6 hours", "1 day"]), st.integers(1, 3000))
def test_natural_starts_are_mondays_and_midnights(first, step, width):
    calendar = SeriesCalendar(first=first, step=TimeStep.parse(step))
    a_day = calendar.step.values_in(1, "day")
    starts = calendar.natural_starts(width)
    for period, remainder in starts:
        for turn in range(3):
            moment = calendar.moment(remainder + turn * period)
            assert (moment.hour, moment.minute) == (0, 0)
            if period == 7 * a_day:
                assert moment.weekday() == 0
    assert any(period == 7 * a_day for period, _ in starts) == (width >= 7 * a_day)


@MANY
@given(DAYS, st.sampled_from(["1 month", "1 quarter"]))
def test_natural_starts_of_months_are_januaries(first, step):
    calendar = SeriesCalendar(first=first, step=TimeStep.parse(step))
    for _, remainder in calendar.natural_starts(24):
        assert calendar.moment(remainder).month == 1
    assert calendar.natural_starts(1) == []


def test_steps_that_divide_no_day_have_no_natural_start():
    assert SeriesCalendar.of("2024-01-01", TimeStep(7, "hour")).natural_starts(100) == []
