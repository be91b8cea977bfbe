"""Drawings of a forecast: what a model reads, what it forecasts, and what then came."""

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np

from dpviz.figures import parts
from dpviz.figures.parts import STYLES, Part, Spec, Style, json_numbers
from dpviz.private_inference.example import Example
from dpviz.private_inference.noise import ACCOUNTINGS, NoiseAtRate
from dpviz.training.progress import TrainingResult
from dpviz.training.split import EvaluationWindows
from dpviz.wording.numbers import in_full, rounded, rounded_up
from dpviz.wording.private_inference import ACCOUNTING_NAMES
from dpviz.wording.small_run import forecast_title

_PAST, _MODEL, _CAME, _SEEN = STYLES[6], STYLES[0], STYLES[1], STYLES[2]
# Of the nine levels: first and last of a band, its name, and how dense it is.
_BANDS = ((0, 8, "80 % band", 0.18), (2, 6, "40 % band", 0.3))
_MEDIAN = 4
_SHOWN_CONTEXTS = 2
_VALUE_HOVER = "value %{x}: %{y:.4g}<extra></extra>"


def forecast_chart(
    windows: EvaluationWindows, at: int, name: str, result: TrainingResult | None, identity: str
) -> Spec:
    """Return the drawing of a test window; the result may lack the forecasts of later series."""
    start, truth = int(windows.starts[at]), windows.truth[at]
    context = windows.histories[at][-_SHOWN_CONTEXTS * windows.context.shape[1] :]
    past = np.arange(start - len(context) + 1, start + 1)
    ahead = np.arange(start + 1, start + 1 + len(truth))
    thin = {"line": {"color": parts.color(_PAST.role), "width": 1.5}}
    data = [_line("past", "before", past, context, _PAST, "solid") | thin]
    if result is not None and at < len(result.quantiles):
        drawn = result.quantiles[at]
        median = _line("median", "median", ahead, drawn[:, _MEDIAN], _MODEL, "dash", 2.5)
        told = {"hovertemplate": "value %{x}: median %{y:.4g}<extra></extra>"}
        data += [*_bands(ahead, drawn), median | told]
    texts = (f"value {x:,}: {rounded(y)}" for x, y in zip(ahead, truth, strict=True))
    came = _line("truth", "actual values", ahead, truth, _CAME, "dot", 1, dots=7)
    data.append(came | parts.told(texts))
    return _figure(data, forecast_title(windows, escape(name, quote=False), result), identity)


def example_chart(example: Example, *, title: str, identity: str) -> Spec:
    """Return the drawing of a context as it is, what the model sees, its forecast, what came."""
    length = len(example.context)
    past = np.arange(example.first, example.first + length)
    ahead = np.arange(example.first + length, example.first + length + len(example.truth))
    traces = [_line("context", "context", past, example.context, _PAST, "solid")]
    if example.hidden is not None and example.clear is not None:
        hidden, clear = (one[:, _MEDIAN] for one in (example.hidden, example.clear))
        traces += [
            *_bands(ahead, example.hidden),
            _line("hidden", "median forecast", ahead, hidden, _MODEL, "solid", 2.5),
            _line("clear", "median without hiding", ahead, clear, _PAST, "dot"),
        ]
    for uid, name, chosen, symbol in (
        ("kept", "seen: with noise", example.kept, _SEEN.symbol),
        ("filled", "seen: filled in", ~example.kept, f"{_SEEN.symbol}-open"),
    ):
        look = parts.marker(_SEEN, 8) | {"symbol": symbol}
        x, y = past[chosen].tolist(), json_numbers(example.seen[chosen])
        traces.append(parts.points(uid, name, x, y, look, hovertemplate=_VALUE_HOVER))
    traces.append(_line("truth", "actual values", ahead, example.truth, _CAME, "dot", dots=8))
    return _figure(traces, title, identity)


def noise_chart(at_rates: Sequence[NoiseAtRate], rate: float, *, title: str, identity: str) -> Spec:
    """Return the noise over the share of values kept, a line for each accounting."""
    rates = [one.rate for one in at_rates]
    traces = []
    for accounting, style in zip(ACCOUNTINGS, STYLES, strict=False):
        noises = [one.by(accounting) for one in at_rates]
        if any(noise is not None for noise in noises):
            name, texts = ACCOUNTING_NAMES[accounting], map(_noise_text, rates, noises)
            traces.append(parts.line(accounting, name, rates, noises, style, 2, texts))
    chosen = next(one.by("exact") for one in at_rates if one.rate == rate)
    if chosen is not None:
        look = {"color": "var(--target)", "symbol": "circle-open", "size": 12}
        told = [_noise_text(rate, chosen)]
        traces.append(parts.points("chosen", "chosen", [rate], [chosen], look, told))
    return parts.figure(
        traces,
        title,
        identity,
        parts.axis("share of values kept r", range=[0, 1.02]),
        parts.axis("noise (standard deviation)", rangemode="tozero"),
        legend="normal",
    )


def _noise_text(rate: float, noise: float | None) -> str:
    return "" if noise is None else f"r = {in_full(rate)}: noise {rounded_up(noise)}"


def _line(
    uid: str, name: str, x: Any, y: Any, style: Style, dash: str, width: float = 1.5, dots: int = 0
) -> Part:
    drawn = parts.line(uid, name, x.tolist(), json_numbers(y), style, width, dash=dash, dots=dots)
    return drawn | {"hovertemplate": _VALUE_HOVER}


def _bands(ahead: Any, quantiles: Any) -> list[Part]:
    """Return the bands; ``ahead`` has shape (L_F,), ``quantiles`` (L_F, levels 0.1 to 0.9)."""
    edge = {"color": parts.color(_MODEL.role), "width": 0.5}
    traces = []
    for first, last, name, density in _BANDS:
        low, high = json_numbers(quantiles[:, first]), json_numbers(quantiles[:, last])
        fill = parts.filled_to(_MODEL.role, density)
        uids = (f"from-{first}", f"to-{last}")
        traces += parts.area(uids, name, ahead.tolist(), low, high, edge, fill)
    return traces


def _figure(data: list[Part], title: str, identity: str) -> Spec:
    x = parts.axis("number of the value in its series", tickformat=",d")
    return parts.figure(data, title, identity, x, parts.axis("value"), legend="normal")
