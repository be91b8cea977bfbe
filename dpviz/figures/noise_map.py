"""The map of epsilon over noise on context and noise on labels."""

from typing import Any

import numpy as np

from dpviz.accounting.buckets import FloatArray
from dpviz.figures.palette import PALETTE
from dpviz.figures.spec import Spec, json_numbers
from dpviz.guarantees import guarantee_for
from dpviz.planning.label_noise import noisy_bound, without_noise
from dpviz.planning.noise_map import NOISES, NoiseMap
from dpviz.scenario import Scenario
from dpviz.wording.label_noise import sigma_text
from dpviz.wording.noise_map import cell_text, map_title
from dpviz.wording.numbers import power_of_ten

# Shades that a page's text can be read on, the deeper the larger epsilon is.
_SHADES = {
    "light": {"shade-least": "#f1f7f8", "shade-middle": "#b4d9e0", "shade-most": "#62a9b8"},
    "dark": {"shade-least": "#0a1113", "shade-middle": "#123f4a", "shade-most": "#1a6a7e"},
}
_INK = {
    "light": {"ink": "#1b262b", "paper": "#ffffff"},
    "dark": {"ink": "#dfe6ea", "paper": "#030508"},
}
MAP_PALETTE = {mode: PALETTE[mode] | _SHADES[mode] | _INK[mode] for mode in PALETTE}
_DASHES = ("solid", "dash", "dot", "dashdot")
_SMALLEST_EPSILON = 1e-6  # has the lightest shade, as all below it
_BEYOND_EDGE = 0.35  # of a cell: where a noise above the map's is marked


def map_chart(shown: NoiseMap, own: Scenario) -> Spec:
    """Return the map, with lines between what meets an epsilon and what does not.

    A line runs between cells, not through guessed places between them: every noise of the map that
    is above it or to its right has at most the epsilon that is written on it.

    Args:
        shown: the map.
        own: the scenario, whose noise is marked.
    """
    epsilon = shown.epsilon
    finite = np.where(np.isfinite(epsilon), epsilon, np.nan)
    shades = np.log10(np.maximum(finite, _SMALLEST_EPSILON))
    indices = list(range(len(NOISES)))
    upper, plain = noisy_bound(shown.scenario), guarantee_for(without_noise(shown.scenario)).upper
    texts = [
        [
            cell_text(shown, upper if labels or context else plain, labels, context)
            for context in indices
        ]
        for labels in indices
    ]
    heat = {
        "type": "heatmap",
        "uid": "map",
        "x": indices,
        "y": indices,
        "z": [json_numbers(row) for row in shades],
        "text": texts,
        "hovertemplate": "%{text}<extra></extra>",
        "colorscale": [
            [0, "var(--shade-least)"],
            [0.5, "var(--shade-middle)"],
            [1, "var(--shade-most)"],
        ],
        "showscale": False,
        "xgap": 1,
        "ygap": 1,
    }
    levels = level_lines(epsilon)
    lines = [_line(at, corners) for at, (_, corners) in enumerate(levels)]
    axis = {
        "tickvals": indices,
        "ticktext": [sigma_text(noise) for noise in NOISES],
        "showgrid": False,
        "zeroline": False,
    }
    return {
        "data": [heat, *lines, _mark(own)],
        "layout": {
            "title": {"text": map_title(shown)},
            "template": "none",
            "meta": {"palette": MAP_PALETTE},
            "uirevision": "noise-map",
            "hovermode": "closest",
            "showlegend": False,
            "annotations": [_level_label(*level) for level in levels],
            "xaxis": axis | {"title": {"text": "noise on context σ_C, in units of v"}},
            "yaxis": axis | {"title": {"text": "noise on labels σ_F, in units of v"}},
        },
    }


def level_lines(epsilon: FloatArray) -> list[tuple[float, list[tuple[float, float]]]]:
    """Return round epsilons, largest first, and the line between what meets each and what does not.

    Args:
        epsilon: shape (labels, context); falls in both directions.

    Returns:
        For each epsilon the corners of its line, as (x, y) from the upper left to the lower right.
        An epsilon that all or none of the cells meet has no line, nor has one whose line is
        another one's.
    """
    known = epsilon[np.isfinite(epsilon) & (epsilon > 0.0)]
    if not len(known):
        return []
    first, last = (int(np.floor(np.log10(end))) for end in (known.min(), known.max()))
    round_numbers = [
        float(f"{digit}e{power}") for power in range(last, first - 1, -1) for digit in (5, 2, 1)
    ]
    drawn: list[tuple[float, list[tuple[float, float]]]] = []
    for level in round_numbers:
        corners = _corners(epsilon <= level)
        if corners and all(corners != line for _, line in drawn):
            drawn.append((level, corners))
    # More would lie on top of each other.
    step = -(-len(drawn) // len(_DASHES))
    return drawn[::step] if step > 1 else drawn


def _corners(meets: np.ndarray) -> list[tuple[float, float]]:
    """Return the line around the cells that meet an epsilon, from the upper left."""
    rows, columns = meets.shape
    if meets.all() or not meets.any():
        return []
    path: list[tuple[float, float]] = []
    for row in reversed(range(rows)):
        misses = np.flatnonzero(~meets[row])
        # All cells from here on meet it, whatever a cell before them may do.
        x = (int(misses[-1]) + 1 if len(misses) else 0) - 0.5
        path += [(x, row + 0.5), (x, row - 0.5)]
    # Along the map's own edge there is nothing to tell apart.
    while path[0][0] == path[1][0] == -0.5:
        path.pop(0)
    while path[-1][0] == path[-2][0] == columns - 0.5:
        path.pop()
    return list(dict.fromkeys(path))


def _line(at: int, corners: list[tuple[float, float]]) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "uid": f"level-{at}",  # Plotly makes a selector of it: no dot may be in it
        "x": [x for x, _ in corners],
        "y": [y for _, y in corners],
        "line": {"color": "var(--ink)", "width": 2, "dash": _DASHES[at]},
        "hoverinfo": "skip",
    }


def _level_label(level: float, corners: list[tuple[float, float]]) -> dict[str, Any]:
    # Where the line comes nearest to the lower left: lines are furthest apart there.
    x, y = min(corners, key=lambda corner: (corner[0] + corner[1], abs(corner[0] - corner[1])))
    return {
        "x": x,
        "y": y,
        "text": f"ε ≤ {power_of_ten(level)}",
        "showarrow": False,
        # Inside of what meets it.
        "xanchor": "left",
        "yanchor": "bottom",
        "bgcolor": "var(--paper@0.85)",
        "font": {"color": "var(--ink)"},
        "borderpad": 1,
    }


def _mark(own: Scenario) -> dict[str, Any]:
    noise = own.noise
    return {
        "type": "scatter",
        "mode": "markers+text",
        "uid": "now",
        "x": [place_of(noise.context_noise)],
        "y": [place_of(noise.forecast_noise)],
        "text": ["<b>now</b>"],
        "textposition": "top center",
        "textfont": {"color": "var(--ink)"},
        "marker": {
            "color": "var(--series-1)",
            "symbol": "diamond",
            "size": 13,
            "line": {"color": "var(--paper)", "width": 2},
        },
        "cliponaxis": False,
        "hoverinfo": "skip",
    }


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
