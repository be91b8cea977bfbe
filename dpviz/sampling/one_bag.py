"""Batches from one bag of all windows, as common data loaders draw them (Proposition C.1)."""

from collections.abc import Iterator
from itertools import count

import numpy as np

from dpviz.sampling.batches import Batch
from dpviz.scenario import Scenario, ScenarioError


def bag_batches(scenario: Scenario, rng: np.random.Generator) -> Iterator[Batch]:
    """Draw batches of Lambda distinct windows from all N T windows, without an end.

    Each batch is drawn anew, every subset being equally likely. Of series of several lengths each
    counts as the shortest, as in :func:`dpviz.planning.one_bag.bag_hits`.

    Args:
        scenario: its series are in one bag (``top_level="flat"``), its data a ``DataShape``.
        rng: source of all randomness; the same state gives the same batches.

    Raises:
        ScenarioError: the scenario's batches are drawn series by series.

    >>> from dpviz.scenario import DataShape, Noise, Sampling, Training
    >>> scenario = Scenario(
    ...     data=DataShape(num_series=3, series_lengths=(9,), context_length=2, forecast_length=1),
    ...     sampling=Sampling(batch_size=27, top_level="flat"),
    ...     noise=Noise(noise_multiplier=1.0), training=Training(unit="steps", count=1))
    >>> batch = next(bag_batches(scenario, np.random.default_rng(1)))
    >>> len(set(zip(batch.series.tolist(), batch.starts.tolist())))
    27
    """
    shape = scenario.shape
    if scenario.sampling.top_level != "flat" or shape is None:
        raise ScenarioError("top_level", scenario.sampling.top_level, "it must be flat: one bag")
    return _bag_batches(
        shape.num_series,
        shape.start_positions,
        scenario.sampling.batch_size,
        scenario.steps_per_epoch,
        rng,
    )


def _bag_batches(
    series: int, positions: int, size: int, steps_per_epoch: int, rng: np.random.Generator
) -> Iterator[Batch]:
    for step in count():
        drawn = rng.choice(series * positions, size=size, replace=False, shuffle=False)
        yield Batch(
            series=drawn // positions,
            starts=drawn % positions,
            step=step,
            epoch=step // steps_per_epoch,
        )
