"""What is proven of a scenario, in the words of a text."""

from dataclasses import replace
from functools import cache

from dpviz.planning import ScenarioCurves, curves_of
from dpviz.scenario import Scenario, Training
from dpviz.wording.numbers import power_of_ten, rounded_down, rounded_up
from tests.scenario.changes import varied


@cache
def curves(scenario: Scenario) -> ScenarioCurves:
    return curves_of(scenario)


def at_most(scenario: Scenario) -> str:
    """Return the upper bound on epsilon, rounded up."""
    return f"ε ≤ {rounded_up(curves(scenario).epsilon_upper)}"


def at_least(scenario: Scenario) -> str:
    """Return the lower bound on epsilon, rounded down."""
    return f"ε ≥ {rounded_down(curves(scenario).epsilon_lower)}"


def theorem(scenario: Scenario, side: str = "upper") -> str:
    """Return the bound's theorem, which is of the side that is asked for."""
    bound = getattr(curves(scenario), side).bound
    return f"{'Proposition' if bound.theorem[0] == 'C' else 'Theorem'} {bound.theorem}"


def steps(scenario: Scenario, count: int, unit: str = "steps") -> Scenario:
    return replace(scenario, training=Training(unit=unit, count=count))


def noised(scenario: Scenario, **changes: float) -> Scenario:
    return varied(scenario, **changes)


def delta(scenario: Scenario) -> str:
    return f"δ = {power_of_ten(scenario.delta)}"
