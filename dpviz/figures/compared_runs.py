"""The chart of several runs: error against what is spent, mean and range over seeds."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from dpviz.figures.palette import PALETTE, STYLES, Style
from dpviz.figures.spec import Spec
from dpviz.training.compared_runs import ComparedRun, RefusedRun, Variant, of_variant, spread_of
from dpviz.wording.compared_runs import comparison_title, variant_label
from dpviz.wording.numbers import rounded, rounded_up


def compared_chart(
    setting: str,
    variants: Sequence[Variant],
    told: Sequence[ComparedRun | RefusedRun],
    identity: str,
) -> Spec:
    """Return the chart: a line and a band for each private variant, and one level without privacy.

    Args:
        setting: what differs.
        variants: in the order of the styles.
        told: what is known so far.
        identity: a visitor's zoom lasts for as long as it stays the same.
    """
    data: list[dict[str, Any]] = []
    for at, (variant, style) in enumerate(zip(variants, STYLES, strict=False)):
        runs = of_variant(told, at)
        if runs and variant.value is not None:
            data += _line(variant_label(setting, variant.value), runs, style)
    return {
        "data": data,
        "layout": {
            "title": {"text": comparison_title(setting, variants, told)},
            "template": "none",
            "meta": {"palette": PALETTE, "legend": "under"},
            "uirevision": identity,
            "hovermode": "closest",
            "legend": {"traceorder": "normal"},
            "shapes": _without_privacy(variants, told),
            "annotations": _without_privacy_words(variants, told),
            "xaxis": {"title": {"text": "ε spent so far (upper bound)"}, "rangemode": "tozero"},
            "yaxis": {"title": {"text": "CRPS of held-out windows"}},
        },
    }


def _line(label: str, runs: Sequence[ComparedRun], style: Style) -> list[dict[str, Any]]:
    """Return the mean over seeds at each evaluation, between the smallest and the largest."""
    points = min(len(run.curve) for run in runs)
    x = [max(run.curve[at][0] for run in runs) for at in range(points)]
    spreads = [spread_of([run.curve[at][1] for run in runs]) for at in range(points)]
    color = f"var(--{style.role})"
    edge: dict[str, Any] = {
        "type": "scatter",
        "mode": "lines",
        "x": x,
        "line": {"color": color, "width": 0.5, "dash": style.dash},
        "showlegend": False,
        "hoverinfo": "skip",
        "legendgroup": style.role,
    }
    every = max(1, points // 8)
    marked = [at for at in range(points) if at % every == 0 or at == points - 1]
    return [
        edge | {"uid": f"{style.role}-low", "y": [spread.low for spread in spreads]},
        edge
        | {
            "uid": f"{style.role}-high",
            "y": [spread.high for spread in spreads],
            "fill": "tonexty",
            "fillcolor": f"var(--{style.role}@0.15)",
        },
        edge
        | {
            "uid": f"{style.role}-mean",
            "name": label,
            "y": [spread.mean for spread in spreads],
            "line": {"color": color, "width": 2.5, "dash": style.dash},
            "showlegend": True,
            "hoverinfo": "all",
            "text": [
                f"{label}: CRPS {rounded(spread.mean, 3)} ({rounded(spread.low, 3)} to "
                f"{rounded(spread.high, 3)} over {len(runs)} seeds) at ε ≤ {rounded_up(at, 3)}"
                for at, spread in zip(x, spreads, strict=True)
            ],
            "hovertemplate": "%{text}<extra></extra>",
        },
        edge
        | {
            "uid": f"{style.role}-marks",
            "mode": "markers",
            "x": [x[at] for at in marked],
            "y": [spreads[at].mean for at in marked],
            "marker": {"color": color, "symbol": style.symbol, "size": 7},
        },
    ]


def _level(variants: Sequence[Variant], told: Sequence[ComparedRun | RefusedRun]) -> float | None:
    at = next((at for at, variant in enumerate(variants) if variant.value is None), None)
    runs = [] if at is None else of_variant(told, at)
    return float(np.mean([run.last_held_out for run in runs])) if runs else None


def _without_privacy(
    variants: Sequence[Variant], told: Sequence[ComparedRun | RefusedRun]
) -> list[dict[str, Any]]:
    if (level := _level(variants, told)) is None:
        return []
    line = {"color": "var(--target)", "width": 1.5, "dash": "dot"}
    return [
        {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": level, "y1": level, "line": line}
    ]


def _without_privacy_words(
    variants: Sequence[Variant], told: Sequence[ComparedRun | RefusedRun]
) -> list[dict[str, Any]]:
    if (level := _level(variants, told)) is None:
        return []
    return [
        {
            "xref": "paper", "x": 0, "xanchor": "left", "y": level, "yanchor": "top",
            "showarrow": False, "text": f"without privacy, no ε: {rounded(level, 3)}",
            "font": {"color": "var(--target)"},
        }
    ]  # fmt: skip
