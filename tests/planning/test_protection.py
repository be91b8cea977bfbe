"""Whom a run could protect: presets, widths, and which runs share a bound."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz.guarantees import guarantee_for
from dpviz.planning.protection import (
    Missing,
    at_relation,
    first_touching_all,
    hides_all_values,
    ready_relations,
    shared_form,
    slider_widths,
    swept_relations,
    widths_to_show,
)
from dpviz.planning.proven import proven_epsilon
from dpviz.scenario import Relation, ScenarioError, TimeStep
from dpviz.scenario.relation import LEVELS
from tests.scenario.changes import TOY, TRAFFIC, varied
from tests.scenario.strategies import small_shapes

MANY = settings(max_examples=300)
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


def test_ready_relations_keep_what_else_is_known_of_the_individual():
    relation = Relation(level="user", width=7, max_change=3.0, num_channels=2)
    for found in ready_relations(replace(TRAFFIC, relation=relation)).values():
        assert found.max_change == 3.0
        assert found.num_channels == 2


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


@pytest.mark.parametrize("level", ["event", "user"])
@pytest.mark.parametrize("scenario", [TOY, TRAFFIC], ids=["toy", "traffic"])
def test_widths_go_from_one_value_to_the_whole_series_with_the_own_one(scenario, level):
    own = at_relation(scenario, level, 3)
    widths = widths_to_show(own, level)
    assert list(widths) == sorted(set(widths))
    assert widths[0] == 1
    assert widths[-1] == scenario.data.series_lengths[0]
    assert 3 in widths
    assert first_touching_all(scenario.data, level) in widths
    assert len(widths) < 25


def test_durations_are_among_the_widths_where_they_are_whole_numbers_of_values():
    assert {24, 168, 672} <= set(widths_to_show(TRAFFIC, "event"))
    assert {24, 168, 672} <= set(slider_widths(TRAFFIC))
    odd = varied(TRAFFIC, time_step=TimeStep(7, "hour"))
    # A day is 3.4 of these values; a week is 24 of them.
    assert 4 not in widths_to_show(odd, "event")
    assert 24 in widths_to_show(odd, "event")


def test_width_beyond_the_series_is_shown_where_it_is_the_own_one():
    assert widths_to_show(at_relation(TOY, "event", 500), "event")[-1] == 500


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


def test_both_relations_meet_at_one_value_and_at_the_whole_series():
    event, user = swept_relations(TRAFFIC).values()
    assert [run.relation.level for run in (event[0], user[0])] == ["event", "user"]
    for at in (0, -1):
        assert shared_form(event[at]) == shared_form(user[at])
