"""Single changes that halve a plan's privacy loss or its noise meet the goal, and just so."""

import math
from dataclasses import replace

import pytest

from dpviz.accounting import best_upper
from dpviz.planning.calibrate import calibrated
from dpviz.planning.quantities import value_of
from dpviz.planning.target import Target, excess
from dpviz.planning.ways import (
    Way,
    by_coins,
    noise_per_gradient,
    to_less_loss,
    to_less_noise,
    ways_to_less_loss,
    ways_to_less_noise,
)
from tests.scenario.changes import TOY, TRAFFIC, varied

TOLERANCE = 1e-3
FOUR = varied(TOY, num_subsequences=4)
PLANS = {
    "toy": TOY,
    "traffic": TRAFFIC,
    "four": FOUR,
    "walk": varied(TOY, top_level="deterministic"),
    "rates": TOY.with_rates(bottom_rate=0.2),
    "four by rates": FOUR.with_rates(),
    "noisy labels": varied(TOY, forecast_noise=0.5),
}


def goal_of(scenario, share=1.0):
    epsilon = best_upper(scenario).quoted_epsilon_at(scenario.delta)
    return Target(epsilon=share * epsilon, delta=scenario.delta)


@pytest.mark.every(3)
@pytest.mark.parametrize("name", PLANS)
def test_every_way_to_half_the_loss_changes_one_thing_and_meets_the_half(name):
    plan = PLANS[name]
    half = goal_of(plan, 0.5)
    ways = [to_less_loss(plan, quantity, half) for quantity in ways_to_less_loss(plan)]
    found = [way for way in ways if way is not None]
    assert {"noise_multiplier"} <= {way.quantity for way in found}
    for way in found:
        assert excess(way.scenario, half, TOLERANCE) <= 0.0
        assert way.before == value_of(plan, way.quantity)
        assert way.after == value_of(way.scenario, way.quantity) != way.before
        assert way.factor > 1.0
        assert way.scenario.delta == plan.delta


@pytest.mark.every(3)
@pytest.mark.parametrize("name", PLANS)
def test_every_way_to_half_the_noise_has_it_and_keeps_the_goal(name):
    plan = PLANS[name]
    goal = goal_of(plan)
    for quantity in ways_to_less_noise(plan):
        way = to_less_noise(plan, quantity, goal)
        if way is None:
            continue
        assert excess(way.scenario, goal, TOLERANCE) <= 0.0
        assert noise_per_gradient(way.scenario) <= 0.5 * noise_per_gradient(plan) * (1.0 + 1e-9)
        assert way.after > way.before if quantity == "batch_size" else way.factor > 1.0


def test_training_shorter_halves_the_noise_of_a_real_plan():
    plan = PLANS["traffic"]
    way = to_less_noise(plan, "epochs", goal_of(plan))
    assert way.scenario.noise.noise_multiplier == 0.5 * plan.noise.noise_multiplier
    assert way.after < plan.training.count
    longer = varied(way.scenario, epochs=int(way.after) + 1)
    assert excess(longer, goal_of(plan), TOLERANCE) > 0.0


def test_a_much_smaller_batch_would_not_half_the_noise():
    plan = PLANS["toy"]
    way = to_less_noise(plan, "batch_size", goal_of(plan))
    size = int(0.9 * way.after)
    smaller = varied(plan, batch_size=size)
    sigma = calibrated(smaller, "noise_multiplier", goal_of(plan)).noise.noise_multiplier
    assert sigma / size > 0.5 * noise_per_gradient(plan)


def test_what_cannot_reach_it_is_no_way():
    plan = PLANS["traffic"]
    assert to_less_loss(plan, "forecast_noise", goal_of(plan, 0.5)) is None
    assert to_less_loss(plan, "noise_multiplier", goal_of(plan, 1e-4)) is None
    assert to_less_noise(plan, "forecast_noise", goal_of(plan)) is None


def test_a_goal_that_is_met_already_needs_no_change():
    plan = PLANS["traffic"]
    for quantity in ("noise_multiplier", "epochs", "forecast_noise"):
        assert to_less_loss(plan, quantity, goal_of(plan, 2.0)) is None


def test_rates_say_nothing_of_a_batch():
    assert "batch_size" not in ways_to_less_loss(PLANS["rates"])
    assert "num_subsequences" in ways_to_less_noise(PLANS["four"])
    assert "num_subsequences" not in ways_to_less_noise(PLANS["four by rates"])


def test_a_change_from_nothing_is_infinitely_much_more():
    way = Way(quantity="forecast_noise", before=0.0, after=0.5, scenario=TOY)
    assert way.factor == math.inf


def test_a_larger_batch_is_of_whole_series():
    plan = varied(TOY, batch_size=33, num_subsequences=3)
    way = to_less_noise(plan, "batch_size", goal_of(plan))
    assert way is not None
    sampling = way.scenario.sampling
    assert sampling.batch_size == sampling.windows_per_batch == 3 * sampling.series_per_batch
    assert noise_per_gradient(way.scenario) <= 0.5 * noise_per_gradient(plan) * (1 + TOLERANCE)


@pytest.mark.parametrize("name", PLANS)
def test_coins_change_nothing_but_how_series_are_drawn(name):
    plan = PLANS[name]
    coins = by_coins(plan)
    assert coins.sampling == replace(plan.sampling, top_level="poisson")
    assert replace(coins, sampling=plan.sampling) == plan
    assert by_coins(coins) is None


def test_coins_are_no_way_where_a_batch_has_more_windows_than_there_are_series():
    one_bag = varied(TOY, batch_size=TOY.shape.num_series + 1, top_level="flat")
    assert by_coins(one_bag) is None


def test_coins_in_place_of_one_bag_train_for_as_many_steps():
    """Its epochs are passes over all windows: 5 of them are 1,000 steps here."""
    bag = varied(TOY, top_level="flat", epochs=5)
    assert (bag.num_steps, by_coins(bag).num_steps) == (1000, 1000)
