"""What forecasters and baselines forecast, that they learn, and how their error is measured."""

import warnings

import numpy as np
import pytest
from scipy.special import ndtri

from dpviz.sampling import Batch, windows
from dpviz.scenario import ScenarioError
from dpviz.training.baselines import exponential_smoothing, seasonal_naive
from dpviz.training.models import forecaster
from dpviz.training.panel_source import generated_panel
from dpviz.training.quantiles import LEVELS, mean_weighted_quantile_loss
from dpviz.training.split import split
from dpviz.training.state import Optimizer
from tests.training.runs import MODELS


@pytest.mark.parametrize("name", MODELS)
def test_quantiles_never_decrease_and_are_finite(name):
    model = forecaster(name, 14, 5, 4)
    rng = np.random.default_rng(1)
    parameters = model.initial_parameters(rng) + rng.normal(0, 2, size=model.num_parameters)
    context = rng.normal(0, 50, size=(40, 14))
    context[0] = 0.0
    context[1, :-1] = 0.0
    context[2] = 7.0
    context[3] = 1e308 * np.sign(context[3])
    context[4] = 5e-324
    levels = np.array([0.001, 0.1, 0.5, 0.5, 0.9, 0.999])
    quantiles = model.quantiles(parameters, context, levels)
    assert quantiles.shape == (40, 5, 6)
    assert np.all(quantiles[..., 1:] >= quantiles[..., :-1])
    assert np.isfinite(np.delete(quantiles, 3, axis=0)).all()
    assert not quantiles[0].any()  # nothing but zeros: zeros to come


@pytest.mark.parametrize("name", MODELS[1:])
def test_training_starts_from_the_seasonal_naive_forecast(name):
    """The beginning reads no data, so that a run without budget is no worse than this."""
    context = np.random.default_rng(1).gamma(2, 20, size=(6, 14))
    model = forecaster(name, 14, 6, 4)
    start = model.initial_parameters(np.random.default_rng(2))
    middle = model.quantiles(start, context, np.array([0.5]))
    naive = seasonal_naive(list(context), 6, 4, np.array([0.5]))
    np.testing.assert_allclose(middle, naive, rtol=1e-10)


@pytest.mark.parametrize("name", MODELS[1:])
def test_training_without_noise_beats_the_seasonal_naive_forecast(name):
    panel = generated_panel(num_series=100)
    parts = split(panel, 36, 12)
    model = forecaster(name, 36, 12, 12)
    rng = np.random.default_rng(1)
    parameters = model.initial_parameters(rng)
    optimizer = Optimizer("adam", 0.003, model.num_parameters)
    for step in range(1, 251):
        series = rng.integers(0, 100, size=64)
        starts = rng.integers(0, np.array(parts.training.lengths)[series] - 11)
        cut = windows(
            parts.training.series, Batch(series=series, starts=starts, step=0, epoch=0), 36, 12
        )
        gradient = model.clipped_gradient(parameters, cut.context, cut.forecast, 1.0).total / 64
        parameters = optimizer.moved(parameters, gradient, step)
    test = parts.test
    naive = seasonal_naive(test.histories, 12, 12, LEVELS)
    error = mean_weighted_quantile_loss(
        model.quantiles(parameters, test.context, LEVELS), test.truth
    )
    assert error < 0.9 * mean_weighted_quantile_loss(naive, test.truth)


def test_bad_arguments_are_named():
    for arguments, field in [
        (("lstm", 14, 5, 4), "forecaster"),
        (("linear", 0, 5, 4), "context_length"),
        (("linear", 14, 0, 4), "forecast_length"),
        (("linear", 14, 5, 0), "period"),
        (("linear", 100_000, 100_000, 4), "context_length"),
    ]:
        with pytest.raises(ScenarioError) as caught:
            forecaster(*arguments)
        assert caught.value.field == field


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("levels", [[0.0], [1.0], [np.nan], [0.5, 0.4], [], [[0.5]]])
def test_levels_must_increase_between_0_and_1(name, levels):
    model = forecaster(name, 14, 5, 4)
    parameters = model.initial_parameters(np.random.default_rng(1))
    with pytest.raises(ScenarioError, match="levels"):
        model.quantiles(parameters, np.ones((1, 14)), np.array(levels))


def test_seasonal_naive_repeats_the_last_season_and_spreads_with_time():
    history = np.array([1.0, 10.0, 4.0, 6.0])  # changes over a season: 3 and -4
    found = seasonal_naive([history], 5, 2, LEVELS)[0]
    last = np.array([4.0, 6.0, 4.0, 6.0, 4.0])
    deviation = np.sqrt(12.5 * np.array([1, 1, 2, 2, 3]))
    np.testing.assert_allclose(found, last[:, None] + deviation[:, None] * ndtri(LEVELS))


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
    np.testing.assert_allclose(found[0, :, 1], 100 + season[60:], atol=4)
    width = found[0, 0, 2] - found[0, 0, 0]
    assert width == pytest.approx(2 * 2 * ndtri(0.9), rel=0.4)


@pytest.mark.parametrize(
    "history",
    [np.zeros(30), np.full(30, 4.0), np.arange(5.0), np.ones(1), np.array([0.0] * 29 + [1e300])],
)
def test_exponential_smoothing_answers_for_every_history(history):
    with warnings.catch_warnings(), np.errstate(over="ignore"):
        warnings.simplefilter("error")
        found = exponential_smoothing([history], 4, 6, LEVELS)
    assert found.shape == (1, 4, 9)
    assert np.all(np.diff(found, axis=2) >= 0)
    if np.ptp(history) == 0.0:  # no form fits: the last season
        assert np.all(found == history[-1])


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
