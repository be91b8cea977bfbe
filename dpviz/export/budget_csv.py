"""Epsilon over the course of training as CSV, with a header that says what every column means."""

import io
from collections.abc import Sequence

import pandas as pd

import dpviz
from dpviz.export.json_in_csv import json_in_csv
from dpviz.guarantees import Bound
from dpviz.planning.budget import UsedUp, counts_alike
from dpviz.planning.proven import ProvenEpsilon
from dpviz.scenario import Scenario
from dpviz.wording.budget import target_sentence
from dpviz.wording.scope import protected_unit, relation_name, run_length, scheme_name
from dpviz.wording.theorems import named_theorem

_COLUMNS = """{unit}_from: from this many {unit} of training on
{unit}_to: to this many the rest of the row is the same
composed: how often the theorems are applied
composed_unit: to what: a step or an epoch
epsilon_upper: epsilon is proven to be at most this, in nats, at the scenario's delta; empty where \
no finite epsilon is certified
epsilon_upper_bracket_low: the exact value of that bound lies between this and epsilon_upper
epsilon_lower: some gradients attain at least this epsilon; empty where no lower bound is proven
epsilon_lower_bracket_high: the exact value of that bound lies between epsilon_lower and this
upper_theorem: which bound is composed mirrored to epsilon_upper; the smallest counts
upper_kind: direction after composition; tight: exact
lower_theorem: whose attained pair is composed to epsilon_lower
lower_kind: direction after composition"""


def budget_csv(
    scenario: Scenario, points: Sequence[ProvenEpsilon], used_up: UsedUp | None = None
) -> str:
    """Return the line as CSV text; lines that begin with # describe it.

    Numbers have all their digits; ``pandas.read_csv(path, comment="#")`` reads the table.

    Args:
        scenario: the training set-up.
        points: what is known, in any order.
        used_up: where a target is used up; told in the header.

    >>> from dpviz.planning.budget import budget_point
    >>> from dpviz.scenario import PRESETS
    >>> toy = PRESETS["toy"].scenario
    >>> budget_csv(toy, [budget_point(toy, 1000)]).splitlines()[-1].partition(",1000,step,")[0]
    '1000,1000'
    """
    ordered = sorted(points, key=lambda point: point.count)
    unit = scenario.training.unit
    lines = [
        f"dpviz {dpviz.__version__}: epsilon over the course of training, in {unit}",
        f"scenario: {json_in_csv(scenario)}",
        f"training: {run_length(scenario)} with "
        f"{scheme_name(scenario.sampling)}; "
        f"{scenario.steps_per_epoch} steps per epoch",
        f"protected: {_protected(scenario)}",
        f"rates: bottom r = {scenario.bottom_rate!r}, top rho = {scenario.top_rate!r}, "
        f"product = {scenario.bottom_rate * scenario.top_rate!r}",
        f"delta: {scenario.delta!r}",
    ]
    said = {words for point in ordered for words in _conditions(point.upper.bound)}
    lines += [f"epsilon_upper: {words}" for words in sorted(said)]
    if used_up is not None:
        lines.append(f"target: {target_sentence(scenario, used_up, ordered).replace('**', '')}")
    lines += _COLUMNS.format(unit=unit).splitlines()
    text = io.StringIO()
    text.writelines(f"# {line}\n" for line in lines)
    # lineterminator: the same bytes on every system; repr digits: floats read back exactly.
    _table(scenario, ordered).to_csv(text, index=False, lineterminator="\n")
    return text.getvalue()


def _protected(scenario: Scenario) -> str:
    relation = scenario.relation
    return f"{protected_unit(relation, scenario.units)}; {relation_name(relation)}"


def _conditions(bound: Bound) -> list[str]:
    condition = f"holds if {bound.condition}" if bound.condition else ""
    return [words for words in (condition, bound.extension) if words]


def _table(scenario: Scenario, points: Sequence[ProvenEpsilon]) -> pd.DataFrame:
    rows, unit = [], scenario.training.unit
    for point in points:
        first, last = counts_alike(scenario, point)
        upper, lower = point.upper, point.lower
        rows.append(
            {
                f"{unit}_from": first,
                f"{unit}_to": last,
                "composed": upper.bound.count,
                "composed_unit": upper.bound.unit.value,
                "epsilon_upper": upper.bracket.high,
                "epsilon_upper_bracket_low": upper.bracket.low,
                "epsilon_lower": None if lower is None else lower.bracket.low,
                "epsilon_lower_bracket_high": None if lower is None else lower.bracket.high,
                "upper_theorem": named_theorem(upper.bound.theorem),
                "upper_kind": upper.bound.kind_after_composition.value,
                "lower_theorem": None if lower is None else named_theorem(lower.bound.theorem),
                "lower_kind": None if lower is None else lower.bound.kind_after_composition.value,
            }
        )
    names = [line.partition(":")[0] for line in _COLUMNS.format(unit=unit).splitlines()]
    return pd.DataFrame(rows, columns=names)
