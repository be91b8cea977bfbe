"""What calibration returns, or a single change of a plan, meets the goal, and just so."""

import math
from dataclasses import replace
from math import log, sqrt
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz.accounting import best_upper, closer_upper
from dpviz.guarantees import guarantee_for
from dpviz.planning import calibrate
from dpviz.planning.calibrate import calibrated, calibration, closer_noise_progress
from dpviz.planning.quantities import CALIBRATED, value_of
from dpviz.planning.search import Ladder, largest_size, last_met, last_met_exactly
from dpviz.planning.target import Target, excess
from dpviz.planning.ways import (
    Way,
    by_coins,
    leaves_enough_training,
    noise_per_gradient,
    to_less_loss,
    to_less_noise,
    ways_to_less_loss,
    ways_to_less_noise,
)
from dpviz.scenario import (
    DataShape,
    Rates,
    ScenarioError,
)
from dpviz.wording.closer_upper import closer_noise_sentence
from dpviz.wording.numbers import rounded_up
from tests.scenario.changes import TOY, TRAFFIC, varied


def quoted(scenario):
    return best_upper(scenario).quoted_epsilon_at(scenario.delta)


@settings(max_examples=12)
@given(
    rate=st.floats(0.01, 1.0),
    steps=st.integers(1, 3000),
    epsilon=st.floats(0.1, 20.0),
    delta=st.sampled_from([1e-9, 1e-7, 1e-5]),
)
def test_noise_meets_the_target_and_half_a_percent_less_does_not(rate, steps, epsilon, delta):
    rates = Rates(bottom_rate=0.3, top_rate=rate, steps_per_epoch=1)
    scenario = varied(TOY, data=rates, steps=steps)
    target = Target(epsilon=epsilon, delta=delta)
    try:
        found = calibrated(scenario, "noise_multiplier", target)
    except ScenarioError:
        assert quoted(varied(scenario, delta=delta, noise_multiplier=100.0)) > epsilon
        return
    sigma = found.noise.noise_multiplier
    assert quoted(found) <= epsilon
    if sigma > 0.101:
        assert quoted(varied(found, noise_multiplier=0.995 * sigma)) > epsilon


@pytest.mark.parametrize("top_level", ["without-replacement", "deterministic"])
@pytest.mark.parametrize("quantity", ["steps", "epochs", "batch_size"])
def test_one_more_does_not_meet_the_target(top_level, quantity):
    scenario = varied(TOY, top_level=top_level, noise_multiplier=3)
    found = calibrated(scenario, quantity, Target(epsilon=6.0, delta=1e-6))
    assert quoted(found) <= 6.0
    # Steps beyond whole epochs cost nothing until the next epoch begins.
    assert quoted(varied(found, **{quantity: value_of(found, quantity) + 1})) > 6.0


def test_subsequences_are_the_most_of_all_that_meet_the_target():
    scenario = varied(TOY, batch_size=12, noise_multiplier=2)
    epsilons = {}
    for windows in range(1, 13):
        epsilons[windows] = quoted(varied(scenario, num_subsequences=windows))
    for epsilon in (3.0, 5.0, 8.0):
        meeting = [windows for windows, reached in epsilons.items() if reached <= epsilon]
        target = Target(epsilon=epsilon, delta=1e-7)
        if not meeting:
            with pytest.raises(ScenarioError, match="even num_subsequences 1 gives"):
                calibrated(scenario, "num_subsequences", target)
            continue
        found = calibrated(scenario, "num_subsequences", target)
        assert found.sampling.num_subsequences == max(meeting)


def test_one_bag_has_no_windows_per_series_to_solve_for():
    with pytest.raises(ScenarioError, match="in one bag there are no windows per series"):
        calibrated(varied(TOY, top_level="flat"), "num_subsequences", Target(epsilon=50, delta=0.1))


def test_subsequences_beyond_some_that_miss_the_target_are_found_where_steps_begin_fewer_epochs():
    """Of a walk through 12 series: 11 windows make one epoch of 11 steps, 10 begin a second one."""
    walk = varied(TOY, num_series=12, batch_size=12, steps=11, top_level="deterministic")
    scenario = varied(walk, noise_multiplier=8)
    epsilons = [quoted(varied(scenario, num_subsequences=windows)) for windows in (9, 10, 11, 12)]
    target = Target(epsilon=1.003 * epsilons[2], delta=scenario.delta)
    assert all(epsilon > target.epsilon for epsilon in (*epsilons[:2], epsilons[3]))
    assert calibrated(scenario, "num_subsequences", target).sampling.num_subsequences == 11


