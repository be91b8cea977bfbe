"""What charts are made of: colours, frame, axes, legends, lines, points, marks and notes.

Colours go by role, for a light and a dark page. Each has at least 4.5:1 contrast with its page and
a second cue (dash and symbol) wherever it tells series apart.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, inf, log10
from typing import Any

import numpy as np

from dpviz.accounting.buckets import FloatArray
from dpviz.wording.proven_epsilon import EPSILON_TIERS

_LIGHT = ("#0b6075", "#a8480a", "#7b3fa0", "#3a6b1e", "#b0256b", "#2456b8", "#5b5348")
_DARK = ("#5cc3d6", "#f2a35e", "#c9a0ec", "#9ccc65", "#f48fb1", "#8ab4f8", "#c8bfae")
PALETTE = {
    mode: {f"series-{at}": color for at, color in enumerate(colors)}
    | {"target": target, "secret": secret}
    for mode, colors, target, secret in (
        ("light", _LIGHT, "#4d5a61", "#c2182b"),
        ("dark", _DARK, "#a9b8bf", "#ff7a80"),
    )
}


@dataclass(frozen=True, kw_only=True)
class Style:
    """How one series of a chart is told from the others: never by its colour alone."""

    role: str
    dash: str
    symbol: str


_DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot", "2px,6px")
_SYMBOLS = ("circle", "diamond", "square", "triangle-up", "star", "x", "triangle-down")
STYLES = tuple(
    Style(role=f"series-{at}", dash=dash, symbol=symbol)
    for at, (dash, symbol) in enumerate(zip(_DASHES, _SYMBOLS, strict=True))
)
# What is drawn on several pages, and looks the same on each; also in browser/picture.css.
SECRET = Style(role="secret", dash="solid", symbol="circle")
CONTEXT, FORECAST = STYLES[0], STYLES[2]
# What a bound is: the lower line is thin, and of the same dash as the upper one.
UPPER_WIDTH, LOWER_WIDTH = 2.5, 1.0
OWN_RUN, PINNED_RUNS = STYLES[0], STYLES[1:]
# A pin among lines that stand for something else.
PIN = STYLES[-1]

Part = dict[str, Any]
Spec = dict[str, Any]
HOVER_TEXT = "%{text}<extra></extra>"
# Titles of axes.
EPSILON_AXIS = "ε (privacy loss; smaller is more private)"
DELTA_AXIS = "δ (failure probability)"
# A name takes this part of an axis that is as short as a phone's.
_ROOM_FOR_NAME = 0.07
# Other words on top of a chart are a line above the names: pixels.
ABOVE_TIERS: dict[str, Any] = {"yshift": 16}
# Of every other tier, so that its neighbours stand out from it.
_SHADE = 0.07
# A stretch, or all of a line's band, through which lines are seen.
BAND_SHADE = 0.18
_BEHIND = {"color": "var(--target)"}


def figure(
    data: Sequence[Part],
    title: str,
    identity: str,
    xaxis: Part,
    yaxis: Part,
    *,
    hover: str | bool = "closest",
    legend: Part | str | None = None,
    meta: Mapping[str, object] = {"legend": "under"},
    palette: Mapping[str, Mapping[str, str]] = PALETTE,
    **more: Any,
) -> Spec:
    """Return a chart of traces.

    A visitor's zoom lasts for as long as ``identity`` stays the same. ``title`` says what the chart
    shows, as a finding; ``legend`` may be its order alone; ``meta`` is what ``chart.js`` is to
    know, by default that the legend stands under the chart; ``more`` are further parts, as Plotly
    names them.
    """
    if legend is not None:
        more["legend"] = {"traceorder": legend} if isinstance(legend, str) else legend
    layout = {
        "title": {"text": title},
        "template": "none",
        "meta": {"palette": palette, **meta},
        "uirevision": identity,
        "hovermode": hover,
        "xaxis": xaxis,
        "yaxis": yaxis,
    }
    return {"data": list(data), "layout": layout | more}


def axis(title: str, **more: Any) -> Part:
    """Return an axis."""
    return {"title": {"text": title}, **more}


def log_axis(title: str, **more: Any) -> Part:
    """Return a logarithmic axis with powers of ten."""
    return axis(title, type="log", exponentformat="power", **more)


def ticks(words: Iterable[str]) -> Part:
    """Return words for the places 0, 1, 2, ... of an axis."""
    texts = list(words)
    return {"tickmode": "array", "tickvals": list(range(len(texts))), "ticktext": texts}


def titled_legend(title: str, **more: Any) -> Part:
    """Return a legend with a title above it."""
    return {**more, "title": {"text": title, "side": "top"}}


def color(role: str, density: float | None = None) -> str:
    """Return the colour of a role, as dense as is said.

    >>> color("series-0", 0.18)
    'var(--series-0@0.18)'
    """
    return f"var(--{role})" if density is None else f"var(--{role}@{density})"


def scatter(uid: str, mode: str, x: Any, y: Any, **more: Any) -> Part:
    """Return a trace."""
    return {"type": "scatter", "mode": mode, "uid": uid, "x": x, "y": y, **more}


def line(
    uid: str,
    name: str,
    x: Any,
    y: Any,
    style: Style,
    width: float,
    texts: Iterable[str] | None = None,
    *,
    dots: float = 0,
    dash: str = "",
    **more: Any,
) -> Part:
    """Return a line in a style; another ``dash`` is not the style's.

    ``texts`` are what is told at each of its places, ``dots`` the size of the points that mark
    these, in pixels like ``width``; ``more`` are further parts, as Plotly names them.
    """
    look = stroke(style, width, **({"dash": dash} if dash else {}))
    marks = {"marker": marker(style, dots)} if dots else {}
    mode = "lines+markers" if dots else "lines"
    return scatter(uid, mode, x, y, **_named(name, texts), line=look, **marks) | more


def points(
    uid: str, name: str, x: Any, y: Any, look: Part, texts: Iterable[str] | None = None, **more: Any
) -> Part:
    """Return points with the look of a :func:`marker`; arguments as for :func:`line`."""
    return scatter(uid, "markers", x, y, **_named(name, texts), marker=look, **more)


def area(
    uids: tuple[str, str], name: str, x: Any, low: Any, high: Any, edge: Part, fill: Part
) -> list[Part]:
    """Return the lower and the upper edge of an area; ``edge`` is the look of both."""
    silent = {"line": edge, "showlegend": False, "hoverinfo": "skip"}
    listed = {"showlegend": True, "name": name} if name else {}
    return [
        scatter(uids[0], "lines", x, low, **silent),
        scatter(uids[1], "lines", x, high, **(silent | fill | listed)),
    ]


def _named(name: str, texts: Iterable[str] | None) -> Part:
    return ({"name": name} if name else {}) | ({} if texts is None else told(texts))


def bars(uid: str, x: Any, y: Any, texts: Sequence[str], **more: Any) -> Part:
    """Return bars to the right, with words at their ends."""
    words = {"text": texts, "textposition": "outside", "cliponaxis": False}
    return {"type": "bar", "orientation": "h", "uid": uid, "x": x, "y": y, **words, **more}


def bar_look(style: Style, density: float) -> Part:
    """Return the look of bars: the style's colour, denser at the edge."""
    edge = {"color": color(style.role), "width": 1}
    return {"marker": {"color": color(style.role, density), "line": edge}}


