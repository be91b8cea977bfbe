"""What forecasters forecast and learn, by gradients that are exact and clipped; and their error."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.special import ndtri

from dpviz.sampling import Batch, clipped_sum, windows
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


L_C, L_F, PERIOD = 14, 5, 4
# Whatever a window may hold, from nothing over the ordinary to what no sensor sends.
VALUES = st.one_of(
    st.floats(-100, 100),
    st.sampled_from([0.0, 1.0, 1e300, -1e300, 5e-324, np.inf, -np.inf, np.nan]),
)


@pytest.fixture(scope="module", params=MODELS[1:])  # the first one is naive
def model(request):
    return forecaster(request.param, L_C, L_F, PERIOD)


def some_parameters(model, seed=1):
    rng = np.random.default_rng(seed)
    return model.initial_parameters(rng) + rng.normal(0.0, 0.3, size=model.num_parameters)


def some_windows(count=12, seed=2):
    rng = np.random.default_rng(seed)
    context = rng.gamma(2.0, 20.0, size=(count, L_C))
    context[-1, :6] = 0.0  # padded
    return context, rng.gamma(2.0, 20.0, size=(count, L_F))


def gradients_one_by_one(model, parameters, context, forecast):
    """Each window's own gradient, from batches of one that are not clipped."""
    rows = [
        model.clipped_gradient(parameters, context[i : i + 1], forecast[i : i + 1], 1e12).total
        for i in range(len(context))
    ]
    return np.array(rows).reshape(len(context), model.num_parameters)


def test_gradients_are_the_differences_of_the_loss(model):
    parameters = some_parameters(model)
    context, forecast = some_windows(4)
    found = gradients_one_by_one(model, parameters, context, forecast)

    def losses(at):
        return model.clipped_gradient(at, context, forecast, 1.0).losses

    # The quantile loss has kinks; steps this small meet none of the hundred there are here.
    step = 1e-7
    for place in np.random.default_rng(3).permutation(model.num_parameters)[:150]:
        shift = np.zeros(model.num_parameters)
        shift[place] = step
        slope = (losses(parameters + shift) - losses(parameters - shift)) / (2 * step)
        np.testing.assert_allclose(found[:, place], slope, atol=2e-7, rtol=1e-5)
    assert np.count_nonzero(found) > 0.8 * found.size  # attention: steps beyond L_F, and ReLU


@pytest.mark.parametrize("clipping_norm", [1e-4, 0.3, 1e3])
def test_sum_is_that_of_the_reference_clipping(model, clipping_norm):
    parameters = some_parameters(model)
    context, forecast = some_windows()
    rows = gradients_one_by_one(model, parameters, context, forecast)
    found = model.clipped_gradient(parameters, context, forecast, clipping_norm)
    np.testing.assert_allclose(found.norms, np.linalg.norm(rows, axis=1), rtol=1e-12)
    expected = clipped_sum(rows, clipping_norm)
    np.testing.assert_allclose(found.total, expected, atol=1e-13 * clipping_norm * len(rows))


@given(
    context=arrays(np.float64, (1, L_C), elements=VALUES),
    forecast=arrays(np.float64, (1, L_F), elements=VALUES),
    seed=st.integers(0, 5),
    clipping_norm=st.sampled_from([1e-4, 1.0, 50.0]),
)
def test_no_window_adds_more_than_the_clipping_norm(model, context, forecast, seed, clipping_norm):
    found = model.clipped_gradient(some_parameters(model, seed), context, forecast, clipping_norm)
    assert np.linalg.norm(found.total) <= clipping_norm * (1 + 1e-12)
    if np.isnan(forecast).any() or not np.isfinite(context).all():
        assert not found.total.any()


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_window_that_is_not_finite_leaves_the_others_as_they_are(model, bad):
    parameters = some_parameters(model)
    context, forecast = some_windows()
    rest = model.clipped_gradient(parameters, context[1:], forecast[1:], 0.5).total
    context[0, 5] = bad
    found = model.clipped_gradient(parameters, context, forecast, 0.5)
    assert not np.isfinite(found.norms[0])
    np.testing.assert_allclose(found.total, rest, atol=1e-14)


def test_a_truth_that_is_no_number_and_a_context_of_zeros_add_nothing(model):
    context, forecast = some_windows(2)
    context[0] = 0.0
    forecast[1, 2] = np.nan
    found = model.clipped_gradient(some_parameters(model), context, forecast, 1.0)
    assert not found.total.any()
    assert found.losses[0] == found.norms[0] == 0.0


def test_an_empty_batch_adds_nothing(model):
    none = np.zeros((0, L_C)), np.zeros((0, L_F))
    found = model.clipped_gradient(some_parameters(model), *none, 1.0)
    assert found.total.shape == (model.num_parameters,)
    assert not found.total.any()
    assert len(found.norms) == len(found.losses) == 0


@pytest.mark.parametrize("factor", [1e-200, 1e-3, 1e200])
def test_the_unit_of_the_data_does_not_matter(model, factor):
    parameters = some_parameters(model)
    context, forecast = some_windows()
    in_one = model.clipped_gradient(parameters, context, forecast, 0.5).total
    in_other = model.clipped_gradient(parameters, factor * context, factor * forecast, 0.5).total
    np.testing.assert_allclose(in_other, in_one, atol=1e-12)


def test_arrays_of_another_shape_are_refused():
    model = forecaster("linear", L_C, L_F, PERIOD)
    context, forecast = some_windows()
    parameters = some_parameters(model)
    with pytest.raises(ScenarioError, match=r"forecast = 'shape \(12, 1\)'"):
        model.clipped_gradient(parameters, context, forecast[:, :1], 1.0)
    with pytest.raises(ScenarioError, match="context"):
        model.quantiles(parameters, context[:, 1:], np.array([0.5]))
    with pytest.raises(ScenarioError, match="parameters"):
        model.quantiles(parameters[1:], context, np.array([0.5]))
    with pytest.raises(ScenarioError, match="clipping_norm"):
        model.clipped_gradient(parameters, context, forecast, 0.0)


@given(
    contexts=arrays(np.float64, (4, L_C), elements=VALUES),
    forecasts=arrays(np.float64, (4, L_F), elements=VALUES),
    changed=st.integers(0, 3),
)
def test_one_window_moves_the_sum_of_a_batch_by_no_more_than_the_clipping_norm(
    model, contexts, forecasts, changed
):
    """Whatever the others hold: what is put in place of a window moves it by at most twice C."""
    parameters, C = some_parameters(model), 0.5
    ordinary = some_windows(1)
    others = np.delete(np.arange(4), changed)

    def total(context, forecast):
        return model.clipped_gradient(parameters, context, forecast, C).total

    whole = total(contexts, forecasts)
    without = total(contexts[others], forecasts[others])
    assert np.linalg.norm(whole - without) <= C * (1 + 1e-9)
    contexts[changed], forecasts[changed] = ordinary[0][0], ordinary[1][0]
    assert np.linalg.norm(whole - total(contexts, forecasts)) <= 2 * C * (1 + 1e-9)
