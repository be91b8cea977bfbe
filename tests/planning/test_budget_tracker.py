"""A training loop that asks before each step never spends more than its budget."""

from dataclasses import replace

import pytest

from dpviz.accounting import best_upper
from dpviz.guarantees import Unit
from dpviz.planning.budget_tracker import BudgetTracker
from dpviz.planning.target import Target
from dpviz.scenario import PRESETS, Noise, Rates, Relation, ScenarioError, Training

TOY = PRESETS["toy"].scenario
QUIET = replace(TOY, noise=Noise(noise_multiplier=4.0))
TARGET = Target(epsilon=15.0, delta=1e-5)


def drawn(scenario=TOY, **sampling):
    return replace(scenario, sampling=replace(scenario.sampling, **sampling))


SCENARIOS = {
    "one window": TOY,
    "four windows": drawn(QUIET, num_subsequences=4),
    "poisson windows": drawn(bottom_level="poisson", num_subsequences=2),
    "poisson series": drawn(top_level="poisson"),
    "walk": drawn(top_level="deterministic"),
    "walk, four windows": drawn(QUIET, top_level="deterministic", num_subsequences=4),
    "walk, poisson windows": drawn(top_level="deterministic", bottom_level="poisson"),
    "shuffled": drawn(top_level="shuffled"),
    "one step is the pass": drawn(top_level="deterministic", batch_size=320),
    "noise on labels": replace(
        TOY,
        noise=Noise(noise_multiplier=1.0, forecast_noise=2.0),
        relation=Relation(max_change=0.1),
    ),
    "epochs": replace(TOY, training=Training(unit="epochs", count=3)),
    "rates": replace(TOY, data=Rates(bottom_rate=0.1, top_rate=0.1, steps_per_epoch=10)),
}


def quoted(scenario, steps, delta=TARGET.delta):
    """Return what the accountant quotes for a run of so many steps, without the tracker."""
    run = replace(scenario, delta=delta, training=Training(unit="steps", count=steps))
    return best_upper(run).quoted_epsilon_at(delta)


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
        assert tracker.epsilon_after(steps) <= TARGET.epsilon
    assert tracker.epsilon_after(last + 1) > TARGET.epsilon


def test_epsilon_is_the_accountants_at_the_targets_delta():
    tracker = BudgetTracker(TOY, TARGET)
    assert tracker.epsilon_after(0) == 0.0
    for steps in (1, 10, tracker.last_step, 2 * tracker.last_step):
        spent = tracker.spent_after(steps)
        assert (spent.steps, spent.delta) == (steps, TARGET.delta)
        assert spent.epsilon == quoted(TOY, steps)
        assert (spent.bound.theorem, spent.bound.count) == ("4.4", steps)


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
    assert tracker.epsilon_after(scenario.num_steps) <= own


def test_how_long_the_scenario_trains_changes_no_answer():
    longer = replace(TOY, training=Training(unit="epochs", count=7))
    assert BudgetTracker(longer, TARGET).last_step == BudgetTracker(TOY, TARGET).last_step


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
            replace(
                drawn(top_level="deterministic", num_subsequences=64, batch_size=64),
                data=replace(TOY.data, series_lengths=(2,)),
                noise=Noise(noise_multiplier=0.1),
            ),
            Target(epsilon=1e5, delta=1e-7),
            "even epochs 1 gives no finite epsilon",
        ),
    ],
)
def test_a_budget_that_allows_nothing_is_refused_by_name(scenario, target, named):
    with pytest.raises(ScenarioError, match=named):
        BudgetTracker(scenario, target)


@pytest.mark.parametrize("steps", [-1, 1.5, 10**7 + 1])
def test_impossible_numbers_of_steps_are_named(steps):
    with pytest.raises(ScenarioError, match="steps = "):
        BudgetTracker(TOY, TARGET).spent_after(steps)
