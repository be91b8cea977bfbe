"""The chart of hits shows each law with a style of its own."""

from dataclasses import replace

import plotly.graph_objects as go
import pytest

from dpviz.figures.hit_weights import SMALLEST_WEIGHT, hit_weights
from dpviz.figures.palette import STYLES
from dpviz.figures.spec import figure_json
from dpviz.planning.subsequences import COMPARED_SUBSEQUENCES, hit_law, with_subsequences
from dpviz.scenario import PRESETS, Sampling

TOY = PRESETS["toy"].scenario
LAWS = [hit_law(with_subsequences(TOY, windows)) for windows in COMPARED_SUBSEQUENCES]


@pytest.fixture(scope="module")
def figure():
    """The figure as Plotly understands it; a word that it does not know raises."""
    return go.Figure(hit_weights(LAWS))


def test_points_are_the_weights(figure):
    for trace, law in zip(figure.data, LAWS, strict=True):
        for hits, weight in zip(trace.x, trace.y, strict=True):
            assert weight == law.weights[hits]
        assert len(trace.x) == len(law.weights) or law.weights[len(trace.x)] < SMALLEST_WEIGHT


def test_nothing_too_rare_is_drawn(figure):
    for trace in figure.data:
        assert min(trace.y) >= SMALLEST_WEIGHT


def test_impossible_counts_are_gaps():
    sampling = replace(TOY.sampling, bottom_level="poisson", num_subsequences=32)
    trace = hit_weights([hit_law(replace(TOY, sampling=sampling))])["data"][0]
    assert trace["x"] == [0, 1, 2]
    assert trace["y"][1] is None


def test_hover_tells_the_probability_and_the_number_of_windows(figure):
    trace = figure.data[1]
    assert trace.text[2] == "2 hits: probability 0.0005"
    assert trace.hovertemplate == "%{text}, 2 windows per series<extra></extra>"


def test_laws_differ_in_more_than_colour(figure):
    looks = {(trace.marker.symbol, trace.line.dash) for trace in figure.data}
    assert len(looks) == len(LAWS)
    assert [trace.marker.color for trace in figure.data] == [
        f"var(--{style.role})" for style in STYLES[: len(LAWS)]
    ]


def test_title_states_the_finding(figure):
    assert figure.layout.title.text.startswith("Each λ hits as often on average")
    walk = replace(TOY, sampling=Sampling(batch_size=32, top_level="deterministic"))
    laws = [hit_law(with_subsequences(walk, windows)) for windows in (1, 8)]
    spec = hit_weights(laws)
    assert "in the step that uses the series" in spec["layout"]["title"]["text"]
    assert "the step that uses the series" in spec["layout"]["xaxis"]["title"]["text"]


def test_zoom_survives_new_data_and_no_range_takes_it_away(figure):
    assert figure.layout.uirevision == "hit-weights"
    assert figure.layout.xaxis.range is None
    assert figure.layout.yaxis.range is None


def test_figure_is_small_enough_to_send_with_every_move():
    assert len(figure_json(hit_weights(LAWS)).encode()) < 20_000
