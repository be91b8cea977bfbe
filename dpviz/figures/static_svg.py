"""A figure as SVG for paper, in the light colours: no browser draws it, no script is in it.

It knows the part of Plotly's schema that the charts of lessons use: lines, marks and fills over
linear or logarithmic axes, shapes, notes, and a legend, which always stands under the plot.
"""

import html
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from dpviz.figures.parts import PALETTE, Part, Spec
from dpviz.wording.numbers import power_of_ten

_ROLE = re.compile(r"var\(--([\w-]+?)(?:@([\d.]+))?\)")
_DASHES = {
    "dash": "9 5", "dot": "2 4", "dashdot": "9 4 2 4", "longdash": "15 5",
    "longdashdot": "15 4 2 4", "2px,6px": "2 6",
}  # fmt: skip
_INK, _GRID, _LINE_COLOR = "#0f181c", "#dde3e6", "#4d5a61"
_FONT = 13.0
_LETTER, _LINE = 0.55 * _FONT, 1.35 * _FONT  # about a letter's width, and a line's height
_TOP, _RIGHT, _TICKS, _TITLE = 30.0, 16.0, 22.0, 20.0
_KEY, _GAP = 34.0, 18.0  # of a legend's entries
_MOST_TICKS = 7
_ROOM = 0.05  # of an axis without a range of its own, beside what is drawn
# Corners of marks of half-width 1; what is none of them is a circle.
_SYMBOLS = {
    "square": "-.9 -.9 .9 -.9 .9 .9 -.9 .9",
    "diamond": "0 -1.3 1.3 0 0 1.3 -1.3 0",
    "triangle-up": "0 -1.2 1.1 .8 -1.1 .8",
    "triangle-down": "0 1.2 1.1 -.8 -1.1 -.8",
    "star": "0 -1.3 .4 -.4 1.3 0 .4 .4 0 1.3 -.4 .4 -1.3 0 -.4 -.4",
    "x": "-1 -.5 -.5 -1 0 -.4 .5 -1 1 -.5 .4 0 1 .5 .5 1 0 .4 -.5 1 -1 .5 -.4 0",
    "line-ew": "-1 0 1 0",
}
_HALO = 'stroke="#fff" stroke-width="3" paint-order="stroke"'  # where lines run behind words
_ANCHORS = {"left": "start", "right": "end"}
_BESIDE = {"left": (-8, "end"), "right": (8, "start")}  # of a mark: how far away, held by what
Points = Sequence[tuple[float, float]]


def svg_of(figure: Spec, *, alt: str, height: float, width: float = 720.0) -> str:
    """Return the figure as SVG markup, to stand in a page.

    Sizes are in CSS pixels, without the legend, which is added below; a page may scale all.
    """
    layout = figure["layout"]
    plots = [_Plot(figure, number) for number in ("", "2") if f"xaxis{number}" in layout]
    area = (max(plot.left for plot in plots), _TOP, width - _RIGHT, height - plots[0].below)
    body = [part for plot in plots for part in plot.drawn(*area)]
    body += [_note(note, plots[0], area) for note in layout.get("annotations", [])]
    legend, rows = _legend(figure, width)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} '
        f'{height + rows * _LINE:.0f}" role="img" aria-label="{html.escape(alt)}" '
        f'font-size="{_FONT:g}" fill="{_INK}">{"".join(body)}'
        f'<g transform="translate(0 {height:.0f})">{legend}</g></svg>'
    )


def _paint(kind: str, color: str) -> str:
    """Return a colour or a role as attributes of ``fill`` or ``stroke``."""
    if (role := _ROLE.fullmatch(color)) is None:
        return f'{kind}="{color}"'
    return f'{kind}="{PALETTE["light"][role[1]]}" {kind}-opacity="{role[2] or 1}"'


def _stroke(line: Part) -> str:
    width = line.get("width", 1)
    dash = f' stroke-dasharray="{_DASHES[line["dash"]]}"' if line.get("dash") in _DASHES else ""
    return f'{_paint("stroke", line.get("color", _LINE_COLOR))} stroke-width="{width:g}"{dash}'


