"""Where protected values are placed: every count and every drawn window by brute force."""

from datetime import date

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
