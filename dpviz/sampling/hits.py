"""How many windows of a batch contain one individual's values, by drawing."""

from collections.abc import Iterator
from itertools import islice

import numpy as np
import numpy.typing as npt

from dpviz.sampling.batches import bag_draws, draw_starts, series_draws
from dpviz.sampling.scheme import IntArray, Scheme, scheme_for
from dpviz.scenario import DataShape, Scenario, ScenarioError
from dpviz.scenario.errors import checked_integer
from dpviz.scenario.mechanism import AT_RANDOM, MOST_STEPS

# Windows drawn at once: some tens of megabytes.
_MOST_WINDOWS = 10**6
# NumPy shuffles where it chooses from more series than so many more than one in so many.
_SHUFFLED_BEYOND, _SHUFFLED_SHARE = 10_000, 20


def middle_position(shape: DataShape, start_positions: int, width: int = 1) -> int:
    """Return the first of ``width`` values in a row that most windows contain.

    The middle of all such positions, counted from 0. Away from the ends any position will do;
    the first value of a series is in L_C + 1 windows only.

    >>> shape = DataShape(num_series=1, series_lengths=(100,), context_length=6, forecast_length=2)
    >>> middle = middle_position(shape, 99)
    >>> len(touching_starts(0, shape, 99)), len(touching_starts(middle, shape, 99))
    (7, 8)
    """
    first, last = shape.forecast_length - 1, start_positions - width - shape.context_length
    return max(0, (first + last) // 2)


def touching_starts(position: int, shape: DataShape, start_positions: int, width: int = 1) -> range:
    """Return the start positions of all windows with one of ``width`` values from ``position`` on.

    A window that starts at t holds the values t - L_C to t + L_F - 1.
    """
    first = max(0, position - shape.forecast_length + 1)
    last = min(start_positions - 1, position + width - 1 + shape.context_length)
    return range(first, last + 1)


def simulate_hits(scenario: Scenario, batches: int, seed: int) -> IntArray:
    """Draw batches and count in how many 0, 1, 2, ... windows contain the protected values.

    These are the w values in a row (w = ``relation_width``, usually 1) in the middle of series
    0. The samplers are those of :func:`dpviz.sampling.batches`; only windows of other drawn series
    are not drawn, since they cannot hit. With ``deterministic`` and ``shuffled`` top levels
    batches are counted one by one as well, not epochs.

    Args:
        batches: number of batches to draw, 1 to 10^7.

    Returns:
        Numbers of batches with 0, 1, ... hits, up to the most hits seen; their sum is
        ``batches``.

    Raises:
        ScenarioError: an argument is out of range, the scenario gives rates instead of a shape,
            or protects several values that need not be in a row, or that are in several series.

    >>> from dpviz.scenario import PRESETS
    >>> int(simulate_hits(PRESETS["toy"].scenario, 1000, seed=1).sum())
    1000
    """
    relation = scenario.relation
    if relation.level == "user" and relation.width > 1:
        raise ScenarioError(
            "relation_width", relation.width, "only values in a row (event) are simulated"
        )
    if relation.series_per_person > 1:
        raise ScenarioError(
            "series_per_person", relation.series_per_person, "only hits of one series are simulated"
        )
    batches = checked_integer("batches", batches, 1, MOST_STEPS)
    scheme, shape = scheme_for(scenario), scenario.given_shape
    rng = np.random.default_rng(checked_integer("seed", seed, 0, 2**63 - 1))
    positions = int(scheme.start_positions[0])
    touched = touching_starts(
        middle_position(shape, positions, relation.width), shape, positions, relation.width
    )
    used = batches
    if not scenario.sampling.is_bag:
        used = int(batches_with_first(scheme, batches, rng).sum())
    counts = np.array([batches - used])
    for some, owner, start in own_windows(scheme, used, rng):
        hit = owner[(start >= touched.start) & (start < touched.stop)]
        per_batch = np.bincount(np.bincount(hit, minlength=len(some)))
        counts = np.pad(counts, (0, max(0, len(per_batch) - len(counts))))
        counts[: len(per_batch)] += per_batch
    return counts


def batches_with_first(
    scheme: Scheme, batches: int, rng: np.random.Generator
) -> npt.NDArray[np.bool_]:
    """Draw the series of some batches, and return which batches have series 0, shape (batches,).

    These are the batches of :func:`dpviz.sampling.batches.series_draws`, drawn by the same random
    numbers.
    """
    many, size = len(scheme.start_positions), scheme.sampling.series_per_batch
    is_shuffled = many > _SHUFFLED_BEYOND and size > many // _SHUFFLED_SHARE
    if scheme.sampling.top_level != AT_RANDOM or is_shuffled:
        draws = series_draws(scheme, rng)
        found = (bool((next(draws) == 0).any()) for _ in range(batches))
        return np.fromiter(found, dtype=np.bool_, count=batches)
    # Floyd's algorithm in all batches at once: of N' numbers, the k-th uniform from 0 to N - N' + k
    # (k from 0), each lets its series in, or where that is in already the last one that it could
    # have named. So series 0 is in exactly where some number is 0.
    ends = np.arange(many - size, many) + 1
    at_once = max(1, _MOST_WINDOWS // size)
    has_first = np.empty(batches, dtype=np.bool_)
    for first in range(0, batches, at_once):
        some = has_first[first : first + at_once]
        some[:] = (rng.integers(0, np.broadcast_to(ends, (len(some), size))) == 0).any(axis=1)
    return has_first


def own_windows(
    scheme: Scheme, batches: int, rng: np.random.Generator
) -> Iterator[tuple[range, IntArray, IntArray]]:
    """Draw the windows of series 0 in batches that use it, or that come from one bag.

    Where series are drawn first, windows of others are not drawn.

    Returns:
        Some of the batches; and for each window of series 0 in them which of them it is in, and
        its start position, shape (windows,).
    """
    sampling, positions = scheme.sampling, int(scheme.start_positions[0])
    bags = bag_draws(scheme, rng)
    drawn = sampling.batch_size if sampling.is_bag else sampling.num_subsequences
    at_once = max(1, _MOST_WINDOWS // drawn)
    for first in range(0, batches, at_once):
        some = range(first, min(first + at_once, batches))
        if sampling.is_bag:
            own = [start[series == 0] for series, start in islice(bags, len(some))]
            owner = np.repeat(np.arange(len(some)), [len(starts) for starts in own])
            yield some, owner, np.concatenate(own)
        else:
            each = np.full(len(some), positions)
            yield some, *draw_starts(sampling.bottom_level, each, sampling.num_subsequences, rng)
