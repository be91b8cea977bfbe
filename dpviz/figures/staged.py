"""The chart of episodes drawn in stages: delta against epsilon, proven and printed."""

from typing import Any

import numpy as np

from dpviz.figures.palette import PALETTE, STYLES
from dpviz.figures.spec import Spec, json_numbers
from dpviz.planning.staged import StagedLine
from dpviz.wording.numbers import rounded, rounded_down, rounded_up
from dpviz.wording.staged import Lines, line_name, staged_title

_FLOOR = 1e-12
_DECADES = 3.0
_ROOM = 1.3
_SMALLEST = 1e-4
_LOOKS = {
    "upper": (STYLES[0], "solid", 2.5),
    "lower": (STYLES[0], "dot", 1.5),
    "printed": (STYLES[1], "longdashdot", 2.0),
}


def staged_chart(lines: Lines, episodes: int, epsilon: float, *, identity: str) -> Spec:
    """Return the chart of those lines that are known.

    Args:
        lines: by name; the upper bound is there.
        episodes: how many are composed.
        epsilon: marked; delta is told there.
        identity: a visitor's zoom lasts for as long as it stays the same.
    """
    right = max(_last(line) for line in lines.values()) * _ROOM
    left = max(_SMALLEST, min(right / 10.0**_DECADES, epsilon))
    return {
        "data": [_trace(line, left, right) for line in lines.values()],
        "layout": {
            "title": {"text": staged_title(lines, episodes, epsilon)},
            "template": "none",
            "meta": {"palette": PALETTE, "legend": "under"},
            "uirevision": identity,
            "hovermode": "closest",
            "legend": {"traceorder": "normal"},
            "xaxis": {
                "title": {"text": "ε (privacy loss)"},
                "type": "log",
                "exponentformat": "power",
            },
            "yaxis": {
                "title": {"text": "δ (failure probability)"},
                "type": "log",
                "exponentformat": "power",
            },
            "shapes": [
                {
                    "type": "line", "yref": "paper", "y0": 0, "y1": 1, "x0": epsilon,
                    "x1": epsilon, "line": {"color": "var(--target)", "width": 1, "dash": "dot"},
                }
            ] if left <= epsilon <= right else [],
        },
    }  # fmt: skip


def _last(line: StagedLine) -> float:
    shown = line.epsilon[line.delta >= _FLOOR]
    return max(float(shown[-1]) if len(shown) else 0.0, _SMALLEST)


def _trace(line: StagedLine, left: float, right: float) -> dict[str, Any]:
    style, dash, width = _LOOKS[line.name]
    drawn = (line.epsilon >= left) & (line.epsilon <= right)
    epsilon, delta = line.epsilon[drawn], line.delta[drawn]
    sign = {"upper": "δ ≤", "lower": "δ ≥", "printed": "claimed, not proven: δ ="}[line.name]
    rounding = rounded_down if line.name == "lower" else rounded_up
    name = line_name(line.name)
    return {
        "type": "scatter",
        "mode": "lines",
        "uid": line.name,
        "name": name,
        "x": json_numbers(epsilon),
        "y": json_numbers(np.where(delta >= _FLOOR, delta, np.nan)),
        "line": {"color": f"var(--{style.role})", "width": width, "dash": dash},
        "text": [
            f"ε = {rounded(at, 3)}: {sign} {rounding(value, 3)}"
            for at, value in zip(epsilon.tolist(), delta.tolist(), strict=True)
        ],
        "hovertemplate": f"%{{text}}<br>{name}<extra></extra>",
    }
