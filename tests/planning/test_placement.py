"""Where protected values are placed, by brute force, and when values were taken.

Months are months, and there is no date where there is none.
"""

from datetime import date, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz.guarantees import guarantee_for
from dpviz.planning.placement import Placement, SeriesCalendar, excerpt, placement
from dpviz.planning.protection import (
    Missing,
    at_relation,
    first_touching_all,
    hides_all_values,
    ready_relations,
    shared_form,
    widths_to_show,
)
from dpviz.planning.proven import proven_epsilon
from dpviz.scenario import DataShape, Relation, ScenarioError, TimeStep
from dpviz.scenario.relation import LEVELS
from tests.scenario.changes import TOY, varied
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


SHAPES = small_shapes(longest=60, most_context=20, most_forecast=10)


def stepped(step: str | None):
    time_step = None if step is None else TimeStep.parse(step)
    return varied(TOY, time_step=time_step)


def ready(scenario, name, longest=None):
    return ready_relations(scenario, longest)[name]


@pytest.mark.parametrize(
    ("step", "width"), [("1 hour", 336), ("10 minutes", 2016), ("1 day", 14), ("1 week", 2)]
)
def test_two_weeks_are_counted_in_the_data_s_time_step(step, width):
    found = ready(stepped(step), "two-weeks")
    assert (found.level, found.width) == ("event", width)


@pytest.mark.parametrize(
    ("step", "missing"),
    [(None, Missing.TIME_STEP), ("1 month", Missing.CALENDAR), ("1 second", Missing.TOO_WIDE)],
)
def test_two_weeks_that_cannot_be_counted_say_why(step, missing):
    assert ready(stepped(step), "two-weeks") is missing


def test_whole_series_is_the_longest_one():
    assert ready(TOY, "whole-series").width == 20
    assert ready(varied(TOY, series_lengths=(20, 30)), "whole-series").width == 30
    left_out = varied(TOY, series_lengths=(20, 30), longer_series_beyond=25)
    assert ready(left_out, "whole-series") is Missing.LONGEST
    assert ready(left_out, "whole-series", 50).width == 50
    long = varied(TOY, series_lengths=(10**7,))
    assert ready(long, "whole-series") is Missing.TOO_WIDE


@MANY
@given(SHAPES, st.sampled_from(LEVELS))
def test_first_width_that_touches_all_windows_is_the_first(shape, level):
    first = first_touching_all(shape, level)
    touched = [
        Relation(level=level, width=width).touched_windows(shape)
        for width in (first - 1 or 1, first)
    ]
    assert touched[1] == shape.start_positions
    assert first == 1 or touched[0] < shape.start_positions


def test_widths_that_no_bound_covers_are_left_out():
    noisy = varied(TOY, series_lengths=(20, 30), longer_series_beyond=22, forecast_noise=1.0)
    widths = widths_to_show(noisy, "event")
    assert widths[-1] == 20
    for width in widths:
        guarantee_for(at_relation(noisy, "event", width))
    with pytest.raises(ScenarioError):
        guarantee_for(at_relation(noisy, "event", 30))
    assert max(widths_to_show(noisy, "user")) <= 11


@MANY
@given(SHAPES, st.sampled_from(LEVELS), st.integers(1, 80))
def test_runs_that_share_a_form_touch_as_many_windows(shape, level, width):
    scenario = at_relation(varied(TOY, data=shape, batch_size=1), level, width)
    form = shared_form(scenario)
    assert form.touched_windows == scenario.touched_windows
    assert form.relation.level == "event"
    same = at_relation(scenario, "event", form.relation.width)
    assert shared_form(same) == form


@pytest.mark.parametrize("top_level", ["without-replacement", "deterministic", "flat"])
@pytest.mark.parametrize("bottom_level", ["with-replacement", "poisson"])
def test_shared_form_has_the_same_bounds(top_level, bottom_level):
    if top_level == "flat" and bottom_level == "poisson":
        return
    drawn = varied(TOY, top_level=top_level, bottom_level=bottom_level, steps=3)
    run = at_relation(drawn, "user", 4)
    own, shared = (proven_epsilon(one, tolerance=1e-2) for one in (run, shared_form(run)))
    assert (own.upper, own.lower) == (shared.upper, shared.lower)
    assert shared_form(run).relation != run.relation


@pytest.mark.parametrize(
    "scenario",
    [
        varied(TOY, context_noise=0.5),
        varied(TOY, series_lengths=(20, 30)),
        varied(TOY, longer_series_beyond=50),
        TOY.with_rates(bottom_rate=0.5),
    ],
    ids=["noise", "lengths", "left-out", "rates"],
)
def test_nothing_is_shared_where_bounds_depend_on_more(scenario):
    run = at_relation(scenario, "user", 2)
    assert shared_form(run) == run


@pytest.mark.parametrize("top_level", ["without-replacement", "deterministic", "flat"])
@pytest.mark.parametrize("lengths", [(20,), (20, 60)])
def test_where_all_values_are_hidden_more_of_them_change_no_bound(top_level, lengths):
    run = varied(TOY, series_lengths=lengths, top_level=top_level)
    run = at_relation(run, "event", 19)  # all windows of the shortest series
    wider = at_relation(run, "event", 40)
    is_same = guarantee_for(run).upper.pair == guarantee_for(wider).upper.pair
    assert hides_all_values(run) == is_same
    assert is_same == (top_level != "flat" or len(lengths) == 1)
