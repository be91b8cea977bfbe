"""The chart of delta at one epsilon over the training steps."""

from collections.abc import Sequence

import numpy as np

from dpviz.figures import parts
from dpviz.figures.palette import LOWER_WIDTH, STYLES, UPPER_WIDTH, Style
from dpviz.figures.parts import Part, Spec, json_numbers
from dpviz.guarantees import Bound, Kind
from dpviz.planning.over_steps import DeltaOverSteps, DeltaSide
from dpviz.wording.numbers import counted, power_of_ten, rounded_down, rounded_up
from dpviz.wording.subsequences import epsilon_text, is_as_in_the_paper, scenario_label
from dpviz.wording.theorems import bound_label

_SMALLEST_DRAWN = 1e-12
# Bands of more runs cover each other: then only the first one has one.
_MOST_FILLED = 3


def over_steps(runs: Sequence[DeltaOverSteps]) -> Spec:
    """Return the chart: for each run stairs of its upper and lower bound.

    Delta changes at whole steps only. Between steps that are not drawn the upper line takes the
    value of the later and the lower line that of the earlier one, so that both stay true there.

    Args:
        runs: of the same epsilon and steps, at most as many as there are styles, which they take
            in order.
    """
    epsilon = epsilon_text(runs[0].epsilon)
    pairs = list(zip(runs, STYLES[: len(runs)], strict=True))
    return {
        "data": [
            trace
            for run, style in reversed(pairs)
            for trace in _stairs(run, style, fills=len(runs) <= _MOST_FILLED or run is runs[0])
        ],
        "layout": parts.layout(
            f"δ at ε = {epsilon} over training steps",
            "over-steps",
            parts.axis(
                "training steps",
                type="linear" if runs[0].are_consecutive else "log",
                tickformat=",d",
                unifiedhovertitle={"text": "After %{x} steps"},
            ),
            parts.log_axis(f"δ at ε = {epsilon} (failure probability)"),
            hover="x unified",
            legend=parts.titled_legend("Windows per series λ", traceorder="reversed"),
            meta={"leavesGhost": True, "legend": "under"},
            annotations=_nothing_to_draw(runs),
        ),
    }


def _nothing_to_draw(runs: Sequence[DeltaOverSteps]) -> list[Part]:
    if any(np.any(run.upper.delta_high >= _SMALLEST_DRAWN) for run in runs):
        return []
    smallest = power_of_ten(_SMALLEST_DRAWN)
    return [parts.middle_note(f"δ is below {smallest} after every one of these steps", y=0.6)]


def _stairs(run: DeltaOverSteps, style: Style, *, fills: bool) -> list[Part]:
    label = scenario_label(run.scenario)
    traces = []
    is_band = run.lower is not None and not is_as_in_the_paper(run)
    if run.lower is not None:
        name = "lower bound" if is_band else "as in the paper"
        lower = _line(run, run.lower, style, label, upper=False)
        traces.append(lower | {"name": f"{label}, {name}", "showlegend": False})
    upper = _line(run, run.upper, style, label, upper=True)
    upper["name"] = str(run.scenario.sampling.num_subsequences)
    traces.append(upper | parts.filled_to(style.role, 0.12) if is_band and fills else upper)
    return traces


def _line(run: DeltaOverSteps, side: DeltaSide, style: Style, label: str, *, upper: bool) -> Part:
    delta = side.delta_high if upper else side.delta_low
    # What is no bound is read off to no side; its smaller end is drawn.
    signs = [_sign(bound, upper=upper) for bound in side.bounds]
    rounding = rounded_up if upper else rounded_down
    steps = run.steps.tolist()
    shape = "vh" if upper and not run.are_consecutive else "hv"
    return parts.scatter(
        f"{style.role}-{'upper' if upper else 'lower'}",
        "lines+markers",
        steps,
        json_numbers(np.where(delta >= _SMALLEST_DRAWN, delta, np.nan)),
        legendgroup=style.role,
        **parts.told(
            f"after {counted(step, 'step')}: δ {sign} {rounding(value, 3)} with {label}<br>"
            f"{bound_label(bound)}"
            for step, sign, value, bound in zip(
                steps, signs, delta.tolist(), side.bounds, strict=True
            )
        ),
        line=parts.stroke(style, UPPER_WIDTH if upper else LOWER_WIDTH, shape=shape),
        marker=parts.marker(style, 7 if upper else 4),
    )


def _sign(bound: Bound, *, upper: bool) -> str:
    if bound.kind_after_composition is Kind.UNPROVEN:
        return "≈"
    return "≤" if upper else "≥"
