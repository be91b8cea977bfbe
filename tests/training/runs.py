"""A small training run for tests: eight series, a forecaster of four parameters."""

from dataclasses import replace

import numpy as np
import pytest

from dpviz.planning.target import Target
from dpviz.scenario import Noise, Relation, Sampling, Scenario, Training
from dpviz.scenario.errors import is_installed
from dpviz.training.models import FORECASTERS, NETWORKS
from dpviz.training.panel import training_shape
from dpviz.training.panel_source import generated_panel
from dpviz.training.settings import TrainingSettings
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


def scenario(
    *,
    sampling: Sampling | None = None,
    noise: Noise | None = None,
    relation: Relation | None = None,
) -> Scenario:
    """Return a scenario whose shape is that of the panel's training part."""
    return Scenario(
        data=training_shape(PARTS.training, CONTEXT, FORECAST),
        sampling=sampling or Sampling(batch_size=4),
        noise=noise or Noise(noise_multiplier=2.0),
        training=Training(unit="steps", count=1),
        relation=relation or Relation(),
        delta=1e-5,
    )


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
