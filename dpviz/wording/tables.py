"""The pages' tables, as Markdown."""

from collections.abc import Sequence

from dpviz.planning import ProvenCurve, ScenarioCurves
from dpviz.wording.numbers import power_of_ten, rounded_down, rounded_up
from dpviz.wording.protection import conditions, protection_sentence
from dpviz.wording.theorems import composed_units, theorem_link

_EPSILONS = (0.01, 0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 100.0)
_SMALLEST_SHOWN = 1e-15
Runs = Sequence[tuple[str, ScenarioCurves]]


def bounds_table(runs: Runs) -> str:
    """Return epsilon under every bound, with its meaning and bracket.

    Args:
        runs: for each row pair its label and what is proven; all at the same delta.
    """
    scenario = runs[0][1].scenario
    rows = [
        f"| Run | Bound | ε at δ = {power_of_ten(scenario.delta)} | Exact value of the bound lies "
        "in | Width of that | Theorem, composed over |",
        "| --- | --- | --: | --- | --: | --- |",
    ]
    for label, curves in runs:
        rows.append(f"| {label} | upper | {_row(curves.upper, upper=True)} |")
        if curves.lower is None:
            rows.append(f"| {label} | lower | none proven | | | |")
        else:
            rows.append(f"| {label} | lower | {_row(curves.lower, upper=False)} |")
    needed = conditions([curves.upper.bound for _, curves in runs])
    return "\n".join(rows) + f"\n\n{protection_sentence(runs)} {needed}".rstrip()


def deltas_table(runs: Runs) -> str:
    """Return delta at usual epsilons: lower and upper bound for each run."""
    titles = [f"{label}: δ from lower to upper bound, {_sources(curves)}" for label, curves in runs]
    rows = [
        "| ε | " + " | ".join(titles) + " |",
        "| --: |" + " --: |" * len(titles),
    ]
    for epsilon in _EPSILONS:
        cells = [_delta_range(curves, epsilon) for _, curves in runs]
        rows.append(f"| {epsilon:g} | " + " | ".join(cells) + " |")
        if all(cell == _NEGLIGIBLE for cell in cells):
            break
    return "\n".join(rows)


def _sources(curves: ScenarioCurves) -> str:
    bounds = [curves.upper.bound] if curves.lower is None else [
        curves.lower.bound, curves.upper.bound
    ]  # fmt: skip
    links = dict.fromkeys(theorem_link(bound.theorem) for bound in bounds)
    return f"{' to '.join(links)}, {composed_units(curves.upper.bound)}"


def _row(curve: ProvenCurve, *, upper: bool) -> str:
    bracket = curve.bracket
    meaning = f"{theorem_link(curve.bound.theorem)}, {composed_units(curve.bound)}"
    if bracket.low is None:
        return f"beyond what is resolved | | | {meaning}"
    if bracket.high is None:
        # A lower bound stays one where the bracket is open above; an upper bound is none there.
        quoted = "no finite ε proven" if upper else f"≥ {rounded_down(bracket.low)}"
        return f"{quoted} | above {rounded_down(bracket.low, 6)} | | {meaning}"
    quoted = f"≤ {rounded_up(bracket.high)}" if upper else f"≥ {rounded_down(bracket.low)}"
    exact = f"{rounded_down(bracket.low, 6)} to {rounded_up(bracket.high, 6)}"
    if curve.only_quoted:
        return f"{quoted} | not narrowed down | | {meaning}"
    gap = bracket.relative_gap or 0.0
    return f"{quoted} | {exact} | {rounded_up(100 * gap, 1)} % | {meaning}"


_NEGLIGIBLE = f"below {power_of_ten(_SMALLEST_SHOWN)}"


def _delta_range(curves: ScenarioCurves, epsilon: float) -> str:
    at = curves.upper.place_of(epsilon)
    high = float(curves.upper.delta_high[at])
    low = 0.0 if curves.lower is None else float(curves.lower.delta_low[at])
    most = f"≤ {rounded_up(high, 3)}" if high >= _SMALLEST_SHOWN else _NEGLIGIBLE
    if high < _SMALLEST_SHOWN:
        return _NEGLIGIBLE
    if curves.lower is None:
        return most
    least = rounded_down(low, 3) if low >= _SMALLEST_SHOWN else "0"
    return f"{least} to {rounded_up(high, 3)}"
