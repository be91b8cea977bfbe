"""The chart of a panel of the paper's figures: what the paper draws, and what is proven."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from dpviz.accounting.buckets import FloatArray
from dpviz.figures.bands import shade_box, shade_label
from dpviz.figures.palette import PALETTE, STYLES, Style
from dpviz.figures.spec import Spec, json_numbers
from dpviz.guarantees import Bound, Kind
from dpviz.planning.curves import EPSILON_DIGITS
from dpviz.planning.order import Order
from dpviz.planning.paper_figures.lines import FIRST_EPSILON, LAST_EPSILON, SMALLEST_DELTA, PanelRun
from dpviz.planning.paper_figures.orders import against_all
from dpviz.planning.paper_figures.panel import Family, Panel
from dpviz.wording.numbers import rounded_down, rounded_up
from dpviz.wording.over_steps import side_label
from dpviz.wording.paper_figures import legend_title, run_name, short_name
from dpviz.wording.paper_findings import chart_title

SIGNS = {Kind.UPPER: "≤", Kind.TIGHT: "≤", Kind.LOWER: "≥", Kind.UNPROVEN: "≈"}
# Short, so that a phone has room for several in a row; the caption says them in full.
KIND_NAMES = {
    Kind.UPPER: "upper",
    Kind.TIGHT: "exact",
    Kind.LOWER: "lower",
    Kind.UNPROVEN: "paper",
}
_THIN_KEY = "thin: attained"
# How far down is drawn: to where the figure's claim is decided.
SMALLEST_DRAWN = {
    Family.WINDOWS: 1e-7,
    Family.TOP_LEVELS: SMALLEST_DELTA,
    Family.LABEL_NOISE: 1e-9,
    Family.ONE_BAG: 1e-7,
}
_MARK = {
    Family.WINDOWS: "1 window is proven the most private",
    Family.TOP_LEVELS: "drawn at random is proven more private",
}


def paper_panel(panel: Panel, runs: Sequence[PanelRun]) -> Spec:
    """Return the chart of delta against epsilon; the first run is in the foreground.

    Args:
        panel: of a figure that draws delta against epsilon.
        runs: what is known of its runs, in their order.
    """
    styled = list(zip(runs, _styles(panel), strict=False))
    ends = [_end(run, SMALLEST_DRAWN[panel.family]) for run in runs]
    right = min(10 ** (np.ceil(2 * np.log10(max(ends))) / 2), LAST_EPSILON)
    traces = [
        trace
        for run, style in reversed(styled)
        for trace in _traces(panel, run, style, right, is_first=run is runs[0])
    ]
    return {
        "data": [*thin_key(traces), *traces],
        "layout": {
            "title": {"text": chart_title(panel, runs)},
            "template": "none",
            "meta": {"palette": PALETTE, "legend": "under"},
            # Who looks closer at one panel sees the same part of the next.
            "uirevision": f"figure-{panel.figure}",
            "hovermode": "x unified",
            **_marked(panel, runs, right),
            "legend": {
                "traceorder": "reversed",
                "title": {"text": legend_title(panel), "side": "top"},
            },
            "xaxis": {
                "title": {"text": "ε (privacy loss; smaller is more private)"},
                "type": "log",
                "exponentformat": "power",
                "dtick": 1,
                "unifiedhovertitle": {"text": f"Figure {panel.figure}"},
            },
            "yaxis": {
                "title": {"text": "δ (failure probability)"},
                "type": "log",
                "exponentformat": "power",
                "dtick": 3 if panel.family is Family.TOP_LEVELS else 1,
            },
        },
    }


def line_name(panel: Panel, run: PanelRun) -> str:
    """Return what a line is called in the legend: its run, and what it is of it."""
    short, kind = short_name(panel, run.scenario), run.line.kind
    if panel.family in (Family.LABEL_NOISE, Family.ONE_BAG):
        return short  # the caption says what all are
    return f"{short}: {KIND_NAMES[kind]}"


def thin_key(traces: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the entry of the legend that explains thin lines, if there are any."""
    if not any(trace["uid"].endswith("-attained") for trace in traces):
        return []
    return [
        {
            "type": "scatter",
            "mode": "lines",
            "uid": "thin-key",
            "name": _THIN_KEY,
            "x": [None],
            "y": [None],
            "hoverinfo": "skip",
            "line": {"color": "var(--target)", "width": 1},
        }
    ]


