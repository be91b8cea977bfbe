"""Batches of one run as the samplers draw them, and how often they hold what is protected."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, islice

import numpy as np

from dpviz.accounting.buckets import BoolArray
from dpviz.planning.placement import Placement, placement
from dpviz.sampling import Batch
from dpviz.sampling.batches import drawn_steps
from dpviz.sampling.scheme import IntArray, scheme_for
from dpviz.scenario import DataShape, Scenario, ScenarioError
from dpviz.scenario.mechanism import AT_RANDOM
from dpviz.settings.attacker import MOST_DRAWN_BATCHES

SENSITIVE_SERIES = 0
SHOWN_SERIES = 6
SHOWN_WINDOWS = 6
# Random numbers of a whole run, and windows and series of one batch: about a second of computing.
_MOST_NUMBERS, _MOST_WINDOWS, _MOST_SERIES = 6 * 10**6, 10**5, 2 * 10**6
# What a window costs, in random numbers, where none may be drawn twice.
_DISTINCT = 8
# NumPy looks at every series where more than this part of them is drawn.
_LARGE_SHARE = 1 / 50


@dataclass(frozen=True, kw_only=True)
class ShownWindow:
    """A drawn window, by its series and its start position, and which of its parts holds what.

    Counted from 0; the protected values lie in series 0.
    """

    series: int
    start: int
    in_context: bool
    in_forecast: bool

    @property
    def is_hit(self) -> bool:
        """Whether it contains a protected value."""
        return self.in_context or self.in_forecast


@dataclass(frozen=True, kw_only=True)
class ShownSeries:
    """One series of a drawing, a row: its drawn windows by their starts; ``more`` are not shown."""

    series: int
    is_drawn: bool
    windows: tuple[ShownWindow, ...]
    more: int


@dataclass(frozen=True, kw_only=True)
class ShownBatch:
    """What is shown of one batch.

    Args:
        step: training step, from 0, as the epoch, a pass over the series.
        series: some of the series, the one with the protected values first.
        hits: drawn windows that contain a protected value.
        in_context: those of them that have one in their context.
        in_forecast: those of them that have one in their forecast.
    """

    step: int
    epoch: int
    num_series: int
    num_windows: int
    series: tuple[ShownSeries, ...]
    hits: int
    in_context: int
    in_forecast: int


@dataclass(frozen=True, kw_only=True, eq=False)
class DrawnRun:
    """The first batches of a run.

    Args:
        hits: of each batch, how many windows contain a protected value, shape (batches,).
        follows_law: whether its hits have the law of hits, shape (batches,): of a walk's batches
            those do that use the series with the protected values.
    """

    hits: IntArray
    follows_law: BoolArray
    shown: tuple[ShownBatch, ...]

    def counts(self, batches: int | None = None) -> IntArray:
        """Return how many of the first batches, or all, that follow the law have 0, 1, ... hits."""
        return np.bincount(self.hits[:batches][self.follows_law[:batches]], minlength=1)


def drawable_batches(scenario: Scenario) -> int:
    """Return how many batches of a run can be drawn while somebody waits.

    Raises ``ScenarioError`` for not even a few, or rates instead of a shape.
    """
    shape, sampling = drawn_shape(scenario), scenario.sampling
    windows = sampling.batch_size
    if windows > _MOST_WINDOWS:
        raise ScenarioError("batch_size", windows, f"it must be at most {_MOST_WINDOWS:,} to draw")
    if sampling.is_bag or sampling.takes_windows_by_coins:
        windows *= _DISTINCT
    series = 0 if sampling.is_bag else sampling.series_per_batch
    looks_at_all = (
        sampling.takes_series_by_coins
        or sampling.is_shuffled
        or sampling.has_bins
        or (sampling.top_level == AT_RANDOM and series > _LARGE_SHARE * shape.num_series)
    )
    if looks_at_all:
        if shape.num_series > _MOST_SERIES:
            raise ScenarioError(
                "num_series",
                shape.num_series,
                f"it must be at most {_MOST_SERIES:,} to draw batches this way here",
            )
        series = shape.num_series
    return min(MOST_DRAWN_BATCHES, _MOST_NUMBERS // (windows + series))


def drawn_run(scenario: Scenario, seed: int, last: int, shown_from: int | None = None) -> DrawnRun:
    """Return the first batches of the run that this seed gives.

    Args:
        last: how many batches are drawn.
        shown_from: number of the first batch, from 1, that is kept as it is shown; none without.
    """
    shape = drawn_shape(scenario)
    placed = placement(shape, scenario.relation)
    hits, follows_law = np.zeros(last, dtype=np.int64), np.ones(last, dtype=bool)
    shown = []
    for at, (chosen, batch) in enumerate(islice(draws(scenario, seed), last)):
        context, forecast = held(placed, batch)
        hits[at] = np.count_nonzero(context | forecast)
        if scenario.sampling.is_walk:
            follows_law[at] = bool((chosen == SENSITIVE_SERIES).any())
        if shown_from is not None and at + 1 >= shown_from:
            shown.append(_shown(shape.num_series, chosen, batch, context, forecast))
    return DrawnRun(hits=hits, follows_law=follows_law, shown=tuple(shown))


def draws(scenario: Scenario, seed: int) -> Iterator[tuple[IntArray, Batch]]:
    """Return without an end each batch's series, shape (series,), and the batch."""
    rng = np.random.default_rng(seed)
    return drawn_steps(scheme_for(scenario), rng, count())


