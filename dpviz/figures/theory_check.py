"""The chart of simulated attacks beside the bounds: delta against epsilon."""

from typing import Any

import numpy as np

from dpviz.accounting.buckets import FloatArray
from dpviz.figures.palette import PALETTE, STYLES
from dpviz.figures.spec import Spec, json_numbers
from dpviz.planning.simulated_attack import TESTED_EPSILONS, TheoryCheck, nearest_place
from dpviz.wording.numbers import rounded, rounded_down, rounded_up
from dpviz.wording.theory_check import bound_names, theory_title

_BOUND, _SEEN = STYLES[0], STYLES[1]
# Drawn before what is the last to be seen.
_DECADES = 3.0
_ROOM = 1.6


def theory_check_chart(check: TheoryCheck, epsilon: float, *, identity: str) -> Spec:
    """Return the chart: the band of what was seen, and the lines of what is proven.

    Args:
        check: what was simulated.
        epsilon: marked, at the nearest tested one.
        identity: a visitor's zoom lasts for as long as it stays the same.
    """
    floor = 1.0 / check.runs  # below it so few runs show nothing
    left, right = _window(check, floor)
    marked = float(TESTED_EPSILONS[nearest_place(epsilon)])
    return {
        "data": [*_band(check, floor, left, right), *_lines(check, floor, left, right)],
        "layout": {
            "title": {"text": theory_title(check)},
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
                    "type": "line", "yref": "paper", "y0": 0, "y1": 1, "x0": marked, "x1": marked,
                    "line": {"color": "var(--target)", "width": 1, "dash": "dot"},
                }
            ] if left <= marked <= right else [],
        },
    }  # fmt: skip


def _window(check: TheoryCheck, floor: float) -> tuple[float, float]:
    """Return which epsilons are drawn: up to where neither bound nor runs show anything."""
    seen = [check.upper >= floor, check.band.low > 0.0]
    if check.lower is not None:
        seen.append(check.lower >= floor)
    shown = TESTED_EPSILONS[np.logical_or.reduce(seen)]
    last = float(shown[-1]) if len(shown) else 0.0
    right = min(max(last * _ROOM, 10.0 * TESTED_EPSILONS[1]), float(TESTED_EPSILONS[-1]))
    return max(right / 10.0**_DECADES, float(TESTED_EPSILONS[1])), right


def _band(check: TheoryCheck, floor: float, left: float, right: float) -> list[dict[str, Any]]:
    drawn = (left <= TESTED_EPSILONS) & (right >= TESTED_EPSILONS)
    x = json_numbers(TESTED_EPSILONS[drawn])
    low, high = check.band.low[drawn], check.band.high[drawn]
    estimate = check.band.estimate[drawn]
    edge: dict[str, Any] = {
        "type": "scatter",
        "mode": "lines",
        "x": x,
        "line": {"color": f"var(--{_SEEN.role})", "width": 1, "dash": _SEEN.dash},
        "showlegend": False,
        "hoverinfo": "skip",
    }
    texts = [
        f"ε = {rounded(at, 3)}: simulated δ from {rounded_down(below, 3)} to "
        f"{rounded_up(above, 3)}, counted {rounded(max(value, 0.0), 3)}"
        for at, below, above, value in zip(
            TESTED_EPSILONS[drawn].tolist(),
            low.tolist(),
            high.tolist(),
            estimate.tolist(),
            strict=True,
        )
    ]
    return [
        # What reaches down to 0 has no end on this axis: it is drawn to the bottom.
        edge | {"uid": "band-low", "y": json_numbers(np.maximum(low, floor))},
        edge
        | {
            "uid": "band-high",
            "y": json_numbers(np.maximum(high, floor)),
            "fill": "tonexty",
            "fillcolor": f"var(--{_SEEN.role}@0.22)",
            "showlegend": True,
            "name": "simulated attack: where its δ lies (95 %, all ε together)",
        },
        {
            "type": "scatter",
            "mode": "markers",
            "uid": "estimate",
            "name": "simulated attack: counted",
            "x": x,
            "y": json_numbers(np.where(estimate >= floor, estimate, np.nan)),
            "marker": {"color": f"var(--{_SEEN.role})", "symbol": _SEEN.symbol, "size": 6},
            "text": texts,
            "hovertemplate": "%{text}<extra></extra>",
        },
    ]


def _lines(check: TheoryCheck, floor: float, left: float, right: float) -> list[dict[str, Any]]:
    curves = check.curves
    drawn = (curves.epsilon >= left) & (curves.epsilon <= right)
    epsilon = curves.epsilon[drawn]
    names = bound_names(check)

    def line(delta: FloatArray, name: str, *, is_upper: bool) -> dict[str, Any]:
        rounding, sign = (rounded_up, "≤") if is_upper else (rounded_down, "≥")
        return {
            "type": "scatter",
            "mode": "lines",
            "uid": "upper" if is_upper else "lower",
            "name": name,
            "x": json_numbers(epsilon),
            "y": json_numbers(np.where(delta[drawn] >= floor, delta[drawn], np.nan)),
            "line": {
                "color": f"var(--{_BOUND.role})",
                "width": 2.5 if is_upper else 1.5,
                "dash": "solid" if is_upper else "dot",
            },
            "text": [
                f"ε = {rounded(at, 3)}: δ {sign} {rounding(value, 3)}"
                for at, value in zip(epsilon.tolist(), delta[drawn].tolist(), strict=True)
            ],
            "hovertemplate": f"%{{text}}<br>{name}<extra></extra>",
        }

    lines = [line(curves.upper.delta_high, names[0], is_upper=True)]
    if curves.lower is not None:
        lines.append(line(curves.lower.delta_low, names[1], is_upper=False))
    return lines
