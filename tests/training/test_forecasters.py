"""What forecasters forecast, and that they learn."""

import numpy as np
import pytest

from dpviz.sampling import Batch, windows
from dpviz.scenario import ScenarioError
from dpviz.training.baselines import seasonal_naive
from dpviz.training.models import FORECASTERS, forecaster
from dpviz.training.panel_source import generated_panel
from dpviz.training.quantiles import LEVELS, mean_weighted_quantile_loss
from dpviz.training.split import split


@pytest.mark.parametrize("name", FORECASTERS)
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


@pytest.mark.parametrize("name", ["linear", "dlinear", "feedforward"])
def test_training_starts_from_the_seasonal_naive_forecast(name):
    """The beginning reads no data, so that a run without budget is no worse than this."""
    context = np.random.default_rng(1).gamma(2, 20, size=(6, 14))
    model = forecaster(name, 14, 6, 4)
    start = model.initial_parameters(np.random.default_rng(2))
    middle = model.quantiles(start, context, np.array([0.5]))
    naive = seasonal_naive(list(context), 6, 4, np.array([0.5]))
    np.testing.assert_allclose(middle, naive, rtol=1e-10)


@pytest.mark.parametrize("name", FORECASTERS)
def test_a_seed_gives_the_same_model(name):
    model = forecaster(name, 14, 5, 4)
    first, again, other = (model.initial_parameters(np.random.default_rng(s)) for s in (1, 1, 2))
    np.testing.assert_array_equal(first, again)
    assert (name == "feedforward") == (not np.array_equal(first, other))


@pytest.mark.parametrize("name", ["linear", "dlinear", "feedforward"])
def test_training_without_noise_beats_the_seasonal_naive_forecast(name):
    panel = generated_panel(num_series=100)
    parts = split(panel, 36, 12)
    model = forecaster(name, 36, 12, 12)
    rng = np.random.default_rng(1)
    parameters = model.initial_parameters(rng)
    mean, square = np.zeros_like(parameters), np.zeros_like(parameters)
    for step in range(1, 251):  # Adam, with the constants of its authors
        series = rng.integers(0, 100, size=64)
        starts = rng.integers(0, np.array(parts.training.lengths)[series] - 11)
        cut = windows(
            parts.training.series, Batch(series=series, starts=starts, step=0, epoch=0), 36, 12
        )
        gradient = model.clipped_gradient(parameters, cut.context, cut.forecast, 1.0).total / 64
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.999 * square + 0.001 * gradient**2
        size = np.sqrt(square / (1 - 0.999**step)) + 1e-8
        parameters = parameters - 0.003 * mean / (1 - 0.9**step) / size
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


@pytest.mark.parametrize("name", FORECASTERS)
@pytest.mark.parametrize("levels", [[0.0], [1.0], [np.nan], [0.5, 0.4], [], [[0.5]]])
def test_levels_must_increase_between_0_and_1(name, levels):
    model = forecaster(name, 14, 5, 4)
    parameters = model.initial_parameters(np.random.default_rng(1))
    with pytest.raises(ScenarioError, match="levels"):
        model.quantiles(parameters, np.ones((1, 14)), np.array(levels))
