"""A plan: settings with one quantity left open, and a goal that it has to meet."""

from dataclasses import dataclass, replace

from dpviz.accounting import Bracket
from dpviz.planning.calibrate import Calibration, calibration
from dpviz.planning.curves import ScenarioCurves
from dpviz.planning.proven import Proven
from dpviz.planning.target import Goal, HitsGoal, SuccessGoal, Target
from dpviz.scenario import Scenario, ScenarioError
from dpviz.settings import View


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


def with_goal_proven(planned: Planned, curves: ScenarioCurves) -> ScenarioCurves:
    """Return curves of the run that was found, quoting no larger epsilon than the search proved.

    Curves that are not exact yet may quote more at the goal's delta than the goal that the search
    found met: both are upper bounds, and the smaller one holds. Where several theorems bound the
    run, and for goals that are no epsilon, the curves are returned as they are: which theorem the
    search's own number rests on is not known here.

    Args:
        planned: what was found; not a plan without one.
        curves: of its scenario, of any tolerance.
    """
    goal, upper = planned.goal, curves.upper
    assert planned.found is not None
    assert curves.scenario == planned.found.scenario  # of another one nothing was proven
    if not isinstance(goal, Target) or goal.delta != curves.scenario.delta:
        return curves
    quoted = upper.bracket.high
    if quoted is not None and quoted <= goal.epsilon:
        return curves
    bracket = Bracket(low=upper.bracket.low, high=goal.epsilon)
    return replace(
        curves, upper=replace(upper, at_delta=Proven(bound=upper.bound, bracket=bracket))
    )


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
