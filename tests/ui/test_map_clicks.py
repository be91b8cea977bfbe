"""What the browser reports of a click on the map is a place of the map, or nothing."""

import pytest

from dpviz.planning.label_noise import NOISES, with_noise
from dpviz.scenario import PRESETS, ScenarioError
from dpviz.ui.questions.noise_map import at_place

TOY = PRESETS["toy"].scenario


@pytest.mark.parametrize(("x", "y"), [(0, 0), (3, 5.0), (len(NOISES) - 1, 0)])
def test_place_gives_its_two_noises(x, y):
    expected = with_noise(TOY, context=NOISES[x], forecast=NOISES[int(y)])
    assert at_place(TOY, {"x": x, "y": y, "customdata": None}) == expected


@pytest.mark.parametrize(
    ("point", "field"),
    [
        ({"x": len(NOISES), "y": 0}, "context_noise"),
        ({"x": -1, "y": 0}, "context_noise"),
        ({"x": 1, "y": 0.5}, "forecast_noise"),
        ({"x": 1, "y": "0"}, "forecast_noise"),
        ({"x": True, "y": 1}, "context_noise"),
        ({"x": 1, "y": float("nan")}, "forecast_noise"),
        ({"x": 1, "y": [1]}, "forecast_noise"),
        ({"y": 1}, "context_noise"),
        ({}, "context_noise"),
    ],
)
def test_anything_else_is_refused(point, field):
    with pytest.raises(ScenarioError, match="field of the map") as caught:
        at_place(TOY, point)
    assert caught.value.field == field
