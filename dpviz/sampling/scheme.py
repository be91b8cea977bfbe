"""From a scenario to what a sampler needs to know, and the check that both are the same."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dpviz.scenario import Scenario, ScenarioError
from dpviz.scenario.data import LARGEST_COUNT, DataShape

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.floating[Any]]
Lengths = Sequence[int] | npt.NDArray[np.integer]


@dataclass(frozen=True, kw_only=True, eq=False)
class Scheme:
    """How batches are drawn, all numbers worked out.

    Args:
        shape: N, L_C, L_F.
        series_per_batch: N' = floor(Lambda / lambda); of one bag Lambda.
        steps_per_epoch: floor(N lambda / Lambda), the batches of one pass (Algorithm 1); of one
            bag floor(N T / Lambda).
        start_positions: T of each series, shape (N,).
    """

    top_level: str
    bottom_level: str
    shape: DataShape
    series_per_batch: int
    num_subsequences: int
    steps_per_epoch: int
    start_positions: IntArray


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
    return Scheme(
        top_level=scenario.sampling.top_level,
        bottom_level=scenario.sampling.bottom_level,
        shape=shape,
        series_per_batch=scenario.sampling.series_per_batch,
        num_subsequences=scenario.sampling.num_subsequences,
        steps_per_epoch=scenario.steps_per_epoch,
        start_positions=positions,
    )


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