def _styles(panel: Panel) -> list[Style]:
    if panel.family is not Family.ONE_BAG:
        return list(STYLES)
    # Both ways with windows of one length belong together.
    return [style for style in STYLES for _ in range(2)]


def _end(run: PanelRun, smallest: float) -> float:
    """Return where a line ends, from the figures' first epsilon on."""
    line = run.line
    told = line.epsilon[line.curve.delta_low >= smallest]
    return max(2.0 * FIRST_EPSILON, float(told[-1]) if len(told) else 0.0)


def _traces(
    panel: Panel, run: PanelRun, style: Style, right: float, *, is_first: bool
) -> list[dict[str, Any]]:
    line, curves = run.line, run.curves
    bound = line.curve.bound
    is_bag = run.scenario.sampling.top_level == "flat"
    traces = []
    # Of runs with noise on labels none is attained; after one unit it is the drawn line itself.
    has_thin = bound.count > 1 and (is_first or panel.family is not Family.LABEL_NOISE)
    if has_thin and curves is not None and curves.lower is not None:
        traces.append(
            _line(
                panel, run, style, "attained", right,
                epsilon=curves.epsilon, delta=curves.lower.delta_low, bound=curves.lower.bound,
            )
        )  # fmt: skip
    side = "bag" if is_bag else "line"
    is_upper = line.kind in (Kind.UPPER, Kind.TIGHT)
    delta = line.curve.delta_high if is_upper else line.curve.delta_low
    drawn = _line(
        panel, run, style, side, right, epsilon=line.epsilon, delta=delta, bound=bound
    ) | {"name": line_name(panel, run), "showlegend": not is_bag}
    if traces and (is_first or panel.family is Family.TOP_LEVELS):
        drawn |= {"fill": "tonexty", "fillcolor": f"var(--{style.role}@0.18)"}
    return [*traces, drawn]


def _line(
    panel: Panel,
    run: PanelRun,
    style: Style,
    side: str,
    right: float,
    *,
    epsilon: FloatArray,
    delta: FloatArray,
    bound: Bound,
) -> dict[str, Any]:
    drawn = (epsilon >= FIRST_EPSILON) & (epsilon <= right)
    told = delta >= SMALLEST_DRAWN[panel.family]
    kind = bound.kind_after_composition
    rounding = rounded_up if kind in (Kind.UPPER, Kind.TIGHT) else rounded_down
    epsilons = json_numbers(epsilon[drawn])
    name = run_name(panel, run.scenario)
    # Of an attained bound that is tight for one unit, what is drawn is its lower side.
    sign = "≥" if side == "attained" else SIGNS[kind]
    return {
        "type": "scatter",
        "mode": "lines",
        "uid": f"{style.role}-{side}",
        "legendgroup": style.role,
        "name": f"{name}, attained lower bound",
        "showlegend": False,
        "x": epsilons,
        "y": json_numbers(np.where(told, delta, np.nan)[drawn]),
        "text": [
            f"ε = {x:.{EPSILON_DIGITS}g}: δ {sign} {rounding(float(value), 3)}"
            for x, value in zip(epsilons, delta[drawn], strict=True)
        ],
        "hovertemplate": f"%{{text}} {name}<br>{side_label(bound)}<extra></extra>",
        "line": {
            "color": f"var(--{style.role})",
            "width": 2.5 if side == "line" else 1,
            "dash": style.dash,
        },
    }


def _marked(panel: Panel, runs: Sequence[PanelRun], right: float) -> dict[str, Any]:
    """Return the mark on where the first run is proven to be better than all others."""
    is_complete = len(runs) == len(panel.scenarios) and all(run.curves for run in runs)
    if panel.family not in _MARK or not is_complete:
        return {}
    region = [
        stretch
        for stretch in against_all(runs[0], runs[1:], proven=True)
        if stretch.order is Order.FIRST
    ]
    # Where it is all there is, or the title has it, a box says nothing more.
    boxes = [
        (max(stretch.start, FIRST_EPSILON), min(stretch.end, right))
        for stretch in region
        if stretch.start > FIRST_EPSILON or stretch.end < _end(runs[0], SMALLEST_DELTA)
    ]
    boxes = [(left, end) for left, end in boxes if left < end]
    return {
        "shapes": [shade_box(left, end) for left, end in boxes],
        "annotations": [shade_label(left, end, _MARK[panel.family]) for left, end in boxes],
    }
