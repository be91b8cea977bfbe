"""One step of an exported script: what is drawn, clipped, noised and divided by what."""

import numpy as np
import pytest

from tests.export import training_scripts as scripts
from tests.export.training_scripts import NOISY, SCHEMES, SMALL
from tests.scenario.changes import varied


@pytest.mark.parametrize("name", SCHEMES)
@pytest.mark.every(6)
def test_batches_follow_the_scheme(name, tmp_path):
    scenario = varied(SCHEMES[name], steps=40)
    batches, _ = scripts.trained(scripts.loaded(scenario, "numpy"), tmp_path, scenario)
    sampling, shape = scenario.sampling, scenario.data
    many, fixed = sampling.num_subsequences, sampling.bottom_level == "with-replacement"
    for batch in batches:
        counts = np.bincount(batch.series, minlength=shape.num_series)
        if sampling.top_level == "flat":
            places = set(zip(batch.series.tolist(), batch.starts.tolist(), strict=True))
            assert len(places) == len(batch)  # no window twice, but several of a series
            assert not fixed or len(batch) == sampling.batch_size
        elif fixed:
            assert set(counts[counts > 0].tolist()) <= {many}
            if sampling.top_level not in ("poisson", "bins"):
                assert (counts > 0).sum() == sampling.series_per_batch
        assert ((batch.starts >= 0) & (batch.starts < shape.start_positions)).all()
    starts = np.concatenate([batch.starts for batch in batches])
    assert set(starts.tolist()) == set(range(shape.start_positions))
    orders = [batch.series[::many].tolist() for batch in batches]
    per_epoch = scenario.steps_per_epoch
    if sampling.is_walk:
        epoch = [index for order in orders[:per_epoch] for index in order]
        assert sorted(epoch) == list(range(shape.num_series))
        again = [index for order in orders[per_epoch : 2 * per_epoch] for index in order]
        assert (epoch == again) == (sampling.top_level == "deterministic")
    else:
        assert len({tuple(sorted(order)) for order in orders}) > 5
    if sampling.top_level in ("poisson", "bins") or not fixed:
        assert len({len(batch) for batch in batches}) > 1


@pytest.mark.parametrize("kind", scripts.KINDS)
def test_an_empty_batch_takes_a_noisy_step(kind, tmp_path):
    pytest.importorskip(scripts.PACKAGES[kind])
    scenario = varied(SCHEMES["poisson both"], steps=40)
    module = scripts.loaded(scenario, kind)
    module.private_gradient = scripts.Recorder(module.private_gradient)
    batches, _ = scripts.trained(module, tmp_path, scenario)
    steps = zip(batches, module.private_gradient.results, strict=True)
    gradients = [gradient for batch, gradient in steps if len(batch) == 0]
    assert gradients
    assert all((gradient != 0.0).all() for gradient in gradients)


@pytest.mark.parametrize("kind", scripts.KINDS)
def test_the_noise_has_the_promised_deviation(kind):
    """With no gradient, what is left of a step is noise of deviation sigma C / Lambda."""
    pytest.importorskip(scripts.PACKAGES[kind])
    module = scripts.loaded(SMALL, kind)
    module.CLIPPING_NORM = 3.0
    rng = np.random.default_rng(1)
    for windows in (0, 5):
        rows = np.ones((windows, 3)), np.ones((windows, 2))
        step = module.private_gradient(scripts.Silent(), *rows, rng)
        assert abs(step.std() / (2.0 * 3.0 / 6) - 1.0) < 0.01
        assert abs(step.mean()) < 0.01


