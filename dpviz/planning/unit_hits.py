"""How many windows of each batch hold a sensitive value, drawn by the samplers themselves."""

import numpy as np
import numpy.typing as npt

from dpviz.planning.drawn_batches import SENSITIVE_SERIES, drawable_batches, holds
from dpviz.planning.one_bag import BAG, bag_size
from dpviz.planning.placement import Placement, placement
from dpviz.planning.subsequences import hit_law
from dpviz.sampling.arrays import IntArray
from dpviz.sampling.bottom_level import draw_starts
from dpviz.sampling.one_bag import bag_draws
from dpviz.sampling.scheme import Scheme, scheme_for
from dpviz.sampling.top_level import series_draws
from dpviz.scenario import Scenario
from dpviz.scenario.mechanism import WALKS

# What is drawn at once: some tens of megabytes.
_MOST_WINDOWS = 10**6
# Costs in random numbers, each about 25 ns: of drawing series, or a batch from one bag, and of one
# window that may be drawn twice, or not.
_OF_SERIES, _OF_A_BAG, _OF_A_WINDOW, _OF_A_DISTINCT_ONE = 400.0, 2000.0, 4.0, 40.0
# NumPy looks at all where more than this part of more than so many is drawn.
_LARGE_SHARE, _FEW = 1 / 50, 10_000


def unit_hits(scenario: Scenario, units: int, rng: np.random.Generator) -> IntArray:
    """Return the hits of each of some units, independent of each other, shape (units,).

    A unit is a step; of walks an epoch, of which only the step counts that uses the series. The
    samplers are those of :mod:`dpviz.sampling`; windows of other series, which cannot hit, are not
    drawn. With noise on one part of the windows a hit is one in the other part.

    Args:
        scenario: its data must be a ``DataShape`` with series of one length.
        units: how many.
        rng: source of all randomness.

    >>> from dpviz.scenario import PRESETS
    >>> int(unit_hits(PRESETS["toy"].scenario, 1000, np.random.default_rng(1)).sum())
    12
    """
    shape = scenario.shape
    assert shape is not None  # worst_case has looked
    placed = placement(shape, scenario.relation)
    scheme = scheme_for(scenario)
    if scheme.top_level == BAG:
        hits = np.empty(units, dtype=np.int64)
        for at, (series, start) in zip(range(units), bag_draws(scheme, rng), strict=False):
            own = start[series == SENSITIVE_SERIES]
            hits[at] = np.count_nonzero(sees(scenario, placed, own))
        return hits
    positions = int(scheme.start_positions[SENSITIVE_SERIES])
    used = np.flatnonzero(_uses(scheme, units, rng))
    hits = np.zeros(units, dtype=np.int64)
    at_once = max(1, _MOST_WINDOWS // scheme.num_subsequences)
    for first in range(0, len(used), at_once):
        some = used[first : first + at_once]
        starts = draw_starts(
            scheme.bottom_level, np.full(len(some), positions), scheme.num_subsequences, rng
        )
        hit = sees(scenario, placed, starts.start)
        hits[some] = np.bincount(starts.owner[hit], minlength=len(some))
    return hits


def sees(scenario: Scenario, placed: Placement, starts: IntArray) -> npt.NDArray[np.bool_]:
    """Return which windows show a protected value in a part that has no noise.

    Args:
        scenario: whose noise on windows counts.
        placed: where the protected values lie.
        starts: start positions from 0, shape (windows,).
    """
    in_context, in_forecast = holds(placed, starts)
    noise = scenario.noise
    seen = in_context if noise.context_noise == 0.0 else np.zeros_like(in_context)
    return np.asarray(seen | in_forecast if noise.forecast_noise == 0.0 else seen)


def unit_cost(scenario: Scenario) -> float:
    """Return about how many random numbers one unit costs.

    Raises:
        ScenarioError: a batch takes too long to draw.
    """
    drawable_batches(scenario)  # refuses
    shape, sampling = scenario.shape, scenario.sampling
    assert shape is not None  # worst_case has looked
    if sampling.top_level == BAG:
        return _OF_A_BAG + _of_choosing(sampling.batch_size, bag_size(shape))
    each = _OF_A_DISTINCT_ONE if sampling.bottom_level == "poisson" else _OF_A_WINDOW
    windows = hit_law(scenario).chance_of_use * sampling.num_subsequences * each
    if sampling.top_level in WALKS:
        return windows
    if sampling.top_level == "poisson":
        return _OF_SERIES + shape.num_series + windows
    return _OF_SERIES + _of_choosing(sampling.series_per_batch, shape.num_series) + windows


def _uses(scheme: Scheme, units: int, rng: np.random.Generator) -> npt.NDArray[np.bool_]:
    """Return which units use the series at all."""
    if scheme.top_level == "deterministic":
        return np.ones(units, dtype=np.bool_)  # the first series is in the first full batch
    if scheme.top_level == "shuffled":
        # Its place in a new, uniform order; those beyond the last full batch are left out.
        places = rng.integers(scheme.shape.num_series, size=units)
        return np.asarray(places < scheme.steps_per_epoch * scheme.series_per_batch)
    draws = series_draws(scheme, rng)
    drawn = (bool((next(draws) == SENSITIVE_SERIES).any()) for _ in range(units))
    return np.fromiter(drawn, dtype=np.bool_, count=units)


def _of_choosing(chosen: int, population: int) -> float:
    is_large = population > _FEW and chosen > _LARGE_SHARE * population
    return float(population if is_large else chosen)
