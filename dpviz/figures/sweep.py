"""The chart of epsilon at one delta against something that is varied."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dpviz.figures.epsilon_lines import Corner, EpsilonBand, band_traces, epsilon_axis, mark
from dpviz.figures.palette import PALETTE, Style
from dpviz.figures.spec import Spec
from dpviz.planning.proven import SweepPoint
from dpviz.wording.numbers import power_of_ten, rounded_up
from dpviz.wording.proven_epsilon import lower_hover, upper_hover

# Of more, the legend names the band, and a caption what its lower end is.
_FEW_RUNS = 2


@dataclass(frozen=True, kw_only=True)
class SweepRun:
    """One line of the chart, or a band.

    Args:
        label: its name.
        style: colour, dash and symbol.
        points: as far as they are known, in any order.
        marks_own: whether the visitor's own value is marked on it, where it is one of its points.
    """

    label: str
    style: Style
    points: Sequence[SweepPoint]
    marks_own: bool = False


def sweep_chart(
    runs: Sequence[SweepRun],
    *,
    title: str,
    identity: str,
    x_title: str,
    own_x: float | None = None,
    x_ticks: Sequence[tuple[float, str]] = (),
    empty: str = "",
) -> Spec:
    """Return the chart, both axes logarithmic; the first run is in the foreground.

    Args:
        runs: lines whose points all have the same delta.
        title: what the chart shows, as a finding.
        identity: a visitor's zoom lasts for as long as it stays the same.
        x_title: what is varied.
        own_x: the visitor's own value, marked on the runs that ask for it.
        x_ticks: places with words for them; Plotly's own powers of ten if empty.
        empty: what to say where nothing can be drawn; by default that epsilon is 0 or has no
            finite bound.
    """
    bands = [_band(run, lists_lower=len(runs) <= _FEW_RUNS) for run in runs]
    shown = [corner.epsilon for band in bands for corner in (*band.uppers, *band.lowers)]
    layout: dict[str, Any] = {
        "title": {"text": title},
        "template": "none",
        "meta": {"leavesGhost": True, "palette": PALETTE, "legend": "under"},
        "uirevision": identity,
        "hovermode": "x unified",
        "annotations": [] if shown else [_words(empty or _nothing_drawn(runs))],
        "legend": {"traceorder": "reversed"},
        "xaxis": {
            "title": {"text": x_title},
            "type": "log",
            "exponentformat": "power",
            # Each text tells its own value in words.
            "unifiedhovertitle": {"text": "Proven"},
            **_ticks(x_ticks),
        },
        "yaxis": epsilon_axis(shown),
    }
    traces = [trace for band in reversed(bands) for trace in band_traces(band)]
    marks = [own for run in runs if run.marks_own for own in _own_mark(run, own_x)]
    last = max((point.x for run in runs for point in run.points), default=None)
    return {"data": [*traces, *_kept_apart(marks, last)], "layout": layout}


def _band(run: SweepRun, *, lists_lower: bool) -> EpsilonBand:
    points = sorted(run.points, key=lambda point: point.x)
    return EpsilonBand(
        identity=run.style.role,
        style=run.style,
        uppers=[
            Corner(
                x=point.x,
                epsilon=point.proven.epsilon_upper,
                text=upper_hover(point.proven, f"{run.label}, {point.name}"),
            )
            for point in points
            if point.proven.epsilon_upper
        ],
        lowers=[
            Corner(
                x=point.x,
                epsilon=point.proven.epsilon_lower,
                text=lower_hover(point.proven, f"{run.label}, {point.name}"),
            )
            for point in points
            if point.proven.epsilon_lower
        ],
        upper_name=run.label,
        lower_name=f"{run.label}, lower bound",
        lists_lower=lists_lower,
    )


def _own_mark(run: SweepRun, own_x: float | None) -> list[dict[str, Any]]:
    """Return a mark at the visitor's own value, on the upper bound."""
    for point in run.points:
        if point.x != own_x:
            continue
        if epsilon := point.proven.epsilon_upper:
            color, symbol = f"var(--{run.style.role})", run.style.symbol
            return [
                mark(f"{run.style.role}-own", point.x, epsilon, color=color, symbol=symbol)
                | {
                    "mode": "markers+text",
                    "text": [f"ε ≤ {rounded_up(epsilon)}"],
                    "textposition": "top left"
                    if point.x > min(known.x for known in run.points)
                    else "top right",
                }
            ]
    return []


def _kept_apart(marks: list[dict[str, Any]], last: float | None) -> list[dict[str, Any]]:
    """Return marks of several runs with texts at the highest and the lowest one alone.

    The lowest one's stands below it; others would be printed over each other.
    """
    if len(marks) < 2:
        return marks
    by_height = sorted(marks, key=lambda own: float(own["y"][0]))
    place = "bottom center" if by_height[0]["x"][0] == last else "bottom right"
    between = [own | {"mode": "markers"} for own in by_height[1:-1]]
    return [by_height[0] | {"textposition": place}, *between, by_height[-1]]


def _ticks(x_ticks: Sequence[tuple[float, str]]) -> dict[str, Any]:
    if not x_ticks:
        return {}
    return {
        "tickmode": "array",
        "tickvals": [place for place, _ in x_ticks],
        "ticktext": [words for _, words in x_ticks],
    }


def _nothing_drawn(runs: Sequence[SweepRun]) -> str:
    points = [point for run in runs for point in run.points]
    if not points:
        return ""
    delta = power_of_ten(points[0].scenario.delta)
    if any(point.proven.epsilon_upper is None for point in points):
        return f"No finite ε is proven at δ = {delta}"
    return f"ε is 0 at δ = {delta} everywhere here"


def _words(text: str) -> dict[str, Any]:
    place = {"xref": "paper", "yref": "paper", "x": 0.5, "y": 0.7, "showarrow": False}
    return place | {"text": text}
