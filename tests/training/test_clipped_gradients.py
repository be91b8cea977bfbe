"""Gradients are exact, and no window adds more than the clipping norm."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dpviz.sampling import clipped_sum
from dpviz.scenario import ScenarioError
from dpviz.training.models import forecaster
from tests.training.runs import MODELS

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
