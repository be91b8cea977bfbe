"""The curves as CSV, with a header that says what every column means."""

import io

import pandas as pd

import dpviz
from dpviz.planning import TopLevelComparison
from dpviz.planning.top_levels import BoundCurve
from dpviz.scenario import to_json
from dpviz.wording.findings import bound_meaning
from dpviz.wording.scope import TOP_LEVEL_NAMES, protected_unit, relation_name, run_length

_PREFIXES = {"without-replacement": "drawn", "deterministic": "walked"}


def curve_csv(comparison: TopLevelComparison) -> str:
    """Return the curves as CSV text; lines that begin with # describe it.

    Numbers have all their digits; ``pandas.read_csv(path, comment="#")`` reads the table.
    """
    scenario = comparison.scenario
    lines = [
        f"dpviz {dpviz.__version__}: delta(epsilon) of a training run",
        f"scenario: {to_json(scenario)}",
        f"training: {run_length(scenario)}; {scenario.steps_per_epoch} steps per epoch",
        f"protected: {protected_unit(scenario.relation, scenario.units)}; "
        f"{relation_name(scenario.relation)}",
        f"rates: bottom r = {scenario.bottom_rate!r}, top rho = {scenario.top_rate!r}, "
        f"product = {scenario.bottom_rate * scenario.top_rate!r}",
        "epsilon: privacy loss in nats",
    ]
    columns: dict[str, object] = {"epsilon": comparison.epsilon}
    for curves in comparison.schemes:
        prefix = _PREFIXES[curves.top_level]
        name = TOP_LEVEL_NAMES[curves.top_level]
        upper, lower = f"{prefix}_delta_upper", f"{prefix}_delta_lower"
        columns[upper] = curves.upper.delta_high
        columns[f"{upper}_bracket_low"] = curves.upper.delta_low
        columns[lower] = curves.lower.delta_low
        columns[f"{lower}_bracket_high"] = curves.lower.delta_high
        lines += [
            f"{upper}: delta with {name}; {_provenance(curves.upper)}; composed mirrored",
            f"{upper}_bracket_low: the exact value of that bound lies between this and {upper}",
            f"{lower}: delta with {name}; {_provenance(curves.lower)}; attained by a gradient",
            f"{lower}_bracket_high: the exact value of that bound lies between {lower} and this",
        ]
    text = io.StringIO()
    text.writelines(f"# {line}\n" for line in lines)
    # lineterminator: the same bytes on every system; repr digits: floats read back exactly.
    pd.DataFrame(columns).to_csv(text, index=False, lineterminator="\n")
    return text.getvalue()


def _provenance(curve: BoundCurve) -> str:
    return f"{bound_meaning(curve.bound)}; privacy loss grid {curve.interval:.6g}"
