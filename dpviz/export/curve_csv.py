"""The curves as CSV, with a header that says what every column means."""

import io
from collections.abc import Sequence

import numpy as np
import pandas as pd

import dpviz
from dpviz.export.json_in_csv import json_in_csv
from dpviz.planning import ProvenCurve, ScenarioCurves
from dpviz.wording.scope import individual, run_length, scheme_name
from dpviz.wording.theorems import bound_meaning

_COLUMNS = """curve: which run, see above
epsilon: privacy loss in nats
delta_upper: delta is proven to be at most this
delta_upper_bracket_low: the exact value of that bound lies between this and delta_upper
delta_lower: some gradients attain at least this; empty where no lower bound is proven
delta_lower_bracket_high: the exact value of that bound lies between delta_lower and this"""


def curves_csv(runs: Sequence[tuple[str, ScenarioCurves]]) -> str:
    """Return the curves as CSV text; lines that begin with # describe it.

    Numbers have all their digits; ``pandas.read_csv(path, comment="#")`` reads the table.

    Args:
        runs: for each curve its label, without a comma, and what is proven about it.
    """
    lines = [f"dpviz {dpviz.__version__}: delta(epsilon) of training runs"]
    for label, curves in runs:
        lines += [f"{label}: {line}" for line in _provenance(curves)]
    lines += _COLUMNS.splitlines()
    table = pd.concat([_table(label, curves) for label, curves in runs], ignore_index=True)
    text = io.StringIO()
    text.writelines(f"# {line}\n" for line in lines)
    # lineterminator: the same bytes on every system; repr digits: floats read back exactly.
    table.to_csv(text, index=False, lineterminator="\n")
    return text.getvalue()


def _provenance(curves: ScenarioCurves) -> list[str]:
    scenario, upper, lower = curves.scenario, curves.upper, curves.lower
    lines = [
        f"scenario: {json_in_csv(scenario)}",
        f"training: {run_length(scenario)} with "
        f"{scheme_name(scenario.sampling)}; "
        f"{scenario.steps_per_epoch} steps per epoch",
        f"protected: {individual(curves)}",
        f"rates: bottom r = {scenario.bottom_rate!r}, top rho = {scenario.top_rate!r}, "
        f"product = {scenario.bottom_rate * scenario.top_rate!r}",
        f"delta_upper: {_bound_words(upper)}; composed mirrored",
    ]
    if lower is None:
        return [*lines, "delta_lower: none proven"]
    return [*lines, f"delta_lower: {_bound_words(lower)}; attained by a gradient"]


def _bound_words(curve: ProvenCurve) -> str:
    bound = curve.bound
    said = [bound_meaning(bound), bound.extension, bound.condition and f"if {bound.condition}"]
    words = "; ".join(part for part in said if part)
    return f"{words}; privacy loss grid {curve.interval:.6g}"


def _table(label: str, curves: ScenarioCurves) -> pd.DataFrame:
    # Beyond the last told delta the grid goes on for decades, and says nothing more.
    told = int(np.sum(curves.upper.delta_high >= curves.smallest_delta))
    if curves.lower is not None:
        told = max(told, int(np.sum(curves.lower.delta_low >= curves.smallest_delta)))
    upper, lower, rows = curves.upper, curves.lower, slice(0, told + 1)
    return pd.DataFrame(
        {
            "curve": label,
            "epsilon": curves.epsilon[rows],
            "delta_upper": upper.delta_high[rows],
            "delta_upper_bracket_low": upper.delta_low[rows],
            "delta_lower": np.nan if lower is None else lower.delta_low[rows],
            "delta_lower_bracket_high": np.nan if lower is None else lower.delta_high[rows],
        }
    )
