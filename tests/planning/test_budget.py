"""Epsilon and delta over training: where a target is used up, and a loop that spends no more."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz.accounting import account_for, best_upper
from dpviz.guarantees import Kind, Unit
from dpviz.planning.budget import (
    budget_counts,
    budget_point,
    counts_alike,
    first_exceeding,
    trained_for,
    used_up,
)
from dpviz.planning.budget_tracker import BudgetTracker
from dpviz.planning.over_steps import (
    DELTA_TOLERANCE,
    after_steps,
    delta_over_steps,
    steps_won,
)
from dpviz.planning.subsequences import with_subsequences
from dpviz.planning.target import Target
from dpviz.scenario import Rates, ScenarioError
from dpviz.scenario.mechanism import MOST_STEPS
from tests.planning.kinds import RUNS
from tests.scenario.changes import TOY, TRAFFIC, varied

WALK = varied(TOY, top_level="deterministic")
IN_EPOCHS = varied(TOY, epochs=5)


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
    traffic = trained_for(TRAFFIC, count)
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


@pytest.mark.parametrize("top_level", ["shuffled", "bins"])
@pytest.mark.parametrize("count", [1, 7, 10, 11, 15, 20])
def test_no_step_is_told_of_more_than_is_attained_by_then(top_level, count):
    """The end of an epoch adds to what is attained, and each step of the first one does."""
    scenario = varied(TOY, top_level=top_level)
    point = budget_point(scenario, count, tolerance=0.01)
    first, last = counts_alike(scenario, point, from_below=True)
    assert (first, last % 10) == (count, 0)
    for other in (*counts_alike(scenario, point), last):
        found = budget_point(scenario, other, tolerance=0.01)
        assert found.upper.bracket == point.upper.bracket
        is_exact = point.upper.bound.kind_after_composition is Kind.TIGHT
        assert other == count or not is_exact
        assert other < first or found.epsilon_lower >= 0.999 * point.epsilon_lower


@pytest.mark.parametrize("scenario", [TOY, WALK, IN_EPOCHS])
def test_one_more_than_used_up_does_not_meet_the_target(scenario):
    found = used_up(scenario, 12.0)
    assert 0 < found.count < found.largest
    at, beyond = (
        account_for(trained_for(scenario, count)).upper.quoted_epsilon_at(scenario.delta)
        for count in (found.count, found.count + 1)
    )
    assert at == found.upper.quoted <= 12.0 < beyond


def test_a_target_may_be_used_up_before_the_first_step_or_never():
    at_once = used_up(TOY, 1.0)
    assert at_once.count == 0
    assert at_once.upper.quoted > 1.0
    never = used_up(WALK, 1e6)
    assert never.is_endless
    assert never.count == never.largest == MOST_STEPS
    assert never.upper.quoted <= 1e6


def test_only_a_lower_bound_shows_that_a_target_is_exceeded():
    points = [budget_point(TOY, count) for count in (1000, 100, 200)]
    assert first_exceeding(points, 10.0).count == 200
    assert first_exceeding(points, 18.0) is None  # 1,000 steps: from 17.5 to 19.0


QUIET = varied(TOY, noise_multiplier=4.0)
TARGET = Target(epsilon=15.0, delta=1e-5)


SCENARIOS = {
    "one window": TOY,
    "four windows": varied(QUIET, num_subsequences=4),
    "poisson windows": varied(TOY, bottom_level="poisson", num_subsequences=2),
    "poisson series": varied(TOY, top_level="poisson"),
    "walk": WALK,
    "walk, four windows": varied(QUIET, top_level="deterministic", num_subsequences=4),
    "walk, poisson windows": varied(WALK, bottom_level="poisson"),
    "shuffled": varied(TOY, top_level="shuffled"),
    "one step is the pass": varied(WALK, batch_size=320),
    "noise on labels": varied(TOY, forecast_noise=2.0, max_change=0.1),
    "epochs": varied(TOY, epochs=3),
    "rates": replace(TOY, data=Rates(bottom_rate=0.1, top_rate=0.1, steps_per_epoch=10)),
}


def quoted(scenario, steps, delta=TARGET.delta):
    """Return what the accountant quotes for a run of so many steps, without the tracker."""
    run = varied(scenario, delta=delta, steps=steps)
    return best_upper(run).quoted_epsilon_at(delta)


@pytest.mark.every(2)
@pytest.mark.parametrize("name", SCENARIOS)
def test_no_step_is_allowed_after_which_the_quoted_epsilon_exceeds_the_target(name):
    scenario = SCENARIOS[name]
    tracker = BudgetTracker(scenario, TARGET)
    last = tracker.last_step
    assert last >= 1
    assert quoted(scenario, last) <= TARGET.epsilon < quoted(scenario, last + 1)
    assert tracker.allows(last)
    assert not tracker.allows(last + 1)
    for steps in {1, 2, last // 3, last // 2, last - 1, last} - {0}:
        assert tracker.allows(steps)
        assert tracker.spent_after(steps).epsilon <= TARGET.epsilon
    assert tracker.spent_after(last + 1).epsilon > TARGET.epsilon


@pytest.mark.parametrize("name", ["walk", "walk, four windows", "shuffled"])
def test_a_walk_spends_by_the_pass(name):
    """The first step of a pass costs the pass; its other steps cost nothing more."""
    tracker = BudgetTracker(SCENARIOS[name], TARGET)
    width = SCENARIOS[name].steps_per_epoch
    assert width > 1
    assert tracker.last_step % width == 0
    spent = [tracker.spent_after(steps) for steps in (1, width, width + 1, 2 * width)]
    epsilons = [one.epsilon for one in spent]
    assert epsilons[0] == epsilons[1] < epsilons[2] == epsilons[3]
    assert [(one.bound.unit, one.bound.count) for one in spent] == [
        (Unit.EPOCH, 1), (Unit.EPOCH, 1), (Unit.EPOCH, 2), (Unit.EPOCH, 2)
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["one window", "poisson windows", "walk", "shuffled", "epochs"])
def test_a_run_whose_own_epsilon_is_the_target_is_allowed_to_its_end(name):
    scenario = SCENARIOS[name]
    own = best_upper(scenario).quoted_epsilon_at(scenario.delta)
    tracker = BudgetTracker(scenario, Target(epsilon=own, delta=scenario.delta))
    assert tracker.allows(scenario.num_steps)
    assert tracker.spent_after(scenario.num_steps).epsilon <= own


def test_a_shorter_run_never_costs_more_than_the_allowed_one():
    """Where the grid of a shorter run rounds up more, what is proven of the longer one holds."""
    tracker = BudgetTracker(TOY, TARGET)
    at_end = tracker.spent_after(tracker.last_step)
    too_much = tracker._curve_after(2 * tracker.last_step)
    tracker._curves[7] = too_much
    spent = tracker.spent_after(7)
    assert (spent.steps, spent.epsilon) == (7, at_end.epsilon)
    assert spent.bound.count == tracker.last_step


@pytest.mark.parametrize(
    ("scenario", "target", "named"),
    [
        (TOY, Target(epsilon=1e-3, delta=1e-9), "target_epsilon = 0.001 .* even steps 1 gives"),
        (SCENARIOS["walk"], Target(epsilon=1e-3, delta=1e-9), "even epochs 1 gives"),
        (
            varied(
                WALK, num_subsequences=64, batch_size=64, series_lengths=(2,), noise_multiplier=0.1
            ),
            Target(epsilon=1e5, delta=1e-7),
            "even epochs 1 gives no finite epsilon",
        ),
    ],
)
def test_a_budget_that_allows_nothing_is_refused_by_name(scenario, target, named):
    with pytest.raises(ScenarioError, match=named):
        BudgetTracker(scenario, target)


@pytest.mark.parametrize(
    ("ask", "named"),
    [
        *((partial(budget_point, TOY, count), r"^steps") for count in (0, MOST_STEPS + 1, 1.5)),
        (partial(used_up, TOY, -1.0), r"^target_epsilon"),
    ],
)
def test_impossible_counts_and_targets_are_refused_by_name(ask, named):
    with pytest.raises(ScenarioError, match=named):
        ask()


@pytest.mark.parametrize("steps", [-1, 1.5, 10**7 + 1])
def test_impossible_numbers_of_steps_are_named(steps):
    with pytest.raises(ScenarioError, match="steps = "):
        BudgetTracker(TOY, TARGET).spent_after(steps)


STEPS = tuple(range(1, 17))


@pytest.mark.every(5)
@pytest.mark.parametrize("epsilon", [1.0, 4.0])
@pytest.mark.parametrize("bottom_rate", [0.5, 0.1])
@pytest.mark.parametrize("windows", [1, 2, 4, 8, 16])
def test_delta_rises_when_a_pass_begins_and_not_within_it(bottom_rate, epsilon, windows):
    """As many windows in a batch as there are series."""
    rates = Rates(bottom_rate=bottom_rate, top_rate=1.0, steps_per_epoch=1)
    one = varied(TOY, data=rates, batch_size=320, top_level="deterministic", steps=16)
    run = delta_over_steps(with_subsequences(one, windows), epsilon, STEPS)
    assert run.scenario.steps_per_epoch == windows
    for side in (run.upper, run.lower):
        assert [bound.count for bound in side.bounds] == [-(-s // windows) for s in STEPS]
        assert {bound.unit for bound in side.bounds} == {Unit.EPOCH}
        for values in (side.delta_low, side.delta_high):
            rises = np.diff(values) > 0
            begins = np.array([step % windows == 0 for step in STEPS[:-1]])
            assert np.array_equal(rises, begins)


@pytest.mark.every(4)
@pytest.mark.parametrize("top_level", ["without-replacement", "deterministic"])
@pytest.mark.parametrize("bottom_level", ["with-replacement", "poisson"])
@pytest.mark.parametrize("windows", [1, 4])
def test_numbers_are_the_accountants(top_level, bottom_level, windows):
    drawn = varied(TOY, top_level=top_level, bottom_level=bottom_level)
    scenario = with_subsequences(drawn, windows)
    run = delta_over_steps(scenario, 2.0, (1, 30, 200))
    for at, steps in enumerate((1, 30, 200)):
        account = account_for(after_steps(scenario, steps))
        for side, curve in ((run.upper, account.upper), (run.lower, account.lower)):
            known = curve.delta_at(np.array([2.0]))
            if side.bounds[at].theorem == curve.bound.theorem:
                assert side.bounds[at] == curve.bound
                assert side.delta_low[at] <= known.high[0]
                assert known.low[0] <= side.delta_high[at]


def test_brackets_are_as_narrow_as_asked_for():
    run = delta_over_steps(TOY, 1.0, (1, 10, 100, 1000))
    for side in (run.upper, run.lower):
        assert np.all(side.delta_high - side.delta_low <= DELTA_TOLERANCE * side.delta_high)


def test_no_lower_bound_wins_nothing():
    run = delta_over_steps(RUNS["no lower bound"], 1.0, (1, 2))
    assert run.lower is None
    assert steps_won(run, [run]) == ()


@pytest.mark.parametrize("windows", [2, pytest.param(4, marks=pytest.mark.slow)])
def test_losses_too_small_for_the_longer_runs_grid_have_one_of_their_own(windows):
    """Of a value in a billion a step tells so little that few grids hold several steps."""
    rare = varied(TOY, series_lengths=(10**9,))
    found = delta_over_steps(with_subsequences(rare, windows), 1.0, (1, 10))
    assert found.lower is not None
    assert np.all(found.lower.delta_low <= found.upper.delta_high)
    assert np.all(found.upper.delta_high < 1e-6)


@pytest.mark.parametrize(
    ("epsilon", "steps", "message"),
    [
        (-1.0, (1,), "epsilon = -1.0 is not allowed: it must be a number from 0 to 1000"),
        (float("nan"), (1,), "epsilon = nan is not allowed"),
        (1.0, (), "steps = .. is not allowed: it must be increasing numbers"),
        (1.0, (2, 1), "steps = .2, 1. is not allowed: it must be increasing numbers"),
        (1.0, (0,), "steps = 0 is not allowed: it must be a whole number from 1"),
    ],
)
def test_bad_input_is_named(epsilon, steps, message):
    with pytest.raises(ScenarioError, match=message):
        delta_over_steps(TOY, epsilon, steps)
