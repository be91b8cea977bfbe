"""The map of settings that meet a goal as CSV, with a header that says what every column means."""

import io

import pandas as pd

import dpviz
from dpviz.export.json_in_csv import json_in_csv
from dpviz.planning.region import Axis, Place, Refusal, RegionMap
from dpviz.wording.plan import goal_words
from dpviz.wording.region_map import axis_title
from dpviz.wording.scope import conditions, protected_unit, relation_name
from dpviz.wording.theorems import bound_meaning

_COLUMNS = """epsilon_upper: epsilon at the scenario's delta is proven to be at most this, in \
nats; empty where no finite epsilon is certified, or there is no answer
epsilon_upper_bracket_low: the exact value of that bound lies between this and epsilon_upper; \
not a lower bound on the training's epsilon
upper_meaning: direction, theorem, unit and count of that bound
upper_protects: whom that bound protects
meets_goal: True where the upper bound is proven to meet the goal; False says that this is not \
proven, not that training gives more away
noise_per_gradient: sigma / Lambda, standard deviation of the noise on each coordinate of an \
averaged gradient, in clipping norms
training_steps: steps of the whole training
no_answer: why no bound is known: the setting is not allowed, or no theorem covers it
scenario: the whole training set-up of the row, to be read by dpviz"""


def region_csv(shown: RegionMap) -> str:
    """Return every computed field as CSV text; lines that begin with # describe it.

    Numbers have all their digits; ``pandas.read_csv(path, comment="#")`` reads the table.

    Args:
        shown: the map, best complete.
    """
    names = [_column(shown, axis) for axis in (shown.x, shown.y)]
    needed = conditions([point.bound for point in shown.points.values()])
    computed = "" if shown.is_complete else f" (only {len(shown.cells)} fields are computed yet)"
    lines = [
        f"dpviz {dpviz.__version__}: which settings meet a goal{computed}",
        f"goal: {goal_words(shown.goal)}",
        f"settings around which the map is drawn: {json_in_csv(shown.scenario)}",
        f"delta: {shown.scenario.delta!r}",
        *([f"conditions: {needed}"] if needed else []),
        *(
            f"{name}: {axis_title(shown.scenario, axis.quantity)}"
            for name, axis in zip(names, (shown.x, shown.y), strict=True)
        ),
        *_COLUMNS.splitlines(),
    ]
    columns = [*names, *(line.partition(":")[0] for line in _COLUMNS.splitlines())]
    places = sorted(shown.cells, key=lambda at: (at[1], at[0]))
    text = io.StringIO()
    text.writelines(f"# {line}\n" for line in lines)
    table = pd.DataFrame([_row(shown, at) for at in places], columns=columns)
    table.to_csv(text, index=False, lineterminator="\n")
    return text.getvalue()


def _column(shown: RegionMap, axis: Axis) -> str:
    return shown.scenario.training.unit if axis.quantity == "training" else axis.quantity


def _row(shown: RegionMap, at: Place) -> list[object]:
    cell = shown.cells[at]
    values = shown.values_at(at)
    if isinstance(cell, Refusal):
        return [*values, None, None, None, None, None, None, None, cell.problem, None]
    scenario, bound = cell.scenario, cell.bound
    relation = scenario.relation
    individual = f"{protected_unit(relation, scenario.units)}; {relation_name(relation)}"
    return [
        *values,
        cell.upper.quoted,
        cell.upper.bracket.low,
        bound_meaning(bound),
        individual,
        cell.meets,
        cell.noise_per_gradient,
        scenario.num_steps,
        None,
        json_in_csv(scenario),
    ]
