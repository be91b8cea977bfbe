"""The two lines of one run in the chart of delta against epsilon, and how far they are drawn."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.accounting.buckets import FloatArray
from dpviz.figures.palette import Style
from dpviz.figures.spec import json_numbers
from dpviz.planning import ScenarioCurves
from dpviz.planning.curves import EPSILON_DIGITS, EPSILON_GRID
from dpviz.wording.numbers import rounded_down, rounded_up
from dpviz.wording.theorems import bound_label, qualified_label

FIRST_EPSILON = float(EPSILON_GRID[1])  # 0 has no place on a logarithmic axis
_DECADES_SHOWN = 3.5
_DECADES_OF_EACH = 2.5  # before the end of the first curve that ends


@dataclass(frozen=True, kw_only=True, eq=False)
class Band:
    """One run of the chart.

    Args:
        curves: what is proven about it.
        label: its name.
        style: colour, dash and symbol.
        short: its name in the legend, where that has a title; the label if empty.
    """

    curves: ScenarioCurves
    label: str
    style: Style
    short: str = ""


@dataclass(frozen=True, kw_only=True)
class DrawnWindow:
    """The epsilons that are drawn, and the smallest delta."""

    left: float
    right: float
    smallest_delta: float
    is_empty: bool


def drawn_window(drawn: Sequence[ScenarioCurves]) -> DrawnWindow:
    """Return which epsilons are drawn: the decades in which delta falls to the smallest one.

    The axes follow from what is drawn. A ``range`` of their own would take a visitor's zoom
    away whenever it changed.
    """
    smallest = min(curves.smallest_delta for curves in drawn)
    ends = [end for curves in drawn for end in _ends(curves, smallest)]
    first, last = (float(np.log10(max(1e-3, end))) for end in (min(ends or [0]), max(ends or [0])))
    # Room for the label beside the last point, and in halves of a decade, so that the axis holds
    # still under most slider moves.
    right = np.ceil(2 * (last + 0.5)) / 2
    left = min(right - _DECADES_SHOWN, np.floor(2 * (first - _DECADES_OF_EACH)) / 2)
    return DrawnWindow(
        left=0.999 * float(10**left),
        right=1.001 * float(10**right),
        smallest_delta=smallest,
        is_empty=not ends,
    )


def _ends(curves: ScenarioCurves, smallest: float) -> list[float]:
    """Return where the lines of a run end that reach furthest, as far as they can be drawn."""
    deltas = [curves.upper.delta_high]
    can_be_drawn = curves.epsilon >= FIRST_EPSILON
    ends = [curves.epsilon[can_be_drawn & (delta >= smallest)] for delta in deltas]
    return [float(end[-1]) for end in ends if len(end)]


def band_lines(band: Band, window: DrawnWindow) -> list[dict[str, Any]]:
    """Return the traces of a run's lower and upper bound, in this order."""
    curves, style = band.curves, band.style
    drawn = (curves.epsilon >= window.left) & (curves.epsilon <= window.right)
    epsilons = json_numbers(curves.epsilon[drawn])

    meaning = {"upper": qualified_label(curves.upper.bound)}
    if curves.lower is not None:
        meaning["lower"] = bound_label(curves.lower.bound)

    def line(side: str, delta: FloatArray, sign: str, texts: list[str]) -> dict[str, Any]:
        # A line that went on to zero would mean nothing.
        above = delta >= window.smallest_delta
        return {
            "type": "scatter",
            "mode": "lines",
            "uid": f"{style.role}-{side}",
            "legendgroup": style.role,
            "x": epsilons,
            "y": json_numbers(np.where(above, delta, np.nan)),
            # All digits that the epsilons have: a rounded one would not belong to its delta.
            "text": [
                f"ε = {x:.{EPSILON_DIGITS}g}: δ {sign} {text}"
                for x, text in zip(epsilons, texts, strict=True)
            ],
            "hovertemplate": f"%{{text}} {band.label}<br>{meaning[side]}<extra></extra>",
        }

    traces = []
    if curves.lower is not None:
        lower = curves.lower.delta_low[drawn]
        traces.append(
            line("lower", lower, "≥", [rounded_down(value, 3) for value in lower])
            | {
                "name": f"{band.label}, lower bound",
                # A band's lower line comes and goes with it.
                "showlegend": False,
                "line": {
                    "color": f"var(--{style.role})",
                    "width": 1,
                    "dash": style.dash,
                },
            }
        )
    upper = curves.upper.delta_high[drawn]
    fill: dict[str, Any] = {}
    if curves.lower is not None:
        fill = {"fill": "tonexty", "fillcolor": f"var(--{style.role}@0.18)"}
    traces.append(
        line("upper", upper, "≤", [rounded_up(value, 3) for value in upper])
        | {
            "name": band.short or band.label,
            "line": {"color": f"var(--{style.role})", "width": 2.5, "dash": style.dash},
        }
        | fill
    )
    return traces
