"""The same run under other ways of choosing series, and after other lengths of training."""

from dataclasses import replace

import pytest

from dpviz.planning import Order, curves_of, proven_order, proven_order_at_delta
from dpviz.planning.over_steps import after, under_top_level
from dpviz.scenario import PRESETS, DataShape, Rates, ScenarioError, Training
from dpviz.scenario.mechanism import AT_RANDOM, IN_ORDER, MOST_STEPS
from dpviz.settings import SETTINGS
from tests.planning.kinds import TOY, sampled

SCENARIOS = {name: preset.scenario for name, preset in PRESETS.items()} | {
    "rates": TOY.with_rates(bottom_rate=0.5, top_rate=0.5),
    "windows": sampled(num_subsequences=4),
}
# 3,000,000 steps an epoch, so that only 3 epochs fit into what a scenario may have.
LONG = replace(
    TOY,
    data=DataShape(num_series=3_000_000, series_lengths=(20,), context_length=1, forecast_length=1),
    sampling=replace(TOY.sampling, batch_size=1),
    training=Training(unit="steps", count=5),
)


def in_both_ways(scenario):
    return tuple(curves_of(under_top_level(scenario, way)) for way in (AT_RANDOM, IN_ORDER))


def test_only_the_choice_of_series_changes():
    for way in ("without-replacement", "deterministic", "shuffled", "poisson"):
        changed = under_top_level(TOY, way)
        assert changed.sampling.top_level == way
        assert under_top_level(changed, TOY.sampling.top_level) == TOY


def test_a_way_that_does_not_fit_is_refused_with_its_field():
    for scenario, way in (
        (SCENARIOS["rates"], "flat"),
        (SCENARIOS["windows"], "flat"),
        (TOY, "by hand"),
    ):
        with pytest.raises(ScenarioError) as refused:
            under_top_level(scenario, way)
        assert refused.value.field == "top_level"


@pytest.mark.parametrize("name", SCENARIOS)
@pytest.mark.parametrize("length", SETTINGS["compared_length"].choices)
def test_lengths_are_what_they_are_called(name, length):
    scenario = SCENARIOS[name]
    cut = after(scenario, length)
    per_epoch = scenario.steps_per_epoch
    assert (
        cut.num_steps
        == {
            "step": 1,
            "epoch": per_epoch,
            "ten-epochs": 10 * per_epoch,
            "run": scenario.num_steps,
        }[length]
    )
    assert replace(cut, training=scenario.training) == scenario


@pytest.mark.parametrize("length", SETTINGS["compared_length"].choices)
def test_no_length_exceeds_what_a_scenario_may_have(length):
    assert LONG.steps_per_epoch == 3_000_000
    expected = {"step": 1, "epoch": 3_000_000, "ten-epochs": 9_000_000, "run": 5}[length]
    assert after(LONG, length).num_steps == expected <= MOST_STEPS


def test_an_epoch_of_too_many_steps_is_refused_with_its_field():
    """It names the field, its value and why none is allowed."""
    longer = replace(LONG, data=replace(LONG.data, num_series=2 * MOST_STEPS))
    assert after(longer, "step").num_steps == 1
    for length in ("epoch", "ten-epochs"):
        with pytest.raises(ScenarioError, match="epoch") as refused:
            after(longer, length)
        assert refused.value.field == "epochs"


def test_an_order_is_claimed_only_where_it_is_proven():
    drawn, walked = in_both_ways(TOY)
    assert drawn.epsilon_upper < walked.epsilon_lower
    assert proven_order_at_delta(drawn, walked) is Order.FIRST
    drawn, walked = in_both_ways(PRESETS["solar_10_minutes"].scenario)
    assert drawn.epsilon_upper > walked.epsilon_lower  # the bands overlap
    assert walked.epsilon_upper > drawn.epsilon_lower
    assert proven_order_at_delta(drawn, walked) is Order.UNPROVEN


def test_one_deterministic_epoch_wins_in_the_tail_at_high_rates():
    """The paper's "in all cases" fails after one epoch: at rates of a half, from epsilon 6 on."""
    rates = Rates(bottom_rate=0.5, top_rate=0.5, steps_per_epoch=2)
    scenario = replace(TOY, data=rates, training=Training(unit="steps", count=2))
    drawn, walked = in_both_ways(after(scenario, "epoch"))
    assert proven_order_at_delta(drawn, walked) is Order.SECOND
    stretches = proven_order(drawn, walked)
    assert [stretch.order for stretch in (stretches[0], stretches[-1])] == [
        Order.FIRST,
        Order.SECOND,
    ]
    assert 5.0 < stretches[-1].start < 7.0


def test_after_one_step_drawing_at_random_wins():
    """One pass over the series has begun, in either way."""
    drawn, walked = in_both_ways(after(TOY, "step"))
    assert proven_order_at_delta(drawn, walked) is Order.FIRST
    assert {stretch.order for stretch in proven_order(drawn, walked)} == {Order.FIRST}
