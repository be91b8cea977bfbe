"""Batches of windows, as indices into data that stay where they are, and how they are drawn."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from math import sqrt

import numpy as np

from dpviz.sampling.scheme import IntArray, Lengths, Numbering, Scheme, scheme_for
from dpviz.scenario import Scenario
from dpviz.scenario.mechanism import AT_RANDOM, BINS, COINS, IN_ORDER, SHUFFLED

# NumPy before 2.4 rounds 1 minus a probability: of 10**18 coins that are to give 20, none came up.
_THROWN_ONCE = 1e-9


def series_draws(scheme: Scheme, rng: np.random.Generator) -> Iterator[IntArray]:
    """Return an endless stream of batches' series, 0-based, no series twice in a batch.

    The order within a batch carries no meaning.
    """
    return SERIES_DRAWS[scheme.sampling.top_level](scheme, rng)


def _deterministic(scheme: Scheme, rng: np.random.Generator) -> Iterator[IntArray]:  # noqa: ARG001
    """Walk through the series in order (Algorithm 3), again and again.

    The series beyond the last full batch are never used.
    """
    size, steps = scheme.sampling.series_per_batch, scheme.scenario.steps_per_epoch
    while True:
        for batch in range(steps):
            yield np.arange(batch * size, (batch + 1) * size)


def _shuffled(scheme: Scheme, rng: np.random.Generator) -> Iterator[IntArray]:
    """Walk through the series in a new, uniform order in each epoch.

    Which series are left out, beyond the last full batch, changes from epoch to epoch.
    """
    size, steps = scheme.sampling.series_per_batch, scheme.scenario.steps_per_epoch
    while True:
        order = rng.permutation(len(scheme.start_positions))
        for batch in range(steps):
            yield order[batch * size : (batch + 1) * size]


def _bins(scheme: Scheme, rng: np.random.Generator) -> Iterator[IntArray]:
    """Put each series into one of an epoch's K batches, uniformly, by itself, anew each epoch.

    Each series is used once an epoch. A batch has N / K series on average, and may have none.
    """
    steps = scheme.scenario.steps_per_epoch
    while True:
        # Bounded integers are exactly uniform.
        of_series = rng.integers(steps, size=len(scheme.start_positions))
        order = np.argsort(of_series, kind="stable")
        yield from np.split(order, np.searchsorted(of_series[order], np.arange(1, steps)))


def _without_replacement(scheme: Scheme, rng: np.random.Generator) -> Iterator[IntArray]:
    """Draw N' distinct series anew for each batch (Algorithm 5)."""
    many, size = len(scheme.start_positions), scheme.sampling.series_per_batch
    while True:
        # Exactly uniform over all subsets: Generator.choice runs Floyd's algorithm (for a large
        # share of over 10,000 series a partial Fisher-Yates shuffle) on bounded integers drawn
        # by rejection. No other way is both as fast and exact: a whole permutation costs a
        # little more at N = 862 and far more at a million; smallest random keys cost nearly
        # twice as much and are biased where keys tie. Without the shuffle only the order, which
        # carries no meaning, is not uniform.
        yield rng.choice(many, size=size, replace=False, shuffle=False)


def _series_by_coins(scheme: Scheme, rng: np.random.Generator) -> Iterator[IntArray]:
    """Let each series in with rate N' / N, independently: the batch size is random."""
    many, size = len(scheme.start_positions), scheme.sampling.series_per_batch
    while True:
        # Bounded integers are exactly uniform, so the rate is N' / N without any rounding.
        marks = rng.integers(many, size=many)
        yield np.flatnonzero(marks < size)


SERIES_DRAWS: dict[str, Callable[[Scheme, np.random.Generator], Iterator[IntArray]]] = {
    AT_RANDOM: _without_replacement,
    IN_ORDER: _deterministic,
    SHUFFLED: _shuffled,
    BINS: _bins,
    COINS: _series_by_coins,
}


