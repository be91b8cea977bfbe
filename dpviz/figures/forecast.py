"""The drawing of one series: what a model reads, what it forecasts, and what then came."""

from typing import Any

import numpy as np

from dpviz.figures.palette import PALETTE, STYLES
from dpviz.figures.spec import Spec, json_numbers
from dpviz.training.progress import TrainingResult
from dpviz.training.split import EvaluationWindows
from dpviz.wording.numbers import rounded
from dpviz.wording.small_run import forecast_title

_PAST, _MODEL = STYLES[6], STYLES[0]
# Of the nine levels: first and last of a band, its name, and how dense it is.
_BANDS = ((0, 8, "80 % band", 0.18), (2, 6, "40 % band", 0.3))
_MEDIAN = 4
_SHOWN_CONTEXTS = 2


def forecast_chart(
    windows: EvaluationWindows, at: int, name: str, result: TrainingResult | None, identity: str
) -> Spec:
    """Return the drawing.

    Args:
        windows: of the test.
        at: which of them.
        name: the series'.
        result: of the run; ``None`` before there is one. It may lack the forecasts of later series.
        identity: a visitor's zoom lasts for as long as it stays the same.
    """
    start = int(windows.starts[at])
    history = windows.histories[at]
    shown = history[-_SHOWN_CONTEXTS * windows.context.shape[1] :]
    past = np.arange(start - len(shown) + 1, start + 1)
    ahead = np.arange(start + 1, start + 1 + windows.truth.shape[1])
    truth = windows.truth[at]
    drawn = None
    if result is not None and at < len(result.forecasts.quantiles):
        drawn = result.forecasts.quantiles[at]
    data: list[dict[str, Any]] = [
        {
            "type": "scatter", "mode": "lines", "uid": "past", "name": "before",
            "x": past.tolist(), "y": json_numbers(shown),
            "line": {"color": f"var(--{_PAST.role})", "width": 1.5},
            "hovertemplate": "value %{x}: %{y:.4g}<extra></extra>",
        }
    ]  # fmt: skip
    if drawn is not None:
        data += forecast_bands(ahead, drawn)
        data.append(
            {
                "type": "scatter", "mode": "lines", "uid": "median", "name": "median",
                "x": ahead.tolist(), "y": json_numbers(drawn[:, _MEDIAN]),
                "line": {"color": f"var(--{_MODEL.role})", "width": 2.5, "dash": "dash"},
                "hovertemplate": "value %{x}: median %{y:.4g}<extra></extra>",
            }
        )  # fmt: skip
    data.append(
        {
            "type": "scatter", "mode": "lines+markers", "uid": "truth", "name": "what came",
            "x": ahead.tolist(), "y": json_numbers(truth),
            "line": {"color": f"var(--{STYLES[1].role})", "width": 1, "dash": "dot"},
            "marker": {"color": f"var(--{STYLES[1].role})", "symbol": STYLES[1].symbol, "size": 7},
            "text": [f"value {x:,}: {rounded(y)}" for x, y in zip(ahead, truth, strict=True)],
            "hovertemplate": "%{text}<extra></extra>",
        }
    )  # fmt: skip
    return {
        "data": data,
        "layout": {
            "title": {"text": forecast_title(windows, name, result)},
            "template": "none",
            "meta": {"palette": PALETTE, "legend": "under"},
            "uirevision": identity,
            "hovermode": "closest",
            "legend": {"traceorder": "normal"},
            "xaxis": {"title": {"text": "number of the value in its series"}, "tickformat": ",d"},
            "yaxis": {"title": {"text": "value"}},
        },
    }


def forecast_bands(ahead: Any, quantiles: Any) -> list[dict[str, Any]]:
    """Return the bands around a forecast.

    Args:
        ahead: numbers of the values in their series, shape (L_F,).
        quantiles: at levels 0.1 to 0.9, shape (L_F, levels).
    """
    return [
        trace
        for first, last, label, density in _BANDS
        for trace in _band(ahead, quantiles, first, last, label, density)
    ]


def _band(
    ahead: Any, quantiles: Any, first: int, last: int, label: str, density: float
) -> list[dict[str, Any]]:
    edge: dict[str, Any] = {
        "type": "scatter",
        "mode": "lines",
        "x": ahead.tolist(),
        "line": {"color": f"var(--{_MODEL.role})", "width": 0.5},
        "showlegend": False,
        "hoverinfo": "skip",
    }
    return [
        edge | {"uid": f"from-{first}", "y": json_numbers(quantiles[:, first])},
        edge
        | {
            "uid": f"to-{last}",
            "y": json_numbers(quantiles[:, last]),
            "fill": "tonexty",
            "fillcolor": f"var(--{_MODEL.role}@{density})",
            "showlegend": True,
            "name": label,
        },
    ]