def test_each_window_is_clipped_by_itself_and_the_sum_divided_by_the_constant():
    module = scripts.loaded(SMALL, "numpy")
    model = module.Model(num_channels=1)
    rng = np.random.default_rng(2)
    context, forecast = 50.0 * rng.normal(size=(40, 3)), 50.0 * rng.normal(size=(40, 2))
    context[0] *= 1e-6
    forecast[0] *= 1e-6
    context[1, 0] = np.nan
    rows = model.gradients(context, forecast)
    norms = np.linalg.norm(rows, axis=1)
    clipped = np.array(
        [model.clipped_sum(context[[at]], forecast[[at]]) for at in range(len(context))]
    )
    assert np.linalg.norm(clipped, axis=1).max() <= 1.0 + 1e-12
    np.testing.assert_array_equal(clipped[0], rows[0])  # short ones stay as they are
    np.testing.assert_array_equal(clipped[1], 0.0)  # no value gets around the clipping
    np.testing.assert_allclose(clipped[2:], rows[2:] / norms[2:, None])
    module.CHUNK = 7
    expected = clipped.sum(axis=0) / SMALL.sampling.batch_size

    step = module.private_gradient(model, context, forecast, scripts.NoNoise())
    np.testing.assert_allclose(step, expected, atol=1e-12)


def test_the_gradients_are_those_of_each_windows_own_loss():
    module = scripts.loaded(SMALL, "numpy")
    model = module.Model(num_channels=1)
    rng = np.random.default_rng(4)
    model.weights = rng.normal(size=model.weights.shape)
    context, forecast = rng.normal(size=(5, 3)), rng.normal(size=(5, 2))

    def losses():
        return np.mean((model.predict(context) - forecast) ** 2, axis=1)

    rows = model.gradients(context, forecast)
    for parameter in range(model.num_parameters):
        place = np.unravel_index(parameter, model.weights.shape)
        model.weights[place] += 1e-6
        above = losses()
        model.weights[place] -= 2e-6
        slope = (above - losses()) / 2e-6
        model.weights[place] += 1e-6
        np.testing.assert_allclose(rows[:, parameter], slope, atol=1e-6)


def test_windows_get_fresh_noise_before_anything_is_computed(tmp_path):
    scenario = varied(NOISY, steps=200)
    module = scripts.loaded(scenario, "numpy")
    module.scaled = scripts.Recorder(module.scaled)
    module.train(scripts.series_of(scenario, value=0.0), tmp_path)
    seen = [arguments[0] for arguments in module.scaled.arguments]
    context = np.concatenate([cut.context for cut in seen])
    forecast = np.concatenate([cut.forecast for cut in seen])
    assert abs(context.std() / (0.5 * 3.0) - 1.0) < 0.05
    assert abs(forecast.std() / (2.0 * 3.0) - 1.0) < 0.05
    assert len(np.unique(context)) == context.size


def test_each_window_is_scaled_by_its_own_context_alone():
    module = scripts.loaded(SMALL, "numpy")
    rng = np.random.default_rng(6)
    cut = module.windows(rng.normal(size=(12, 10)), next(module.batches(SMALL, rng)), 3, 2)
    together = module.scaled(cut)
    for at in range(len(cut.context)):
        part = type(cut)(context=cut.context[[at]], forecast=cut.forecast[[at]])
        alone = module.scaled(part)
        np.testing.assert_array_equal(alone[0][0], together[0][at])
        np.testing.assert_array_equal(alone[1][0], together[1][at])


def test_no_spreadsheet_computes_the_name_of_a_series(tmp_path):
    script = scripts.loaded(SMALL, "numpy")
    data = script.Data(["=1+1", *"abcdefghijk"], scripts.series_of(SMALL), 1, [])
    script.write_forecasts(script.Model(num_channels=1), data, tmp_path / "forecasts.csv")
    assert "\n'=1+1,1," in (tmp_path / "forecasts.csv").read_text()


def test_longer_series_than_those_that_are_listed_were_planned_too():
    script = scripts.loaded(varied(SMALL, longer_series_beyond=5), "numpy")
    told = script.difference(script.scenario_of([9] * 12), [9] * 12)
    assert "planned were 12 series of 10 values or more. One window" in told
