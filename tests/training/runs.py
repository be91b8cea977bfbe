"""Small training runs for tests, on eight series and, as pages have them, on thirty."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from dpviz.planning.target import Target
from dpviz.scenario import PRESETS, Noise, Sampling, Scenario, Training
from dpviz.scenario.errors import is_installed
from dpviz.training.models import FORECASTERS, NETWORKS
from dpviz.training.panel import training_shape
from dpviz.training.panel_source import GeneratedSource, generated_panel, parts_of
from dpviz.training.progress import TrainingResult
from dpviz.training.settings import TrainingSettings
from dpviz.training.small_run import SmallRun, small_run, told_by_run
from dpviz.training.split import split

MODELS = [
    pytest.param(name, marks=pytest.mark.torch) if name in NETWORKS else name
    for name in FORECASTERS
    if name not in NETWORKS or is_installed("torch")
]
"""The forecasters that can be made here."""
PANEL = generated_panel(num_series=8, length=40, period=4, seed=3)
CONTEXT, FORECAST = 8, 2
PARTS = split(PANEL, CONTEXT, FORECAST)


def scenario(**changes: object) -> Scenario:
    """Return a scenario whose shape is that of the panel's training part."""
    told = Scenario(
        data=training_shape(PARTS.training, CONTEXT, FORECAST),
        sampling=Sampling(batch_size=4),
        noise=Noise(noise_multiplier=2.0),
        training=Training(unit="steps", count=1),
        delta=1e-5,
    )
    return replace(told, **changes)


def settings(**changes: object) -> TrainingSettings:
    """Return the settings of a short private run."""
    told = TrainingSettings(
        scenario=scenario(),
        model="linear",
        target=Target(epsilon=8.0, delta=1e-5),
        most_steps=12,
        seed=5,
        evaluate_every=4,
    )
    return replace(told, **changes)


def same_result(one, other) -> bool:
    """Return whether two results tell the same, to the last digit."""
    return (
        np.array_equal(one.parameters, other.parameters)
        and np.array_equal(one.quantiles, other.quantiles)
        and one.curve == other.curve
        and (one.crps, one.steps, one.best_step) == (other.crps, other.steps, other.best_step)
        and one.epsilon_spent == other.epsilon_spent
    )


SOURCE = GeneratedSource(num_series=30, length=80, period=12, seed=1)
USUAL = {
    "context_length": 12,
    "forecast_length": 6,
    "batch_size": 16,
    "max_change": 10.0,
    "steps": 20,
    "model": "linear",
    "target_epsilon": 20.0,
    "fits_noise": True,
    "learning_rate": 0.01,
    "seed": 1,
}


def a_run(base=PRESETS["toy"].scenario, **options) -> SmallRun:
    chosen = USUAL | options
    parts = parts_of(SOURCE, chosen["context_length"], chosen["forecast_length"])
    return small_run(base, parts, **chosen)


@cache
def told(**options):
    return list(told_by_run(a_run(**options), SOURCE))


def result_in(told):
    return next(one for one in told if isinstance(one, TrainingResult))


def result(**options):
    return result_in(told(**options))