def _path(points: Points, look: str, *, closed: bool = False) -> str:
    way = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    return f'<path d="M{way}{"Z" if closed else ""}" {look}/>'


def _text(words: str, x: float, y: float, anchor: str = "start", more: str = "") -> str:
    """Return words, of several lines where they have breaks; the last one stands at ``y``."""
    lines = words.split("<br>")
    first = y - (len(lines) - 1) * _LINE
    spans = (
        f'<tspan x="{x:.1f}" y="{first + at * _LINE:.1f}">{html.escape(line)}</tspan>'
        for at, line in enumerate(lines)
    )
    return f'<text text-anchor="{anchor}" {more}>{"".join(spans)}</text>'


def _mark(look: Part, x: float, y: float, size: float) -> str:
    symbol = look.get("symbol", "circle")
    name, line = symbol.removesuffix("-open"), look.get("line", {})
    if symbol != name:
        paint = f'fill="none" {_stroke({"color": look["color"], "width": 1.5, **line})}'
    else:
        paint = f"{_paint('fill', look['color'])} {_stroke({'width': 0, **line})}"
    if name not in _SYMBOLS:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size / 2:g}" {paint}/>'
    numbers = [size / 2 * float(number) for number in _SYMBOLS[name].split()]
    corners = zip(numbers[::2], numbers[1::2], strict=True)
    return _path([(x + dx, y + dy) for dx, dy in corners], paint, closed=True)


class _Axis:
    """One axis: from values to places between ``start`` and ``end``."""

    def __init__(self, part: Part, values: Sequence[float]) -> None:
        self.part, self.is_log, self.start, self.end = part, part.get("type") == "log", 0.0, 1.0
        is_seen = part.get("visible", True)
        self.title = str(part.get("title", {}).get("text", "")) if is_seen else ""
        if "range" in part:
            self.low, self.high = map(float, part["range"])
        else:
            low, high = self._of(min(values)), self._of(max(values))
            room = _ROOM * (high - low)
            self.low, self.high = low - room, high + room
        self.ticks = list(self._ticks()) if is_seen else []

    def at(self, value: float | None) -> float:
        """Return where a value is; NaN where it has no place."""
        if value is None or (self.is_log and value <= 0):
            return math.nan
        return self.placed(self._of(value))

    def placed(self, place: float) -> float:
        """Return where the logarithm of a value is, or the value of a linear axis."""
        return self.along((place - self.low) / (self.high - self.low))

    def along(self, share: float) -> float:
        """Return where a part of the axis ends."""
        return self.start + share * (self.end - self.start)

    def _of(self, value: float) -> float:
        return math.log10(value) if self.is_log else float(value)

    def _ticks(self) -> Iterator[tuple[float, str]]:
        if "tickvals" in self.part:
            values = self.part["tickvals"]
            words = self.part.get("ticktext", [f"{value:g}" for value in values])
            yield from zip(map(self._of, values), words, strict=True)
            return
        length, step = self.high - self.low, self.part.get("dtick")
        if not isinstance(step, int | float) or length / step > 2 * _MOST_TICKS:
            least = 1.0 if self.is_log or "d" in self.part.get("tickformat", "") else 0.0
            power = 10.0 ** math.floor(math.log10(length / _MOST_TICKS))
            steps = (factor * power for factor in (1, 2, 5, 10))
            step = max(least, next(one for one in steps if length / one <= _MOST_TICKS))
        for at in range(math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9) + 1):
            place = round(at * float(step), 9)
            if not self.is_log:
                yield place, f"{place:,g}"
            else:
                yield place, f"{10**place:g}" if -1 <= place <= 2 else power_of_ten(10.0**place)


