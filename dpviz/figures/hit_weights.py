"""The chart of how many of an individual's windows fall into one batch."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from dpviz.figures.palette import PALETTE, STYLES, Style
from dpviz.figures.spec import Spec, json_numbers
from dpviz.planning.subsequences import HitLaw
from dpviz.wording.numbers import counted, rounded
from dpviz.wording.subsequences import hits_title, windows_label

# Rarer counts would only stretch the axes: they weigh less than the smallest delta told.
SMALLEST_WEIGHT = 1e-12
_MOST_TICKS = 16


def hit_weights(laws: Sequence[HitLaw], *, identity: str = "hit-weights") -> Spec:
    """Return the chart: the probability of 0, 1, 2, ... hits, with a style for each law.

    Points, not bars, as a logarithmic axis has no zero for bars to stand on.

    Args:
        laws: at most as many as there are styles, which they take in order.
        identity: a visitor's zoom lasts for as long as it stays the same.
    """
    traces = [_points(law, style) for law, style in zip(laws, STYLES[: len(laws)], strict=True)]
    most = max(len(trace["x"]) for trace in traces) - 1
    place = "the step that uses the series" if laws[0].in_its_step else "one batch"
    return {
        "data": traces,
        "layout": {
            "title": {"text": hits_title(laws)},
            "template": "none",
            "meta": {"palette": PALETTE},
            "uirevision": identity,
            "hovermode": "x unified",
            "legend": {"x": 0.99, "y": 0.98, "xanchor": "right", "yanchor": "top"},
            "xaxis": {
                "title": {"text": f"hits: sensitive windows in {place}"},
                "tickformat": "d",
                "zeroline": False,
                "unifiedhovertitle": {"text": "%{x} of the individual's windows"},
            }
            | ({"dtick": 1} if most <= _MOST_TICKS else {}),
            "yaxis": {
                "title": {"text": "probability"},
                "type": "log",
                "exponentformat": "power",
                "dtick": 2,
            },
        },
    }


def _points(law: HitLaw, style: Style) -> dict[str, Any]:
    shown = law.weights >= SMALLEST_WEIGHT
    # Up to the last count that is shown; rarer ones before it are gaps.
    weights = law.weights[: int(np.flatnonzero(shown)[-1]) + 1]
    label = windows_label(law.windows)
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "uid": f"{style.role}-hits",
        "name": label,
        "x": list(range(len(weights))),
        "y": json_numbers(np.where(weights >= SMALLEST_WEIGHT, weights, np.nan)),
        "text": [
            f"{counted(hits, 'hit')}: probability {rounded(weight, 4)}"
            for hits, weight in enumerate(weights.tolist())
        ],
        "hovertemplate": f"%{{text}}, {label}<extra></extra>",
        "line": {"color": f"var(--{style.role})", "width": 1, "dash": style.dash},
        "marker": {"color": f"var(--{style.role})", "symbol": style.symbol, "size": 9},
    }
