"""Small models that are trained on some series, to forecast others."""

import numpy as np

from dpviz.scenario import Noise, Sampling, Scenario, Training
from dpviz.training.choose import forecaster
from dpviz.training.forecaster import FloatArray, Forecaster
from dpviz.training.panel import Panel
from dpviz.training.run import trained
from dpviz.training.settings import TrainingSettings
from dpviz.training.shape import training_shape
from dpviz.training.split import EvaluationWindows, split

BATCH_SIZE = 64
LEARNING_RATE = 0.01
_ONE_FORECAST = 1  # of each series, at its end


def halves(panel: Panel) -> tuple[Panel, Panel]:
    """Return every other series to train on, from the first on, and the rest to forecast.

    >>> panel = Panel(series=([1.0], [2.0], [3.0]), names=("a", "b", "c"), period=1)
    >>> [half.names for half in halves(panel)]
    [('a', 'c'), ('b',)]
    """
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
        name: one of :data:`dpviz.training.choose.FORECASTERS`.
        panel: what it is trained on: other series than it is to forecast.
        context_length: L_C.
        forecast_length: L_F.
        steps: of training, with batches of :data:`BATCH_SIZE` windows.
        seed: the same one gives the same parameters.

    Raises:
        ScenarioError: an argument is not allowed, or a series is too short.
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
    """Return one forecast of the last values of each series, and what came.

    Raises:
        ScenarioError: an argument is out of range, or a series is too short.
    """
    return split(
        panel, context_length, forecast_length, validation_windows=0, test_windows=_ONE_FORECAST
    ).test
