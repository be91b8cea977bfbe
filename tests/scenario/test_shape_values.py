"""One number, level or rate changed beside all others of a scenario."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz.scenario import Sampling, ScenarioError, to_fields
from dpviz.scenario.levels import MOST_LEVELS, Level, levels_in, levels_text
from tests.scenario.changes import TOY, TRAFFIC, varied
from tests.scenario.strategies import scenarios

FIELDS = ("num_series", "series_length", "context_length", "forecast_length", "batch_size")
OF_A_SHAPE = scenarios().filter(lambda scenario: scenario.shape is not None)


def test_fewer_series_lower_the_batch_and_say_so():
    """Not refused: the batch size is the one that has to follow."""
    scenario, notes = TOY.with_shape_value("num_series", 10)
    assert (scenario.shape.num_series, scenario.sampling.batch_size) == (10, 10)
    assert notes == ["Batch size lowered to 10: a batch cannot draw more series than there are."]
    assert TOY.with_shape_value("num_series", 32)[1] == []


def test_lowered_batch_keeps_its_windows_per_series():
    base = varied(TOY, num_subsequences=4)
    scenario, notes = base.with_shape_value("num_series", 3)
    assert scenario.sampling == Sampling(batch_size=12, num_subsequences=4)
    assert len(notes) == 1


@pytest.mark.parametrize(
    ("field", "value", "left"),
    [("num_series", 200, 4000), ("series_length", 10, 3200), ("forecast_length", 5, 5120)],
)
def test_fewer_windows_lower_the_batch_of_a_bag_and_say_so(field, value, left):
    bag = varied(TOY, top_level="flat", batch_size=6000)
    scenario, notes = bag.with_shape_value(field, value)
    assert scenario.sampling.batch_size == left
    windows = "a batch cannot draw more windows than there are."
    assert notes == [f"Batch size lowered to {left:,}: {windows}"]


def test_series_length_takes_the_place_of_all_lengths():
    several = varied(TOY, series_lengths=(5, 9), longer_series_beyond=12)
    scenario, notes = several.with_shape_value("series_length", 7)
    assert (scenario.data, notes) == (replace(TOY.data, series_lengths=(7,)), [])


@pytest.mark.parametrize(
    ("base", "field", "value", "message"),
    [
        (TOY, "forecast_length", 30,
         "forecast_length = 30 is not allowed: it must be at most 20, the series length."),
        (varied(TOY, series_lengths=(5, 9)), "forecast_length", 7,
         "forecast_length = 7 is not allowed: it must be at most 5, the shortest series length."),
        (TRAFFIC, "series_length", 23,
         "series_length = 23 is not allowed: every series must hold at least one forecast window "
         "(forecast_length 24)."),
        (TOY, "batch_size", 321,
         "batch_size = 321 is not allowed: it must be at most 320, the number of series."),
        (TRAFFIC, "num_series", 10**9,
         "num_series = 1000000000 is not allowed: it must be at most 640,255, for 4,000 epochs "
         "to come to at most 10,000,000 steps."),
        (varied(TOY, epochs=10**6), "batch_size", 1,
         "batch_size = 1 is not allowed: it must be at least 30, for 1,000,000 epochs to come to "
         "at most 10,000,000 steps."),
        (varied(TOY, epochs=1), "num_series", 10**9,
         "num_series = 1000000000 is not allowed: it must be at most 320,000,031, for 1 epoch to "
         "come to at most 10,000,000 steps."),
        (varied(TOY, series_per_person=5), "num_series", 3,
         "num_series = 3 is not allowed: it must be at least 5, the series of one person."),
        (varied(TOY, top_level="flat", epochs=10_000), "series_length", 101,
         "series_length = 101 is not allowed: it must be at most 100, for 10,000 epochs to come to "
         "at most 10,000,000 steps."),
        (varied(TOY, top_level="flat", epochs=10_000, series_lengths=(200,), forecast_length=150),
         "forecast_length", 100,
         "forecast_length = 100 is not allowed: it must be at least 101, for 10,000 epochs to come "
         "to at most 10,000,000 steps."),
        (TOY, "num_series", 0,
         "num_series = 0 is not allowed: it must be a whole number from 1 to 1,000,000,000."),
    ],
)  # fmt: skip
def test_refusal_is_about_the_changed_field(base, field, value, message):
    """And says what the others allow for it."""
    with pytest.raises(ScenarioError) as refused:
        base.with_shape_value(field, value)
    assert str(refused.value) == message
    assert (refused.value.field, refused.value.value) == (field, value)


def test_shape_is_fixed_while_rates_are_given():
    with pytest.raises(ScenarioError, match=r"num_series = 3 .* while rates are given"):
        TOY.with_rates().with_shape_value("num_series", 3)


@given(OF_A_SHAPE, st.sampled_from(FIELDS), st.integers(-1, 10**9 + 1) | st.integers(0, 400))
def test_all_else_stays_or_the_field_is_refused_with_a_limit_that_holds(scenario, field, value):
    """The limit in a refusal is allowed, and one beyond it is not."""
    changed, notes, problem = scenario, [], None
    try:
        changed, notes = scenario.with_shape_value(field, value)
    except ScenarioError as refused:
        problem = refused
    if problem is not None:
        assert problem.field == field
        limit = re.search(r"must be at (most|least) ([\d,]+)", problem.allowed)
        if limit:
            number = int(limit[2].replace(",", ""))
            scenario.with_shape_value(field, number)
            with pytest.raises(ScenarioError):
                scenario.with_shape_value(field, number + (1 if limit[1] == "most" else -1))
        return
    before, after = to_fields(scenario), to_fields(changed)
    assert after[field] == ([value] if field == "series_length" else value)
    others = {name for name in before if after.get(name) != before[name]} - {field}
    assert others <= {"batch_size", "longer_series_beyond"}
    assert ("batch_size" in others) == bool(notes)
    assert ("longer_series_beyond" in others) <= (field in ("series_length", "forecast_length"))


LEVEL = st.integers(1, 60).flatmap(
    lambda size: st.builds(Level, drawn=st.integers(1, size), size=st.just(size))
)


@given(st.lists(LEVEL, min_size=1, max_size=MOST_LEVELS).map(tuple))
def test_a_text_gives_its_levels_back(levels):
    assert levels_in("levels", levels_text(levels)) == levels


@pytest.mark.parametrize(
    "text",
    ["", "5", "5:", ":5", "5:20:3", "5:20,", "a:b", "6:5", "0:5", "1:0", "-1:5", "1.5:3", "1:1e3",
     "1:9999999999", " 1:2", "1:2;1:2", "1:2," * 10 ** 5, "1:99999,1:99999", "\u0661:2", None],
)  # fmt: skip
def test_anything_else_is_refused_by_name(text):
    with pytest.raises(ScenarioError) as raised:
        levels_in("levels", text)
    assert raised.value.field == "levels"
    assert len(str(raised.value)) < 300


def test_a_page_may_ask_for_two_levels_at_least():
    with pytest.raises(ScenarioError, match="2 to 5 levels"):
        levels_in("levels", "1:2", least=2)


def test_a_level_draws_no_more_than_there_are():
    with pytest.raises(ScenarioError, match="from 1 to 3"):
        Level(drawn=4, size=3)
