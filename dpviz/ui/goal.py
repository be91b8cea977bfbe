"""What a plan is asked for: the choices of the view as a goal and an open quantity."""

from dpviz.planning.target import Goal, HitsGoal, SuccessGoal, Target
from dpviz.scenario import Scenario
from dpviz.settings import View


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
