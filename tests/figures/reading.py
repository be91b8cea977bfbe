"""Reads charts: their traces, and the lines and sides of maps."""

from itertools import pairwise

import numpy as np
import plotly.graph_objects as go

from dpviz.figures import figure_json


def traces_of(spec):
    """Return a chart's traces by their identity."""
    return {trace["uid"]: trace for trace in spec["data"]}


def accepted(spec):
    """Return a chart's traces, after Plotly and JSON have taken all of it.

    Plotly raises at a word that it does not know, JSON at a number that is none.
    """
    go.Figure(spec)
    figure_json(spec)
    return traces_of(spec)


def boxes_of(trace, corners=5):
    """Return x and y of the corners of each closed line."""
    x, y = (np.array([np.nan if one is None else one for one in trace[axis]]) for axis in "xy")
    return x.reshape(-1, corners + 1)[:, :-1], y.reshape(-1, corners + 1)[:, :-1]


def paths_of(trace):
    """Return the lines that are one trace, with gaps between them."""
    paths = [[]]
    for corner in zip(trace["x"], trace["y"], strict=True):
        if None in corner:
            paths.append([])
        else:
            paths[-1].append(corner)
    return paths


def sides_along(paths):
    """Return each side of a cell on lines of a map, as the cells on its left and on its right."""
    found = []
    for path in paths:
        for (x, y), (to_x, to_y) in pairwise(path):
            assert (x == to_x) != (y == to_y), "a line runs along the cells' sides"
            steps = round(abs(to_x - x) + abs(to_y - y))
            along_x, along_y = (to_x - x) / steps, (to_y - y) / steps
            for step in range(steps):
                middle_x, middle_y = x + (step + 0.5) * along_x, y + (step + 0.5) * along_y
                left = (round(middle_x - 0.5 * along_y), round(middle_y + 0.5 * along_x))
                right = (round(middle_x + 0.5 * along_y), round(middle_y - 0.5 * along_x))
                found.append((left, right))
    return found


def sides_between(meets, known):
    """Return each cell that meets something with each neighbour that is known not to."""
    fails = {(column, row) for row, column in np.argwhere(known & ~meets).tolist()}
    return {
        ((column, row), other)
        for row, column in np.argwhere(known & meets).tolist()
        for other in (
            *((column + 1, row), (column - 1, row)),
            *((column, row + 1), (column, row - 1)),
        )
        if other in fails
    }
