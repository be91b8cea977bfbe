"""The chart of delta against epsilon for two top-level schemes."""

from typing import Any

import numpy as np
import numpy.typing as npt

from dpviz.accounting.buckets import FloatArray
from dpviz.figures.palette import DASHES, PALETTE, SYMBOLS
from dpviz.figures.spec import Spec, json_numbers
from dpviz.planning import SchemeCurves, TopLevelComparison
from dpviz.planning.top_levels import EPSILON_DIGITS
from dpviz.wording.findings import bound_label, chart_title
from dpviz.wording.numbers import power_of_ten, rounded_down, rounded_up

SCHEME_LABELS = {
    "without-replacement": "drawn at random",
    "deterministic": "walked through",
}
_DECADES_SHOWN = 3.5


def privacy_curve(comparison: TopLevelComparison) -> Spec:
    """Return the chart: a band from lower to upper bound for each scheme.

    Args:
        comparison: the curves to draw.
    """
    drawn = _drawn(comparison)
    bands = [trace for curves in comparison.schemes for trace in _band(curves, comparison, drawn)]
    return {
        "data": [*bands, *_target_points(comparison)],
        "layout": _layout(comparison),
    }


def _layout(comparison: TopLevelComparison) -> dict[str, Any]:
    delta = comparison.scenario.delta
    target_line = {
        "type": "line",
        "xref": "paper",
        "x0": 0,
        "x1": 1,
        "y0": delta,
        "y1": delta,
        "line": {"color": "var(--target)", "width": 1, "dash": "dot"},
    }
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
    if _all_negligible(comparison):
        floor = power_of_ten(comparison.smallest_delta)
        annotations.append(
            {
                "xref": "paper",
                "yref": "paper",
                "x": 0.5,
                "y": 0.7,
                "showarrow": False,
                "text": f"δ is below {floor} at every ε, with either way",
            }
        )
    return {
        "title": {"text": chart_title(comparison)},
        "template": "none",
        "meta": {"palette": PALETTE},
        "uirevision": "privacy-curve",
        "hovermode": "x unified",
        "shapes": [target_line],
        "annotations": annotations,
        # The curves leave this corner free: small epsilon with small delta.
        "legend": {"x": 0.01, "y": 0.02, "xanchor": "left", "yanchor": "bottom"},
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
    }


def _band(
    curves: SchemeCurves, comparison: TopLevelComparison, drawn: npt.NDArray[np.bool_]
) -> list[dict[str, Any]]:
    role, dash = curves.top_level, DASHES[curves.top_level]
    label = SCHEME_LABELS[curves.top_level]
    lower, upper = curves.lower.delta_low[drawn], curves.upper.delta_high[drawn]
    epsilons = json_numbers(comparison.epsilon[drawn])

    def line(bound: str, delta: FloatArray, sign: str, texts: list[str]) -> dict[str, Any]:
        # A line that went on to zero would mean nothing.
        above = delta >= comparison.smallest_delta
        meaning = bound_label(getattr(curves, bound).bound)
        return {
            "type": "scatter",
            "mode": "lines",
            "uid": f"{role}-{bound}",
            "legendgroup": role,
            "x": epsilons,
            "y": json_numbers(np.where(above, delta, np.nan)),
            # All digits that the epsilons have: a rounded one would not belong to its delta.
            "text": [
                f"ε = {x:.{EPSILON_DIGITS}g}: δ {sign} {text}"
                for x, text in zip(epsilons, texts, strict=True)
            ],
            "hovertemplate": f"%{{text}} {label}<br>{meaning}<extra></extra>",
        }

    # The lower line stays out of the legend: it comes and goes with its band.
    return [
        line("lower", lower, "≥", [rounded_down(value, 3) for value in lower])
        | {
            "name": f"{label}, lower bound",
            "showlegend": False,
            "line": {"color": f"var(--{role})", "width": 1, "dash": dash},
        },
        line("upper", upper, "≤", [rounded_up(value, 3) for value in upper])
        | {
            "name": label,
            "fill": "tonexty",
            "fillcolor": f"var(--{role}@0.18)",
            "line": {"color": f"var(--{role})", "width": 2.5, "dash": dash},
        },
    ]


def _target_points(comparison: TopLevelComparison) -> list[dict[str, Any]]:
    points = sorted(
        (curves.epsilon_upper, curves.top_level)
        for curves in comparison.schemes
        if curves.epsilon_upper
    )
    # Away from each other, and from the curves, which fall from the left to the right.
    places = ["bottom left", "top right"][-len(points) :]
    return [
        {
            "type": "scatter",
            "mode": "markers+text",
            "uid": f"{top_level}-target",
            "legendgroup": top_level,
            "x": [epsilon],
            "y": [comparison.scenario.delta],
            "text": [f"ε ≤ {rounded_up(epsilon)}"],
            "textposition": place,
            "marker": {"color": f"var(--{top_level})", "symbol": SYMBOLS[top_level], "size": 10},
            "cliponaxis": False,
            "showlegend": False,
            "hoverinfo": "skip",
        }
        for (epsilon, top_level), place in zip(points, places, strict=False)
    ]


def _all_negligible(comparison: TopLevelComparison) -> bool:
    return all(
        curves.upper.delta_high[0] < comparison.smallest_delta for curves in comparison.schemes
    )


def _drawn(comparison: TopLevelComparison) -> npt.NDArray[np.bool_]:
    """Return which epsilons are drawn: the decades in which delta falls to the smallest one.

    The axes follow from what is drawn. A ``range`` of their own would take a visitor's zoom
    away whenever it changed.
    """
    if _all_negligible(comparison):
        return comparison.epsilon > 0
    falling = [
        curves.upper.delta_high >= comparison.smallest_delta for curves in comparison.schemes
    ]
    last = float(np.log10(max(comparison.epsilon[np.any(falling, axis=0)][-1], 1e-3)))
    # Room for the label beside the last point, and in halves of a decade, so that the axis holds
    # still under most slider moves.
    right = np.ceil(2 * (last + 0.5)) / 2
    return np.asarray(
        (comparison.epsilon >= 0.999 * 10 ** (right - _DECADES_SHOWN))
        & (comparison.epsilon <= 1.001 * 10**right)
    )
