"""Where protected values are placed, by brute force, and when values were taken.

Months are months, and there is no date where there is none.
"""

from datetime import date, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz.planning.placement import Placement, SeriesCalendar, excerpt, placement
from dpviz.scenario import DataShape, Relation, TimeStep
from dpviz.scenario.relation import LEVELS
from tests.scenario.strategies import small_shapes

MANY = settings(max_examples=300)
STEPS = [None, TimeStep(1, "hour"), TimeStep(6, "hour"), TimeStep(1, "day"), TimeStep(1, "month")]


@st.composite
def cases(draw) -> tuple[DataShape, Relation, SeriesCalendar | None]:
    most_context = draw(st.sampled_from([6, 100]))
    shape = draw(small_shapes(longest=90, most_context=most_context, most_forecast=8))
    level = draw(st.sampled_from(LEVELS))
    relation = Relation(level=level, width=draw(st.integers(1, 100)))
    step = draw(st.sampled_from(STEPS))
    first = draw(st.dates(date(2023, 1, 1), date(2025, 1, 1)))
    return shape, relation, SeriesCalendar.of(first.isoformat(), step)


def values_of(placed: Placement) -> set[int]:
    runs = [placed.values(at) for at in range(placed.count)]
    return {value for first, last in runs for value in range(first, last + 1)}


def read_by(placed: Placement, start: int) -> set[int]:
    """Return the values in a window, as Algorithms 4 and 6 cut it."""
    end = start + placed.forecast_length
    return {value for value in range(start - placed.context_length, end) if value >= 0}


def touching(placed: Placement, values: set[int]) -> set[int]:
    return {start for start in range(placed.start_positions) if values & read_by(placed, start)}


@MANY
@given(cases())
def test_as_many_windows_touch_the_values_as_the_bounds_count(case):
    shape, relation, calendar = case
    placed = placement(shape, relation, calendar)
    values = values_of(placed)
    starts = touching(placed, values)
    assert len(starts) == relation.touched_windows(shape) == placed.touched_windows
    assert {start for start in range(placed.start_positions) if placed.touches(start)} == starts
    assert values <= set(range(placed.length))
    assert len(values) + placed.others == min(relation.width, placed.length)


@MANY
@given(cases())
def test_ranges_of_touched_starts_lie_apart_and_hold_them_all(case):
    placed = placement(*case)
    starts = []
    for at in range(placed.count):
        first, last = placed.touched(at)
        assert first <= last
        starts += range(first, last + 1)
    assert len(starts) == len(set(starts))
    assert set(starts) == touching(placed, values_of(placed))


@MANY
@given(cases())
def test_values_in_a_row_stay_in_a_row_and_others_share_no_window(case):
    shape, relation, calendar = case
    placed = placement(shape, relation, calendar)
    if relation.level == "event":
        assert placed.count == 1
        assert placed.run_length == min(relation.width, placed.length)
    else:
        assert placed.run_length == 1
        assert placed.count == 1 or placed.distance >= shape.window_length


@MANY
@given(cases())
def test_excerpt_shows_what_is_told(case):
    placed = placement(*case)
    part = excerpt(placed)
    assert part.last < placed.length
    assert part.is_whole == (part.first <= 0 and part.last == placed.length - 1)
    for at in range(part.runs):
        assert part.first <= placed.values(at)[0]
        assert placed.values(at)[1] <= part.last
        assert placed.touched(at)[1] <= part.last
    assert part.runs == min(placed.count, 6)
    touched = [start for start in part.starts if placed.touches(start)]
    assert placed.touched(0)[0] == touched[0]
    assert placed.touched(0)[1] in touched
    assert all(0 <= start < placed.start_positions for start in part.starts)
    assert part.starts[-1] + placed.forecast_length - 1 <= part.last
    first_read = part.starts[0] - placed.context_length
    assert part.cuts_zeros == (first_read < part.first)
    assert not part.cuts_zeros or first_read < 0


@pytest.mark.parametrize("level", ["event", "user"])
@pytest.mark.parametrize("width", [1, 10, 10**6])
@pytest.mark.parametrize(("length", "context"), [(10**9, 0), (10**9, 10**6), (1, 10**6), (1, 0)])
def test_longest_and_shortest_series_are_placed_in_no_time(level, width, length, context):
    shape = DataShape(
        num_series=1, series_lengths=(length,), context_length=context, forecast_length=1
    )
    relation = Relation(level=level, width=width)
    placed = placement(shape, relation, SeriesCalendar.of("2024-01-01", TimeStep(1, "hour")))
    assert placed.touched_windows == relation.touched_windows(shape)
    part = excerpt(placed)
    assert part.last - part.first < 2 * 10**7


def test_two_weeks_begin_on_a_monday_and_visits_at_midnight():
    shape = DataShape(
        num_series=862, series_lengths=(17_544,), context_length=96, forecast_length=24
    )
    calendar = SeriesCalendar.of("2024-01-03", TimeStep(1, "hour"))
    weeks = placement(shape, Relation(width=336), calendar)
    assert calendar.moment(weeks.first).isoformat() == "2024-01-08T00:00:00"
    visits = placement(shape, Relation(level="user", width=4), calendar)
    moments = [calendar.moment(visits.values(at)[0]) for at in range(4)]
    assert all(moment.hour == 0 for moment in moments)
    assert len({moment.date() for moment in moments}) == 4
    assert excerpt(visits).runs == 4
    assert not excerpt(visits).is_whole


# Calendars.

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
