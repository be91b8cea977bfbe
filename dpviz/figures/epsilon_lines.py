"""Lines and bands of epsilon against something, and the axis that they share."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from dpviz.figures.palette import Style


@dataclass(frozen=True, kw_only=True)
class Corner:
    """One computed point of a line, and what the hover says of it."""

    x: float
    epsilon: float
    text: str


@dataclass(frozen=True, kw_only=True)
class EpsilonBand:
    """The upper and lower bounds of one run.

    Args:
        identity: tells its traces from others, over all changes.
        style: colour, dash and symbol.
        uppers: of the upper bound, by increasing x.
        lowers: of the lower bound.
        upper_name: in the legend.
        lower_name: in the legend.
        lists_lower: whether the lower line has a legend entry of its own.
    """

    identity: str
    style: Style
    uppers: Sequence[Corner]
    lowers: Sequence[Corner]
    upper_name: str
    lower_name: str
    lists_lower: bool = True


def band_traces(band: EpsilonBand) -> list[dict[str, Any]]:
    """Return the filled band, the lower and the upper line, as far as there are any."""
    traces = _filled(band)
    if band.lowers:
        thin: dict[str, Any] = {"width": 1, "dash": band.style.dash}
        traces.append(
            _line(band, "lower", band.lower_name, band.lowers, thin, 3)
            | {"showlegend": band.lists_lower}
        )
    if band.uppers:
        thick: dict[str, Any] = {"width": 2.5, "dash": band.style.dash}
        traces.append(_line(band, "upper", band.upper_name, band.uppers, thick, 5))
    return traces


def mark(uid: str, x: float, epsilon: float, *, color: str, symbol: str) -> dict[str, Any]:
    """Return a mark that stands out of the line, without a legend entry or a hover text."""
    return {
        "type": "scatter",
        "mode": "markers",
        "uid": uid,
        "x": [x],
        "y": [epsilon],
        "marker": {"color": color, "symbol": symbol, "size": 11},
        "cliponaxis": False,
        "showlegend": False,
        "hoverinfo": "skip",
    }


def epsilon_axis(shown: Iterable[float | None]) -> dict[str, Any]:
    """Return the axis of epsilon: 1, 2 and 5 of each decade.

    Within a single decade Plotly finds rounder numbers.

    Args:
        shown: the epsilons that are drawn; what is 0 or missing has no place there.
    """
    epsilons = [epsilon for epsilon in shown if epsilon]
    ticks = {"dtick": "D2"} if epsilons and max(epsilons) > 10.0 * min(epsilons) else {}
    return {
        "title": {"text": "ε (smaller is more private)"},
        "type": "log",
        "exponentformat": "power",
        **ticks,
    }


def _color(band: EpsilonBand, alpha: str = "") -> str:
    return f"var(--{band.style.role}{alpha})"


def _line(
    band: EpsilonBand,
    side: str,
    name: str,
    corners: Sequence[Corner],
    line: dict[str, Any],
    size: int,
) -> dict[str, Any]:
    return {
        "type": "scatter",
        # A marker at each computed point: between them the line is only drawn.
        "mode": "lines+markers",
        "uid": f"{band.identity}-{side}",
        "legendgroup": band.identity,
        "name": name,
        "x": [corner.x for corner in corners],
        "y": [corner.epsilon for corner in corners],
        "text": [corner.text for corner in corners],
        "hovertemplate": "%{text}<extra></extra>",
        "line": {"color": _color(band), **line},
        "marker": {"color": _color(band), "symbol": band.style.symbol, "size": size},
    }


def _filled(band: EpsilonBand) -> list[dict[str, Any]]:
    """Return the band as one outline, over the places at which both of its sides are drawn.

    A fill from one line to the next would join the ends of lines of different lengths by slopes
    that are bounds on nothing.
    """
    both = {corner.x for corner in band.uppers} & {corner.x for corner in band.lowers}
    outline = [corner for corner in band.uppers if corner.x in both]
    outline += [corner for corner in reversed(band.lowers) if corner.x in both]
    if len(both) < 2:
        return []
    return [
        {
            "type": "scatter",
            "mode": "lines",
            "uid": f"{band.identity}-band",
            "legendgroup": band.identity,
            "x": [corner.x for corner in outline],
            "y": [corner.epsilon for corner in outline],
            "fill": "toself",
            "fillcolor": _color(band, "@0.18"),
            "line": {"width": 0, "color": _color(band)},
            "hoverinfo": "skip",
            "showlegend": False,
        }
    ]
