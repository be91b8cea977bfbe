"""The map of settings that meet a goal, over two quantities."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import ceil, floor, hypot, inf, log10
from typing import NamedTuple

import numpy as np

from dpviz.accounting.buckets import FloatArray
from dpviz.figures import maps, parts
from dpviz.figures.maps import BoolArray, Path, line_trace, staircases
from dpviz.figures.parts import Part, Spec
from dpviz.planning.region import Axis, Place, RegionMap, RegionPoint, sources
from dpviz.planning.target import Target
from dpviz.wording.numbers import power_of_ten, rounded
from dpviz.wording.proven_epsilon import tier_of
from dpviz.wording.region_map import axis_title, hover_text, region_title, tick_text

_GOAL_WIDTH = 5
_LAYER_NAMES = {"epsilon": "ε at most", "noise": "noise"}
_FEW_DECADES = 3  # of more, powers of ten are enough
_MOST_WRITTEN = 9  # values of an axis; of more, every other one


def region_chart(shown: RegionMap, layer: str) -> Spec:
    """Return the map, as far as it is known, with lines between what meets a number and what not.

    No number is guessed: while the map is coarse a computed field stands for those around it.
    ``layer``, one of ``REGION_LAYERS``, is what the shades show.
    """
    stands_for = sources(shown)
    epsilon, noise = np.full((2, *shown.shape), np.nan)  # infinite or missing where none is
    meets, known, refused = np.zeros((3, *shown.shape), bool)
    for (column, row), source in stands_for.items():
        at, cell = (row, column), shown.cells[source]
        if isinstance(cell, RegionPoint):
            epsilon[at] = np.inf if cell.upper.quoted is None else cell.upper.quoted
            noise[at], meets[at], known[at] = cell.noise_per_gradient, cell.meets, True
        else:
            refused[at] = True
    goal = staircases(meets, known)
    target = shown.goal.epsilon if isinstance(shown.goal, Target) else None

    def lines_of(level: float) -> list[Path]:
        lines = staircases(epsilon <= level, known)
        return [] if lines == goal else lines

    levels = maps.level_lines(epsilon, lines_of, without=target)
    name = "the goal" if target is None else f"ε ≤ {power_of_ten(target)}"
    labelled = [(f"<b>meets {name}</b>", goal)] if goal else []
    labelled += [(f"ε ≤ {rounded(level, 1).removeprefix('1·')}", lines) for level, lines in levels]
    all_lines = [path for _, lines in labelled for path in lines]
    return maps.map_figure(
        [
            _heat(shown, epsilon if layer == "epsilon" else noise, stands_for, layer),
            _hatching(refused),
            _unbounded(known & ~np.isfinite(epsilon)),
            *maps.level_traces(levels, 1.5),
            # On an edge of paper, which keeps the goal apart from other lines.
            line_trace("goal-edge", goal, {"color": "var(--paper)", "width": _GOAL_WIDTH + 4}),
            line_trace("goal", goal, {"color": "var(--series-1)", "width": _GOAL_WIDTH}),
            maps.now_mark(*shown.own, "here", free_side(shown.own, all_lines, shown.shape)),
        ],
        region_title(shown, layer),
        # Other axes are another picture: a zoom into the old one would be a wrong cut of it.
        f"region {shown.x.quantity} {shown.y.quantity}",
        (_axis(shown, shown.x), _axis(shown, shown.y)),
        level_labels(labelled, shown.shape, shown.own),
        hoverlabel={"align": "left"},
    )


def _heat(shown: RegionMap, shade: FloatArray, stands_for: dict[Place, Place], layer: str) -> Part:
    rows, columns = shown.shape
    made: dict[tuple[Place, bool], str] = {}  # a coarse map says the same at many places

    def text_at(at: Place) -> str:
        source = stands_for.get(at)
        if source is None:
            return "not computed yet"
        if (source, source == at) not in made:
            made[source, source == at] = hover_text(shown, at, source)
        return made[source, source == at]

    places = [[(column, row) for column in range(columns)] for row in range(rows)]
    key = shown.axes_key
    logarithms = maps.logarithms(shade, maps.SMALLEST_EPSILON if layer == "epsilon" else 0.0)
    # What a click takes over is the place whose numbers are shown, of no map but this one.
    taken = [[[*stands_for.get(at, at), key] for at in row] for row in places]
    return maps.heatmap(
        [[text_at(at) for at in row] for row in places],
        logarithms,
        1 if shown.is_complete else 0,  # fields of a coarse map are larger
        customdata=taken,
        colorbar=_colorbar(logarithms, layer),
    )


def _colorbar(logarithms: FloatArray, layer: str) -> Part:
    known = logarithms[np.isfinite(logarithms)]
    ends = (float(known.min()), float(known.max())) if known.size else (0.0, 0.0)
    places = _round_places(*ends)
    texts = [rounded(10.0**place, 2) for place in places]
    if layer == "epsilon":
        tiers = [tier_of(round(10.0**place, 9)).name for place in places]
        named = {name: at for at, name in enumerate(tiers)}  # each one's last
        for name, at in named.items():
            texts[at] += f" {name}"
    return {
        "thickness": 10,
        "xpad": 6,
        "outlinewidth": 0,
        "title": {"text": _LAYER_NAMES[layer], "side": "top"},
        "tickvals": places,
        "ticktext": texts,
    }


def _round_places(low: float, high: float) -> list[float]:
    """Return the powers of ten of round numbers between two such powers, or both where none is.

    >>> [round(10.0**place, 9) for place in _round_places(-0.5, 1.4)]
    [0.5, 1.0, 2.0, 5.0, 10.0, 20.0]
    """
    digits = (1, 2, 5) if high - low < _FEW_DECADES else (1,)
    powers = range(floor(low), ceil(high) + 1)
    places = [power + log10(digit) for power in powers for digit in digits]
    return [place for place in places if low <= place <= high] or sorted({low, high})


def _hatching(refused: BoolArray) -> Part:
    strokes: list[Path] = []
    for row, column in np.argwhere(refused).tolist():
        for shift in (-0.5, 0.0, 0.5):
            ends = max(-0.5, -0.5 + shift), min(0.5, 0.5 + shift)
            strokes.append([(column + end, row + end - shift) for end in ends])
    return line_trace("no-answer", strokes, {"color": "var(--target)", "width": 1})


def _unbounded(places: BoolArray) -> Part:
    y, x = (along.tolist() for along in np.nonzero(places))
    look: Part = {"textfont": {"color": "var(--ink)"}, "hoverinfo": "skip"}
    return parts.scatter("unbounded", "text", x, y, text=["∞"] * len(x), **look)


def _axis(shown: RegionMap, axis: Axis) -> Part:
    last = len(axis.values) - 1
    step = 1 if last < _MOST_WRITTEN else 2
    written = [at for at in range(last + 1) if (at - axis.own) % step == 0]
    words = (tick_text(axis.values[at]) for at in written)
    title = axis_title(shown.scenario, axis.quantity)
    return maps.map_axis(title, written, words, range=[-0.5, last + 0.5])


# In cells: what a word takes up, beyond which a place is as good as any.
_WORD_WIDTH = 4.0
_WORD_HEIGHT = 1.0
_LETTER_WIDTH = 0.5  # on a phone, where cells are smallest
_TAGS = re.compile(r"<[^>]*>")
# What Plotly calls the end of a word by which it is held: that away from where the word lies.
_ACROSS = {-1: "right", 0: "center", 1: "left"}
_UP = {-1: "top", 0: "middle", 1: "bottom"}


class _Spot(NamedTuple):
    """A place beside a line, and the side on which the cells meet its number: -1, 0 or 1 each."""

    x: float
    y: float
    across: int
    up: int

    @property
    def middle(self) -> tuple[float, float]:
        """Where the middle of a word lies that is held here."""
        return self.x + self.across * _WORD_WIDTH / 2, self.y + self.up * _WORD_HEIGHT / 2


# Where the mark's word may be: its middle, in cells from the mark. The first is the usual place.
_SIDES = {
    "top center": (0.0, 1.0),
    "bottom center": (0.0, -1.0),
    "middle right": (1.5, 0.0),
    "middle left": (-1.5, 0.0),
    "top right": (1.0, 1.0),
    "top left": (-1.0, 1.0),
    "bottom right": (1.0, -1.0),
    "bottom left": (-1.0, -1.0),
}


def free_side(own: tuple[float, float], lines: Sequence[Path], shape: tuple[int, int]) -> str:
    """Return the side of the mark where its word lies on no line, or else farthest from them.

    >>> free_side((3, 3), [], (9, 9)), free_side((3, 3), [[(0.5, 3.5), (5.5, 3.5)]], (9, 9))
    ('top center', 'bottom center')
    """
    points = list(_spots(lines))

    def free(side: str) -> float:
        x, y = own[0] + _SIDES[side][0], own[1] + _SIDES[side][1]
        if not (-0.5 <= x <= shape[1] - 0.5 and -0.5 <= y <= shape[0] - 0.5):
            return -1.0
        apart = min((hypot((x - spot.x) / 1.5, y - spot.y) for spot in points), default=inf)
        return min(apart, 1.0)

    return max(_SIDES, key=free)


def level_labels(
    lines: Sequence[tuple[str, Sequence[Path]]], shape: tuple[int, int], own: tuple[float, float]
) -> list[Part]:
    """Return the words beside the lines around what meets a number.

    They stand on the side of what meets it, rather beside all lines than on one, and away from
    each other. The most important one comes first; ``own`` is the place of a mark that has to stay
    free.
    """
    rows, columns = shape
    taken = [own]
    labels = []
    drawn = np.array([(spot.x, spot.y) for _, paths in lines for spot in _spots(paths)])
    for text, paths in lines:
        width = _LETTER_WIDTH * len(_TAGS.sub("", text))

        def merit(spot: _Spot, width: float = width) -> tuple[float, int, float]:
            """Return how much of a word has room here, then what it covers, and its distance."""
            x, y = spot.middle
            across = min(x + 0.5, columns - 0.5 - x) / (0.5 * _WORD_WIDTH)
            up = min(y + 0.5, rows - 0.5 - y) / (0.5 * _WORD_HEIGHT)
            apart = min(
                ((x - to_x) / _WORD_WIDTH) ** 2 + ((y - to_y) / (2.0 * _WORD_HEIGHT)) ** 2
                for to_x, to_y in taken
            )
            covered = _covered(_inside(spot, width, columns), width, drawn)
            return max(0.0, min(1.0, across, up)), -covered, apart

        spot = max(_spots(paths), key=merit)
        taken.append(spot.middle)
        spot = _inside(spot, width, columns)
        labels.append(maps.ink_note(text, spot.x, spot.y, (_ACROSS[spot.across], _UP[spot.up])))
    return labels


def _covered(spot: _Spot, width: float, drawn: FloatArray) -> int:
    """Return how many of the lines' sides of cells, shape (number, 2), lie under a word."""
    middle = (spot.x + spot.across * width / 2, spot.y + spot.up * _WORD_HEIGHT / 2)
    # A line along the word's edge is not under it.
    reach = (width / 2 - 0.05, _WORD_HEIGHT / 2 - 0.05)
    return int(np.count_nonzero(np.all(np.abs(drawn - middle) < reach, axis=1)))


def _spots(lines: Sequence[Path]) -> Iterator[_Spot]:
    """Return the middles of the lines' sides of cells; what meets their number is on the left."""
    for path in lines:
        for (x, y), (to_x, to_y) in pairwise(path):
            length = abs(to_x - x) + abs(to_y - y)
            right, up = round((to_x - x) / length), round((to_y - y) / length)
            for cell in range(round(length)):
                ahead = cell + 0.5
                yield _Spot(x=x + ahead * right, y=y + ahead * up, across=-up, up=right)


def _inside(spot: _Spot, width: float, columns: int) -> _Spot:
    """Return where a word is written that would stick out of the map: at the map's own edge."""
    middle = spot.x + spot.across * width / 2
    if middle - width / 2 < -0.5:
        return spot._replace(x=-0.5, across=1)
    if middle + width / 2 > columns - 0.5:
        return spot._replace(x=columns - 0.5, across=-1)
    return spot
