"""The drawing of two bells has the area that it tells."""

from dataclasses import replace

import numpy as np
import plotly.graph_objects as go
import pytest

from dpviz.figures.densities import overlap
from dpviz.figures.spec import figure_json
from dpviz.planning.label_noise import noised_value, with_noise
from dpviz.scenario import PRESETS, Relation

TOY = PRESETS["toy"].scenario


def value(sigma, channels=1, part="forecast"):
    scenario = replace(TOY, relation=Relation(num_channels=channels))
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


def test_another_noise_is_another_picture():
    identities = {overlap("forecast", value(s))["layout"]["uirevision"] for s in (0.0, 1.0, 2.0)}
    assert len(identities) == 3
