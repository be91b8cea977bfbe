"""Batches from one bag of all windows."""

from itertools import combinations, islice

import numpy as np
import pytest

from dpviz.planning.one_bag import bag_hits
from dpviz.sampling.one_bag import bag_batches
from dpviz.scenario import ScenarioError
from dpviz.scenario.data import LARGEST_COUNT
from tests.sampling.laws import assert_counts_follow, scenario_of

# Six windows: three of each of two series.
SMALL = scenario_of(num_series=2, lengths=(4,), context=1, forecast=2, batch=2, top="flat")


def drawn(scenario, count, seed=1):
    return list(islice(bag_batches(scenario, np.random.default_rng(seed)), count))


def test_every_pair_of_windows_is_equally_likely():
    """Proposition C.1 rests on that, and on no window being in a batch twice."""
    pairs = dict.fromkeys(combinations(range(6), 2), 0)
    for batch in drawn(SMALL, 6000):
        pairs[tuple(sorted((batch.series * 3 + batch.starts).tolist()))] += 1
    assert_counts_follow(list(pairs.values()), np.full(15, 1 / 15))


def test_hits_follow_the_weights_of_proposition_c_2():
    scenario = scenario_of(num_series=3, lengths=(30,), batch=40, top="flat")
    hits = [
        np.count_nonzero((batch.series == 0) & (batch.starts >= 9) & (batch.starts <= 13))
        for batch in drawn(scenario, 4000)
    ]
    law = bag_hits(scenario).weights
    assert len(law) == 6
    assert_counts_follow(np.bincount(hits, minlength=6), law)


def test_the_same_seed_gives_the_same_batches_and_steps_are_counted():
    one, other = drawn(SMALL, 7), drawn(SMALL, 7)
    assert [batch.starts.tolist() for batch in one] == [batch.starts.tolist() for batch in other]
    assert [batch.step for batch in one] == list(range(7))
    assert [batch.epoch for batch in one] == [step // SMALL.steps_per_epoch for step in range(7)]


def test_a_bag_of_a_billion_long_series_takes_no_memory():
    large = scenario_of(num_series=LARGEST_COUNT, lengths=(LARGEST_COUNT,), batch=5, top="flat")
    (batch,) = drawn(large, 1)
    assert batch.series.max() > 10**6
    assert batch.starts.max() > 10**6
    assert batch.starts.max() <= LARGEST_COUNT - 2


def test_batches_that_are_drawn_series_by_series_are_refused_by_name():
    with pytest.raises(ScenarioError, match="top_level = 'without-replacement'"):
        bag_batches(scenario_of(), np.random.default_rng(1))
