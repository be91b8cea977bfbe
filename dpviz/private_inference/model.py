"""Small models that are trained on some series, and how well they forecast others."""

from collections.abc import Sequence

import numpy as np

from dpviz.private_inference.hide import forecasts_of_hidden, hidden_contexts, pulled_to_mean
from dpviz.scenario import Noise, Sampling, Scenario, Training
from dpviz.training.forecaster import FloatArray, Forecaster
from dpviz.training.models import forecaster
from dpviz.training.panel import Panel, training_shape
from dpviz.training.quantiles import LEVELS, mean_weighted_quantile_loss
from dpviz.training.run import trained
from dpviz.training.settings import TrainingSettings
from dpviz.training.split import EvaluationWindows, split

BATCH_SIZE = 64
LEARNING_RATE = 0.01
LOWEST = 0.0
"""All data here are known to be positive."""


def halves(panel: Panel) -> tuple[Panel, Panel]:
    """Return every other series to train on, from the first on, and the rest to forecast."""
    first, second = (
        Panel(series=panel.series[at::2], names=panel.names[at::2], period=panel.period)
        for at in (0, 1)
    )
    return first, second


def model_of(
    name: str, panel: Panel, context_length: int, forecast_length: int, *, steps: int, seed: int
) -> tuple[Forecaster, FloatArray]:
    """Return a forecaster and its parameters, trained without privacy.

    Args:
        name: one of :data:`dpviz.training.models.FORECASTERS`.
        panel: what it is trained on: other series than it is to forecast.
        steps: of training, with batches of :data:`BATCH_SIZE` windows.
    """
    model = forecaster(name, context_length, forecast_length, panel.period)
    if name == "naive":
        return model, np.zeros(0)
    parts = split(panel, context_length, forecast_length, validation_windows=0)
    scenario = Scenario(
        data=training_shape(parts.training, context_length, forecast_length),
        sampling=Sampling(batch_size=min(BATCH_SIZE, len(panel))),
        noise=Noise(noise_multiplier=1.0),  # of no effect: there is no privacy
        training=Training(unit="steps", count=steps),
    )
    settings = TrainingSettings(
        scenario=scenario,
        model=name,
        target=None,
        most_steps=steps,
        learning_rate=LEARNING_RATE,
        seed=seed,
        evaluate_every=steps,
        validation="none",
        validation_windows=0,
    )
    return model, trained(settings, panel).parameters


def last_windows(panel: Panel, context_length: int, forecast_length: int) -> EvaluationWindows:
    """Return one forecast of the last values of each series, and what came."""
    return split(panel, context_length, forecast_length, validation_windows=0).test


def crps_of_hidden(
    forecaster: Forecaster,
    parameters: FloatArray,
    windows: EvaluationWindows,
    *,
    rate: float,
    noise: float,
    nothing_kept: float,
    seed: Sequence[int],
    draws: int,
    pull: float = 0.0,
) -> float:
    """Return the mean error (CRPS) of forecasts of hidden contexts; lower is better.

    It is computed from what then came, which no budget covers: for public series. How contexts are
    hidden see :func:`~dpviz.private_inference.hide.hidden_contexts`.

    Args:
        seed: the same one hides the same way, whatever rate and noise are.
        draws: how many times contexts are hidden anew.
        pull: see :func:`~dpviz.private_inference.hide.pulled_to_mean`.
    """
    errors = []
    for draw in range(draws):
        hidden = hidden_contexts(
            windows.context,
            rate=rate,
            noise=noise,
            nothing_kept=nothing_kept,
            known=known_values(windows),
            rng=np.random.default_rng([*seed, draw]),
        )
        seen = pulled_to_mean(hidden, pull) if pull > 0.0 else hidden
        quantiles = forecasts_of_hidden(forecaster, parameters, seen, LEVELS, lowest=LOWEST)
        errors.append(mean_weighted_quantile_loss(quantiles, windows.truth))
    return float(np.mean(errors))


def known_values(windows: EvaluationWindows) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Return how many values of each context are its series' own, shape (windows,)."""
    return np.minimum(windows.starts, windows.context.shape[1])