class _Plot:
    """Two axes and what is drawn over them."""

    def __init__(self, figure: Spec, number: str) -> None:
        layout = figure["layout"]
        self.traces = [one for one in figure["data"] if one.get("yaxis", "y") == f"y{number}"]
        self.shapes = [] if number else layout.get("shapes", [])
        values = [
            [one for trace in self.traces for one in trace[axis] if one is not None]
            for axis in ("x", "y")
        ]
        self.x = _Axis(layout[f"xaxis{number}"], values[0])
        self.y = _Axis(layout[f"yaxis{number}"], values[1])
        longest = max((len(words) for _, words in self.y.ticks), default=0)
        self.left = 10 + longest * _LETTER + (_TITLE if self.y.title else 0)
        self.below = 8 + (_TICKS if self.x.ticks else 0) + (_TITLE if self.x.title else 0)

    def drawn(self, left: float, top: float, right: float, bottom: float) -> Iterator[str]:
        """Yield all of it; what leaves the plot is cut off, but for marks."""
        x, y = self.x, self.y
        x.start, x.end = left, right
        y.start, y.end = (
            bottom - share * (bottom - top) for share in y.part.get("domain", (0.0, 1.0))
        )
        across = [[(x.placed(at), end) for end in (y.start, y.end)] for at, _ in x.ticks]
        up = [[(end, y.placed(at)) for end in (x.start, x.end)] for at, _ in y.ticks]
        grid = [(x.part, way) for way in across] + [(y.part, way) for way in up]
        line, before = _stroke({"color": _GRID}), list[tuple[float, float]]()
        inside = [_path(way, line) for part, way in grid if part.get("showgrid", True)]
        inside += map(self._shape, self.shapes)
        marks: list[str] = []
        for trace in self.traces:
            points = [(x.at(a), y.at(b)) for a, b in zip(trace["x"], trace["y"], strict=True)]
            if "lines" in trace["mode"]:
                inside += self._lines(trace, points, before)
            if "markers" in trace["mode"]:
                marks += self._marks(trace, points)
            before = points
        wide, high = x.end - x.start, y.start - y.end
        box = f"{x.start:.1f} {y.end:.1f} {wide:.1f} {high:.1f}"
        place = f'x="{x.start:.1f}" y="{y.end:.1f}" width="{wide:.1f}" height="{high:.1f}"'
        yield f'<svg {place} viewBox="{box}">{"".join(inside)}</svg>'
        yield from self._labels()
        yield from marks

    def _labels(self) -> Iterator[str]:
        x, y = self.x, self.y
        if x.ticks:
            frame = [(x.start, y.end), (x.start, y.start), (x.end, y.start)]
            yield _path(frame, f'fill="none" {_stroke({})}')
        for at, words in x.ticks:
            yield _text(words, x.placed(at), y.start + 17, "middle")
        for at, words in y.ticks:
            yield _text(words, x.start - 7, y.placed(at) + 4, "end")
        down = y.start + 15 + (_TICKS if x.ticks else 0)
        yield _text(x.title, x.along(0.5), down, "middle")
        turn = f'transform="rotate(-90 14 {y.along(0.5):.1f})"'
        yield _text(y.title, 14, y.along(0.5), "middle", turn)

    def _shape(self, shape: Part) -> str:
        (x0, x1), (y0, y1) = (
            [
                axis.along(shape[f"{name}{end}"])
                if shape.get(f"{name}ref") == "paper"
                else axis.at(shape[f"{name}{end}"])
                for end in (0, 1)
            ]
            for name, axis in (("x", self.x), ("y", self.y))
        )
        if shape["type"] == "line":
            return _path([(x0, y0), (x1, y1)], _stroke(shape["line"]))
        paint = f"{_paint('fill', shape['fillcolor'])} {_stroke(shape['line'])}"
        return _path([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], paint, closed=True)

    def _lines(self, trace: Part, points: Points, before: Points) -> Iterator[str]:
        runs = _runs(points)
        edges = runs if trace.get("fill") == "toself" else []
        if trace.get("fill") == "tonexty":
            ways = [[point for run in _runs(one) for point in run] for one in (points, before)]
            edges = [[*ways[0], *reversed(ways[1])]]
        for edge in edges:
            yield _path(edge, f'{_paint("fill", trace["fillcolor"])} stroke="none"', closed=True)
        for run in runs:
            yield _path(run, f'fill="none" {_stroke(trace["line"])}')

    def _marks(self, trace: Part, points: Points) -> Iterator[str]:
        look = trace["marker"]
        for at, (x, y) in enumerate(points):
            if math.isnan(x + y):
                continue
            if "error_y" in trace:
                bars, value = trace["error_y"], trace["y"][at]
                ends = (value - bars["arrayminus"][at], value + bars["array"][at])
                yield _path([(x, min(self.y.at(end), self.y.start)) for end in ends], _stroke(bars))
            yield _mark(look, x, y, look["size"])
            if "text" in trace["mode"]:
                up, side = trace["textposition"].split()
                words = trace["text"][at].split("<br>")
                lines = [line for line in words if line]
                # Empty lines keep it away from the point.
                empty = (len(words) - len(lines)) * _LINE
                down = -7 - empty if up == "top" else 17 + empty
                away, anchor = _BESIDE.get(side, (0, "middle"))
                ink = _paint("fill", trace.get("textfont", {}).get("color", _INK))
                yield _text("<br>".join(lines), x + away, y + down, anchor, f"{ink} {_HALO}")


