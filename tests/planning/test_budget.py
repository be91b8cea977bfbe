"""Epsilon over training: at which counts, on which side, and where a target is used up."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz.accounting import DEFAULT_TOLERANCE, account_for
from dpviz.planning.budget import (
    BudgetState,
    budget_counts,
    budget_point,
    counts_alike,
    first_exceeding,
    trained_for,
    used_up,
)
from dpviz.scenario import PRESETS, Sampling, ScenarioError, Training
from dpviz.scenario.mechanism import MOST_STEPS

TOY = PRESETS["toy"].scenario
WALK = replace(TOY, sampling=Sampling(batch_size=32, top_level="deterministic"))
BAG = replace(TOY, sampling=Sampling(batch_size=32, top_level="flat"))
IN_EPOCHS = replace(TOY, training=Training(unit="epochs", count=5))


@given(count=st.integers(1, MOST_STEPS), walk=st.booleans())
def test_counts_begin_with_one_hold_the_scenarios_own_and_are_few(count, walk):
    scenario = trained_for(WALK if walk else TOY, count)
    counts = budget_counts(scenario)
    assert list(counts) == sorted(set(counts))
    assert counts[0] == 1 or (walk and count <= scenario.steps_per_epoch)
    assert count in counts
    assert counts[-1] <= min(max(3 * count, 1), MOST_STEPS)
    assert len(counts) <= 23


@given(count=st.integers(1, MOST_STEPS // 3))
def test_epochs_beyond_what_a_scenario_holds_are_not_asked_for(count):
    traffic = trained_for(PRESETS["traffic"].scenario, count)
    for asked in budget_counts(traffic):
        assert trained_for(traffic, asked).num_steps <= MOST_STEPS


def test_steps_of_a_walk_are_those_at_which_an_epoch_begins():
    """Between them epsilon stays as it is, so other steps would be drawn as if it did not."""
    for count in set(budget_counts(WALK)) - {1000}:
        assert count % WALK.steps_per_epoch == 1


def test_steps_of_one_epoch_of_a_walk_cost_the_same():
    for count in (1, 10, 11, 995):
        first, last = counts_alike(WALK, budget_point(WALK, count))
        assert first <= count <= last
        assert (first - 1) % 10 == 0
        assert last % 10 == 0
        point = budget_point(WALK, count, tolerance=0.01)
        for other in (first, last):
            assert budget_point(WALK, other, tolerance=0.01).upper == point.upper
    assert counts_alike(TOY, budget_point(TOY, 995)) == (995, 995)


@pytest.mark.parametrize("scenario", [TOY, WALK, PRESETS["traffic"].scenario])
def test_brackets_hold_those_of_a_finer_grid(scenario):
    for count in (1, 30, scenario.training.count + 1):
        rough = budget_point(scenario, count)
        fine = account_for(trained_for(scenario, count), tolerance=DEFAULT_TOLERANCE / 2)
        for side, curve in ((rough.upper, fine.upper), (rough.lower, fine.lower)):
            bracket = side.bracket
            finer = curve.epsilon_at(scenario.delta)
            assert bracket.low <= finer.high
            assert finer.low <= bracket.high
            assert bracket.relative_gap <= DEFAULT_TOLERANCE


def test_epsilon_grows_with_training():
    points = [budget_point(TOY, count) for count in budget_counts(TOY)]
    uppers = [point.epsilon_upper for point in points]
    lowers = [point.epsilon_lower for point in points]
    assert uppers == sorted(uppers)
    assert lowers == sorted(lowers)
    assert all(low <= high for low, high in zip(lowers, uppers, strict=True))


def test_the_scenarios_own_count_is_as_fine_as_everywhere_else_on_a_page():
    own = budget_point(TOY, 1000)
    assert own.epsilon_upper == account_for(TOY).upper.quoted_epsilon_at(TOY.delta)


@pytest.mark.parametrize("scenario", [TOY, WALK, IN_EPOCHS])
def test_one_more_than_used_up_does_not_meet_the_target(scenario):
    found = used_up(scenario, 12.0)
    assert found.state is BudgetState.FOUND
    at, beyond = (
        account_for(trained_for(scenario, count)).upper.quoted_epsilon_at(scenario.delta)
        for count in (found.count, found.count + 1)
    )
    assert at == found.upper.quoted <= 12.0 < beyond


def test_a_target_may_be_used_up_before_the_first_step_or_never():
    at_once = used_up(TOY, 1.0)
    assert (at_once.state, at_once.count) == (BudgetState.BEFORE_FIRST, None)
    assert at_once.upper.quoted > 1.0
    never = used_up(WALK, 1e6)
    assert (never.state, never.count, never.largest) == (BudgetState.NEVER, None, MOST_STEPS)
    assert never.upper.quoted <= 1e6


def test_one_bag_s_target_is_used_up_by_what_an_individual_loses():
    found = used_up(BAG, 10.0)
    assert found.state is BudgetState.FOUND
    assert found.count < used_up(TOY, 10.0).count
    assert found.upper.quoted <= 10.0


def test_only_a_lower_bound_shows_that_a_target_is_exceeded():
    points = [budget_point(TOY, count) for count in (1000, 100, 200)]
    assert first_exceeding(points, 10.0).count == 200
    assert first_exceeding(points, 18.0) is None  # 1,000 steps: from 17.5 to 19.0


@pytest.mark.parametrize("count", [0, MOST_STEPS + 1, 1.5])
def test_impossible_counts_are_refused_by_name(count):
    with pytest.raises(ScenarioError, match=r"^steps"):
        budget_point(TOY, count)


def test_impossible_targets_are_refused_by_name():
    with pytest.raises(ScenarioError, match=r"^target_epsilon"):
        used_up(TOY, -1.0)