def draw_starts(
    bottom_level: str,
    start_positions: IntArray,
    num_subsequences: int,
    rng: np.random.Generator,
) -> tuple[IntArray, IntArray]:
    """Draw windows from each of some series, independently.

    Args:
        bottom_level: by ``COINS``, or lambda start positions of each series uniformly, with
            replacement (Algorithm 4).
        start_positions: T of each series to draw from, shape (series,); a series may be
            given several times.

    Returns:
        For each window which of the given series it is from, shape (windows,), and its start
        position, 0 to T - 1 of that series, likewise.
    """
    if bottom_level == COINS:
        return _windows_by_coins(start_positions, num_subsequences, rng)
    owner = np.repeat(np.arange(len(start_positions)), num_subsequences)
    return owner, rng.integers(0, start_positions[owner])


def _windows_by_coins(
    start_positions: IntArray, num_subsequences: int, rng: np.random.Generator
) -> tuple[IntArray, IntArray]:
    """Let each start position in with rate p = min(1, lambda / T), independently (Algorithm 6).

    T coins for each series would be thousands of draws for one window. Instead, a Poisson
    number of points falls uniformly on the T positions: the positions' numbers of points are
    then independent, each Poisson with mean h, and a position is let in if it has a point,
    with probability 1 - exp(-h) = p for h = -log(1 - p). Exact up to the rounding of doubles.
    """
    positions = start_positions
    certain = positions <= num_subsequences  # p = 1, where h would be infinite
    rate = np.where(certain, 0.0, num_subsequences / positions)
    points = rng.poisson(positions * -np.log1p(-rate))
    owner = np.repeat(np.arange(len(positions)), points)
    start = rng.integers(0, positions[owner])
    if certain.any():
        windows = Numbering(positions[certain])
        series, places = windows.places(np.arange(len(windows)))
        owner = np.concatenate([owner, np.flatnonzero(certain)[series]])
        start = np.concatenate([start, places])
    # Several points on one position are one window. Below 10^9 series of 10^9 positions
    # the code of a pair fits 64 bits.
    longest = int(positions.max(initial=1))
    codes = np.unique(owner * longest + start)
    return codes // longest, codes % longest


def bag_draws(scheme: Scheme, rng: np.random.Generator) -> Iterator[tuple[IntArray, IntArray]]:
    """Return an endless stream of batches' series and start positions, no window twice in a batch.

    Of all N_total windows Lambda are drawn, every subset being equally likely; or each comes by a
    coin of probability Lambda / N_total, so that the batch's size varies and may be 0.
    """
    numbers, size = Numbering(scheme.start_positions), scheme.sampling.batch_size
    total, by_coins = len(numbers), scheme.sampling.takes_windows_by_coins
    while True:
        # Given their number, the windows whose coins came up are any of so many.
        many = _coins(total, size / total, rng) if by_coins else size
        yield numbers.places(rng.choice(total, size=many, replace=False, shuffle=False))


def _coins(number: int, probability: float, rng: np.random.Generator) -> int:
    """Return how many of a number of coins come up."""
    if probability < _THROWN_ONCE:  # of those that do, each has to a second time
        once = sqrt(probability)
        number, probability = int(rng.binomial(number, once)), probability / once
    return int(rng.binomial(number, probability))


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
    steps = count() if endless else range(scenario.num_steps)
    return (batch for _, batch in drawn_steps(scheme, rng, steps))


def drawn_steps(
    scheme: Scheme, rng: np.random.Generator, steps: Iterable[int]
) -> Iterator[tuple[IntArray, Batch]]:
    """Draw for each step its series, shape (series,), and its batch.

    Drawn series may be without a window in the batch where windows are drawn independently.
    """
    steps_per_epoch = scheme.scenario.steps_per_epoch
    for step, (drawn, series, starts) in zip(steps, _draws(scheme, rng), strict=False):
        epoch = step // steps_per_epoch
        yield drawn, Batch(series=series, starts=starts, step=step, epoch=epoch)


def _draws(
    scheme: Scheme, rng: np.random.Generator
) -> Iterator[tuple[IntArray, IntArray, IntArray]]:
    """Return without an end the drawn series, and series and start of each drawn window."""
    sampling = scheme.sampling
    if sampling.is_bag:
        for owners, starts in bag_draws(scheme, rng):
            yield np.unique(owners), owners, starts
    for series in series_draws(scheme, rng):
        owner, start = draw_starts(
            sampling.bottom_level, scheme.start_positions[series], sampling.num_subsequences, rng
        )
        yield series, series[owner], start
