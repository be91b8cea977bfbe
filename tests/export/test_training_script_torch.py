"""The exported PyTorch script: its gradients, its clipping, its noise, and a whole run."""

import numpy as np
import pytest

from dpviz.accounting import best_upper
from dpviz.export.training_script import training_script
from dpviz.sampling import clipped_sum
from tests.export.training_scripts import (
    SCHEMES,
    SMALL,
    NoNoise,
    Recorder,
    finished,
    loaded,
    run,
    series_of,
    trained,
)

torch = pytest.importorskip("torch", reason="PyTorch is not installed: `make test-torch`")
pytestmark = pytest.mark.torch


@pytest.fixture(scope="module", params=["pytorch", "opacus"])
def kind(request):
    if request.param == "opacus":
        pytest.importorskip("opacus", reason="Opacus is not installed: `make test-torch`")
    return request.param


@pytest.fixture(scope="module")
def script(kind):
    torch.set_num_threads(1)
    return loaded(SMALL, kind)


def rows_of(count, seed=1):
    rng = np.random.default_rng(seed)
    return 50.0 * rng.normal(size=(count, 3)), 50.0 * rng.normal(size=(count, 2))


def test_the_script_runs_to_its_end(kind, tmp_path):
    script = training_script(SCHEMES["poisson both"], kind=kind)
    said, statement = finished(script, tmp_path, "--demo", by=run)
    assert f"Trained: {statement['statement']}" in said.splitlines()
    weights = torch.load(tmp_path / "private-model" / "model.pt")
    assert all(values.isfinite().all() for values in weights.values())


@pytest.mark.parametrize("name", SCHEMES)
def test_every_scheme_trains_and_states_the_accountants_epsilon(name, kind, tmp_path):
    scenario = SCHEMES[name]
    module = loaded(scenario, kind)
    batches, statement = trained(module, tmp_path, scenario)
    assert len(batches) == statement["steps"] == scenario.num_steps
    upper = best_upper(scenario)
    assert statement["epsilon"] == upper.quoted_epsilon_at(scenario.delta)


def test_gradients_are_those_of_each_window_alone(script):
    model = script.Model(num_channels=1)
    context, forecast = rows_of(6)
    rows = model.gradients(context, forecast)
    for at in range(6):
        model.network.zero_grad()
        predicted = model.network(script.tensor_of(context[[at]]))
        torch.nn.functional.mse_loss(predicted, script.tensor_of(forecast[[at]])).backward()
        alone = torch.cat([values.grad.flatten() for values in model.trained.values()])
        torch.testing.assert_close(rows[at], alone, rtol=1e-4, atol=1e-4)


def test_each_window_is_clipped_by_itself(script):
    model = script.Model(num_channels=1)
    context, forecast = rows_of(40)
    context[1, 0] = np.nan
    forecast[2, 0] = 1e300  # not finite in single precision
    rows = model.gradients(context, forecast).numpy()
    clipped = [model.clipped_sum(context[[at]], forecast[[at]]) for at in range(40)]
    assert np.linalg.norm(clipped, axis=1).max() <= 1.0 + 1e-12
    np.testing.assert_array_equal(clipped[1:3], 0.0)
    assert np.linalg.norm(clipped[3:], axis=1).min() > 0.0
    np.testing.assert_allclose(
        model.clipped_sum(context, forecast), clipped_sum(rows, 1.0), atol=1e-9
    )
    script.CHUNK = 7
    step = script.private_gradient(model, context, forecast, NoNoise())
    np.testing.assert_allclose(step, np.sum(clipped, axis=0) / 6, atol=1e-6)


def test_the_optimiser_sees_the_noisy_gradient_alone(script):
    model = script.Model(num_channels=1)
    gradient = np.arange(model.num_parameters, dtype=float)
    model.update(gradient)
    seen = torch.cat([values.grad.flatten() for values in model.trained.values()])
    np.testing.assert_array_equal(seen.numpy(), gradient)


def test_frozen_parameters_are_neither_noised_nor_trained(script, kind):
    whole = script.Model(num_channels=1)

    class Frozen(script.Network):
        def __init__(self, inputs, outputs):
            super().__init__(inputs, outputs)
            self.layers[0].requires_grad_(False)

    module = loaded(SMALL, kind)
    module.Network = Frozen
    model = module.Model(num_channels=1)
    assert model.num_parameters == whole.num_parameters - 4 * 32
    before = model.network.layers[0].weight.clone()
    model.update(module.private_gradient(model, *rows_of(4), np.random.default_rng(1)))
    assert torch.equal(model.network.layers[0].weight, before)


def test_a_model_that_mixes_windows_is_refused(kind):
    """Batch normalisation would let one window into the gradients of others."""
    module = loaded(SMALL, kind)

    class Mixing(torch.nn.Sequential):
        def __init__(self, inputs, outputs):
            super().__init__(torch.nn.Linear(inputs, outputs), torch.nn.BatchNorm1d(outputs))

    module.Network = Mixing
    with pytest.raises((RuntimeError, ValueError)):
        module.Model(num_channels=1).gradients(*rows_of(4))


def test_a_fixed_seed_draws_the_same_batches_and_noise_and_gets_no_statement(kind, tmp_path):
    drawn = []
    for folder in ("one", "other"):
        module = loaded(SMALL, kind)
        module.DEBUG_SEED = 7
        module.private_gradient = Recorder(module.private_gradient)
        module.windows = Recorder(module.windows)
        torch.manual_seed(1)
        module.train(series_of(SMALL), tmp_path / folder)
        drawn.append(module.private_gradient.results)
        assert not (tmp_path / folder / "privacy.json").exists()
    np.testing.assert_allclose(*drawn, rtol=1e-5, atol=1e-6)


def test_why_the_noise_is_not_torchs():
    """Seeds that are equal in their lower 32 bits give the same noise on a CPU."""
    one, other = (
        torch.randn(8, generator=torch.Generator().manual_seed(5 + high)) for high in (0, 2**32)
    )
    assert torch.equal(one, other)