def drawn_batch(scenario: Scenario, seed: int, number: int) -> Batch:
    """Return the batch of this number, from 1, in the run that this seed gives."""
    _, batch = next(islice(draws(scenario, seed), number - 1, None))
    return batch


def held(placed: Placement, batch: Batch) -> tuple[BoolArray, BoolArray]:
    """Return which windows of a batch have a protected value in their context or forecast."""
    own = batch.series == SENSITIVE_SERIES
    context, forecast = holds(placed, batch.starts)
    return own & context, own & forecast


def holds(placed: Placement, starts: IntArray) -> tuple[BoolArray, BoolArray]:
    """Return which windows of the series have a protected value in their context or forecast.

    They are given by their start positions from 0, shape (windows,).
    """
    forecast = _meets(placed, starts, starts + placed.forecast_length - 1)
    if placed.context_length == 0:
        return np.zeros_like(forecast), forecast
    return _meets(placed, starts - placed.context_length, starts - 1), forecast


def _meets(placed: Placement, low: IntArray, high: IntArray) -> BoolArray:
    """Return which stretches of values, both ends included, contain a protected one."""
    # The last run that begins at or before the stretch's last value.
    at = np.minimum((high - placed.first) // placed.distance, placed.count - 1)
    ends = placed.first + at * placed.distance + placed.run_length - 1
    return np.asarray((high >= placed.first) & (ends >= low))


def _shown(
    num_series: int, chosen: IntArray, batch: Batch, context: BoolArray, forecast: BoolArray
) -> ShownBatch:
    drawn = chosen[chosen != SENSITIVE_SERIES][: SHOWN_SERIES - 1].tolist()
    numbers = {SENSITIVE_SERIES, *drawn}
    others = (at for at in range(num_series) if at not in numbers)
    numbers |= set(islice(others, SHOWN_SERIES - len(numbers)))
    is_hit = context | forecast
    rows = []
    for number in sorted(numbers):
        own = np.flatnonzero(batch.series == number)
        own = own[np.argsort(batch.starts[own])]
        # Those that hold a protected value are shown before others.
        first = np.sort(np.argsort(~is_hit[own], kind="stable")[:SHOWN_WINDOWS])
        windows = tuple(
            ShownWindow(
                series=number,
                start=int(batch.starts[at]),
                in_context=bool(context[at]),
                in_forecast=bool(forecast[at]),
            )
            for at in own[first]
        )
        is_drawn, more = bool((chosen == number).any()), len(own) - len(windows)
        rows.append(ShownSeries(series=number, is_drawn=is_drawn, windows=windows, more=more))
    return ShownBatch(
        step=batch.step,
        epoch=batch.epoch,
        num_series=len(chosen),
        num_windows=len(batch),
        series=tuple(rows),
        hits=int(is_hit.sum()),
        in_context=int(context.sum()),
        in_forecast=int(forecast.sum()),
    )


def drawn_shape(scenario: Scenario) -> DataShape:
    """Return the data's shape, without which no batches are drawn."""
    if scenario.shape is None:
        raise ScenarioError(
            "bottom_rate", scenario.bottom_rate, "rates draw no batches; give the data's shape"
        )
    return scenario.shape


@dataclass(frozen=True, kw_only=True, eq=False)
class EpochPartition:
    """The steps of one pass (from 0), as far as they were drawn.

    Args:
        series: numbers of the used series, from 0, shape (used series,).
        step_in_epoch: the step that uses each, from 0, shape (used series,).
    """

    epoch: int
    num_series: int
    steps: int
    series: IntArray
    step_in_epoch: IntArray
    drawn_steps: int


def epoch_partition(scenario: Scenario, seed: int, batch: int, most: int) -> EpochPartition:
    """Return the pass that a batch is part of; ``ScenarioError`` where there is none."""
    if not scenario.sampling.is_walk:
        raise ScenarioError("top_level", scenario.sampling.top_level, "it has no pass over series")
    steps = scenario.steps_per_epoch
    epoch = (batch - 1) // steps
    first, last = epoch * steps, min((epoch + 1) * steps, most)
    chosen = [series for series, _ in islice(draws(scenario, seed), first, last)]
    return EpochPartition(
        epoch=epoch,
        num_series=scenario.given_shape.num_series,
        steps=steps,
        series=np.concatenate(chosen),
        step_in_epoch=np.repeat(np.arange(len(chosen)), [len(series) for series in chosen]),
        drawn_steps=len(chosen),
    )
