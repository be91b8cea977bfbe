"""Which series a pass over the data uses in which of its steps."""

from dataclasses import dataclass
from itertools import islice

import numpy as np

from dpviz.planning.drawn_batches import draws
from dpviz.sampling.arrays import IntArray
from dpviz.scenario import Scenario, ScenarioError
from dpviz.scenario.mechanism import WALKS


@dataclass(frozen=True, kw_only=True, eq=False)
class EpochPartition:
    """The steps of one pass, as far as they were drawn.

    Args:
        epoch: which pass, from 0.
        num_series: N.
        steps: of the whole pass.
        series: numbers of the used series, from 0, shape (used series,).
        step_in_epoch: the step that uses each, from 0, shape (used series,).
        drawn_steps: how many of the steps were drawn.
    """

    epoch: int
    num_series: int
    steps: int
    series: IntArray
    step_in_epoch: IntArray
    drawn_steps: int


def epoch_partition(scenario: Scenario, seed: int, batch: int, most: int) -> EpochPartition:
    """Return the pass that a batch is part of.

    Args:
        scenario: walks through the series, in order or shuffled.
        seed: of the run.
        batch: its number in the run, from 1.
        most: no batch after this one is drawn.

    Raises:
        ScenarioError: series are drawn anew for each step.
    """
    if scenario.sampling.top_level not in WALKS:
        raise ScenarioError("top_level", scenario.sampling.top_level, "it has no pass over series")
    steps = scenario.steps_per_epoch
    epoch = (batch - 1) // steps
    first, last = epoch * steps, min((epoch + 1) * steps, most)
    chosen = [series for series, _ in islice(draws(scenario, seed), first, last)]
    assert scenario.shape is not None  # draws has looked
    return EpochPartition(
        epoch=epoch,
        num_series=scenario.shape.num_series,
        steps=steps,
        series=np.concatenate(chosen),
        step_in_epoch=np.repeat(np.arange(len(chosen)), [len(series) for series in chosen]),
        drawn_steps=len(chosen),
    )
