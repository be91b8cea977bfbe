"""Batches of windows, as indices into data that stay where they are."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count

import numpy as np

from dpviz.sampling.draws import bag_draws, draw_starts, series_draws
from dpviz.sampling.scheme import IntArray, Lengths, Scheme, scheme_for
from dpviz.scenario import Scenario
from dpviz.scenario.mechanism import ONE_BAG


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Batch:
    """The windows of one training step; may be empty where its size is left to chance.

    Args:
        series: the series of each window, 0 to N - 1, shape (windows,).
        starts: the start position of each window, 0 to T - 1 of its series, shape (windows,):
            its forecast is the L_F values from there on, its context the L_C values before.
        step: training step, from 0.
        epoch: pass over the series, floor(step / steps per epoch), from 0.
    """

    series: IntArray
    starts: IntArray
    step: int
    epoch: int

    def __len__(self) -> int:
        return len(self.series)


def batches(
    scenario: Scenario,
    rng: np.random.Generator,
    *,
    series_lengths: Lengths | None = None,
    endless: bool = False,
) -> Iterator[Batch]:
    """Draw the batches of one training run (the loops of Algorithm 1).

    The top level is Algorithm 3 (``deterministic``), Algorithm 5 (``without-replacement``), a
    walk in a new order each epoch (``shuffled``), one batch of each epoch for each series, at
    random (``bins``), or Poisson with rate N' / N; the bottom level is Algorithm 4
    (``with-replacement``) or 6 (``poisson``). One bag (``flat``) has no series to draw: its batches
    are any Lambda windows, or each window comes by a coin (``poisson``). Arguments are checked at
    the call, batches drawn when asked for.

    Args:
        scenario: what is accounted for; its data must be a ``DataShape``.
        rng: source of all randomness; the same state gives the same batches.
        series_lengths: length of each of the N series, in time steps. Without it windows start
            only where the shortest series of the scenario's shape lets them.
        endless: do not stop after ``scenario.num_steps`` batches.

    Raises:
        ScenarioError: the scenario gives rates instead of a shape, or its bounds do not cover
            series of these lengths.

    >>> from dpviz.scenario import PRESETS
    >>> run = list(batches(PRESETS["toy"].scenario, np.random.default_rng(1)))
    >>> len(run), len(run[0]), run[25].epoch
    (1000, 32, 2)
    """
    scheme = scheme_for(scenario, series_lengths)
    return _batches(scheme, rng, count() if endless else range(scenario.num_steps))


def _batches(scheme: Scheme, rng: np.random.Generator, steps: Iterable[int]) -> Iterator[Batch]:
    return (batch for _, batch in drawn_steps(scheme, rng, steps))


def drawn_steps(
    scheme: Scheme, rng: np.random.Generator, steps: Iterable[int]
) -> Iterator[tuple[IntArray, Batch]]:
    """Draw for each step its series, shape (series,), and its batch.

    Drawn series may be without a window in the batch where windows are drawn independently.
    """
    for step, (drawn, series, starts) in zip(steps, _draws(scheme, rng), strict=False):
        epoch = step // scheme.steps_per_epoch
        yield drawn, Batch(series=series, starts=starts, step=step, epoch=epoch)


def _draws(
    scheme: Scheme, rng: np.random.Generator
) -> Iterator[tuple[IntArray, IntArray, IntArray]]:
    """Return without an end the drawn series, and series and start of each drawn window."""
    if scheme.top_level == ONE_BAG:
        for owners, starts in bag_draws(scheme, rng):
            yield np.unique(owners), owners, starts
    for series in series_draws(scheme, rng):
        drawn = draw_starts(
            scheme.bottom_level, scheme.start_positions[series], scheme.num_subsequences, rng
        )
        yield series, series[drawn.owner], drawn.start
