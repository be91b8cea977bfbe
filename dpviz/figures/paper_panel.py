"""The charts of the paper's figures: what the paper draws, and what is proven."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from dpviz.figures import parts
from dpviz.figures.parts import STYLES, Part, Spec, Style
from dpviz.figures.privacy_curve import shade_box, shade_label
from dpviz.guarantees import Kind
from dpviz.planning.order import Order
from dpviz.planning.paper_figures import lines
from dpviz.planning.paper_figures.families import Family, Panel
from dpviz.planning.paper_figures.lines import StepsRun, against_all
from dpviz.wording.numbers import listed, rounded_down, rounded_up
from dpviz.wording.paper_figures import LEGEND_TITLES, option_name, run_name, short_name
from dpviz.wording.subsequences import epsilon_text
from dpviz.wording.theorems import composed_units, named_theorem

# Short, so that a phone has room for several in a row; the caption says them in full.
KIND_NAMES = {Kind.UPPER: "upper", Kind.TIGHT: "tight", Kind.LOWER: "lower", Kind.UNPROVEN: "paper"}
# How far down is drawn: to where the figure's claim is decided.
SMALLEST_DRAWN = {
    Family.WINDOWS: 1e-7,
    Family.TOP_LEVELS: lines.SMALLEST_DELTA,
    Family.LABEL_NOISE: 1e-9,
    Family.ONE_BAG: 1e-7,
}
Numbers = list[float | None]
# What a thin line is, by its side.
_THIN = {"attained": "attained", "bag": "one bag"}
_MARK = {
    Family.WINDOWS: "1 window is provably the most private",
    Family.TOP_LEVELS: "drawn at random is provably more private",
}


def paper_panel(panel: Panel, runs: Sequence[lines.PanelRun]) -> Spec:
    """Return the chart of delta against epsilon; the first run is in the foreground."""
    # Both ways with windows of one length belong together.
    repeats = 2 if panel.family is Family.ONE_BAG else 1
    styles = (style for style in STYLES for _ in range(repeats))
    styled = list(zip(runs, styles, strict=False))
    ends = [_end(run, SMALLEST_DRAWN[panel.family]) for run in runs]
    right = min(10 ** (np.ceil(2 * np.log10(max(ends))) / 2), lines.LAST_EPSILON)
    traces = [
        trace
        for run, style in reversed(styled)
        for trace in _traces(panel, run, style, right, is_first=run is runs[0])
    ]
    hover = {"text": f"At ε = %{{x}}, {_sources(runs)}"}
    return _figure(
        traces,
        panel,
        f"δ against ε after {option_name('length', panel.opened.training)}",
        parts.log_axis(parts.EPSILON_AXIS, dtick=1, unifiedhovertitle=hover),
        parts.log_axis(parts.DELTA_AXIS, dtick=3 if panel.family is Family.TOP_LEVELS else 1),
        **_marked(panel, runs, right),
    )


def paper_steps(panel: Panel, runs: Sequence[StepsRun]) -> Spec:
    """Return the chart of Figure 10: for each run stairs of what is drawn and what is attained."""
    assert panel.epsilon is not None  # steps are followed at one epsilon
    epsilon = epsilon_text(panel.epsilon)
    traces = [
        trace
        for run, style in reversed(list(zip(runs, STYLES, strict=False)))
        for trace in _stairs(panel, run, style, is_first=run is runs[0])
    ]
    return _figure(
        traces,
        panel,
        f"δ at ε = {epsilon} over training",
        parts.axis(
            "training steps", tickformat=",d", unifiedhovertitle={"text": "After %{x} steps"}
        ),
        parts.log_axis(f"δ at ε = {epsilon} (failure probability)"),
    )


def _figure(
    traces: list[Part], panel: Panel, title: str, xaxis: Part, yaxis: Part, **more: Any
) -> Spec:
    sides = {trace["uid"].rpartition("-")[2] for trace in traces}
    keys = [
        parts.key("thin-key", f"thin: {name}", {"color": "var(--target)", "width": 1})
        for side, name in _THIN.items()
        if side in sides
    ]
    return parts.figure(
        [*keys, *traces],
        f"Figure {panel.figure}: {title}",
        # Who looks closer at one panel sees the same part of the next.
        f"figure-{panel.figure}",
        xaxis,
        yaxis,
        hover="x unified",
        legend=parts.titled_legend(LEGEND_TITLES[panel.family], traceorder="reversed"),
        **more,
    )


def _sources(runs: Sequence[lines.PanelRun]) -> str:
    """Return by which theorems the lines are, and what was composed how often."""
    found: dict[str, list[str]] = {}
    for run in runs:
        bound = run.line.bound
        theorems = found.setdefault(composed_units(bound), [])
        if (theorem := named_theorem(bound.theorem)) not in theorems:
            theorems.append(theorem)
    return "; ".join(f"{listed(theorems)}, {units}" for units, theorems in found.items())


def _end(run: lines.PanelRun, smallest: float) -> float:
    line = run.line
    told = line.epsilon[line.delta_low >= smallest]
    return max(2.0 * lines.FIRST_EPSILON, float(told[-1]) if len(told) else 0.0)


def _traces(
    panel: Panel, run: lines.PanelRun, style: Style, right: float, *, is_first: bool
) -> list[Part]:
    deltas, family = lines.as_drawn(run), panel.family
    is_bag = run.scenario.sampling.is_bag
    is_upper = run.kind in (Kind.UPPER, Kind.TIGHT)
    # Of runs with noise on labels none is attained.
    has_thin = run.attained is not None and (is_first or family is not Family.LABEL_NOISE)
    attained = lines.as_attained(run) if has_thin else None
    delta = deltas.high if is_upper else deltas.low
    shown = right >= lines.LOOKED_AT
    x, smallest = lines.LOOKED_AT[shown], SMALLEST_DRAWN[family]
    name = hover_name = short_name(panel, run.scenario)
    if family is Family.ONE_BAG:
        hover_name += ", one bag" if is_bag else ", series first"
    elif family is not Family.LABEL_NOISE:  # of the others the caption says what all are
        name += f": {KIND_NAMES[run.kind]}"
    drawn = _line(
        "bag" if is_bag else "line",
        name,
        style,
        x,
        parts.numbers_from(smallest, delta[shown]),
        showlegend=not is_bag,
        text=[
            hover_text(run.kind, float(value), None if attained is None else float(attained[at]))
            for at, value in enumerate(delta[shown])
        ],
        hovertemplate=f"{hover_name}: %{{text}}<extra></extra>",
    )
    if " (" in name:  # a phone's legend is without what is in brackets
        drawn["meta"] = {"short": name.partition(" (")[0]}
    if attained is None:
        return [drawn]
    if is_first or family is Family.TOP_LEVELS:
        drawn |= parts.filled_to(style.role)
    thin = parts.numbers_from(smallest, attained[shown])
    return [_attained(run_name(panel, run.scenario), style, x, thin), drawn]


def _stairs(panel: Panel, run: StepsRun, style: Style, *, is_first: bool) -> list[Part]:
    is_upper = run.drawn is run.proven.upper
    delta = run.drawn.delta_high if is_upper else run.drawn.delta_low
    kind, name = Kind.UPPER if is_upper else Kind.UNPROVEN, short_name(panel, run.scenario)
    x, least = run.proven.steps, run.attained.delta_low
    text = [
        f"{hover_text(bound.kind_after_composition, value, lower)} "
        f"({named_theorem(bound.theorem)}, {composed_units(bound)})"
        for bound, value, lower in zip(
            run.drawn.bounds, delta.tolist(), least.tolist(), strict=True
        )
    ]
    told: Part = {"text": text, "hovertemplate": f"{name}: %{{text}}<extra></extra>"}
    high, low = (parts.numbers_from(lines.SMALLEST_DELTA, one) for one in (delta, least))
    drawn = _line("line", f"{name}: {KIND_NAMES[kind]}", style, x, high, **told)
    if is_first:
        drawn |= parts.filled_to(style.role)
    thin = _attained(run_name(panel, run.scenario), style, x, low)
    for trace in (thin, drawn):
        trace["line"] |= {"shape": "hv"}
        trace["marker"] = parts.marker(style, 7)
    return [thin, drawn | {"mode": "lines+markers"}]


def hover_text(kind: Kind, delta: float, attained: float | None) -> str:
    """Return what a line says of its delta, and of what is attained beside it.

    >>> hover_text(Kind.UNPROVEN, 0.5, 0.25)
    'δ ≈ 0.5 as in the paper, ≥ 0.25 attained'
    >>> hover_text(Kind.LOWER, 0.25, None), hover_text(Kind.LOWER, 0.25, 0.5)
    ('δ ≥ 0.25 attained', 'δ ≥ 0.25 as drawn, ≥ 0.5 attained')
    """
    told = {
        Kind.UPPER: f"≤ {rounded_up(delta, 3)}",
        Kind.TIGHT: f"≤ {rounded_up(delta, 3)}, tight",
        Kind.LOWER: f"≥ {rounded_down(delta, 3)} attained",
        Kind.UNPROVEN: f"≈ {rounded_down(delta, 3)} as in the paper",
    }[kind]
    if attained is None or kind is Kind.TIGHT:
        return f"δ {told}"
    if kind is Kind.LOWER:  # both are attained: the larger one counts
        told, attained = told.replace("attained", "as drawn"), max(attained, delta)
    return f"δ {told}, ≥ {rounded_down(attained, 3)} attained"


def _line(side: str, name: str, style: Style, x: np.ndarray, y: Numbers, **more: Any) -> Part:
    uid, width = f"{style.role}-{side}", 2.5 if side == "line" else 1
    return parts.line(uid, name, x.tolist(), y, style, width, legendgroup=style.role, **more)


def _attained(name: str, style: Style, x: np.ndarray, delta: Numbers) -> Part:
    # The drawn line tells both, so that all lines fit beside the pointer.
    told = f"{name}, attained lower bound"
    return _line("attained", told, style, x, delta, showlegend=False, hoverinfo="skip")


def _marked(panel: Panel, runs: Sequence[lines.PanelRun], right: float) -> Part:
    """Return the mark on where the first run is proven to be better than all others."""
    is_complete = len(runs) == len(panel.scenarios) and all(run.curves for run in runs)
    if panel.family not in _MARK or not is_complete:
        return {}
    first, last = lines.FIRST_EPSILON, _end(runs[0], lines.SMALLEST_DELTA)
    # Where it is all there is, a box says nothing more.
    boxes = [
        (left, end)
        for stretch in against_all(runs[0], runs[1:], proven=True)
        if stretch.order is Order.FIRST and (stretch.start > first or stretch.end < last)
        if (left := max(stretch.start, first)) < (end := min(stretch.end, right))
    ]
    return {
        "shapes": [shade_box(left, end) for left, end in boxes],
        "annotations": [shade_label(left, end, _MARK[panel.family]) for left, end in boxes],
    }
