"""Maps with chosen numbers, for tests that need no accountant."""

from dpviz.accounting import Bracket
from dpviz.guarantees import guarantee_for
from dpviz.planning.proven import Proven
from dpviz.planning.region import (
    RegionMap,
    RegionPoint,
    places_coarse_to_fine,
    region_axis,
    region_scenario,
)
from dpviz.planning.target import Target
from dpviz.scenario import ScenarioError
from tests.scenario.changes import TOY


def made_up(epsilon, *, target=4.0, quantities=("batch_size", "training"), scenario=TOY, most=None):
    """Return a map of the numbers that a function of column and row has.

    Args:
        epsilon: returns epsilon, infinity where none is finite, or None for a refusal.
        most: so many cells are known; all by default.
    """
    x, y = (region_axis(scenario, quantity) for quantity in quantities)
    goal, cells = Target(epsilon=target, delta=scenario.delta), {}
    for at in places_coarse_to_fine(x, y)[:most]:
        cells[at] = made_up_cell(scenario, x, y, at, epsilon(*at), target)
    return RegionMap(scenario=scenario, goal=goal, x=x, y=y, cells=cells)


def made_up_cell(scenario, x, y, at, value, target):
    try:
        if value is None:
            raise ScenarioError("batch_size", 3, "it must be even")
        place = region_scenario(scenario, x, y, at)
        bound = guarantee_for(place).upper
    except ScenarioError as problem:
        return str(problem)
    finite = None if value == float("inf") else float(value)
    low = None if finite is None else 0.99 * finite
    meets = finite is not None and finite <= target
    bracket = Bracket(low=low, high=finite)
    return RegionPoint(scenario=place, upper=Proven(bound=bound, bracket=bracket), meets=meets)


def rising(column, row):
    """Return an epsilon that grows in both directions."""
    return 0.5 * 1.2 ** (column + row)
