"""The chart of delta against epsilon for two top-level schemes."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.figures.palette import DASHES, PALETTE, SYMBOLS
from dpviz.planning import SchemeCurves, TopLevelComparison
from dpviz.planning.top_levels import SMALLEST_DELTA
from dpviz.wording.findings import bound_meaning, chart_title
from dpviz.wording.numbers import power_of_ten, rounded_up

SCHEME_LABELS = {
    "without-replacement": "drawn at random",
    "deterministic": "walked through",
}
_DECADES_SHOWN = 3.5


def privacy_curve(comparison: TopLevelComparison) -> go.Figure:
    """Return the chart: a band from lower to upper bound for each scheme.

    Args:
        comparison: the curves, over epsilons of which the first is 0 and not drawn.
    """
    figure = go.Figure()
    for curves in comparison.schemes:
        for trace in _band(curves, comparison.epsilon[1:]):
            figure.add_trace(trace)
    figure.add_trace(_target_points(comparison))
    delta = comparison.scenario.delta
    figure.add_shape(
        type="line",
        xref="paper",
        x0=0,
        x1=1,
        y0=delta,
        y1=delta,
        line={"color": "var(--target)", "width": 1, "dash": "dot"},
    )
    figure.add_annotation(
        xref="paper",
        x=0,
        y=float(np.log10(delta)),
        text=f"δ = {power_of_ten(delta)}",
        showarrow=False,
        xanchor="left",
        yanchor="bottom",
        font={"color": "var(--target)"},
    )
    figure.update_layout(
        title=chart_title(comparison),
        template="none",
        meta={"palette": PALETTE},
        uirevision="privacy-curve",
        hovermode="x",
        # The curves leave this corner free: small epsilon with small delta.
        legend={
            "x": 0.01,
            "y": 0.02,
            "xanchor": "left",
            "yanchor": "bottom",
        },
        xaxis={
            "title": "ε (privacy loss; smaller is more private)",
            "type": "log",
            "autorangeoptions": _exactly(*_epsilon_range(comparison)),
            "exponentformat": "power",
            "dtick": 1,
            "hoverformat": ".4g",
        },
        yaxis={
            "title": "δ (failure probability)",
            "type": "log",
            "autorangeoptions": _exactly(float(np.log10(SMALLEST_DELTA)), 0.15),
            "exponentformat": "power",
            "dtick": 2,
        },
    )
    return figure


def _band(curves: SchemeCurves, epsilon: np.ndarray) -> Sequence[go.Scatter]:
    role, dash = curves.top_level, DASHES[curves.top_level]
    label = SCHEME_LABELS[curves.top_level]
    lower = _floored(curves.lower.delta_low[1:])
    upper = _floored(curves.upper.delta_high[1:])
    # The lower line stays out of the legend: it comes and goes with its band.
    common: dict[str, Any] = {"x": epsilon, "mode": "lines", "legendgroup": role}
    return (
        go.Scatter(
            **common,
            y=lower,
            uid=f"{role}-lower",
            name=f"{label}, lower bound",
            showlegend=False,
            line={"color": f"var(--{role})", "width": 1, "dash": dash},
            hovertemplate=f"%{{y:.3e}} at least<extra>{label}<br>"
            f"{bound_meaning(curves.lower.bound)}</extra>",
        ),
        go.Scatter(
            **common,
            y=upper,
            uid=f"{role}-upper",
            name=label,
            fill="tonexty",
            fillcolor=f"var(--{role}@0.18)",
            line={"color": f"var(--{role})", "width": 2.5, "dash": dash},
            hovertemplate=f"%{{y:.3e}} at most<extra>{label}<br>"
            f"{bound_meaning(curves.upper.bound)}</extra>",
        ),
    )


def _target_points(comparison: TopLevelComparison) -> go.Scatter:
    points = sorted(
        (curves.epsilon_upper, curves.top_level)
        for curves in comparison.schemes
        if curves.epsilon_upper
    )
    return go.Scatter(
        x=[epsilon for epsilon, _ in points],
        y=[comparison.scenario.delta for _ in points],
        uid="target",
        mode="markers+text",
        text=[f"ε ≤ {rounded_up(epsilon)}" for epsilon, _ in points],
        # Away from each other, and from the curves, which fall from the left to the right.
        textposition=["bottom left", "top right"][-len(points) :] if points else None,
        marker={
            "color": [f"var(--{top_level})" for _, top_level in points],
            "symbol": [SYMBOLS[top_level] for _, top_level in points],
            "size": 10,
        },
        cliponaxis=False,
        showlegend=False,
        hoverinfo="skip",
    )


def _floored(delta: np.ndarray) -> np.ndarray:
    """Leave out what lies below the drawn deltas: a line to zero would mean nothing."""
    return np.where(delta >= SMALLEST_DELTA / 10, delta, np.nan)


def _exactly(first: float, last: float) -> dict[str, float]:
    """Return what makes a logarithmic axis show these powers of ten.

    A fixed ``range`` would do so too, but a new one would take a visitor's zoom away.
    """
    return {"minallowed": first, "maxallowed": last}


def _epsilon_range(comparison: TopLevelComparison) -> list[float]:
    """Return the decades of epsilon in which the upper bounds fall to the smallest delta."""
    falling = [curves.upper.delta_high >= SMALLEST_DELTA for curves in comparison.schemes]
    visible = comparison.epsilon[np.any(falling, axis=0)]
    right = float(np.log10(max(visible[-1], 1e-6))) + 0.3
    # In halves of a decade, so that the axis holds still under most slider moves.
    right = float(np.ceil(2 * right) / 2)
    return [right - _DECADES_SHOWN, right]