def in_epochs(num_series, epochs, **sampling):
    shape = DataShape(
        num_series=num_series, series_lengths=(26304,), context_length=168, forecast_length=24
    )
    return varied(TOY, data=shape, batch_size=num_series, epochs=epochs, **sampling)


def test_the_largest_batch_is_found_beyond_smaller_ones_that_miss_the_target():
    found = calibrated(in_epochs(321, 50), "batch_size", Target(epsilon=4.8, delta=1e-6))
    assert found.sampling.batch_size == 163


@given(windows=st.integers(1, 5000), level=st.floats(1e-3, 1.1), first=st.integers(1, 5000))
def test_largest_size_is_the_largest_of_all(windows, level, first):
    first = min(first, windows)

    def excess(size, steps):
        return log(size / windows * sqrt(steps) / level)

    found = largest_size(
        lambda size, **_: excess(size, windows // size),
        lambda low, high, tolerance: excess(low, windows // high) - tolerance / 10,
        windows=windows,
        sizes=Ladder(first=first, last=windows),
        most_looks=10**4,
    )
    sizes = range(windows, first - 1, -1)
    meeting = (size for size in sizes if excess(size, windows // size) <= 0.0)
    assert found == next(meeting, None)


def test_a_cut_search_says_so_and_still_meets_the_target(monkeypatch):
    monkeypatch.setattr(
        calibrate, "largest_size", lambda *_, **kept: largest_size(*_, **kept, most_looks=2)
    )
    found = calibration(in_epochs(321, 50), "batch_size", Target(epsilon=4.8, delta=1e-6))
    assert not found.is_complete
    assert quoted(found.scenario) <= 4.8


def test_the_limit_of_what_is_searched_is_told_from_a_boundary():
    target = Target(epsilon=1e8, delta=1e-7)
    for quantity in CALIBRATED:
        assert calibration(TOY, quantity, target).at_limit
    assert not calibration(TOY, "noise_multiplier", Target(epsilon=4.0, delta=1e-7)).at_limit


@given(boundary=st.integers(0, 1001), start=st.integers(1, 1000), steep=st.floats(0.01, 100))
def test_search_finds_the_last_rung_from_anywhere(boundary, start, steep):
    found = last_met(
        lambda rung: steep * (rung - boundary - 0.5), Ladder(first=1, last=1000), start=start
    )
    assert found == (None if boundary == 0 else min(boundary, 1000))


class Looks:
    """An excess on 20,001 rungs that passes 0 after a boundary, and how it was looked at.

    Args:
        coarse: how much a look to a tolerance of 0.1 finds too much.
        quick: how much a quick one finds too much.
    """

    def __init__(self, boundary, steep=2.0, coarse=0.02, quick=0.0):
        self.boundary, self.steep, self.added = boundary, steep, (coarse, quick)
        self.full, self.number = [], 0

    def __call__(self, rung, tolerance=0.0, *, only_quoted=False):
        self.number += 1
        if not only_quoted:
            self.full.append(rung)
        coarse, quick = self.added if only_quoted else (0.0, 0.0)
        share = (rung - self.boundary - 0.5) / 2000
        return self.steep * (share + 0.05 * share**2) + (coarse if tolerance > 0.01 else quick)


LADDER = Ladder(first=0, last=20_000, per_unit=2000)


@given(boundary=st.integers(0, 19_999), steep=st.floats(0.5, 4.0), coarse=st.floats(0.0, 0.03))
def test_of_what_is_looked_at_quickly_one_rung_is_looked_at_in_full(boundary, steep, coarse):
    looks = Looks(boundary, steep, coarse)
    assert last_met_exactly(looks, LADDER) == boundary
    assert looks.full == [boundary + 1]
    assert looks.number <= 18


@given(boundary=st.integers(0, 19_900), quick=st.floats(-0.02, 0.02))
def test_what_is_met_in_full_decides_where_a_quick_look_finds_something_else(boundary, quick):
    looks = Looks(boundary, quick=quick)
    assert last_met_exactly(looks, LADDER) == boundary


def test_what_only_a_coarse_look_finds_to_be_met_is_searched_again():
    def excess(rung, tolerance=0.0, *, only_quoted=False):
        is_coarse = only_quoted and tolerance > 0.01
        return (rung - 9000.5) / 2000 if is_coarse or rung < 8000 else math.inf

    assert last_met_exactly(excess, LADDER) == 7999


def test_an_excess_of_nothing_on_very_many_rungs_is_met_on_all():
    ladder = Ladder(first=1, last=10**6, per_unit=1)
    found = last_met(lambda rung: float(rung > 500_000), ladder, start=1, stride=1e9)
    assert found == 500_000


def test_the_largest_of_all_batches_is_looked_at_first():
    looks = Looks(30_000)
    found = largest_size(looks, None, windows=862, sizes=Ladder(first=1, last=862))
    assert (found, looks.number) == (862, 1)


def test_less_noise_by_the_closer_bound_is_proven_there_to_meet_the_target(monkeypatch):
    """Its own certificate counts: computed at the noise that is found, not between others."""
    monkeypatch.setattr(closer_upper, "_FINE_CELLS", 8)
    scenario = varied(TOY, batch_size=160, steps=40)
    target = Target(epsilon=6.0, delta=1e-6)
    planned = calibrated(scenario, "noise_multiplier", target)
    told = list(closer_noise_progress(planned, target))
    shares = [share for share, _ in told]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    less = told[-1][1]
    sigma = less.scenario.noise.noise_multiplier
    assert sigma < 0.99 * planned.noise.noise_multiplier
    assert less.scenario == replace(planned, noise=less.scenario.noise)
    upper = guarantee_for(less.scenario).upper
    again = closer_upper.closer_upper(upper, target.delta).quoted_epsilon_at(target.delta)
    assert less.curve.bound.theorem == "dpviz 23"
    assert again == less.curve.quoted_epsilon_at(target.delta) <= target.epsilon
    assert again > 0.99 * target.epsilon
    assert less.classical.quoted_epsilon_at(target.delta) > target.epsilon
    said = closer_noise_sentence(less, planned, target)
    assert f"**σ = {sigma:g} is enough" in said
    assert "dpviz's Proposition 23 composed over" in said
    classical = rounded_up(less.classical.quoted_epsilon_at(target.delta))
    assert f"Theorem {upper.theorem} gives ε ≤ {classical} there" in said


@pytest.mark.parametrize("bend", [0.0, 10.0, 40.0])
def test_less_noise_is_the_least_that_was_tried_and_meets_the_target_and_close_to_it(
    monkeypatch, bend
):
    """By lines through the last two that were computed, of a made-up bound that bends."""
    target, tried = Target(epsilon=6.0, delta=1e-6), []
    planned = calibrated(varied(TOY, steps=40), "noise_multiplier", target)

    def made_up(upper, _):
        less = log(planned.noise.noise_multiplier / upper.pair.noise_multiplier)
        tried.append(-0.1 + 0.7 * less + bend * less**2)
        epsilon = target.epsilon * math.exp(tried[-1])
        yield 1.0, SimpleNamespace(quoted_epsilon_at=lambda _: epsilon)

    monkeypatch.setattr(calibrate, "closer_progress", made_up)
    *_, (_, found) = closer_noise_progress(planned, target)
    assert len(tried) > 2
    assert target.excess(found.curve) == pytest.approx(max(one for one in tried if one <= 0.0))
    assert target.excess(found.curve) >= -0.01


def test_where_the_closer_bound_is_no_smaller_no_less_noise_is_found():
    target = Target(epsilon=133.0, delta=1e-7)
    short = varied(TOY, steps=2)
    planned = calibrated(short, "noise_multiplier", target)
    assert list(closer_noise_progress(planned, target))[-1] == (1.0, None)
    assert "no smaller σ" in closer_noise_sentence(None, planned, target)


TOLERANCE = 1e-3
FOUR = varied(TOY, num_subsequences=4)
PLANS = {
    "toy": TOY,
    "traffic": TRAFFIC,
    "four": FOUR,
    "walk": varied(TOY, top_level="deterministic"),
    "bins": varied(FOUR, top_level="bins"),
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


@pytest.mark.parametrize(("left", "is_enough"), [(1250, True), (1249, False)])
def test_a_way_has_to_leave_a_quarter_of_the_steps(left, is_enough):
    plan = varied(TOY, steps=5000)
    for quantity in ("steps", "batch_size"):  # by itself, or by what follows from it
        way = Way(quantity=quantity, before=2, after=1, scenario=varied(plan, steps=left))
        assert leaves_enough_training(way, plan) == is_enough


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
