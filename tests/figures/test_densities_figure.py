"""Charts of densities and of hits."""

from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest

from dpviz.figures.densities import SMALLEST_WEIGHT, hit_counts_chart, hit_weights, overlap
from dpviz.figures.parts import figure_json
from dpviz.planning.hit_laws import hit_law
from dpviz.planning.label_noise import noised_value, with_noise
from dpviz.planning.one_bag import bag_run
from dpviz.planning.subsequences import COMPARED_SUBSEQUENCES, with_subsequences
from tests.scenario.changes import TOY, varied


def value(sigma, channels=1, part="forecast"):
    scenario = varied(TOY, num_channels=channels)
    return noised_value(with_noise(scenario, **{part: sigma}), part)


def traces(figure):
    return {trace.uid: trace for trace in figure.data}


@pytest.mark.parametrize(("sigma", "channels"), [(0.5, 1), (2.0, 1), (2.0, 9), (50.0, 4)])
def test_shaded_area_is_the_total_variation_distance(sigma, channels):
    drawn = value(sigma, channels)
    found = traces(go.Figure(overlap("forecast", drawn)))
    low, high = found["shade-from"], found["shade-to"]
    assert list(low.x) == list(high.x)
    assert high.fill == "tonexty"
    assert low.x[0] == pytest.approx(drawn.distance / 2.0)
    # Bells of height 1: their own area is sqrt(2 pi) sigma.
    area = np.trapezoid(np.array(high.y) - np.array(low.y), low.x)
    assert area / (np.sqrt(2.0 * np.pi) * sigma) == pytest.approx(drawn.told_apart, abs=2e-3)


def test_bells_stand_around_the_value_before_and_after():
    found = traces(go.Figure(overlap("forecast", value(2.0, 9))))
    before, after = found["forecast-before"], found["forecast-after"]
    assert before.x[int(np.argmax(before.y))] == pytest.approx(0.0, abs=0.1)
    assert after.x[int(np.argmax(after.y))] == pytest.approx(3.0, abs=0.1)
    assert before.line.dash != after.line.dash
    assert before.line.color != after.line.color


def test_without_noise_there_are_two_spikes():
    figure = go.Figure(overlap("context", value(0.0, 4, "context")))
    found = traces(figure)
    assert list(found["context-before"].x) == [0.0, 0.0]
    assert list(found["context-after"].x) == [2.0, 2.0]
    assert list(found["context-after"].y) == [0.0, 1.0]
    assert "shade-to" not in found
    assert found["ends"].x[0] < 0.0 < 2.0 < found["ends"].x[1]
    assert figure.layout.title.text == "Context with σ_C = 0: TV = 1"


@pytest.mark.parametrize("sigma", [0.0, 1e-300, 1e-6, 1.0, 1e6])
def test_every_noise_is_drawn(sigma):
    figure_json(overlap("forecast", value(sigma)))


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


def test_impossible_counts_are_gaps():
    sampling = replace(TOY.sampling, bottom_level="poisson", num_subsequences=32)
    trace = hit_weights([hit_law(replace(TOY, sampling=sampling))])["data"][0]
    assert trace["x"] == [0, 1, 2]
    assert trace["y"][1] is None


def test_named_laws_keep_their_names_and_title():
    named = [("one bag", hit_law(bag_run(TOY))), ("series first", LAWS[0])]
    spec = hit_counts_chart(named, title="A finding", identity="bag-hits")
    assert [trace["name"] for trace in spec["data"]] == ["one bag", "series first"]
    assert [trace["x"] for trace in spec["data"]] == [[0, 1, 2], [0, 1]]
    assert spec["layout"]["title"]["text"] == "A finding"
    assert spec["layout"]["uirevision"] == "bag-hits"
    assert go.Figure(spec)


def test_many_counts_begin_where_they_are_drawn_and_are_thinned_out():
    """Half of a million windows: about 500 of an individual's 1000, and never a few."""
    data = replace(TOY.data, num_series=100, series_lengths=(10_000,), context_length=99_999)
    law = hit_law(varied(TOY, data=data, batch_size=500_000, top_level="flat"))
    trace = hit_counts_chart([("one bag", law)], title="T", identity="i")["data"][0]
    assert 4000 < trace["x"][0] < trace["x"][-1] < 6000
    assert 100 < len(trace["x"]) <= 250
    for hits, weight, said in zip(trace["x"], trace["y"], trace["text"], strict=True):
        assert weight == law.weights[hits]
        assert said.startswith(f"{hits:,} hits: probability ")
