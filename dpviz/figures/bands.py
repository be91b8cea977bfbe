"""The chart of delta against epsilon: for each run a band from lower to upper bound."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.figures.band_lines import FIRST_EPSILON, Band, DrawnWindow, band_lines, drawn_window
from dpviz.figures.palette import PALETTE
from dpviz.figures.spec import Spec
from dpviz.wording.numbers import power_of_ten, rounded_up

# More numbers beside the points would lie on top of each other; the hover has them all.
_MOST_LABELLED_POINTS = 2
_MOST_IN_CORNER = 3
_ROOM_FOR_LABEL = 10**0.6  # a label that is nearer to the chart's right end would be cut off


@dataclass(frozen=True, kw_only=True)
class Shade:
    """A stretch of epsilon to mark, and what it is."""

    start: float
    end: float
    label: str


def bands_chart(
    bands: Sequence[Band],
    *,
    title: str,
    identity: str,
    shaded: Sequence[Shade] = (),
    legend_title: str = "",
) -> Spec:
    """Return the chart; the first band is in the foreground.

    Args:
        bands: one or more runs, all at the same delta.
        title: what the chart shows, as a finding.
        identity: a visitor's zoom lasts for as long as it stays the same.
        shaded: stretches of epsilon to mark.
        legend_title: what the names of many bands stand for.
    """
    window = drawn_window([band.curves for band in bands])
    lines = [trace for band in reversed(bands) for trace in band_lines(band, window)]
    return {
        "data": [*lines, *_target_points(bands, window)],
        "layout": _layout(bands, title, identity, window, shaded, legend_title),
    }


def _layout(
    bands: Sequence[Band],
    title: str,
    identity: str,
    window: DrawnWindow,
    shaded: Sequence[Shade],
    legend_title: str,
) -> dict[str, Any]:
    delta = bands[0].curves.scenario.delta
    shapes: list[dict[str, Any]] = [
        {
            "type": "line",
            "xref": "paper",
            "x0": 0,
            "x1": 1,
            "y0": delta,
            "y1": delta,
            "line": {"color": "var(--target)", "width": 1, "dash": "dot"},
        }
    ]
    annotations: list[dict[str, Any]] = [
        {
            "xref": "paper",
            "x": 0,
            "y": float(np.log10(delta)),
            "text": f"δ = {power_of_ten(delta)}",
            "showarrow": False,
            "xanchor": "left",
            "yanchor": "bottom",
            "font": {"color": "var(--target)"},
        }
    ]
    if window.is_empty:
        annotations.append(
            {
                "xref": "paper",
                "yref": "paper",
                "x": 0.5,
                "y": 0.7,
                "showarrow": False,
                "text": f"δ is below {power_of_ten(window.smallest_delta)} at every ε from "
                f"{power_of_ten(FIRST_EPSILON)} on",
            }
        )
    for shade in shaded:
        left, right = max(shade.start, window.left), min(shade.end, window.right)
        if left < right:
            shapes.append(shade_box(left, right))
            annotations.append(shade_label(left, right, shade.label))
    return {
        "title": {"text": title},
        "template": "none",
        "uirevision": identity,
        "hovermode": "x unified",
        "shapes": shapes,
        "annotations": annotations,
        **_legend(bands, legend_title),
        "xaxis": {
            "title": {"text": "ε (privacy loss; smaller is more private)"},
            "type": "log",
            "exponentformat": "power",
            "dtick": 1,
            # Near a line's end its last point is shown beside other points of other lines, so
            # each line tells its own epsilon.
            "unifiedhovertitle": {"text": "Proven"},
        },
        "yaxis": {
            "title": {"text": "δ (failure probability)"},
            "type": "log",
            "exponentformat": "power",
            "dtick": 2,
        },
    }  # fmt: skip


def _legend(bands: Sequence[Band], legend_title: str) -> dict[str, Any]:
    if len(bands) > _MOST_IN_CORNER:
        under: dict[str, Any] = {"traceorder": "reversed"}
        if legend_title:
            under["title"] = {"text": legend_title, "side": "top"}
        return {
            "legend": under,
            "meta": {"leavesGhost": True, "palette": PALETTE, "legend": "under"},
        }
    # The curves leave this corner free: small epsilon with small delta.
    corner = {"x": 0.01, "y": 0.02, "xanchor": "left", "yanchor": "bottom"}
    return {
        "legend": corner | {"traceorder": "reversed"},
        "meta": {"leavesGhost": True, "palette": PALETTE},
    }


def shade_box(left: float, right: float) -> dict[str, Any]:
    """Return the shape that marks a stretch of epsilon."""
    return {
        "type": "rect",
        "layer": "below",
        "yref": "paper",
        "x0": left,
        "x1": right,
        "y0": 0,
        "y1": 1,
        "fillcolor": "var(--target@0.12)",
        "line": {"color": "var(--target)", "width": 1, "dash": "dot"},
    }


def shade_label(left: float, right: float, text: str) -> dict[str, Any]:
    """Return the annotation that says above a stretch of epsilon what it is."""
    return {
        "x": float(np.log10(left * right) / 2),
        "yref": "paper",
        "y": 1,
        "text": text,
        "showarrow": False,
        "xanchor": "center",
        "yanchor": "bottom",
        "font": {"color": "var(--target)"},
    }


def _target_points(bands: Sequence[Band], window: DrawnWindow) -> list[dict[str, Any]]:
    points = sorted(
        ((band.curves.epsilon_upper, at) for at, band in enumerate(bands)
         if band.curves.epsilon_upper),
    )  # fmt: skip
    # Away from each other, and from the curves, which fall from the left to the right.
    places = ["bottom left", "top right"][-len(points) :]
    if points and points[-1][0] * _ROOM_FOR_LABEL > window.right:
        places[-1] = "top left" if len(points) > 1 else "bottom left"
    labelled = len(points) <= _MOST_LABELLED_POINTS
    return [
        {
            "type": "scatter",
            "mode": "markers+text" if labelled else "markers",
            "uid": f"{bands[at].style.role}-target",
            "legendgroup": bands[at].style.role,
            "x": [epsilon],
            "y": [bands[at].curves.scenario.delta],
            "text": [f"ε ≤ {rounded_up(epsilon)}"],
            "textposition": places[rank] if labelled else "top right",
            "marker": {
                "color": f"var(--{bands[at].style.role})",
                "symbol": bands[at].style.symbol,
                "size": 10,
            },
            "cliponaxis": False,
            "showlegend": False,
            "hoverinfo": "skip",
        }
        for rank, (epsilon, at) in enumerate(points)
    ]
