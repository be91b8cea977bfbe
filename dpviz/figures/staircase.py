"""Lines between the cells of a map that meet something and those that do not."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from dpviz.accounting.buckets import FloatArray
from dpviz.figures import parts
from dpviz.figures.parts import Part

# Corners as (x, y), where cells are of size 1 around whole numbers.
Path = list[tuple[float, float]]
BoolArray = NDArray[np.bool_]
_Corner = tuple[int, int]
# From each corner of the lattice to those that an edge leads to.
_Edges = dict[_Corner, list[_Corner]]


def staircases(meets: BoolArray, known: BoolArray | None = None) -> list[Path]:
    """Return the lines between cells that meet something and their neighbours that do not.

    Together they hold every edge between two such cells once, and no other edge, whatever the
    pattern is. Going along a line, the cell that meets it is on the left. Both have shape (rows,
    columns), rows upwards; cells that are not ``known`` have no line around them.

    >>> staircases(np.array([[True, False], [True, True]]))
    [[(0.5, -0.5), (0.5, 0.5), (1.5, 0.5)]]
    """
    edges = _edges(meets, np.ones_like(meets) if known is None else known)
    paths = []
    # Lines with an end first; what is left then goes round.
    for corner in [*_beginnings(edges), *sorted(edges)]:
        while edges.get(corner):
            paths.append(_walked(edges, corner))
    return [
        [(column - 0.5, row - 0.5) for column, row in _without_straight_corners(path)]
        for path in paths
    ]


def line_trace(uid: str, paths: Sequence[Path], line: Mapping[str, object]) -> Part:
    """Return lines as one trace, with gaps between them.

    Plotly makes a selector of ``uid``: no dot may be in it.

    >>> line_trace("level", [[(0, 0), (0, 1)], [(2, 0), (3, 0)]], {"width": 2})["x"]
    [0, 0, None, 2, 3]
    """
    x, y = parts.gapped(paths)
    return parts.scatter(
        uid, "lines", x[:-1], y[:-1], line=dict(line), hoverinfo="skip", connectgaps=False
    )


def level_lines(
    values: FloatArray,
    most: int,
    lines_of: Callable[[float], list[Path]],
    without: float | None = None,
) -> list[tuple[float, list[Path]]]:
    """Return round numbers, largest first, with the lines between what meets each and what not.

    A number that all or none of the cells meet has no line, nor has one whose lines are another
    one's; of too many some are left out, at even steps. What is not finite and above 0 plays no
    part; ``without`` is a number that has a line of its own.

    >>> values = np.array([[0.7, 3.0, 30.0]])
    >>> [level for level, _ in level_lines(values, 2, lambda level: staircases(values <= level))]
    [20.0, 2.0]
    """
    known = values[np.isfinite(values) & (values > 0.0)]
    if not known.size:
        return []
    first, last = (int(np.floor(np.log10(end))) for end in (known.min(), known.max()))
    round_numbers = [
        float(f"{digit}e{power}") for power in range(last, first - 1, -1) for digit in (5, 2, 1)
    ]
    drawn: list[tuple[float, list[Path]]] = []
    for level in round_numbers:
        lines = lines_of(level)
        if level != without and lines and all(lines != others for _, others in drawn):
            drawn.append((level, lines))
    step = -(-len(drawn) // most)
    return drawn[::step] if step > 1 else drawn


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


def _beginnings(edges: _Edges) -> list[_Corner]:
    arrivals = [end for ends in edges.values() for end in ends]
    return sorted(start for start, ends in edges.items() if len(ends) > arrivals.count(start))


def _walked(edges: _Edges, start: _Corner) -> list[_Corner]:
    """Return the corners from a start on, as far as edges lead, and use these edges up."""
    path = [start]
    while ends := edges.get(path[-1]):
        path.append(ends.pop())
    return path


def _without_straight_corners(path: list[_Corner]) -> list[_Corner]:
    inner = [
        corner
        for before, corner, after in zip(path, path[1:], path[2:], strict=False)
        if not (before[0] == corner[0] == after[0] or before[1] == corner[1] == after[1])
    ]
    return [path[0], *inner, path[-1]]
