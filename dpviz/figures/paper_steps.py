"""The chart of the paper's Figure 10: delta over training steps, as drawn and as proven."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from dpviz.figures.palette import PALETTE, STYLES, Style
from dpviz.figures.paper_panel import KIND_NAMES, SIGNS, thin_key
from dpviz.figures.spec import Spec, json_numbers
from dpviz.guarantees import Kind
from dpviz.planning.over_steps import DeltaSide
from dpviz.planning.paper_figures.lines import SMALLEST_DELTA
from dpviz.planning.paper_figures.panel import Panel
from dpviz.planning.paper_figures.steps import StepsRun
from dpviz.wording.numbers import counted, rounded_down, rounded_up
from dpviz.wording.over_steps import epsilon_text, side_label
from dpviz.wording.paper_figures import legend_title, run_name, short_name
from dpviz.wording.paper_steps import steps_chart_title


def paper_steps(panel: Panel, runs: Sequence[StepsRun]) -> Spec:
    """Return the chart: for each run stairs of what the paper draws and of what is attained.

    Args:
        panel: of the figure.
        runs: what is known of its runs, in their order.
    """
    assert panel.drawn.epsilon is not None  # steps are followed at one epsilon
    epsilon = epsilon_text(panel.drawn.epsilon)
    traces = [
        trace
        for run, style in reversed(list(zip(runs, STYLES, strict=False)))
        for trace in _traces(panel, run, style, is_first=run is runs[0])
    ]
    return {
        "data": [*thin_key(traces), *traces],
        "layout": {
            "title": {"text": steps_chart_title(panel, runs)},
            "template": "none",
            "meta": {"palette": PALETTE, "legend": "under"},
            "uirevision": f"figure-{panel.figure}",
            "hovermode": "x unified",
            "legend": {
                "traceorder": "reversed",
                "title": {"text": legend_title(panel), "side": "top"},
            },
            "xaxis": {
                "title": {"text": "training steps"},
                "tickformat": ",d",
                "unifiedhovertitle": {"text": "After %{x} steps"},
            },
            "yaxis": {
                "title": {"text": f"δ at ε = {epsilon} (failure probability)"},
                "type": "log",
                "exponentformat": "power",
            },
        },
    }


def _traces(panel: Panel, run: StepsRun, style: Style, *, is_first: bool) -> list[dict[str, Any]]:
    attained = run.proven.lower
    assert attained is not None  # see steps_run
    kind = Kind.UPPER if run.drawn is run.proven.upper else Kind.UNPROVEN
    drawn = _stairs(panel, run, run.drawn, style, "line") | {
        "name": f"{short_name(panel, run.scenario)}: {KIND_NAMES[kind]}",
        "showlegend": True,
    }
    if is_first:
        drawn |= {"fill": "tonexty", "fillcolor": f"var(--{style.role}@0.18)"}
    return [_stairs(panel, run, attained, style, "attained"), drawn]


def _stairs(
    panel: Panel, run: StepsRun, side: DeltaSide, style: Style, name: str
) -> dict[str, Any]:
    is_upper = side is run.proven.upper
    delta = side.delta_high if is_upper else side.delta_low
    rounding = rounded_up if is_upper else rounded_down
    steps = run.proven.steps.tolist()
    color = f"var(--{style.role})"
    label = run_name(panel, run.scenario)
    signs = [
        "≥" if name == "attained" else SIGNS[bound.kind_after_composition] for bound in side.bounds
    ]
    return {
        "type": "scatter",
        "mode": "lines+markers" if name == "line" else "lines",
        "uid": f"{style.role}-{name}",
        "legendgroup": style.role,
        "name": f"{label}, attained lower bound",
        "showlegend": False,
        "x": steps,
        "y": json_numbers(np.where(delta >= SMALLEST_DELTA, delta, np.nan)),
        "text": [
            f"after {counted(step, 'step')}: δ {sign} {rounding(value, 3)} with {label}<br>"
            f"{side_label(bound)}"
            for step, sign, value, bound in zip(
                steps, signs, delta.tolist(), side.bounds, strict=True
            )
        ],
        "hovertemplate": "%{text}<extra></extra>",
        "line": {
            "color": color,
            "width": 2.5 if name == "line" else 1,
            "dash": style.dash,
            "shape": "hv",
        },
        "marker": {"color": color, "symbol": style.symbol, "size": 7},
    }
