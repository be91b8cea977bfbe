"""What maps are made of, fields and lines between those that meet something; noise on windows."""

from collections.abc import Callable, Iterable, Sequence
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.accounting.buckets import FloatArray
from dpviz.figures import parts
from dpviz.figures.parts import PALETTE, STYLES, Part, Spec
from dpviz.guarantees import guarantee_for
from dpviz.planning.label_noise import NOISES, NoiseMap, noisy_bound, without_noise
from dpviz.scenario import Scenario
from dpviz.wording.label_noise import cell_text, map_title, sigma_text
from dpviz.wording.numbers import power_of_ten

# The deeper the larger the number is.
_SHADES = {
    "light": {"shade-least": "#f1f7f8", "shade-middle": "#b4d9e0", "shade-most": "#62a9b8"},
    "dark": {"shade-least": "#0a1113", "shade-middle": "#123f4a", "shade-most": "#1a6a7e"},
}
_INK = {
    "light": {"ink": "#0f181c", "paper": "#ffffff"},
    "dark": {"ink": "#dfe6ea", "paper": "#030508"},
}
MAP_PALETTE = {mode: PALETTE[mode] | _SHADES[mode] | _INK[mode] for mode in PALETTE}
_COLOR_SCALE = [[0, "var(--shade-least)"], [0.5, "var(--shade-middle)"], [1, "var(--shade-most)"]]
# Lines of a map are told apart by these, and by what is written on them.
_LINE_DASHES = ("solid", "dash", "dot", "dashdot")
SMALLEST_EPSILON = 1e-6  # has the lightest shade, as all below it
_BEYOND_EDGE = 0.35  # of a cell: where a noise above the map's is marked

# Corners as (x, y), where cells are of size 1 around whole numbers.
Path = list[tuple[float, float]]
Level = tuple[float, list[Path]]  # a number, and the lines around what meets it
BoolArray = NDArray[np.bool_]
_Corner = tuple[int, int]
# From each corner of the lattice to those that an edge leads to.
_Edges = dict[_Corner, list[_Corner]]


def map_figure(
    data: Sequence[Part],
    title: str,
    identity: str,
    axes: tuple[Part, Part],
    notes: Sequence[Part],
    **more: Any,
) -> Spec:
    """Return a map; for its arguments see :func:`dpviz.figures.parts.figure`."""
    more |= {"palette": MAP_PALETTE, "showlegend": False, "annotations": notes}
    return parts.figure(data, title, identity, *axes, meta={}, **more)


def logarithms(values: FloatArray, least: float) -> FloatArray:
    """Return what the shades of fields show, at least that of ``least``; what is infinite is NaN.

    >>> logarithms(np.array([100.0, 1e-9, np.inf]), 1e-6)
    array([ 2., -6., nan])
    """
    finite = np.where(np.isfinite(values), values, np.nan)
    return np.asarray(np.log10(np.maximum(finite, least)))


def heatmap(texts: list[list[str]], shades: FloatArray, gap: int = 1, **more: Any) -> Part:
    """Return the fields of a map; ``texts`` and ``shades`` have shape (rows, columns).

    Fields are of size 1 around whole numbers, ``gap`` pixels apart.
    """
    rows, columns = shades.shape
    return {
        "type": "heatmap",
        "uid": "map",
        "x": list(range(columns)),
        "y": list(range(rows)),
        "z": [parts.json_numbers(row) for row in shades],
        "text": texts,
        "hovertemplate": parts.HOVER_TEXT,
        "colorscale": _COLOR_SCALE,
        "xgap": gap,
        "ygap": gap,
        **more,
    }


def map_axis(title: str, places: Sequence[int], words: Iterable[str], **more: Any) -> Part:
    """Return an axis of a map, with words at some of its fields."""
    written = {"tickvals": list(places), "ticktext": list(words)}
    return parts.axis(title, **written, showgrid=False, zeroline=False, **more)


def now_mark(x: float, y: float, text: str = "now", side: str = "top center") -> Part:
    """Return the mark of the settings that the map is about, by default the visitor's own."""
    look = parts.marker(STYLES[1], 14) | {"line": {"color": "var(--paper)", "width": 2}}
    point = parts.mark("now", x, y, look, f"<b>{text}</b>", side)
    del point["showlegend"]  # maps have no legend
    return point | {"textfont": {"color": "var(--ink)"}}


def ink_note(text: str, x: float, y: float, anchor: tuple[str, str]) -> Part:
    """Return words on paper of their own; the chart has the palette of a map."""
    look: Part = {"bgcolor": "var(--paper@0.85)", "font": {"color": "var(--ink)"}, "borderpad": 1}
    return parts.note(text, x, y, anchor, **look)


def staircases(meets: BoolArray, known: BoolArray | None = None) -> list[Path]:
    """Return the lines between cells that meet something and their neighbours that do not.

    Together they hold every edge between two such cells once, and no other edge, whatever the
    pattern is. Going along a line, the cell that meets it is on the left. Both have shape (rows,
    columns), rows upwards; cells that are not ``known`` have no line around them.

    >>> staircases(np.array([[True, False], [True, True]]))
    [[(0.5, -0.5), (0.5, 0.5), (1.5, 0.5)]]
    """
    edges = _edges(meets, np.ones_like(meets) if known is None else known)
    arrivals = [end for ends in edges.values() for end in ends]
    beginnings = sorted(one for one, ends in edges.items() if len(ends) > arrivals.count(one))
    paths: list[Path] = []
    # Lines with an end first; what is left then goes round.
    for corner in [*beginnings, *sorted(edges)]:
        while edges.get(corner):
            path = [corner]
            while ends := edges.get(path[-1]):
                path.append(ends.pop())
            turns = [
                here
                for before, here, after in zip(path, path[1:], path[2:], strict=False)
                if before[0] != after[0] and before[1] != after[1]
            ]
            paths.append([(x - 0.5, y - 0.5) for x, y in (path[0], *turns, path[-1])])
    return paths


