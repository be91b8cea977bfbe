"""The chart of epsilon over the course of training, with the point where a target is used up."""

import math
from collections.abc import Sequence
from typing import Any

from dpviz.figures.epsilon_lines import Corner, EpsilonBand, band_traces, epsilon_axis, mark
from dpviz.figures.palette import PALETTE, STYLES
from dpviz.figures.spec import Spec
from dpviz.planning.budget import BudgetState, UsedUp, counts_alike
from dpviz.planning.proven import ProvenEpsilon
from dpviz.scenario import Scenario
from dpviz.wording.budget import budget_title, nothing_drawn, target_label, where_told
from dpviz.wording.numbers import rounded_up
from dpviz.wording.proven_epsilon import lower_hover, upper_hover
from dpviz.wording.scope import scheme_name

_STYLE = STYLES[0]
_COLOR = f"var(--{_STYLE.role})"
_UP_TO = {"steps": "training steps", "epochs": "training epochs"}


def budget_chart(
    scenario: Scenario,
    points: Sequence[ProvenEpsilon],
    *,
    target_epsilon: float | None = None,
    used_up: UsedUp | None = None,
    label: str | None = None,
) -> Spec:
    """Return the chart: a band from lower to upper bound against steps or epochs.

    Both axes are logarithmic: where epsilon grows with the square root of training, the line has
    half a decade of epsilon for each decade of training. What is 0 or not known has no place there.

    Args:
        scenario: the training set-up, whose own count is marked.
        points: what is known so far, in any order; points that are still missing leave the line
            with fewer corners.
        target_epsilon: a horizontal line; that of ``used_up`` if absent.
        used_up: where the target is used up, once it is known.
        label: the run's name in the legend; how series are chosen if absent.
    """
    ordered = sorted(points, key=lambda point: point.count)
    name = label or scheme_name(scenario.sampling)
    if used_up is not None and target_epsilon is None:
        target_epsilon = used_up.target.epsilon
    return {
        "data": [
            *_lines(scenario, ordered, name),
            *_own_mark(scenario, ordered),
            *_used_up_mark(scenario, ordered, used_up),
        ],
        "layout": _layout(scenario, ordered, target_epsilon, used_up),
    }


def _lines(scenario: Scenario, points: Sequence[ProvenEpsilon], name: str) -> list[dict[str, Any]]:
    uppers: list[Corner] = []
    lowers: list[Corner] = []
    for point in points:
        where = where_told(scenario, point)
        # Within an epoch that counts whole, the line is level.
        for count in sorted(set(counts_alike(scenario, point))):
            if point.epsilon_upper:
                told = upper_hover(point, where)
                uppers.append(Corner(x=count, epsilon=point.epsilon_upper, text=told))
            if point.epsilon_lower:
                told = lower_hover(point, where)
                lowers.append(Corner(x=count, epsilon=point.epsilon_lower, text=told))
    return band_traces(
        EpsilonBand(
            identity="budget",
            style=_STYLE,
            uppers=uppers,
            lowers=lowers,
            upper_name=f"{name}, upper bound",
            lower_name=f"{name}, lower bound",
        )
    )


def _own_mark(scenario: Scenario, points: Sequence[ProvenEpsilon]) -> list[dict[str, Any]]:
    """Return a mark at the scenario's own count, on the upper bound."""
    for point in points:
        if point.count != scenario.training.count:
            continue
        if epsilon := point.epsilon_upper:
            return [
                mark("budget-own", point.count, epsilon, color=_COLOR, symbol=_STYLE.symbol)
                | {
                    "mode": "markers+text",
                    "text": [f"ε ≤ {rounded_up(epsilon)}"],
                    # A rising line leaves this side free.
                    "textposition": "top left" if point.count > 1 else "bottom right",
                }
            ]
    return []


def _used_up_mark(
    scenario: Scenario, points: Sequence[ProvenEpsilon], used_up: UsedUp | None
) -> list[dict[str, Any]]:
    if used_up is None or used_up.count is None or not points:
        return []
    if used_up.count > max(count for point in points for count in counts_alike(scenario, point)):
        return []  # it would stretch the chart beyond its line; the label tells it
    at, epsilon = used_up.count, used_up.target.epsilon
    return [mark("budget-used-up", at, epsilon, color="var(--target)", symbol="x")]


def _layout(
    scenario: Scenario,
    points: Sequence[ProvenEpsilon],
    target_epsilon: float | None,
    used_up: UsedUp | None,
) -> dict[str, Any]:
    unit = scenario.training.unit
    shapes: list[dict[str, Any]] = []
    annotations: list[dict[str, Any]] = []
    if target_epsilon is not None:
        shapes.append(_target_line(target_epsilon))
        annotations.append(_target_words(points, target_epsilon, used_up))
    if words := nothing_drawn(scenario, points):
        middle: dict[str, Any] = {
            "xref": "paper",
            "yref": "paper",
            "x": 0.5,
            "y": 0.7,
            "showarrow": False,
        }
        annotations.append(middle | {"text": words})
    return {
        "title": {"text": budget_title(scenario, points, used_up)},
        "template": "none",
        "meta": {"leavesGhost": True, "palette": PALETTE},
        # Another unit is another axis: there an old zoom would show nothing.
        "uirevision": f"budget-{unit}",
        "hovermode": "x unified",
        "shapes": shapes,
        "annotations": annotations,
        # A rising line leaves this corner free.
        "legend": {
            "x": 0.99,
            "y": 0.02,
            "xanchor": "right",
            "yanchor": "bottom",
            "traceorder": "reversed",
        },
        "xaxis": {
            "title": {"text": _UP_TO[unit]},
            "type": "log",
            "exponentformat": "power",
            # Each text tells its own count, which is a range where an epoch counts whole.
            "unifiedhovertitle": {"text": "Proven"},
        },
        "yaxis": epsilon_axis(
            [
                target_epsilon,
                *(side for point in points for side in (point.epsilon_upper, point.epsilon_lower)),
            ]
        ),
    }


def _target_line(target_epsilon: float) -> dict[str, Any]:
    return {
        "type": "line",
        "xref": "paper",
        "x0": 0,
        "x1": 1,
        "y0": target_epsilon,
        "y1": target_epsilon,
        "line": {"color": "var(--target)", "width": 1.5, "dash": "dot"},
    }


def _target_words(
    points: Sequence[ProvenEpsilon], target_epsilon: float, used_up: UsedUp | None
) -> dict[str, Any]:
    # Left of where the target is used up the line runs below it, and the words find room above.
    starts_above = bool(points) and (points[0].epsilon_upper or math.inf) > target_epsilon
    lines = list(target_label(target_epsilon, used_up))
    if used_up is not None and used_up.state is BudgetState.FOUND:
        lines[-1] = f"× {lines[-1]}"
    return {
        "xref": "paper",
        "x": 0,
        "y": math.log10(target_epsilon),
        "text": "<br>".join(lines),
        "align": "left",
        "showarrow": False,
        "xanchor": "left",
        "yanchor": "top" if starts_above else "bottom",
        "font": {"color": "var(--target)"},
    }
