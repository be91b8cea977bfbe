"""Batches from one bag of all windows, of a fixed size or by coins."""

from itertools import combinations, islice

import numpy as np
import pytest
from scipy.stats import binom

from dpviz.planning.hit_laws import bag_hits
from dpviz.sampling import batches, simulate_hits
from dpviz.scenario import ScenarioError
from dpviz.scenario.data import LARGEST_COUNT
from tests.sampling.laws import assert_counts_follow, scenario_of

# Six windows: three of each of two series.
SMALL = scenario_of(num_series=2, lengths=(4,), context=1, forecast=2, batch=2, top="flat")
BY_COINS = scenario_of(
    num_series=2, lengths=(4,), context=1, forecast=2, batch=2, top="flat", bottom="poisson"
)


def drawn(scenario, count, seed=1, **options):
    rng = np.random.default_rng(seed)
    return list(islice(batches(scenario, rng, endless=True, **options), count))


def test_every_pair_of_windows_is_equally_likely():
    """Propositions C.1 and 4 rest on that, and on no window being in a batch twice."""
    pairs = dict.fromkeys(combinations(range(6), 2), 0)
    for batch in drawn(SMALL, 6000):
        pairs[tuple(sorted((batch.series * 3 + batch.starts).tolist()))] += 1
    assert_counts_follow(list(pairs.values()), np.full(15, 1 / 15))


def test_by_coins_every_set_of_windows_has_the_chance_of_independent_coins():
    counts = np.zeros(64, dtype=int)
    for batch in drawn(BY_COINS, 8000):
        windows = (batch.series * 3 + batch.starts).tolist()
        assert len(set(windows)) == len(windows)
        counts[sum(1 << window for window in windows)] += 1
    sizes = np.array([bin(code).count("1") for code in range(64)])
    assert_counts_follow(counts, (1 / 3) ** sizes * (2 / 3) ** (6 - sizes))


@pytest.mark.parametrize("bottom", ["with-replacement", "poisson"])
def test_hits_follow_the_weights_that_the_bounds_use(bottom):
    scenario = scenario_of(num_series=3, lengths=(30,), batch=40, top="flat", bottom=bottom)
    law = bag_hits(scenario).weights
    assert len(law) == 6
    hits = [
        np.count_nonzero((batch.series == 0) & (batch.starts >= 9) & (batch.starts <= 13))
        for batch in drawn(scenario, 4000)
    ]
    assert_counts_follow(np.bincount(hits, minlength=6), law)
    simulated = simulate_hits(scenario, 4000, seed=2)
    assert_counts_follow(np.pad(simulated, (0, 6 - len(simulated))), law)


def test_a_bag_of_one_series_has_its_windows():
    one = scenario_of(num_series=1, lengths=(7,), context=1, forecast=2, batch=4, top="flat")
    for batch in drawn(one, 50):
        assert batch.series.tolist() == [0] * 4
        assert len(set(batch.starts.tolist()) & set(range(6))) == 4


@pytest.mark.parametrize("scenario", [SMALL, BY_COINS])
def test_the_same_seed_gives_the_same_batches_and_steps_are_counted(scenario):
    one, other = drawn(scenario, 7), drawn(scenario, 7)
    assert [batch.starts.tolist() for batch in one] == [batch.starts.tolist() for batch in other]
    assert [batch.step for batch in one] == list(range(7))
    assert [batch.epoch for batch in one] == [step // scenario.steps_per_epoch for step in range(7)]
    assert len(list(batches(scenario, np.random.default_rng(1)))) == scenario.num_steps


@pytest.mark.parametrize("bottom", ["with-replacement", "poisson"])
def test_a_longer_series_brings_all_its_windows_into_the_bag(bottom):
    """Each of the five windows alike, and as many of them as the batch size on average."""
    two = scenario_of(
        num_series=2,
        lengths=(3, 4),
        context=1,
        forecast=2,
        batch=2,
        top="flat",
        bottom=bottom,
    )
    counts, sizes = np.zeros(5, dtype=int), np.zeros(6, dtype=int)
    for batch in drawn(two, 5000, series_lengths=[3, 4]):
        np.add.at(counts, batch.series * 2 + batch.starts, 1)
        sizes[len(batch)] += 1
    if bottom == "poisson":
        assert_counts_follow(sizes, binom.pmf(np.arange(6), 5, 2 / 5))
        assert abs(counts / 5000 - 2 / 5).max() < 0.03
    else:
        assert sizes[2] == 5000
        # Two windows of one batch keep each other away: that only evens the counts out.
        assert_counts_follow(counts, np.full(5, 1 / 5))


def test_lengths_that_the_bounds_do_not_cover_are_refused():
    """Of series of one length a longer one would hold more windows of one individual."""
    one = scenario_of(num_series=2, lengths=(4,), context=1, forecast=2, width=2, top="flat")
    with pytest.raises(ScenarioError, match="do not cover a series of this length"):
        drawn(one, 1, series_lengths=[4, 5])
    several = scenario_of(num_series=2, lengths=(4, 5), context=1, forecast=2, width=2, top="flat")
    assert len(drawn(several, 1, series_lengths=[4, 9])[0]) == 4
    with pytest.raises(ScenarioError, match="do not cover a series of this length"):
        drawn(several, 1, series_lengths=[3, 9])


@pytest.mark.parametrize("bottom", ["with-replacement", "poisson"])
def test_a_bag_of_a_billion_long_series_takes_no_memory(bottom):
    large = scenario_of(
        num_series=LARGEST_COUNT, lengths=(LARGEST_COUNT,), batch=20, top="flat", bottom=bottom
    )
    (batch,) = drawn(large, 1)
    assert batch.series.max() > 10**6
    assert batch.starts.max() > 10**6
    assert batch.starts.max() <= LARGEST_COUNT - 2
