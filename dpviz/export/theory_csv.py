"""Simulated attacks beside the bounds as CSV, with a header that explains the columns."""

import io

import numpy as np
import pandas as pd

import dpviz
from dpviz.export.json_in_csv import json_in_csv
from dpviz.planning.simulated_attack import ERROR, TESTED_EPSILONS, TheoryCheck
from dpviz.wording.protected_values import individual
from dpviz.wording.theorems import bound_meaning


def theory_csv(check: TheoryCheck, seed: int) -> str:
    """Return the check as CSV text; lines that begin with # describe it.

    Args:
        check: what was simulated.
        seed: that it was drawn with.

    >>> from dpviz.planning.curves import curves_of
    >>> from dpviz.planning.simulated_attack import simulated_attack
    >>> from dpviz.planning.simulated_attack import theory_check
    >>> from dpviz.planning.worst_case import after_units, worst_case
    >>> from dpviz.scenario import PRESETS
    >>> case, run = worst_case(PRESETS["toy"].scenario), after_units(PRESETS["toy"].scenario, 2)
    >>> counts = simulated_attack(case, units=2, runs=1000, seed=1)
    >>> len(theory_csv(theory_check(case, curves_of(run), counts), 1).splitlines())
    71
    """
    curves = check.curves
    upper, lower = curves.upper.bound, curves.lower
    table = pd.DataFrame(
        {
            "epsilon": TESTED_EPSILONS,
            "delta_upper": check.upper,
            "delta_lower": np.nan if check.lower is None else check.lower,
            "simulated": check.band.estimate,
            "simulated_low": check.band.low,
            "simulated_high": check.band.high,
        }
    )
    upper_words = bound_meaning(upper)
    if upper.extension:
        upper_words += f"; {upper.extension}"
    lower_words = "none proven" if lower is None else f"{bound_meaning(lower.bound)}; attained"
    attained = f"attains {check.case.theorem}" if check.case.theorem else "no theorem names it"
    lines = [
        f"dpviz {dpviz.__version__}: simulated attacks beside the bounds, {check.runs} runs with "
        f"seed {seed}",
        f"the change: {individual(curves.scenario, upper)}",
        "epsilon: tested privacy loss in nats",
        f"delta_upper: {upper_words}",
        f"delta_lower: {lower_words}",
        f"simulated: delta of the simulated attack ({attained}), without bias",
        f"simulated_low, simulated_high: all rows' ranges hold together with {1.0 - ERROR:.0%} "
        "confidence",
        f"scenario: {json_in_csv(curves.scenario)}",
    ]
    text = io.StringIO()
    text.writelines(f"# {line}\n" for line in lines)
    table.to_csv(text, index=False, lineterminator="\n")
    return text.getvalue()
