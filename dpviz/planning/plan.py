"""A plan: settings with one quantity left open, and a goal that it has to meet."""

from dataclasses import dataclass

from dpviz.planning.calibrate import Calibration, calibration
from dpviz.planning.risk_goals import HitsGoal, SuccessGoal
from dpviz.planning.target import Goal, Target
from dpviz.scenario import Scenario, ScenarioError, View


@dataclass(frozen=True, kw_only=True)
class Planned:
    """What was found for the open quantity.

    Args:
        quantity: its name.
        goal: what had to be met.
        found: the settings that just meet it; ``None`` where no value does.
        problem: why there are none, naming the field; ``None`` where there are.
    """

    quantity: str
    goal: Goal
    found: Calibration | None
    problem: ScenarioError | None


def goal_of(view: View, delta: float) -> Goal:
    """Return what a visitor asks for.

    Raises:
        ScenarioError: the numbers asked for are no goal.

    >>> goal_of(View(target_epsilon=2.0), 1e-7)
    Target(epsilon=2.0, delta=1e-07)
    """
    if view.goal == "success":
        return SuccessGoal(success=view.target_success)
    if view.goal == "hits":
        return HitsGoal(
            false_positive_rate=view.target_false_positive_rate,
            true_positive_rate=view.target_true_positive_rate,
        )
    return Target(epsilon=view.target_epsilon, delta=delta)


def quantity_of(view: View, scenario: Scenario) -> str:
    """Return the open quantity; training is counted as the scenario does."""
    return scenario.training.unit if view.free_quantity == "training" else view.free_quantity


def plan(scenario: Scenario, quantity: str, goal: Goal) -> Planned:
    """Return the value that just meets a goal, on the sound side, or why there is none.

    >>> from dpviz.scenario import PRESETS
    >>> toy = PRESETS["toy"].scenario
    >>> planned = plan(toy, "noise_multiplier", Target(epsilon=4.0, delta=1e-7))
    >>> planned.found.scenario.noise.noise_multiplier
    1.7181
    >>> str(plan(toy, "noise_multiplier", Target(epsilon=1e-6, delta=1e-7)).problem)[:40]
    'target_epsilon = 1e-06 is not allowed: e'
    """
    try:
        found, problem = calibration(scenario, quantity, goal), None
    except ScenarioError as refused:
        found, problem = None, refused
    return Planned(quantity=quantity, goal=goal, found=found, problem=problem)


def halved(goal: Goal) -> Goal:
    """Return the goal of half the privacy loss: half of epsilon, or of what exceeds guessing.

    Raises:
        ScenarioError: that little is no goal.

    >>> halved(SuccessGoal(success=0.6))
    SuccessGoal(success=0.55)
    """
    if isinstance(goal, SuccessGoal):
        return SuccessGoal(success=0.5 + 0.5 * (goal.success - 0.5))
    if isinstance(goal, HitsGoal):
        rate = goal.false_positive_rate
        return HitsGoal(
            false_positive_rate=rate,
            true_positive_rate=rate + 0.5 * (goal.true_positive_rate - rate),
        )
    assert isinstance(goal, Target)  # there are no other kinds
    return Target(epsilon=0.5 * goal.epsilon, delta=goal.delta)
