"""The map's fields, lines and mark are what they say."""

from dataclasses import replace
from itertools import combinations, pairwise, product

import numpy as np
import plotly.graph_objects as go
import pytest

from dpviz.figures.noise_map import map_chart, place_of
from dpviz.figures.palette import PALETTE
from dpviz.figures.shades import MAP_PALETTE
from dpviz.figures.spec import figure_json
from dpviz.figures.staircase import level_lines as lines_of_levels
from dpviz.figures.staircase import staircases
from dpviz.planning.label_noise import NOISES, NoiseMap, with_noise
from dpviz.scenario import PRESETS
from tests.figures.contrast import contrast

TOY = PRESETS["toy"].scenario
OWN = with_noise(TOY, context=0.5, forecast=3.0)
SIZE = len(NOISES)


def a_map(epsilon):
    return NoiseMap(
        scenario=TOY, rates=epsilon / 1e3, table_rates=epsilon / 1e3, epsilon=epsilon,
        at_least=epsilon,
    )  # fmt: skip


def level_lines(epsilon):
    """Return the corners of each level's line, of which there is one on a map that falls."""
    levels = lines_of_levels(epsilon, 4, lambda level: staircases(epsilon <= level))
    return [(level, corners) for level, (corners,) in levels]


def falling(largest=20.0):
    row, column = np.indices((SIZE, SIZE))
    return largest / (1.0 + row**1.5 + 0.5 * column**2)


@pytest.fixture(scope="module")
def figure():
    """The figure as Plotly understands it; a word that it does not know raises."""
    return go.Figure(map_chart(a_map(falling()), OWN))


def test_fields_have_the_logarithm_of_epsilon_and_tell_it(figure):
    heat = figure.data[0]
    assert heat.type == "heatmap"
    np.testing.assert_allclose(np.array(heat.z, dtype=float), np.log10(falling()))
    for labels, context in product(range(SIZE), repeat=2):
        noises = f"σ_C = {NOISES[context]:g} on context, σ_F = {NOISES[labels]:g} on labels"
        assert heat.text[labels][context].startswith(noises)
    assert list(heat.x) == list(heat.y) == list(range(SIZE))
    assert figure.layout.xaxis.ticktext[0] == "0"
    assert figure.layout.yaxis.ticktext[-1] == "100"


def test_theorem_of_the_field_without_noise_is_the_plain_one(figure):
    assert "Theorem 4.4" in figure.data[0].text[0][0]
    for labels, context in ((0, 1), (1, 0), (3, 3)):
        assert "Theorem G.1" in figure.data[0].text[labels][context]


@pytest.mark.parametrize("largest", [20.0, 0.7, 3e4])
def test_lines_run_between_what_meets_an_epsilon_and_what_does_not(largest):
    epsilon = falling(largest)
    lines = level_lines(epsilon)
    assert 2 <= len(lines) <= 4
    for level, corners in lines:
        for row in range(SIZE):
            # Where the line passes the row: its x between row - 0.5 and row + 0.5.
            passes = [
                x
                for (x, y), (other, below) in pairwise(corners)
                if x == other and below <= row - 0.5 < row + 0.5 <= y
            ]
            meets = epsilon[row] <= level
            start = passes[0] + 0.5 if passes else (0 if meets.all() else SIZE)
            assert meets.tolist() == [column >= start for column in range(SIZE)]


def test_lines_are_few_and_none_is_drawn_twice():
    lines = level_lines(falling())
    assert [level for level, _ in lines] == sorted((level for level, _ in lines), reverse=True)
    for (_, one), (_, other) in combinations(lines, 2):
        assert one != other


def test_where_all_is_the_same_there_is_no_line():
    for value in (3.0, 0.0, np.inf):
        same = np.full((SIZE, SIZE), value)
        assert level_lines(same) == []
        figure_json(map_chart(replace(a_map(same), rates=same * np.nan), OWN))


def test_unknown_fields_are_gaps():
    epsilon = falling()
    epsilon[0, :3] = np.inf
    heat = map_chart(replace(a_map(falling()), epsilon=epsilon), OWN)["data"][0]
    assert heat["z"][0][:4] == [None, None, None, np.log10(epsilon[0, 3])]
    assert "no finite ε proven" in heat["text"][0][0]


def test_own_noise_is_marked(figure):
    mark = figure.data[-1]
    assert mark.uid == "now"
    assert (mark.x[0], mark.y[0]) == (place_of(0.5), place_of(3.0))


@pytest.mark.parametrize(("sigma", "place"), [(noise, at) for at, noise in enumerate(NOISES)])
def test_every_stop_has_its_place(sigma, place):
    assert place_of(sigma) == pytest.approx(place)


def test_places_between_stops_grow_and_stay_on_the_map():
    sigmas = [0.0, 0.05, 0.1, 0.15, 0.3, 0.9, 3.0, 99.0, 100.0, 200.0, 1e6]
    places = [place_of(sigma) for sigma in sigmas]
    assert places == sorted(places)
    assert places[-1] < SIZE - 0.5


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_lines_and_labels_can_be_read_on_every_shade(mode):
    palette = MAP_PALETTE[mode]
    assert palette.keys() == MAP_PALETTE["light"].keys() >= PALETTE["light"].keys()
    for shade in ("shade-least", "shade-middle", "shade-most", "paper"):
        assert contrast(palette["ink"], palette[shade]) >= 4.5
    assert contrast(palette["shade-least"], palette["shade-most"]) >= 2.0


def test_lines_differ_in_dash_and_no_identity_has_a_dot(figure):
    lines = [trace for trace in figure.data if trace.uid.startswith("level")]
    assert len({line.line.dash for line in lines}) == len(lines)
    assert [text.text for text in figure.layout.annotations] == [
        f"ε ≤ {level:g}" for level, _ in level_lines(falling())
    ]
    assert all(trace.uid.replace("-", "").isalnum() for trace in figure.data)
    assert figure.layout.uirevision == "noise-map"
    assert figure.layout.xaxis.range is None


def test_figure_is_small_enough_to_send_with_every_move():
    assert len(figure_json(map_chart(a_map(falling()), OWN)).encode()) < 40_000
