"""The chart of the paper's Figure 10: delta over training steps, as drawn and as proven."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from dpviz.accounting.buckets import FloatArray
from dpviz.figures.palette import PALETTE, STYLES, Style
from dpviz.figures.paper_panel import KIND_NAMES, hover_text, thin_key
from dpviz.figures.spec import Spec, json_numbers
from dpviz.guarantees import Kind
from dpviz.planning.paper_figures.lines import SMALLEST_DELTA
from dpviz.planning.paper_figures.orders import StepsRun
from dpviz.planning.paper_figures.panel import Panel
from dpviz.wording.paper_figures import legend_title, run_name, short_name
from dpviz.wording.paper_steps import steps_chart_title
from dpviz.wording.subsequences import epsilon_text
from dpviz.wording.theorems import brief_source


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
    attained = run.attained
    is_upper = run.drawn is run.proven.upper
    delta = run.drawn.delta_high if is_upper else run.drawn.delta_low
    kind, name = Kind.UPPER if is_upper else Kind.UNPROVEN, short_name(panel, run.scenario)
    drawn = _stairs(run, delta, style, "line") | {
        "name": f"{name}: {KIND_NAMES[kind]}",
        "text": [
            f"{hover_text(bound.kind_after_composition, value, lower)} ({brief_source(bound)})"
            for bound, value, lower in zip(
                run.drawn.bounds, delta.tolist(), attained.delta_low.tolist(), strict=True
            )
        ],
        "hovertemplate": f"{name}: %{{text}}<extra></extra>",
    }
    if is_first:
        drawn |= {"fill": "tonexty", "fillcolor": f"var(--{style.role}@0.18)"}
    thin = _stairs(run, attained.delta_low, style, "attained") | {
        "name": f"{run_name(panel, run.scenario)}, attained lower bound",
        "showlegend": False,
        # The drawn line tells both, so that all lines fit beside the pointer.
        "hoverinfo": "skip",
    }
    return [thin, drawn]


def _stairs(run: StepsRun, delta: FloatArray, style: Style, name: str) -> dict[str, Any]:
    color = f"var(--{style.role})"
    return {
        "type": "scatter",
        "mode": "lines+markers" if name == "line" else "lines",
        "uid": f"{style.role}-{name}",
        "legendgroup": style.role,
        "x": run.proven.steps.tolist(),
        "y": json_numbers(np.where(delta >= SMALLEST_DELTA, delta, np.nan)),
        "line": {
            "color": color,
            "width": 2.5 if name == "line" else 1,
            "dash": style.dash,
            "shape": "hv",
        },
        "marker": {"color": color, "symbol": style.symbol, "size": 7},
    }
