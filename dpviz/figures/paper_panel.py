"""The chart of a panel of the paper's figures: what the paper draws, and what is proven."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.accounting.buckets import FloatArray
from dpviz.figures.bands import shade_box, shade_label
from dpviz.figures.palette import PALETTE, STYLES, Style
from dpviz.figures.spec import Spec, json_numbers
from dpviz.guarantees import Kind
from dpviz.planning.order import Order
from dpviz.planning.paper_figures.lines import (
    FIRST_EPSILON,
    LAST_EPSILON,
    LOOKED_AT,
    SMALLEST_DELTA,
    PanelRun,
    as_attained,
    as_drawn,
)
from dpviz.planning.paper_figures.orders import against_all
from dpviz.planning.paper_figures.panel import Family, Panel
from dpviz.wording.numbers import listed, rounded_down, rounded_up
from dpviz.wording.paper_figures import legend_title, run_name, short_name
from dpviz.wording.paper_findings import chart_title
from dpviz.wording.theorems import composed_units, named_theorem

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
                "unifiedhovertitle": {"text": f"At ε = %{{x}}, {sources(runs)}"},
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
    short, kind = short_name(panel, run.scenario), run.kind
    if panel.family in (Family.LABEL_NOISE, Family.ONE_BAG):
        return short  # the caption says what all are
    return f"{short}: {KIND_NAMES[kind]}"


def sources(runs: Sequence[PanelRun]) -> str:
    """Return by which theorems the lines are, and what was composed how often."""
    found: dict[str, list[str]] = {}
    for run in runs:
        bound = run.line.bound
        theorems = found.setdefault(composed_units(bound), [])
        if (theorem := named_theorem(bound.theorem)) not in theorems:
            theorems.append(theorem)
    return "; ".join(f"{listed(theorems)}, {units}" for units, theorems in found.items())


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
    told = line.epsilon[line.delta_low >= smallest]
    return max(2.0 * FIRST_EPSILON, float(told[-1]) if len(told) else 0.0)


def _traces(
    panel: Panel, run: PanelRun, style: Style, right: float, *, is_first: bool
) -> list[dict[str, Any]]:
    line, deltas = run.line, as_drawn(run)
    is_bag = run.scenario.sampling.is_bag
    is_upper = run.kind in (Kind.UPPER, Kind.TIGHT)
    # Of runs with noise on labels none is attained; after one unit it is the drawn line itself.
    has_thin = line.bound.count > 1 and (is_first or panel.family is not Family.LABEL_NOISE)
    attained = as_attained(run) if has_thin else None
    delta = deltas.high if is_upper else deltas.low
    shown = right >= LOOKED_AT
    drawn = _line(panel, style, "bag" if is_bag else "line", delta, shown) | {
        "name": line_name(panel, run),
        "showlegend": not is_bag,
        "text": [
            hover_text(run.kind, float(value), None if attained is None else float(attained[at]))
            for at, value in enumerate(delta[shown])
        ],
        "hovertemplate": f"{_hover_name(panel, run)}: %{{text}}<extra></extra>",
    }
    if attained is None:
        return [drawn]
    if is_first or panel.family is Family.TOP_LEVELS:
        drawn |= {"fill": "tonexty", "fillcolor": f"var(--{style.role}@0.18)"}
    thin = _line(panel, style, "attained", attained, shown) | {
        "name": f"{run_name(panel, run.scenario)}, attained lower bound",
        "showlegend": False,
        # The drawn line tells both, so that twelve lines fit beside the pointer.
        "hoverinfo": "skip",
    }
    return [thin, drawn]


def hover_text(kind: Kind, delta: float, attained: float | None) -> str:
    """Return what a line says of its delta, and of what is attained beside it.

    >>> hover_text(Kind.UNPROVEN, 0.5, 0.25)
    'δ ≈ 0.5 as in the paper, ≥ 0.25 attained'
    """
    told = {
        Kind.UPPER: f"≤ {rounded_up(delta, 3)}",
        Kind.TIGHT: f"≤ {rounded_up(delta, 3)}, exact",
        Kind.LOWER: f"≥ {rounded_down(delta, 3)} attained",
        Kind.UNPROVEN: f"≈ {rounded_down(delta, 3)} as in the paper",
    }[kind]
    if attained is None or kind in (Kind.TIGHT, Kind.LOWER):
        return f"δ {told}"  # of one unit the drawn line is what is attained
    return f"δ {told}, ≥ {rounded_down(attained, 3)} attained"


def _hover_name(panel: Panel, run: PanelRun) -> str:
    if panel.family is not Family.ONE_BAG:
        return short_name(panel, run.scenario)
    is_bag = run.scenario.sampling.is_bag
    return f"{short_name(panel, run.scenario)}, {'one bag' if is_bag else 'series first'}"


def _line(
    panel: Panel, style: Style, side: str, delta: FloatArray, shown: NDArray[np.bool_]
) -> dict[str, Any]:
    told = delta >= SMALLEST_DRAWN[panel.family]
    return {
        "type": "scatter",
        "mode": "lines",
        "uid": f"{style.role}-{side}",
        "legendgroup": style.role,
        "x": LOOKED_AT[shown].tolist(),
        "y": json_numbers(np.where(told, delta, np.nan)[shown]),
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
