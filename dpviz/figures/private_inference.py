"""The charts of hidden contexts: one forecast of one, and the noise that each rate needs."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from dpviz.figures.forecast import forecast_bands
from dpviz.figures.palette import PALETTE, STYLES
from dpviz.figures.spec import Spec, json_numbers
from dpviz.private_inference.example import Example
from dpviz.private_inference.noise import ACCOUNTINGS, NoiseAtRate
from dpviz.wording.private_inference import ACCOUNTING_NAMES

_AS_IT_IS, _SEEN, _MODEL, _CAME = STYLES[6], STYLES[2], STYLES[0], STYLES[1]
_MEDIAN = 4


def example_chart(example: Example, *, title: str, identity: str) -> Spec:
    """Return the drawing of a context as it is, what the model sees, its forecast, what came.

    Args:
        example: of one series; while it has no forecast, none is drawn.
        title: the finding.
        identity: a visitor's zoom lasts for as long as it stays the same.
    """
    length = len(example.context)
    past = np.arange(example.first, example.first + length)
    ahead = np.arange(example.first + length, example.first + length + len(example.truth))
    traces = [
        _points("context", "context as it is", past, example.context, _AS_IT_IS, mode="lines")
    ]
    if example.hidden is not None and example.clear is not None:
        traces += [
            *forecast_bands(ahead, example.hidden),
            _points(
                "hidden", "median forecast of what is seen", ahead, example.hidden[:, _MEDIAN],
                _MODEL, mode="lines", width=2.5,
            ),
            _points(
                "clear", "median forecast of the context as it is", ahead,
                example.clear[:, _MEDIAN], _AS_IT_IS, mode="lines", dash="dot",
            ),
        ]  # fmt: skip
    for uid, name, chosen, symbol in (
        ("kept", "seen: kept, with noise", example.kept, _SEEN.symbol),
        ("filled", "seen: filled in", ~example.kept, f"{_SEEN.symbol}-open"),
    ):
        traces.append(_points(uid, name, past[chosen], example.seen[chosen], _SEEN, symbol=symbol))
    traces.append(
        _points("truth", "what came", ahead, example.truth, _CAME, mode="lines+markers", dash="dot")
    )
    layout = _layout(title, identity)
    layout["xaxis"] = {"title": {"text": "number of the value in its series"}, "tickformat": ",d"}
    layout["yaxis"] = {"title": {"text": "value"}}
    return {"data": traces, "layout": layout}


def noise_chart(at_rates: Sequence[NoiseAtRate], rate: float, *, title: str, identity: str) -> Spec:
    """Return the noise over the share of values kept, a line for each accounting.

    Args:
        at_rates: in increasing order.
        rate: the chosen one, which is marked.
        title: the finding.
        identity: a visitor's zoom lasts for as long as it stays the same.
    """
    rates = [one.rate for one in at_rates]
    traces: list[dict[str, Any]] = []
    for accounting, look in zip(ACCOUNTINGS, STYLES, strict=False):
        noises = [one.by(accounting) for one in at_rates]
        if any(noise is not None for noise in noises):
            traces.append(
                {
                    "type": "scatter",
                    "mode": "lines",
                    "uid": accounting,
                    "name": ACCOUNTING_NAMES[accounting],
                    "x": rates,
                    "y": noises,
                    "line": {"color": f"var(--{look.role})", "width": 2, "dash": look.dash},
                    "hovertemplate": "r = %{x}: noise %{y:.4g}<extra></extra>",
                }
            )
    chosen = next(one.by("exact") for one in at_rates if one.rate == rate)
    if chosen is not None:
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "uid": "chosen",
                "name": "chosen",
                "x": [rate],
                "y": [chosen],
                "marker": {"color": "var(--target)", "symbol": "circle-open", "size": 12},
                "hovertemplate": "r = %{x}: noise %{y:.4g}<extra></extra>",
            }
        )
    layout = _layout(title, identity)
    layout["xaxis"] = {"title": {"text": "share of values kept r"}, "range": [0, 1.02]}
    layout["yaxis"] = {
        "title": {"text": "noise (standard deviation)"},
        "rangemode": "tozero",
    }
    return {"data": traces, "layout": layout}


def _points(
    uid: str,
    name: str,
    x: Any,
    y: Any,
    look: Any,
    *,
    mode: str = "markers",
    symbol: str = "",
    dash: str = "solid",
    width: float = 1.5,
) -> dict[str, Any]:
    color = f"var(--{look.role})"
    trace: dict[str, Any] = {
        "type": "scatter",
        "mode": mode,
        "uid": uid,
        "name": name,
        "x": x.tolist(),
        "y": json_numbers(y),
        "hovertemplate": "value %{x}: %{y:.4g}<extra></extra>",
    }
    if "lines" in mode:
        trace["line"] = {"color": color, "width": width, "dash": dash}
    if "markers" in mode:
        trace["marker"] = {"color": color, "symbol": symbol or look.symbol, "size": 8}
    return trace


def _layout(title: str, identity: str) -> dict[str, Any]:
    return {
        "title": {"text": title},
        "template": "none",
        "meta": {"palette": PALETTE, "legend": "under"},
        "uirevision": identity,
        "hovermode": "closest",
        "legend": {"traceorder": "normal"},
    }
