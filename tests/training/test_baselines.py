"""Baselines, which are fitted without noise: comparisons, not private forecasts."""

import warnings

import numpy as np
import pytest
from scipy.special import ndtri

from dpviz.training.baselines import FALLBACK, FORMS, exponential_smoothing, seasonal_naive
from dpviz.training.quantiles import LEVELS


def test_seasonal_naive_repeats_the_last_season_and_spreads_with_time():
    history = np.array([1.0, 10.0, 4.0, 6.0])  # changes over a season: 3 and -4
    found = seasonal_naive([history], 5, 2, LEVELS)[0]
    last = np.array([4.0, 6.0, 4.0, 6.0, 4.0])
    deviation = np.sqrt(12.5 * np.array([1, 1, 2, 2, 3]))
    np.testing.assert_allclose(found, last[:, None] + deviation[:, None] * ndtri(LEVELS))
    point = seasonal_naive([history], 5, 2, LEVELS, point=True)[0]
    np.testing.assert_array_equal(point, np.repeat(last[:, None], 9, axis=1))


@pytest.mark.parametrize(
    ("history", "expected"), [([7.0], [7, 7, 7]), ([3.0, 7.0], [7, 7, 7]), ([1, 2, 3], [1, 2, 3])]
)
def test_seasonal_naive_forecasts_short_histories(history, expected):
    found = seasonal_naive([np.array(history, dtype=float)], 3, 3, np.array([0.5]))
    np.testing.assert_allclose(found[0, :, 0], expected)


def test_exponential_smoothing_finds_a_season_and_its_noise():
    rng = np.random.default_rng(1)
    season = 20 * np.sin(2 * np.pi * np.arange(72) / 6)
    history = 100 + season[:60] + rng.normal(0, 2, size=60)
    found = exponential_smoothing([history], 12, 6, np.array([0.1, 0.5, 0.9]))
    assert found.forms[0].startswith("seasonal")
    np.testing.assert_allclose(found.quantiles[0, :, 1], 100 + season[60:], atol=4)
    width = found.quantiles[0, 0, 2] - found.quantiles[0, 0, 0]
    assert width == pytest.approx(2 * 2 * ndtri(0.9), rel=0.4)


@pytest.mark.parametrize(
    "history",
    [np.zeros(30), np.full(30, 4.0), np.arange(5.0), np.ones(1), np.array([0.0] * 29 + [1e300])],
)
def test_exponential_smoothing_answers_for_every_history(history):
    with warnings.catch_warnings(), np.errstate(over="ignore"):
        warnings.simplefilter("error")
        found = exponential_smoothing([history], 4, 6, LEVELS)
    assert found.quantiles.shape == (1, 4, 9)
    assert np.all(np.diff(found.quantiles, axis=2) >= 0)
    assert found.forms[0] in (*FORMS, FALLBACK)


def test_exponential_smoothing_says_where_the_last_season_stands_in():
    history = np.full(30, 4.0)
    found = exponential_smoothing([history], 4, 6, LEVELS)
    assert found.forms == (FALLBACK,)
    np.testing.assert_array_equal(found.quantiles, np.full((1, 4, 9), 4.0))