def gapped(
    paths: Iterable[Sequence[tuple[float | None, float | None]]],
) -> tuple[list[float | None], list[float | None]]:
    """Return x and y of lines that are one trace, with a gap after each.

    >>> gapped([[(0, 0), (0, 1)], [(2, 0)]])
    ([0, 0, None, 2, None], [0, 1, None, 0, None])
    """
    corners = [corner for path in paths for corner in (*path, (None, None))]
    return [x for x, _ in corners], [y for _, y in corners]


def stroke(style: Style, width: float, **more: Any) -> Part:
    """Return a line's look: the style's colour and dash."""
    return {"color": color(style.role), "width": width, "dash": style.dash} | more


def marker(style: Style, size: float) -> Part:
    """Return a point's look: the style's colour and symbol."""
    return {"color": color(style.role), "symbol": style.symbol, "size": size}


def told(texts: Iterable[str]) -> Part:
    """Return what a trace says at each of its places."""
    return {"text": list(texts), "hovertemplate": HOVER_TEXT}


def filled_to(role: str, density: float = BAND_SHADE) -> Part:
    """Return the fill between a trace and the one before it."""
    return {"fill": "tonexty", "fillcolor": color(role, density)}


def mark(uid: str, x: Any, y: Any, look: Part, text: str = "", place: str = "") -> Part:
    """Return a mark that stands out of a line, without a legend entry or a hover text."""
    words = {"text": [text], "textposition": place} if text else {}
    silent = {"cliponaxis": False, "showlegend": False, "hoverinfo": "skip"}
    mode = "markers+text" if text else "markers"
    return scatter(uid, mode, [x], [y], **words, marker=look, **silent)


def key(uid: str, name: str, line: Part) -> Part:
    """Return an entry of the legend that explains a kind of line."""
    return scatter(uid, "lines", [None], [None], name=name, hoverinfo="skip", line=line)


