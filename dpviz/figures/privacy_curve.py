"""The chart of delta against epsilon for two top-level schemes."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.figures.palette import DASHES, PALETTE, SYMBOLS
from dpviz.planning import SchemeCurves, TopLevelComparison
from dpviz.planning.top_levels import SMALLEST_DELTA
from dpviz.wording.findings import bound_label, chart_title
from dpviz.wording.numbers import power_of_ten, rounded_down, rounded_up

SCHEME_LABELS = {
    "without-replacement": "drawn at random",
    "deterministic": "walked through",
}
_DECADES_SHOWN = 3.5


def privacy_curve(comparison: TopLevelComparison) -> go.Figure:
    """Return the chart: a band from lower to upper bound for each scheme.

    Args:
        comparison: the curves to draw.
    """
    figure = go.Figure()
    drawn = _drawn(comparison)
    for curves in comparison.schemes:
        for trace in _band(curves, comparison.epsilon, drawn):
            figure.add_trace(trace)
    for point in _target_points(comparison):
        figure.add_trace(point)
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
    if _all_negligible(comparison):
        figure.add_annotation(
            xref="paper",
            yref="paper",
            x=0.5,
            y=0.7,
            showarrow=False,
            text=f"δ is below {power_of_ten(SMALLEST_DELTA)} at every ε, with either way",
        )
    figure.update_layout(
        title=chart_title(comparison),
        template="none",
        meta={"palette": PALETTE},
        uirevision="privacy-curve",
        hovermode="x unified",
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
            "exponentformat": "power",
            "dtick": 1,
            "hoverformat": ".4~g",
            "unifiedhovertitle": {"text": "ε = %{x:.4~g}"},
        },
        yaxis={
            "title": "δ (failure probability)",
            "type": "log",
            "exponentformat": "power",
            "dtick": 2,
        },
    )
    return figure


def _band(curves: SchemeCurves, epsilon: np.ndarray, drawn: np.ndarray) -> Sequence[go.Scatter]:
    role, dash = curves.top_level, DASHES[curves.top_level]
    label = SCHEME_LABELS[curves.top_level]
    lower = _floored(curves.lower.delta_low[drawn])
    upper = _floored(curves.upper.delta_high[drawn])
    # The lower line stays out of the legend: it comes and goes with its band.
    common: dict[str, Any] = {"x": epsilon[drawn], "mode": "lines", "legendgroup": role}
    return (
        go.Scatter(
            **common,
            y=lower,
            uid=f"{role}-lower",
            name=f"{label}, lower bound",
            showlegend=False,
            line={"color": f"var(--{role})", "width": 1, "dash": dash},
            text=[f"δ ≥ {rounded_down(value, 3)}" for value in curves.lower.delta_low[drawn]],
            hovertemplate=f"%{{text}} {label}<br>{bound_label(curves.lower.bound)}<extra></extra>",
        ),
        go.Scatter(
            **common,
            y=upper,
            uid=f"{role}-upper",
            name=label,
            fill="tonexty",
            fillcolor=f"var(--{role}@0.18)",
            line={"color": f"var(--{role})", "width": 2.5, "dash": dash},
            text=[f"δ ≤ {rounded_up(value, 3)}" for value in curves.upper.delta_high[drawn]],
            hovertemplate=f"%{{text}} {label}<br>{bound_label(curves.upper.bound)}<extra></extra>",
        ),
    )


def _target_points(comparison: TopLevelComparison) -> list[go.Scatter]:
    points = sorted(
        (curves.epsilon_upper, curves.top_level)
        for curves in comparison.schemes
        if curves.epsilon_upper
    )
    # Away from each other, and from the curves, which fall from the left to the right.
    places = ["bottom left", "top right"][-len(points) :]
    return [
        go.Scatter(
            x=[epsilon],
            y=[comparison.scenario.delta],
            uid=f"{top_level}-target",
            legendgroup=top_level,
            mode="markers+text",
            text=[f"ε ≤ {rounded_up(epsilon)}"],
            textposition=place,
            marker={"color": f"var(--{top_level})", "symbol": SYMBOLS[top_level], "size": 10},
            cliponaxis=False,
            showlegend=False,
            hoverinfo="skip",
        )
        for (epsilon, top_level), place in zip(points, places, strict=False)
    ]


def _floored(delta: np.ndarray) -> np.ndarray:
    """Leave out what lies below the drawn deltas: a line to zero would mean nothing."""
    return np.where(delta >= SMALLEST_DELTA, delta, np.nan)


def _all_negligible(comparison: TopLevelComparison) -> bool:
    return all(curves.upper.delta_high[0] < SMALLEST_DELTA for curves in comparison.schemes)


def _drawn(comparison: TopLevelComparison) -> np.ndarray:
    """Return which epsilons are drawn: the decades in which delta falls to the smallest one.

    The axes follow from what is drawn. A ``range`` of their own would take a visitor's zoom
    away whenever it changed.
    """
    if _all_negligible(comparison):
        return comparison.epsilon > 0
    falling = [curves.upper.delta_high >= SMALLEST_DELTA for curves in comparison.schemes]
    last = float(np.log10(max(comparison.epsilon[np.any(falling, axis=0)][-1], 1e-3)))
    # Room for the label beside the last point, and in halves of a decade, so that the axis holds
    # still under most slider moves.
    right = np.ceil(2 * (last + 0.5)) / 2
    return np.asarray(
        (comparison.epsilon >= 0.999 * 10 ** (right - _DECADES_SHOWN))
        & (comparison.epsilon <= 1.001 * 10**right)
    )
