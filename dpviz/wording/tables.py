"""The page's tables, as Markdown."""

import numpy as np

from dpviz.planning import TopLevelComparison
from dpviz.planning.top_levels import BoundCurve
from dpviz.wording.numbers import power_of_ten, rounded_down, rounded_up
from dpviz.wording.scope import composed_units

SCHEME_TITLES = {"without-replacement": "Drawn at random", "deterministic": "Walked through"}
_EPSILONS = (0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0)
_SMALLEST_SHOWN = 1e-15


def bounds_table(comparison: TopLevelComparison) -> str:
    """Return epsilon at the scenario's delta: every bound with its meaning and bracket."""
    delta = power_of_ten(comparison.scenario.delta)
    rows = [
        f"| Series | Bound | ε at δ = {delta} | Exact value lies in | Gap "
        "| Theorem, composed over |",
        "| --- | --- | --: | --- | --: | --- |",
    ]
    for curves in comparison.schemes:
        title = SCHEME_TITLES[curves.top_level]
        rows += [
            f"| {title} | upper | {_row(curves.upper, upper=True)} |",
            f"| {title} | lower | {_row(curves.lower, upper=False)} |",
        ]
    return "\n".join(rows)


def deltas_table(comparison: TopLevelComparison) -> str:
    """Return delta at usual epsilons: lower and upper bound for each scheme."""
    titles = [SCHEME_TITLES[curves.top_level] for curves in comparison.schemes]
    rows = [
        "| ε | " + " | ".join(f"{title}: δ between" for title in titles) + " |",
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
    if bracket.low is None or bracket.high is None:
        known = "" if bracket.low is None else f"above {rounded_down(bracket.low, 6)}"
        return f"not reachable | {known} | | {meaning}"
    quoted = f"≤ {rounded_up(bracket.high)}" if upper else f"≥ {rounded_down(bracket.low)}"
    exact = f"{rounded_down(bracket.low, 6)} to {rounded_up(bracket.high, 6)}"
    gap = bracket.relative_gap or 0.0
    return f"{quoted} | {exact} | {rounded_up(100 * gap, 1)} % | {meaning}"


def _delta_range(low: float, high: float) -> str:
    if high < _SMALLEST_SHOWN:
        return f"below {power_of_ten(_SMALLEST_SHOWN)}"
    least = rounded_down(low, 3) if low >= _SMALLEST_SHOWN else "0"
    return f"{least} and {rounded_up(high, 3)}"
