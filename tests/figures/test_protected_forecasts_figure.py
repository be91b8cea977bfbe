"""The charts of protected data: every number drawn is one of those computed."""

import json

import numpy as np

from dpviz.figures import figure_json
from dpviz.figures.protected_forecasts import errors_chart, features_chart, series_chart
from dpviz.protected_forecasts import generated_series
from dpviz.protected_forecasts.study import protected_series

PROTECTION = "top-coding:0.2"
SHOWN = protected_series(generated_series(np.random.default_rng(1)), PROTECTION, 1, 3)
PAIRS = {
    "ses": (np.array([1.0, 2.0, np.nan]), np.array([4.0, 5.0, 6.0])),
    "tes": (np.array([7.0, 8.0, 9.0]), np.array([0.0, 1.0, 2.0])),
}


def drawn(spec):
    return json.loads(figure_json(spec))["data"]


def test_each_series_is_a_point_before_and_after_and_what_is_none_a_gap():
    before, after = drawn(errors_chart(PROTECTION, SHOWN.names, PAIRS, identity="x"))
    assert before["y"] == [1.0, 2.0, None, 7.0, 8.0, 9.0]
    assert after["y"] == [4.0, 5.0, 6.0, 0.0, 1.0, 2.0]
    assert before["x"] == ["SES"] * 3 + ["TES"] * 3
    assert before["text"] == list(SHOWN.names) * 2
    assert before["marker"]["symbol"] != after["marker"]["symbol"]


def test_series_is_drawn_with_its_protected_values_and_all_forecasts():
    original, protected, of_original, of_protected, came = drawn(
        series_chart(SHOWN, 2, PAIRS, identity="x")
    )
    assert original["y"] == SHOWN.known[2].tolist()
    assert protected["y"] == SHOWN.released[2].tolist()
    assert original["line"]["dash"] != protected["line"]["dash"]
    assert (of_original["y"], of_protected["y"]) == ([None, 9.0], [6.0, 2.0])
    assert came["y"] == [SHOWN.next_values[2]]
    # Forecasts of one value stand side by side.
    assert len(set(of_original["x"])) == 2


def test_features_are_those_of_the_shown_series():
    before, after = drawn(features_chart(SHOWN, PROTECTION, identity="x"))
    assert np.allclose(np.reshape(before["y"], (4, 3)).T, SHOWN.features[0])
    assert np.allclose(np.reshape(after["y"], (4, 3)).T, SHOWN.features[1])
