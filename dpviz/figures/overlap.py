"""The drawing of one noised value before and after it changes: two overlapping bells."""

from typing import Any

import numpy as np

from dpviz.figures.palette import PALETTE, STYLES
from dpviz.figures.spec import Spec, json_numbers
from dpviz.planning.label_noise import NoisedValue
from dpviz.wording.label_noise import overlap_title

_AXIS = {
    "context": "value in the context, in units of v",
    "forecast": "label, in units of v",
}
_POINTS = 121
_TAILS = 3.5  # standard deviations to either side; beyond them nothing is left to see
_ROOM_BESIDE_SPIKES = 0.6  # of their distance


def overlap(part: str, value: NoisedValue) -> Spec:
    """Return the drawing, in units of v; each bell is scaled to height 1.

    Without noise the bells are spikes.

    Args:
        part: ``"context"`` or ``"forecast"``.
        value: what is drawn.
    """
    before, after = STYLES[:2]
    traces = _spikes(value) if value.sigma == 0.0 else _bells(value)
    for trace, style, name in zip(traces[-2:], (before, after), ("before", "after"), strict=True):
        trace |= {
            "uid": f"{part}-{name}",
            "name": name,
            "line": {"color": f"var(--{style.role})", "width": 2, "dash": style.dash},
        }
    return {
        "data": traces,
        "layout": {
            "title": {"text": overlap_title(part, value)},
            "template": "none",
            "meta": {"palette": PALETTE, "legend": "under"},
            # Other noise is another picture, at another scale.
            "uirevision": f"{part}-{value.sigma!r}-{value.distance!r}",
            "hovermode": False,
            "xaxis": {
                "title": {"text": _AXIS[part]},
                "zeroline": False,
            },
            "yaxis": {"showticklabels": False, "ticks": "", "showgrid": False},
            "legend": {"traceorder": "normal"},
        },
    }


def _bells(value: NoisedValue) -> list[dict[str, Any]]:
    sigma, distance = value.sigma, value.distance
    x = np.linspace(-_TAILS * sigma, distance + _TAILS * sigma, _POINTS)
    # The bells cross here: a point of its own, for the shaded part to end at.
    x = np.union1d(x, [distance / 2.0])
    with np.errstate(over="ignore"):  # the other bell of a tiny noise is infinitely far away
        before = np.exp(-0.5 * (x / sigma) ** 2)
        after = np.exp(-0.5 * ((x - distance) / sigma) ** 2)
    beyond = x >= distance / 2.0
    shade = {"mode": "lines", "line": {"width": 0}, "hoverinfo": "skip", "showlegend": False}
    return [
        {"type": "scatter", "x": json_numbers(x[beyond]), "y": json_numbers(before[beyond])}
        | shade
        | {"uid": "shade-from"},
        {"type": "scatter", "x": json_numbers(x[beyond]), "y": json_numbers(after[beyond])}
        | shade
        | {"uid": "shade-to", "fill": "tonexty", "fillcolor": f"var(--{STYLES[1].role}@0.35)"},
        _line(json_numbers(x), json_numbers(before)),
        _line(json_numbers(x), json_numbers(after)),
    ]


def _spikes(value: NoisedValue) -> list[dict[str, Any]]:
    room = _ROOM_BESIDE_SPIKES * value.distance
    ends = {
        "type": "scatter",
        "mode": "lines",
        "uid": "ends",
        "x": [-room, value.distance + room],
        "y": [0.0, 0.0],
        "line": {"color": f"var(--{STYLES[0].role}@0)"},
        "showlegend": False,
    }
    spikes = []
    for place, style in ((0.0, STYLES[0]), (value.distance, STYLES[1])):
        spikes.append(
            _line([place, place], [0.0, 1.0])
            | {
                "mode": "lines+markers",
                "marker": {
                    "color": f"var(--{style.role})",
                    "symbol": style.symbol,
                    "size": [0, 10],
                },
            }
        )
    return [ends, *spikes]


def _line(x: list[Any], y: list[Any]) -> dict[str, Any]:
    return {"type": "scatter", "mode": "lines", "x": x, "y": y}
