"""The chart of an attacker's hits against false alarms."""

from typing import Any

import numpy as np
import numpy.typing as npt

from dpviz.accounting.buckets import FloatArray
from dpviz.figures.palette import PALETTE, STYLES, Style
from dpviz.figures.spec import Spec
from dpviz.planning.attack_rates import BoundedRates, pair_hits
from dpviz.wording.attack_rates import Told, percent_down, percent_up, rates_title
from dpviz.wording.numbers import power_of_ten, rounded_up
from dpviz.wording.theorems import qualified_label

_CURVE, _PAIR = STYLES[0], STYLES[1]
Places = npt.NDArray[np.bool_]
_GUESS = Style(role="target", dash="dot", symbol="circle")
_AXES = {"false": "False alarms (false positive rate)", "hits": "Hits (true positive rate)"}


def trade_off_chart(told: Told, *, is_log: bool) -> Spec:
    """Return the chart: at most, at least, what one pair allows, and what guessing achieves.

    Args:
        told: what is drawn; the rate that is told of is marked.
        is_log: whether both axes are logarithmic, where careful attackers have room.
    """
    upper, lower = told.rates.upper, told.rates.lower
    rates = told.rates.rates
    drawn = rates > 0.0 if is_log else rates >= 0.0
    lines = [
        _line("guessing", _GUESS, rates, rates, ["guessing"] * len(rates), drawn)
        | {"hoverinfo": "skip"}
    ]
    if (epsilon := told.curves.epsilon_upper) is not None:
        hits = pair_hits(epsilon, told.rates.scenario.delta, rates)
        name = f"ε = {rounded_up(epsilon)}, δ = {power_of_ten(told.rates.scenario.delta)} alone"
        texts = [f"this pair alone allows {percent_up(one)}" for one in hits]
        lines.append(_line(name, _PAIR, rates, hits, texts, drawn))
    if lower is not None:
        lines.append(_bound_line("some attacker, at least", lower, rates, drawn, is_upper=False))
    top = _bound_line("any attacker, at most", upper, rates, drawn, is_upper=True)
    lines.append(
        top
        | (
            {"fill": "tonexty", "fillcolor": f"var(--{_CURVE.role}@0.18)"}
            if lower is not None
            else {}
        )
    )
    return {"data": [*lines, _mark(told)], "layout": _layout(told, is_log)}


def _bound_line(
    name: str, side: BoundedRates, rates: FloatArray, drawn: Places, *, is_upper: bool
) -> dict[str, Any]:
    shown, words = (percent_up, "at most") if is_upper else (percent_down, "at least")
    texts = [f"{words} {shown(one)} ({qualified_label(side.bound)})" for one in side.hits]
    line = _line(name, _CURVE, rates, side.hits, texts, drawn)
    if not is_upper:
        line["line"] |= {"dash": "dash", "width": 1.5}
        line["uid"] = f"{_CURVE.role}-lower"
    return line


def _line(
    name: str,
    style: Style,
    rates: FloatArray,
    hits: FloatArray,
    texts: list[str],
    drawn: Places,
) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "uid": f"{style.role}-upper",
        "name": name,
        "x": rates[drawn].tolist(),
        "y": hits[drawn].tolist(),
        "text": [text for text, keep in zip(texts, drawn, strict=True) if keep],
        "hovertemplate": "%{text}<extra></extra>",
        "line": {"color": f"var(--{style.role})", "dash": style.dash, "width": 2},
    }


def _mark(told: Told) -> dict[str, Any]:
    most, _ = told.hits
    return {
        "type": "scatter",
        "mode": "markers+text",
        "uid": "told",
        "x": [told.rate],
        "y": [most],
        "text": [f"≤ {percent_up(most)}"],
        "textposition": "bottom right" if told.rate < 0.3 else "bottom left",
        "marker": {"color": f"var(--{_CURVE.role})", "symbol": _CURVE.symbol, "size": 10},
        "cliponaxis": False,
        "showlegend": False,
        "hoverinfo": "skip",
    }


def _layout(told: Told, is_log: bool) -> dict[str, Any]:
    axis: dict[str, Any] = {"tickformat": ".0%", "hoverformat": ".4~%"}
    if is_log:
        axis = {"type": "log", "exponentformat": "power", "dtick": 1, "hoverformat": ".4~%"}
    return {
        "title": {"text": rates_title(told)},
        "template": "none",
        "meta": {"palette": PALETTE, "legend": "under"},
        "uirevision": f"trade-off-{'log' if is_log else 'linear'}",
        "hovermode": "x unified",
        "legend": {"traceorder": "reversed"},
        "xaxis": {
            "title": {"text": _AXES["false"]},
            "unifiedhovertitle": {"text": "At %{x} false alarms"},
            **axis,
        },
        "yaxis": {"title": {"text": _AXES["hits"]}, **axis},
    }
