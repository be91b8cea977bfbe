"""The chart of what an attacker may believe afterwards, against what was believed beforehand."""

from typing import Any

import numpy as np

from dpviz.figures.palette import PALETTE, STYLES, Style
from dpviz.figures.spec import Spec
from dpviz.planning.attack_rates import DRAWN_RATES
from dpviz.wording.attack_rates import (
    Told,
    claim_at_most,
    outcome_at_most,
    percent,
    percent_up,
    posterior_title,
)
from dpviz.wording.numbers import power_of_ten

# The same places serve beliefs: dense near 0; and mirrored, near 1.
_BELIEFS = np.unique([*DRAWN_RATES, *(1.0 - DRAWN_RATES)])
_PRIORS = _BELIEFS[(_BELIEFS > 0.0) & (_BELIEFS < 1.0)].tolist()
_UNCHANGED = Style(role="target", dash="dot", symbol="circle")


def beliefs_chart(told: Told) -> Spec:
    """Return the chart: after a claim, after any outcome, and without an attack."""
    delta = power_of_ten(told.rates.scenario.delta)
    lines = [_line("no attack", _UNCHANGED, _PRIORS, "") | {"hoverinfo": "skip"}]
    anything = [outcome_at_most(told, prior) for prior in _PRIORS]
    known = [belief for belief in anything if belief is not None]
    if len(known) == len(_PRIORS):
        name = f"any outcome, but with probability δ = {delta}"
        lines.append(_line(name, STYLES[1], known, "after any outcome at most"))
    claims = [claim_at_most(told, prior) for prior in _PRIORS]
    name = f"after a claim, at {percent(told.rate)} false alarms"
    lines.append(_line(name, STYLES[0], claims, "after a claim at most"))
    return {"data": [*lines, _mark(told)], "layout": _layout(told)}


def _line(name: str, style: Style, beliefs: list[float], words: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "uid": style.role,
        "name": name,
        "x": _PRIORS,
        "y": beliefs,
        "text": [f"{words} {percent_up(belief)}" for belief in beliefs],
        "hovertemplate": "%{text}<extra></extra>" if words else None,
        "line": {"color": f"var(--{style.role})", "dash": style.dash, "width": 2},
    }


def _mark(told: Told) -> dict[str, Any]:
    belief = claim_at_most(told, told.prior)
    return {
        "type": "scatter",
        "mode": "markers+text",
        "uid": "told",
        "x": [told.prior],
        "y": [belief],
        "text": [f"≤ {percent_up(belief)}"],
        "textposition": "bottom right" if told.prior < 0.5 else "bottom left",
        "marker": {"color": "var(--series-0)", "symbol": STYLES[0].symbol, "size": 10},
        "cliponaxis": False,
        "showlegend": False,
        "hoverinfo": "skip",
    }


def _layout(told: Told) -> dict[str, Any]:
    axis = {"tickformat": ".0%", "range": [0.0, 1.0], "hoverformat": ".4~%"}
    return {
        "title": {"text": posterior_title(told)},
        "template": "none",
        "meta": {"palette": PALETTE, "legend": "under"},
        "uirevision": "beliefs",
        "hovermode": "x unified",
        "legend": {"traceorder": "reversed"},
        "xaxis": {
            "title": {"text": "Belief beforehand"},
            "unifiedhovertitle": {"text": "%{x} beforehand"},
            **axis,
        },
        "yaxis": {"title": {"text": "Belief afterwards"}, **axis},
    }
