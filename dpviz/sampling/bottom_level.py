"""Which windows are drawn from a series: start positions for each bottom level."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpviz.sampling.arrays import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Starts:
    """Start positions of drawn windows.

    Args:
        owner: for each window, which of the given series it is from, shape (windows,).
        start: its start position, 0 to T - 1 of that series, shape (windows,).
    """

    owner: IntArray
    start: IntArray


def draw_starts(
    bottom_level: str,
    start_positions: IntArray,
    num_subsequences: int,
    rng: np.random.Generator,
) -> Starts:
    """Draw windows from each of some series, independently.

    Args:
        bottom_level: one of the scenario's bottom levels.
        start_positions: T of each series to draw from, shape (series,); a series may be
            given several times.
        num_subsequences: lambda.
        rng: source of randomness.
    """
    return DRAWS[bottom_level](start_positions, num_subsequences, rng)


def _with_replacement(
    start_positions: IntArray, num_subsequences: int, rng: np.random.Generator
) -> Starts:
    """Draw lambda start positions of each series uniformly (Algorithm 4)."""
    owner = np.repeat(np.arange(len(start_positions)), num_subsequences)
    return Starts(owner=owner, start=rng.integers(0, start_positions[owner]))


def _poisson(start_positions: IntArray, num_subsequences: int, rng: np.random.Generator) -> Starts:
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
    everything = np.repeat(np.arange(len(positions)), np.where(certain, positions, 0))
    if len(everything):
        owner = np.concatenate([owner, everything])
        start = np.concatenate([start, _count_up(positions[certain])])
    # Several points on one position are one window. Below 10^9 series of 10^9 positions
    # the code of a pair fits 64 bits.
    longest = int(positions.max(initial=1))
    codes = np.unique(owner * longest + start)
    return Starts(owner=codes // longest, start=codes % longest)


def _count_up(lengths: IntArray) -> IntArray:
    """Return 0, 1, ..., length - 1 for each length, one after the other."""
    ends = np.cumsum(lengths)
    return np.arange(ends[-1]) - np.repeat(ends - lengths, lengths)


DRAWS: dict[str, Callable[[IntArray, int, np.random.Generator], Starts]] = {
    "with-replacement": _with_replacement,
    "poisson": _poisson,
}
