"""The page's tables, as Markdown."""

import numpy as np

from dpviz.planning import TopLevelComparison
from dpviz.planning.top_levels import BoundCurve
from dpviz.wording.numbers import power_of_ten, rounded_down, rounded_up
from dpviz.wording.scope import composed_units, named_theorem, relation_name

SCHEME_TITLES = {"without-replacement": "Drawn at random", "deterministic": "Walked through"}
_EPSILONS = (0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0)
_SMALLEST_SHOWN = 1e-15


def bounds_table(comparison: TopLevelComparison) -> str:
    """Return epsilon at the scenario's delta: every bound with its meaning and bracket."""
    delta = power_of_ten(comparison.scenario.delta)
    rows = [
        f"| Series | Bound | ε at δ = {delta} | Exact value of the bound lies in "
        "| Width of that | Theorem, composed over |",
        "| --- | --- | --: | --- | --: | --- |",
    ]
    for curves in comparison.schemes:
        title = SCHEME_TITLES[curves.top_level]
        rows += [
            f"| {title} | upper | {_row(curves.upper, upper=True)} |",
            f"| {title} | lower | {_row(curves.lower, upper=False)} |",
        ]
    return "\n".join(rows) + f"\n\n{relation_name(comparison.scenario.relation)}."


def deltas_table(comparison: TopLevelComparison) -> str:
    """Return delta at usual epsilons: lower and upper bound for each scheme."""
    titles = [
        f"{SCHEME_TITLES[curves.top_level]}: δ from lower to upper bound, "
        f"{named_theorem(curves.upper.bound.theorem)}, {composed_units(curves.upper.bound)}"
        for curves in comparison.schemes
    ]
    rows = [
        "| ε | " + " | ".join(titles) + " |",
        "| --: |" + " --: |" * len(titles),
    ]
    for epsilon in _EPSILONS:
        at = int(np.searchsorted(comparison.epsilon, epsilon))
        if at == len(comparison.epsilon):
            break  # delta is negligible from an earlier epsilon on
        assert comparison.epsilon[at] == epsilon  # comparisons hold these round numbers
        cells = []
        for curves in comparison.schemes:
            low = float(curves.lower.delta_low[at])
            high = float(curves.upper.delta_high[at])
            cells.append(_delta_range(low, high))
        rows.append(f"| {epsilon:g} | " + " | ".join(cells) + " |")
    return "\n".join(rows)


def _row(curve: BoundCurve, *, upper: bool) -> str:
    bracket = curve.epsilon
    meaning = f"{curve.bound.theorem}, {composed_units(curve.bound)}"
    if bracket.low is None:
        return f"beyond what is resolved | | | {meaning}"
    if bracket.high is None:
        # A lower bound stays one where the bracket is open above; an upper bound is none there.
        quoted = "no finite ε proven" if upper else f"≥ {rounded_down(bracket.low)}"
        return f"{quoted} | above {rounded_down(bracket.low, 6)} | | {meaning}"
    quoted = f"≤ {rounded_up(bracket.high)}" if upper else f"≥ {rounded_down(bracket.low)}"
    exact = f"{rounded_down(bracket.low, 6)} to {rounded_up(bracket.high, 6)}"
    gap = bracket.relative_gap or 0.0
    return f"{quoted} | {exact} | {rounded_up(100 * gap, 1)} % | {meaning}"


def _delta_range(low: float, high: float) -> str:
    if high < _SMALLEST_SHOWN:
        return f"below {power_of_ten(_SMALLEST_SHOWN)}"
    least = rounded_down(low, 3) if low >= _SMALLEST_SHOWN else "0"
    return f"{least} to {rounded_up(high, 3)}"
