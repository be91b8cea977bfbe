"""Where on a map the words of its lines are written."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from dpviz.figures.parts import Part
from dpviz.figures.shades import ink_note
from dpviz.figures.staircase import Path

# In cells: what a word takes up, beyond which a place is as good as any.
_WORD_WIDTH = 4.0
_WORD_HEIGHT = 1.0
_LETTER_WIDTH = 0.5  # on a phone, where cells are smallest
_TAGS = re.compile(r"<[^>]*>")


@dataclass(frozen=True, kw_only=True)
class LevelLine:
    """The lines around what meets a number, and what is written beside them."""

    text: str
    lines: Sequence[Path]


@dataclass(frozen=True, kw_only=True)
class _Spot:
    """A place beside a line, with the side on which the cells meet its number."""

    x: float
    y: float
    xanchor: str
    yanchor: str


def level_labels(
    lines: Sequence[LevelLine], shape: tuple[int, int], own: tuple[float, float]
) -> list[Part]:
    """Return the words beside each line, on the side of what meets it, away from each other.

    Args:
        lines: the most important one first.
        shape: the map's rows and columns.
        own: the place of a mark that has to stay free.
    """
    taken = [own]
    labels = []
    for line in lines:
        spot = max(_spots(line.lines), key=lambda spot: (_room(spot, shape), _apart(spot, taken)))
        taken.append(_middle(spot))
        spot = _inside(spot, line.text, shape[1])
        labels.append(ink_note(line.text, spot.x, spot.y, (spot.xanchor, spot.yanchor)))
    return labels


def _spots(lines: Sequence[Path]) -> Iterator[_Spot]:
    """Return the middles of the lines' sides of cells; what meets their number is on the left."""
    for path in lines:
        for (x, y), (to_x, to_y) in pairwise(path):
            cells = round(abs(to_x - x) + abs(to_y - y))
            for cell in range(cells):
                share = (cell + 0.5) / cells
                spot_x, spot_y = x + share * (to_x - x), y + share * (to_y - y)
                if x == to_x:
                    side = "right" if to_y > y else "left"
                    yield _Spot(x=spot_x, y=spot_y, xanchor=side, yanchor="middle")
                else:
                    side = "bottom" if to_x > x else "top"
                    yield _Spot(x=spot_x, y=spot_y, xanchor="center", yanchor=side)


def _middle(spot: _Spot) -> tuple[float, float]:
    aside = {"right": -0.5, "left": 0.5, "center": 0.0}[spot.xanchor] * _WORD_WIDTH
    above = {"top": -0.5, "bottom": 0.5, "middle": 0.0}[spot.yanchor] * _WORD_HEIGHT
    return spot.x + aside, spot.y + above


def _room(spot: _Spot, shape: tuple[int, int]) -> float:
    """Return how much of a word has room on the map, from 0 to 1."""
    rows, columns = shape
    x, y = _middle(spot)
    across = min(x + 0.5, columns - 0.5 - x) / (0.5 * _WORD_WIDTH)
    up = min(y + 0.5, rows - 0.5 - y) / (0.5 * _WORD_HEIGHT)
    return max(0.0, min(1.0, across, up))


def _apart(spot: _Spot, taken: Sequence[tuple[float, float]]) -> float:
    x, y = _middle(spot)
    return min(
        ((x - to_x) / _WORD_WIDTH) ** 2 + ((y - to_y) / (2.0 * _WORD_HEIGHT)) ** 2
        for to_x, to_y in taken
    )


def _inside(spot: _Spot, text: str, columns: int) -> _Spot:
    """Return where a word is written that would stick out of the map: at the map's own edge."""
    needed = _LETTER_WIDTH * len(_TAGS.sub("", text))
    share = {"right": (1.0, 0.0), "left": (0.0, 1.0), "center": (0.5, 0.5)}[spot.xanchor]
    if spot.x - share[0] * needed < -0.5:
        return replace(spot, x=-0.5, xanchor="left")
    if spot.x + share[1] * needed > columns - 0.5:
        return replace(spot, x=columns - 0.5, xanchor="right")
    return spot
