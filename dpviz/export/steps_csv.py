"""Delta over training steps as CSV, with a header that says what every column means."""

import io
from collections.abc import Sequence

import numpy as np
import pandas as pd

import dpviz
from dpviz.export.json_in_csv import json_in_csv
from dpviz.planning.over_steps import DeltaOverSteps
from dpviz.wording.scope import conditions, protected_unit, relation_name
from dpviz.wording.theorems import bound_meaning

_COLUMNS = """windows_per_series: which run, see above
steps: training steps
delta_upper: delta is proven to be at most this
delta_upper_bracket_low: the exact value of that bound lies between this and delta_upper
delta_upper_meaning: direction, theorem, unit and count of that bound
delta_lower: some gradients attain at least this; empty where no lower bound is proven
delta_lower_bracket_high: the exact value of that bound lies between delta_lower and this
delta_lower_meaning: direction, theorem, unit and count of that bound"""


def steps_csv(runs: Sequence[DeltaOverSteps]) -> str:
    """Return delta over steps as CSV text; lines that begin with # describe it.

    Args:
        runs: at the same epsilon, with different numbers of windows per series.
    """
    first = runs[0]
    relation = first.scenario.relation
    lines = [
        f"dpviz {dpviz.__version__}: delta at epsilon = {first.epsilon!r} over training steps",
        f"protected: {protected_unit(relation, first.scenario.units)}; {relation_name(relation)}",
        *(
            f"windows_per_series {run.scenario.sampling.num_subsequences}: scenario: "
            f"{json_in_csv(run.scenario)}"
            for run in runs
        ),
        *_needed(runs),
        *_COLUMNS.splitlines(),
    ]
    text = io.StringIO()
    text.writelines(f"# {line}\n" for line in lines)
    table = pd.concat([_table(run) for run in runs], ignore_index=True)
    table.to_csv(text, index=False, lineterminator="\n")
    return text.getvalue()


def _needed(runs: Sequence[DeltaOverSteps]) -> list[str]:
    words = conditions([bound for run in runs for bound in run.upper.bounds])
    return [f"conditions: {words}"] if words else []


def _table(run: DeltaOverSteps) -> pd.DataFrame:
    upper, lower = run.upper, run.lower
    return pd.DataFrame(
        {
            "windows_per_series": run.scenario.sampling.num_subsequences,
            "steps": run.steps,
            "delta_upper": upper.delta_high,
            "delta_upper_bracket_low": upper.delta_low,
            "delta_upper_meaning": [bound_meaning(bound) for bound in upper.bounds],
            "delta_lower": np.nan if lower is None else lower.delta_low,
            "delta_lower_bracket_high": np.nan if lower is None else lower.delta_high,
            "delta_lower_meaning": "" if lower is None else [*map(bound_meaning, lower.bounds)],
        }
    )
