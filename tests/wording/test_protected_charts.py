"""Charts of protected series in words: with the numbers that are drawn."""

import numpy as np

from dpviz.protected_forecasts import generated_series
from dpviz.protected_forecasts.study import protected_series
from dpviz.wording.numbers import rounded
from dpviz.wording.protected_forecasts import features_description, series_description

SHOWN = protected_series(generated_series(np.random.default_rng(1)), "top-coding:0.1", 1, 3)


def test_one_series_is_told_with_its_range_its_changes_and_its_forecasts():
    forecasts = {"ses": (np.array([1.0, 22.0, 3.0]), np.array([1.0, np.nan, 3.0]))}
    said = series_description(SHOWN, 1, forecasts, "top-coding:0.1")
    known, released = SHOWN.known[1], SHOWN.released[1]
    assert f"from {rounded(known.min())} to {rounded(known.max())}" in said
    assert f"to {rounded(released.max())}, {(known > released).sum()} of them changed" in said
    assert "forecasts 22, and nothing of the protected series." in said
    assert said.endswith(f"What came: {rounded(SHOWN.next_values[1])}.")


def test_features_are_told_by_their_medians():
    before, after = (np.median(features[:, 0]) for features in SHOWN.features)
    said = features_description(SHOWN, "top-coding:0.1")
    assert "Features of the 3 shown series" in said
    assert f"spectral entropy {rounded(before)} before, {rounded(after)} after" in said
