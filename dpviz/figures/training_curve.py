"""The chart of a training run: error of held-out windows, and what is spent, over the steps."""

from collections.abc import Sequence
from typing import Any

from dpviz.figures.palette import PALETTE, STYLES
from dpviz.figures.spec import Spec
from dpviz.training.progress import Progress
from dpviz.wording.numbers import rounded, rounded_up
from dpviz.wording.small_run import curve_title

_ERROR, _SPENT = STYLES[0], STYLES[1]
# Parts of the height: the error above, the budget below.
_ABOVE, _BELOW = (0.5, 1.0), (0.0, 0.38)


def training_curve(
    curve: Sequence[Progress], *, target_epsilon: float | None, identity: str
) -> Spec:
    """Return the chart.

    Args:
        curve: evaluations so far, at least one.
        target_epsilon: the budget; ``None`` without privacy.
        identity: a visitor's zoom lasts for as long as it stays the same.
    """
    is_private = curve[0].is_private
    data = [_error(curve)]
    layout: dict[str, Any] = {
        "title": {"text": curve_title(curve)},
        "template": "none",
        "meta": {"palette": PALETTE},
        "uirevision": identity,
        "hovermode": "x",
        "showlegend": False,
        "xaxis": {
            "title": {"text": "training steps"},
            "range": [0, curve[0].steps_asked],
            "tickformat": ",d",
            "anchor": "y2" if is_private else "y",
        },
        "yaxis": {
            "title": {"text": "CRPS, held-out"},
            "domain": list(_ABOVE) if is_private else [0.0, 1.0],
        },
    }
    if is_private:
        data.append(_spent(curve))
        layout["yaxis2"] = {
            "title": {"text": "ε spent (at most)"},
            "domain": list(_BELOW),
            "rangemode": "tozero",
        }
    if is_private and target_epsilon is not None:
        layout["shapes"] = [
            {
                "type": "line", "xref": "paper", "x0": 0, "x1": 1, "yref": "y2",
                "y0": target_epsilon, "y1": target_epsilon,
                "line": {"color": "var(--target)", "width": 1.5, "dash": "dot"},
            }
        ]  # fmt: skip
        layout["annotations"] = [
            {
                "xref": "paper", "x": 0, "xanchor": "left", "yref": "y2", "y": target_epsilon,
                "yanchor": "top", "showarrow": False,
                "text": f"budget ε = {rounded(target_epsilon)}",
                "font": {"color": "var(--target)"},
            }
        ]  # fmt: skip
    return {"data": data, "layout": layout}


def _error(curve: Sequence[Progress]) -> dict[str, Any]:
    known = [(row.step, row.validation_crps) for row in curve if row.validation_crps is not None]
    return _line("error", [x for x, _ in known], [y for _, y in known], _ERROR) | {
        "text": [f"after step {step:,}: CRPS {rounded(crps, 3)}" for step, crps in known],
    }


def _spent(curve: Sequence[Progress]) -> dict[str, Any]:
    known = [(row.step, row.epsilon_spent) for row in curve if row.epsilon_spent is not None]
    return _line("spent", [x for x, _ in known], [y for _, y in known], _SPENT) | {
        "yaxis": "y2",
        "text": [
            f"after step {step:,}: ε ≤ {rounded_up(epsilon, 3)}" if epsilon else "nothing spent yet"
            for step, epsilon in known
        ],
    }


def _line(uid: str, x: list[int], y: list[float], style: Any) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "uid": uid,
        "x": x,
        "y": y,
        "line": {"color": f"var(--{style.role})", "width": 2.5, "dash": style.dash},
        "marker": {"color": f"var(--{style.role})", "symbol": style.symbol, "size": 5},
        "hovertemplate": "%{text}<extra></extra>",
    }