def error_bars(style: Style, above: list[Any], below: list[Any] | None = None) -> Part:
    """Return bars around points: their lengths, and below them others where they differ."""
    uneven = {} if below is None else {"symmetric": False, "arrayminus": below}
    look = {"color": color(style.role), "thickness": 1.5, "width": 4}
    return {"type": "data", "array": above, **uneven, **look}


def level(y: float, width: float = 1.5, **more: Any) -> Part:
    """Return a line across the whole chart."""
    line = {**_BEHIND, "width": width, "dash": "dot"}
    ends = {"xref": "paper", "x0": 0, "x1": 1, "y0": y, "y1": y}
    return {"type": "line", **ends, "line": line, **more}


def upright(x: float, line: Part | None = None) -> Part:
    """Return a line from the bottom of the chart to its top."""
    line = _BEHIND | ({"width": 1, "dash": "dot"} if line is None else line)
    return {"type": "line", "yref": "paper", "y0": 0, "y1": 1, "x0": x, "x1": x, "line": line}


def stretch(
    start: Any, end: Any, line: Part | None = None, *, density: float = 0.12, along: str = "x"
) -> Part:
    """Return a shaded stretch of an axis, behind all that is drawn."""
    across = "y" if along == "x" else "x"
    ends = {f"{along}0": start, f"{along}1": end}
    sides = {f"{across}ref": "paper", f"{across}0": 0, f"{across}1": 1}
    look = {"fillcolor": color("target", density), "line": {"width": 0} if line is None else line}
    return {"type": "rect", "layer": "below", **ends, **sides, **look}


def note(text: str, x: Any, y: Any, anchor: tuple[str, str] | None = None, **more: Any) -> Part:
    """Return words on the chart."""
    anchors = {} if anchor is None else {"xanchor": anchor[0], "yanchor": anchor[1]}
    return {"text": text, "x": x, "y": y, "showarrow": False, **anchors, **more}


def quiet_note(text: str, x: Any, y: Any, anchor: tuple[str, str], **more: Any) -> Part:
    """Return words in the colour of what is behind the lines."""
    return note(text, x, y, anchor, font=_BEHIND, **more)


def middle_note(text: str, y: float = 0.7) -> Part:
    """Return words in the middle of a chart that has nothing to draw."""
    return note(text, 0.5, y, xref="paper", yref="paper")


def decades(drawn: Iterable[float | None], least: tuple[int, int] = (0, 1)) -> tuple[int, int]:
    """Return the powers of ten from which to which an axis goes, to hold what is drawn.

    What is 0, missing or infinite has no place there; ``least`` is held in any case.

    >>> decades([2.5, None, 130.0]), decades([2.5], (-1, 2)), decades([0.02, 5e3], (-1, 2))
    ((0, 3), (-1, 2), (-2, 4))
    """
    powers = [log10(one) for one in drawn if one and one < inf]
    low, high = least
    return min([low, *map(floor, powers)]), max([high, *map(ceil, powers)])


def tiers(low: float, high: float, *, is_log: bool = True, along: str = "x") -> Part:
    """Return the shapes and annotations that mark along an axis how strong protection is."""

    def place(epsilon: float) -> float:
        return log10(epsilon) if is_log else epsilon

    across, beside, turned = "y", ("center", "bottom"), Part()
    if along == "y":
        across, beside, turned = "x", ("left", "middle"), {"textangle": 90}
    shapes, annotations = [], []
    for at, tier in enumerate(EPSILON_TIERS):
        start, end = max(tier.start, low), min(tier.end, high)
        if start >= end:
            continue
        if at % 2:
            shapes.append(stretch(start, end, density=_SHADE, along=along))
        first, last = place(start), place(end)
        if last - first >= _ROOM_FOR_NAME * (place(high) - place(low)):
            where: Part = {along: (first + last) / 2, across: 1, f"{across}ref": "paper"}
            annotations.append(quiet_note(tier.name, **where, anchor=beside, **turned))
    return {"shapes": shapes, "annotations": annotations}


def json_numbers(values: FloatArray) -> list[float | None]:
    """Return numbers as JSON can hold them: what is not one becomes a gap.

    >>> json_numbers(np.array([0.5, np.nan]))
    [0.5, None]
    """
    return [number if number == number else None for number in values.tolist()]


def numbers_from(smallest: float, values: FloatArray) -> list[float | None]:
    """Return the same, with a gap for what is smaller than can be drawn.

    >>> numbers_from(1e-12, np.array([0.5, 1e-13]))
    [0.5, None]
    """
    return json_numbers(np.where(values >= smallest, values, np.nan))


def figure_json(spec: Spec) -> str:
    """Return a figure as JSON for the browser.

    Raises:
        ValueError: a number in it is not finite.
    """
    return json.dumps(spec, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
