"""From a scenario to what a sampler needs to know, and the check that both are the same."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dpviz.scenario import Sampling, Scenario, ScenarioError
from dpviz.scenario.data import LARGEST_COUNT, DataShape

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.floating[Any]]
Lengths = Sequence[int] | npt.NDArray[np.integer]


@dataclass(frozen=True, kw_only=True, eq=False)
class Scheme:
    """How batches are drawn, and from what.

    Args:
        scenario: its data are a ``DataShape``.
        start_positions: T of each series, shape (N,).
    """

    scenario: Scenario
    start_positions: IntArray

    @property
    def sampling(self) -> Sampling:
        """How series and their windows are drawn."""
        return self.scenario.sampling


def scheme_for(scenario: Scenario, series_lengths: Lengths | None = None) -> Scheme:
    """Return the scheme of a scenario.

    Args:
        series_lengths: the length of each of the N series, in time steps; without it every
            series has the shortest length of the scenario's shape.
    """
    shape = scenario.given_shape
    if series_lengths is None:
        # One number seen N times: a billion series of one length take no memory.
        positions = np.broadcast_to(np.int64(shape.start_positions), (shape.num_series,))
    else:
        lengths = _checked_lengths(series_lengths, shape)
        _check_that_bounds_cover(lengths, scenario, shape)
        positions = lengths - shape.forecast_length + 1
    return Scheme(scenario=scenario, start_positions=positions)


def _checked_lengths(series_lengths: Lengths, shape: DataShape) -> IntArray:
    lengths = np.asarray(series_lengths)
    if lengths.shape != (shape.num_series,) or not np.issubdtype(lengths.dtype, np.integer):
        raise ScenarioError(
            "series_lengths",
            f"an array of shape {lengths.shape} and type {lengths.dtype}",
            f"it must be one whole number for each of the {shape.num_series:,} series",
        )
    if lengths.max() > LARGEST_COUNT:
        raise ScenarioError(
            "series_lengths", int(lengths.max()), f"a series has at most {LARGEST_COUNT:,} values"
        )
    return lengths.astype(np.int64)


def _check_that_bounds_cover(lengths: IntArray, scenario: Scenario, shape: DataShape) -> None:
    """Refuse data of which the scenario's numbers would not be true.

    A longer series is never worse than a listed one for sampling with replacement, and for one
    bag of several lengths; else only if the listed one already holds all windows that one
    individual touches (see :func:`dpviz.scenario.relation.worst_case_lengths`). Proposition 5 is
    about series of one length, whatever it is.
    """
    sampling, longest = scenario.sampling, shape.longest_positions
    by_coins = sampling.takes_windows_by_coins
    reach = scenario.relation.touched_windows(shape, LARGEST_COUNT)
    if sampling.is_bag:
        any_length = not shape.is_of_one_length
    else:
        any_length = not by_coins and not scenario.noise.is_on_windows
    long_enough = [
        listed
        for listed in shape.series_lengths
        if any_length or listed - shape.forecast_length + 1 >= reach
    ]
    covered = np.isin(lengths, shape.series_lengths)
    are_drawn = not sampling.is_bag and not sampling.is_walk and scenario.top_rate < 1.0
    if long_enough and not (by_coins and are_drawn and shape.is_of_one_length):
        covered |= lengths >= long_enough[0]
    if sampling.is_bag and longest is not None and longest < reach:
        # An individual is taken to be in all windows of the longest, and in no more.
        covered &= lengths <= shape.series_lengths[-1]
    if not covered.all():
        raise ScenarioError(
            "series_lengths",
            int(lengths[~covered][0]),
            "the scenario's bounds do not cover a series of this length; make its data with "
            "dpviz.scenario.worst_case_lengths(series_lengths, ...)",
        )


class Numbering:
    """One number for each place in some series: those of series 0 come first.

    Args:
        lengths: how many places each series has, shape (series,), such as its start positions.

    >>> numbers = Numbering(np.array([3, 2]))
    >>> numbers.of(np.array([0, 1]), np.array([2, 1])).tolist()
    [2, 4]
    >>> [part.tolist() for part in numbers.places(np.array([2, 4]))]
    [[0, 1], [2, 1]]
    """

    def __init__(self, lengths: IntArray) -> None:
        self.lengths = lengths
        # One length seen N times takes no memory, and its sums would.
        self._ends = None if lengths.strides == (0,) else np.cumsum(lengths)

    def __len__(self) -> int:
        if self._ends is None:
            return len(self.lengths) * int(self.lengths[0])
        return int(self._ends[-1])

    def of(self, series: IntArray, places: IntArray) -> IntArray:
        """Return the numbers of places in series, shape (places,)."""
        if self._ends is None:
            return np.asarray(series * self.lengths[0] + places)
        return np.asarray(self._ends[series] - self.lengths[series] + places)

    def places(self, numbers: IntArray) -> tuple[IntArray, IntArray]:
        """Return the series of each number, all below the length, and the place in it."""
        if self._ends is None:
            return numbers // self.lengths[0], numbers % self.lengths[0]
        series = np.searchsorted(self._ends, numbers, side="right")
        return series, numbers - (self._ends[series] - self.lengths[series])
