"""The map of epsilon over noise on context and noise on labels."""

import numpy as np

from dpviz.figures import maps
from dpviz.figures.parts import Part, Spec
from dpviz.guarantees import guarantee_for
from dpviz.planning.label_noise import NOISES, NoiseMap, noisy_bound, without_noise
from dpviz.scenario import Scenario
from dpviz.wording.label_noise import cell_text, map_title, sigma_text
from dpviz.wording.numbers import power_of_ten

_BEYOND_EDGE = 0.35  # of a cell: where a noise above the map's is marked


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
    levels = maps.level_lines(epsilon, lambda level: maps.staircases(epsilon <= level))
    heat = maps.heatmap(texts, maps.logarithms(epsilon, maps.SMALLEST_EPSILON), showscale=False)
    mark = maps.now_mark(place_of(own.noise.context_noise), place_of(own.noise.forecast_noise))
    words = list(map(sigma_text, NOISES))
    return maps.map_figure(
        [heat, *maps.level_traces(levels, 2), mark],
        map_title(shown),
        "noise-map",
        (
            maps.map_axis("noise on context σ_C, in units of v", indices, words),
            maps.map_axis("noise on labels σ_F, in units of v", indices, words),
        ),
        [_level_label(*level) for level in levels],
    )


def _level_label(level: float, paths: list[maps.Path]) -> Part:
    # Where the line comes nearest to the lower left: lines are furthest apart there.
    corners = [corner for path in paths for corner in path]
    x, y = min(corners, key=lambda corner: (corner[0] + corner[1], abs(corner[0] - corner[1])))
    # Inside of what meets it.
    return maps.ink_note(f"ε ≤ {power_of_ten(level)}", x, y, ("left", "bottom"))


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