def line_trace(uid: str, paths: Sequence[Path], line: Part) -> Part:
    """Return lines as one trace, with gaps between them.

    Plotly makes a selector of ``uid``: no dot may be in it.

    >>> line_trace("level", [[(0, 0), (0, 1)], [(2, 0), (3, 0)]], {"width": 2})["x"]
    [0, 0, None, 2, 3]
    """
    x, y = parts.gapped(paths)
    return parts.scatter(
        uid, "lines", x[:-1], y[:-1], line=line, hoverinfo="skip", connectgaps=False
    )


def level_traces(levels: Sequence[Level], width: float) -> list[Part]:
    """Return the lines of :func:`level_lines`, ``width`` pixels wide."""
    return [
        line_trace(f"level-{at}", lines, {"color": "var(--ink)", "width": width, "dash": dash})
        for at, ((_, lines), dash) in enumerate(zip(levels, _LINE_DASHES, strict=False))
    ]


def level_lines(
    values: FloatArray,
    lines_of: Callable[[float], list[Path]],
    *,
    without: float | None = None,
) -> list[Level]:
    """Return round numbers, largest first, with the lines between what meets each and what not.

    A number that all or none of the cells meet has no line, nor has one whose lines are another
    one's; of more than there are dashes some are left out, at even steps. What is not finite and
    above 0 plays no part; ``without`` is a number that has a line of its own.

    >>> values = np.array([[0.7, 3.0, 30.0]])
    >>> [level for level, _ in level_lines(values, lambda level: staircases(values <= level))]
    [20.0, 2.0]
    """
    known = values[np.isfinite(values) & (values > 0.0)]
    if not known.size:
        return []
    first, last = (int(np.floor(np.log10(end))) for end in (known.min(), known.max()))
    round_numbers = [
        float(f"{digit}e{power}") for power in range(last, first - 1, -1) for digit in (5, 2, 1)
    ]
    drawn: list[Level] = []
    for level in round_numbers:
        lines = lines_of(level)
        if level != without and lines and all(lines != others for _, others in drawn):
            drawn.append((level, lines))
    return drawn[:: max(1, ceil(len(drawn) / len(_LINE_DASHES)))]


def _edges(meets: BoolArray, known: BoolArray) -> _Edges:
    """Return every edge between cells that differ, with the one that meets it on the left."""
    found: _Edges = {}
    # From the cell to its right, and from the one above.
    differs = np.zeros((*meets.shape, 2), dtype=bool)
    differs[:, :-1, 0] = known[:, :-1] & known[:, 1:] & (meets[:, :-1] != meets[:, 1:])
    differs[:-1, :, 1] = known[:-1] & known[1:] & (meets[:-1] != meets[1:])
    for row, column, is_above in np.argwhere(differs).tolist():
        ends = [(column + 1, row), (column + 1, row + 1)]
        if is_above:
            ends = [(column + 1, row + 1), (column, row + 1)]
        start, end = ends if meets[row, column] else reversed(ends)
        found.setdefault(start, []).append(end)
    return found


def map_chart(shown: NoiseMap, own: Scenario) -> Spec:
    """Return the map, with lines between what meets an epsilon and what does not.

    A line runs between cells, not through guessed places between them: what is above it or to its
    right has at most the epsilon that is written on it, since epsilon falls in both directions.
    """
    epsilon = shown.epsilon
    indices = list(range(len(NOISES)))
    upper, plain = noisy_bound(shown.scenario), guarantee_for(without_noise(shown.scenario)).upper
    texts = [
        [cell_text(shown, upper if at or context else plain, at, context) for context in indices]
        for at in indices
    ]
    levels = level_lines(epsilon, lambda level: staircases(epsilon <= level))
    heat = heatmap(texts, logarithms(epsilon, SMALLEST_EPSILON), showscale=False)
    mark = now_mark(place_of(own.noise.context_noise), place_of(own.noise.forecast_noise))
    words = list(map(sigma_text, NOISES))
    return map_figure(
        [heat, *level_traces(levels, 2), mark],
        map_title(shown),
        "noise-map",
        (
            map_axis("noise on context σ_C, in units of v", indices, words),
            map_axis("noise on labels σ_F, in units of v", indices, words),
        ),
        [_level_label(*level) for level in levels],
    )


def _level_label(level: float, paths: list[Path]) -> Part:
    # Where the line comes nearest to the lower left: lines are furthest apart there.
    corners = [corner for path in paths for corner in path]
    x, y = min(corners, key=lambda corner: (corner[0] + corner[1], abs(corner[0] - corner[1])))
    # Inside of what meets it.
    return ink_note(f"ε ≤ {power_of_ten(level)}", x, y, ("left", "bottom"))


def place_of(sigma: float) -> float:
    """Return where a noise lies on the map's axes, whose stops are equally far apart.

    >>> place_of(0.0), place_of(1.0), place_of(1e6)
    (0.0, 4.0, 10.35)
    """
    if sigma > NOISES[-1]:
        return len(NOISES) - 1 + _BEYOND_EDGE
    if sigma <= NOISES[1]:
        return sigma / NOISES[1]
    stops = np.log10(NOISES[1:])
    return float(np.interp(np.log10(sigma), stops, np.arange(1, len(NOISES))))
