"""Maps: their fields, lines and marks are what they say."""

from dataclasses import replace
from itertools import product

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from dpviz.figures.maps import MAP_PALETTE, map_chart, place_of, staircases
from dpviz.figures.maps import level_lines as lines_of_levels
from dpviz.figures.parts import PALETTE, figure_json
from dpviz.planning.label_noise import NOISES, NoiseMap, with_noise
from tests.figures.contrast import contrast
from tests.figures.reading import sides_along, sides_between
from tests.scenario.changes import TOY

OWN = with_noise(TOY, context=0.5, forecast=3.0)
SIZE = len(NOISES)


def a_map(epsilon):
    return NoiseMap(
        scenario=TOY, rates=epsilon / 1e3, table_rates=epsilon / 1e3, epsilon=epsilon,
        at_least=epsilon,
    )  # fmt: skip


def level_lines(epsilon):
    """Return the corners of each level's line, of which there is one on a map that falls."""
    levels = lines_of_levels(epsilon, lambda level: staircases(epsilon <= level))
    return [(level, corners) for level, (corners,) in levels]


def falling():
    row, column = np.indices((SIZE, SIZE))
    return 20.0 / (1.0 + row**1.5 + 0.5 * column**2)


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


PATTERNS = array_shapes(min_dims=2, max_dims=2, max_side=7).flatmap(
    lambda shape: st.tuples(arrays(bool, shape), arrays(bool, shape))
)


@settings(max_examples=300)
@given(PATTERNS)
def test_lines_separate_exactly_the_cells_that_differ(pattern):
    """Every edge between a cell that meets it, on the left, and one that does not: each once."""
    meets, known = pattern
    edges = sides_along(staircases(meets, known))
    assert len(edges) == len(set(edges))
    assert set(edges) == sides_between(meets, known)


def test_a_staircase_is_one_line_and_an_island_another():
    falling = np.add.outer(np.arange(5), np.arange(6)) >= 5
    assert len(staircases(falling)) == 1
    island = np.zeros((5, 5), bool)
    island[2, 2] = True
    (around,) = staircases(island)
    assert around[0] == around[-1]
    assert len(around) == 5


def test_levels_are_round_few_and_different():
    values = np.geomspace(1e-3, 3e4, 40).reshape(5, 8)
    levels = lines_of_levels(values, lambda level: staircases(values <= level))
    assert 2 <= len(levels) <= 4
    numbers = [level for level, _ in levels]
    assert numbers == sorted(numbers, reverse=True)
    for level, lines in levels:
        assert f"{level:.0e}"[0] in "125"
        assert set(sides_along(lines)) == sides_between(values <= level, values > 0)


def test_a_level_with_a_line_of_its_own_is_left_out():
    values = np.array([[0.7, 1.5, 3.0]])
    lines_of = lambda level: staircases(values <= level)  # noqa: E731
    assert [level for level, _ in lines_of_levels(values, lines_of)] == [2.0, 1.0]
    assert [level for level, _ in lines_of_levels(values, lines_of, without=2.0)] == [1.0]


def test_what_is_not_known_has_no_level():
    values = np.array([[np.inf, np.nan, 0.0]])
    assert lines_of_levels(values, lambda level: staircases(values <= level)) == []