def _runs(points: Points) -> list[Points]:
    runs = groupby(points, lambda point: math.isnan(sum(point)))
    return [list(run) for is_gap, run in runs if not is_gap]


def _note(note: Part, plot: _Plot, area: tuple[float, float, float, float]) -> str:
    left, top, right, bottom = area
    x, y = note["x"], note["y"]
    across = plot.x.along(x) if note.get("xref") == "paper" else plot.x.placed(x)
    up = bottom - y * (bottom - top) if note.get("yref") == "paper" else plot.y.placed(y)
    side = note.get("xanchor", "center")
    if side == "auto":
        side = "left" if across < (left + right) / 2 else "right"
    lift = {"bottom": -5.0, "top": _FONT}.get(note.get("yanchor", "middle"), 4.0)
    ink = _paint("fill", note.get("font", {}).get("color", _INK))
    if "textangle" in note:  # beside the plot
        turn = f'{ink} transform="rotate({note["textangle"]} {across:.1f} {up:.1f})"'
        return _text(note["text"], across, up - 4, "middle", turn)
    down = up + lift - note.get("yshift", 0)
    return _text(note["text"], across, down, _ANCHORS.get(side, "middle"), ink)


def _legend(figure: Spec, width: float) -> tuple[str, int]:
    layout = figure["layout"]
    named = [one for one in figure["data"] if one.get("name") and one.get("showlegend", True)]
    if layout.get("showlegend") is False or len(named) < 2:
        return "", 0
    named.sort(key=lambda trace: int(trace.get("legendrank", 1000)))
    if layout.get("legend", {}).get("traceorder") == "reversed":
        named.reverse()
    drawn, x, y = list[str](), 4.0, _LINE
    for trace in named:
        room = _KEY + len(trace["name"]) * _LETTER
        if x + room > width and x > 4.0:
            x, y = 4.0, y + _LINE
        drawn += [*_key(trace, x, y - 4), _text(trace["name"], x + _KEY, y)]
        x += room + _GAP
    return "".join(drawn), round(y / _LINE) + 1


def _key(trace: Part, x: float, y: float) -> Iterable[str]:
    if trace.get("fill") == "toself":
        paint = f"{_paint('fill', trace['fillcolor'])} {_stroke(trace['line'])}"
        yield f'<rect x="{x + 2:.1f}" y="{y - 5:.1f}" width="24" height="10" {paint}/>'
        return
    if "lines" in trace["mode"]:
        yield _path([(x, y), (x + 28, y)], _stroke(trace["line"]))
    if "markers" in trace["mode"]:
        yield _mark(trace["marker"], x + 14, y, min(11, trace["marker"]["size"]))
