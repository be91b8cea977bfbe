"""The error measure, against its definition written another way and against known values."""

import numpy as np
import pytest
from scipy.special import ndtri

from dpviz.scenario import ScenarioError
from dpviz.training.quantiles import LEVELS, mean_weighted_quantile_loss


def by_loops(quantiles, truth, levels):
    """Weigh what falls short by the level, and what goes beyond by the rest, value by value."""
    total = 0.0
    for place, level in enumerate(levels):
        lost = 0.0
        for row in range(truth.shape[0]):
            for step in range(truth.shape[1]):
                forecast, came = quantiles[row, step, place], truth[row, step]
                lost += level * max(came - forecast, 0) + (1 - level) * max(forecast - came, 0)
        total += 2 * lost / sum(abs(value) for value in truth.ravel())
    return total / len(levels)


def test_is_the_weighted_quantile_loss():
    rng = np.random.default_rng(1)
    truth = rng.normal(0, 30, size=(7, 4))
    quantiles = np.sort(rng.normal(0, 30, size=(7, 4, 9)), axis=2)
    found = mean_weighted_quantile_loss(quantiles, truth)
    assert found == pytest.approx(by_loops(quantiles, truth, LEVELS), rel=1e-13)


def test_of_one_number_for_all_levels_is_the_absolute_error():
    """Levels are symmetric, so a point forecast is judged by its absolute percentage error."""
    truth = np.array([[10.0, -30.0]])
    points = np.repeat(np.array([[12.0, -24.0]])[..., None], 9, axis=2)
    assert mean_weighted_quantile_loss(points, truth) == pytest.approx(8 / 40, rel=1e-14)
    perfect = np.repeat(truth[..., None], 9, axis=2)
    assert mean_weighted_quantile_loss(perfect, truth) == 0.0


def test_comes_to_the_crps_of_a_normal_forecast_with_many_levels():
    """Of N(0, 1) at 0 the CRPS is (sqrt(2) - 1) / sqrt(pi) (Gneiting and Raftery)."""
    levels = (np.arange(10_000) + 0.5) / 10_000
    # The truth 1 is for the division only: everything is shifted there.
    quantiles = 1.0 + ndtri(levels)[None, None, :]
    found = mean_weighted_quantile_loss(quantiles, np.ones((1, 1)), levels)
    assert found == pytest.approx((np.sqrt(2) - 1) / np.sqrt(np.pi), rel=1e-4)


def test_what_cannot_be_divided_or_compared_is_refused():
    with pytest.raises(ScenarioError, match="truth"):
        mean_weighted_quantile_loss(np.ones((1, 2, 9)), np.zeros((1, 2)))
    with pytest.raises(ScenarioError, match="quantiles"):
        mean_weighted_quantile_loss(np.ones((1, 2, 8)), np.ones((1, 2)))
