"""Which series are in a batch."""

from itertools import combinations, islice

import numpy as np
import pytest
from scipy import stats

from dpviz.sampling.draws import SERIES_DRAWS, series_draws
from dpviz.sampling.scheme import scheme_for
from dpviz.scenario.mechanism import TOP_LEVELS
from tests.sampling.laws import SIGNIFICANCE, assert_counts_follow, scenario_of


def drawn(scenario, count, seed=1):
    return list(islice(series_draws(scheme_for(scenario), np.random.default_rng(seed)), count))


def test_every_top_level_of_a_scenario_can_be_drawn():
    assert {*SERIES_DRAWS, "flat"} == set(TOP_LEVELS)


def test_the_deterministic_walk_is_that_of_algorithm_3():
    """N = 10, N' = 3: three steps, the same in each epoch; series 9 is never used."""
    walk = drawn(scenario_of(num_series=10, batch=3, top="deterministic"), 7)
    epoch = [[0, 1, 2], [3, 4, 5], [6, 7, 8]]
    assert [batch.tolist() for batch in walk] == [*epoch, *epoch, epoch[0]]


def test_an_epoch_ends_by_algorithm_1_where_lambda_does_not_divide_the_batch_size():
    """Lambda = 5, lambda = 2: N' = 2 series a step, floor(10 * 2 / 5) = 4 steps, not 5."""
    scenario = scenario_of(num_series=10, batch=5, windows=2, top="deterministic")
    walk = drawn(scenario, 5)
    assert [batch.tolist() for batch in walk] == [[0, 1], [2, 3], [4, 5], [6, 7], [0, 1]]


@pytest.mark.parametrize("top", ["deterministic", "shuffled"])
@pytest.mark.parametrize("num_series", [9, 10, 11])
def test_a_walk_uses_each_series_at_most_once_per_epoch(top, num_series):
    """So one epoch touches an individual's series in at most one step (Thm 4.2)."""
    scenario = scenario_of(num_series=num_series, batch=3, top=top)
    walk = drawn(scenario, 50 * scenario.steps_per_epoch)
    for first in range(0, len(walk), scenario.steps_per_epoch):
        used = np.concatenate(walk[first : first + scenario.steps_per_epoch])
        assert len(set(used.tolist())) == len(used) == 3 * scenario.steps_per_epoch
        assert set(used.tolist()) <= set(range(num_series))


def test_each_epoch_of_a_shuffled_walk_has_a_new_uniform_order():
    """N = 4, N' = 1: all 24 orders are equally likely, one epoch after another."""
    walk = np.concatenate(drawn(scenario_of(num_series=4, batch=1, top="shuffled"), 4 * 5000))
    codes, counts = np.unique(walk.reshape(-1, 4) @ [64, 16, 4, 1], return_counts=True)
    assert len(codes) == 24
    assert_counts_follow(counts, np.full(24, 1 / 24))
    orders = walk.reshape(-1, 4)
    repeated = int((orders[1:] == orders[:-1]).all(axis=1).sum())
    assert stats.binomtest(repeated, len(orders) - 1, 1 / 24).pvalue > SIGNIFICANCE


@pytest.mark.parametrize(("num_series", "size"), [(5, 2), (6, 5), (4, 4), (3, 1)])
def test_every_subset_is_equally_likely_without_replacement(num_series, size):
    """Algorithm 5: not only each series with rate rho, but all subsets of N' series alike."""
    batches = drawn(scenario_of(num_series=num_series, batch=size), 10_000)
    subsets = dict.fromkeys(combinations(range(num_series), size), 0)
    for batch in batches:
        subsets[tuple(sorted(batch.tolist()))] += 1
    if len(subsets) > 1:
        assert_counts_follow(list(subsets.values()), np.full(len(subsets), 1 / len(subsets)))


@pytest.mark.parametrize(
    ("num_series", "size"),
    [
        (862, 256),
        (862, 1),
        (10_000, 9_000),
        (10_001, 201),  # NumPy changes its algorithm beyond 10,000 series
        (10_001, 5_000),
        (1_000_000, 256),
    ],
)
def test_a_batch_without_replacement_has_distinct_series_from_end_to_end(num_series, size):
    batches = drawn(scenario_of(num_series=num_series, batch=size), 40)
    for batch in batches:
        assert len(np.unique(batch)) == len(batch) == size
        assert batch.min() >= 0
        assert batch.max() < num_series
    tenths = np.concatenate(batches) * 10 // num_series
    if size < num_series / 4:  # else the draws of a batch are too dependent for this law
        sizes = np.bincount(np.arange(num_series) * 10 // num_series)
        assert_counts_follow(np.bincount(tenths, minlength=10), sizes / num_series)


def test_steps_without_replacement_are_independent():
    """The number of series that two steps share is hypergeometric."""
    batches = drawn(scenario_of(num_series=10, batch=4), 10_000)
    shared = [len(np.intersect1d(a, b)) for a, b in zip(batches[::2], batches[1::2], strict=True)]
    law = stats.hypergeom(10, 4, 4).pmf(np.arange(5))
    assert_counts_follow(np.bincount(shared, minlength=5), law)


def test_poisson_lets_each_series_in_on_its_own():
    """All 2^4 subsets occur, with the probabilities of independent coins of rate N' / N = 3 / 4."""
    batches = drawn(scenario_of(num_series=4, batch=3, top="poisson"), 10_000)
    codes = [int(np.sum(2**batch)) for batch in batches]
    ones = np.array([bin(code).count("1") for code in range(16)])
    law = 0.75**ones * 0.25 ** (4 - ones)
    assert_counts_follow(np.bincount(codes, minlength=16), law)


def test_poisson_with_rate_one_takes_all_series():
    for batch in drawn(scenario_of(num_series=7, batch=7, top="poisson"), 20):
        assert batch.tolist() == list(range(7))
