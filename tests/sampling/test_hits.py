"""How often one individual's values are in a batch, of series or from one bag: the bounds' laws."""

from dataclasses import replace
from itertools import combinations, islice

import numpy as np
import pytest
from scipy import stats
from scipy.stats import binom

from dpviz.sampling import batches, middle_position, simulate_hits, touching_starts
from dpviz.sampling.batches import series_draws
from dpviz.sampling.hits import batches_with_first
from dpviz.sampling.scheme import scheme_for
from dpviz.scenario import Relation, ScenarioError
from dpviz.scenario.data import LARGEST_COUNT
from tests.sampling.laws import (
    SIGNIFICANCE,
    all_windows,
    assert_counts_follow,
    law_of_hits,
    scenario_of,
)

SHAPES = [
    {"lengths": (30,), "context": 3, "forecast": 2},
    {"lengths": (30,), "context": 0, "forecast": 1},
    {"lengths": (12,), "context": 8, "forecast": 3},  # T = 10 < L_C + L_F
    {"lengths": (6,), "context": 20, "forecast": 5},  # T = 2
    {"lengths": (12,), "context": 5, "forecast": 3},  # T = 10
    {"lengths": (3,), "context": 4, "forecast": 3},  # T = 1
]


def assert_hits_follow(counts, scenario, top_rate):
    most = max(len(counts) - 1, 40)
    law = law_of_hits(scenario, top_rate, most)
    assert_counts_follow(np.pad(counts, (0, most + 1 - len(counts))), law)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("bottom", ["with-replacement", "poisson"])
@pytest.mark.parametrize("windows", [1, 4])
@pytest.mark.parametrize("top", ["without-replacement", "poisson"])
@pytest.mark.every(6)
def test_hits_have_the_weights_of_the_mixtures(shape, bottom, windows, top):
    """(1 - rho) at 0, plus rho times Binomial(lambda, r) or Binomial(k, lambda / T)."""
    scenario = scenario_of(
        num_series=5, batch=2 * windows, windows=windows, top=top, bottom=bottom, **shape
    )
    counts = simulate_hits(scenario, 5000, seed=11)
    assert counts.sum() == 5000
    assert_hits_follow(counts, scenario, top_rate=2 / 5)


@pytest.mark.parametrize(
    ("series", "batch", "top"),
    [(series, batch, "without-replacement") for series, batch in ((5, 1), (40, 17), (3, 3))]
    # NumPy draws from many series in one of two ways.
    + [(10_001, size, "without-replacement") for size in (500, 501)]
    + [(5, 2, top) for top in ("deterministic", "shuffled", "bins", "poisson")],
)
def test_batches_with_the_first_series_are_those_that_are_drawn(series, batch, top, monkeypatch):
    monkeypatch.setattr("dpviz.sampling.hits._MOST_WINDOWS", 7 * batch)  # in several parts
    scheme = scheme_for(scenario_of(num_series=series, batch=batch, top=top))
    rng, again = (np.random.default_rng(5) for _ in range(2))
    has_first = batches_with_first(scheme, 60, rng)
    drawn = [0 in batch for batch in islice(series_draws(scheme, again), 60)]
    assert has_first.tolist() == drawn
    assert rng.bit_generator.state == again.bit_generator.state  # what follows is the same, too


@pytest.mark.parametrize("bottom", ["with-replacement", "poisson"])
def test_a_walk_meets_the_series_once_per_epoch(bottom):
    """Per epoch the weights are those of Thms 4.2, 4.3 and E.8; batches are counted one by one."""
    for top, seed in (("deterministic", 12), ("shuffled", 13), ("bins", 17)):
        scenario = scenario_of(num_series=5, batch=3, windows=3, top=top, bottom=bottom)
        counts = simulate_hits(scenario, 5 * 4000, seed=seed)
        counts[0] -= 4 * 4000  # the other batches of each epoch never contain series 0
        assert_hits_follow(counts, scenario, top_rate=1.0)


@pytest.mark.parametrize(
    ("relation", "named"),
    [
        (Relation(level="user", width=2), "relation_width"),
        (Relation(series_per_person=2), "person"),
    ],
)
def test_hits_of_an_individual_in_several_places_are_not_simulated(relation, named):
    scenario = replace(scenario_of(num_series=5), relation=relation)
    with pytest.raises(ScenarioError, match=named):
        simulate_hits(scenario, 10, seed=1)
    one = replace(relation, width=1, series_per_person=1)
    assert simulate_hits(replace(scenario, relation=one), 10, seed=1).sum() == 10


def test_a_shuffled_walk_leaves_series_out_now_and_then():
    """N = 5, N' = 2: two steps an epoch, in which a series is with probability 4/5."""
    scenario = scenario_of(num_series=5, batch=2, lengths=(1,), context=0, forecast=1,
                           top="shuffled")  # fmt: skip
    counts = simulate_hits(scenario, 2 * 5000, seed=14)
    assert stats.binomtest(int(counts[1]), 5000, 4 / 5).pvalue > SIGNIFICANCE


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("width", [1, 2, 4])
def test_middle_values_are_in_k_windows_and_none_are_in_more(shape, width):
    data = scenario_of(**shape).data
    length, positions = data.series_lengths[0], data.start_positions
    k = Relation(width=width).touched_windows(data)
    counted = []
    for position in range(length):
        series = np.zeros(length)
        series[position : position + width] = 1.0
        cut = all_windows(series, data.context_length, data.forecast_length)
        touching = np.flatnonzero(cut.context.any(axis=1) | cut.forecast.any(axis=1))
        assert list(touching_starts(position, data, positions, width)) == touching.tolist()
        counted.append(len(touching))
    assert max(counted) == k
    assert counted[middle_position(data, positions, width)] == k


def test_hits_of_values_in_a_row():
    scenario = scenario_of(num_series=4, batch=4, windows=2, width=4, bottom="poisson")
    assert_hits_follow(simulate_hits(scenario, 20_000, 17), scenario, top_rate=1 / 2)


def test_many_batches_are_drawn_in_parts_without_a_seam(monkeypatch):
    monkeypatch.setattr("dpviz.sampling.hits._MOST_WINDOWS", 70)
    scenario = scenario_of(num_series=1, batch=2, windows=2)
    counts = simulate_hits(scenario, 10_001, seed=19)
    assert counts.sum() == 10_001
    assert_hits_follow(counts, scenario, top_rate=1.0)


@pytest.mark.parametrize(
    ("changes", "arguments", "field"),
    [
        ({"level": "user", "width": 2}, {}, "relation_width"),
        ({}, {"batches": 0}, "batches"),
        ({}, {"batches": 1.5}, "batches"),
        ({}, {"seed": -1}, "seed"),
    ],
)
def test_impossible_simulations_are_refused(changes, arguments, field):
    with pytest.raises(ScenarioError) as refused:
        simulate_hits(scenario_of(**changes), **({"batches": 10, "seed": 1} | arguments))
    assert refused.value.field == field


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
def test_a_longer_series_brings_all_its_windows_into_the_bag(bottom):
    """Each of the five windows alike, and as many of them as the batch size on average."""
    two = scenario_of(
        num_series=2, lengths=(3, 4), context=1, forecast=2, batch=2, top="flat", bottom=bottom
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
    # An individual is in 4 windows of a long series, but in 3 of the longest that is known.
    short = scenario_of(num_series=2, lengths=(3, 4), context=1, forecast=2, width=2, top="flat")
    assert len(drawn(short, 1, series_lengths=[3, 4])[0]) == 4
    with pytest.raises(ScenarioError, match="do not cover a series of this length"):
        drawn(short, 1, series_lengths=[4, 9])


@pytest.mark.parametrize("bottom", ["with-replacement", "poisson"])
def test_a_bag_of_a_billion_long_series_takes_no_memory(bottom):
    large = scenario_of(
        num_series=LARGEST_COUNT, lengths=(LARGEST_COUNT,), batch=20, top="flat", bottom=bottom
    )
    (batch,) = drawn(large, 1)
    assert batch.series.max() > 10**6
    assert batch.starts.max() > 10**6
    assert batch.starts.max() <= LARGEST_COUNT - 2


def test_as_many_windows_of_a_very_large_bag_come_by_coins_as_were_asked_for():
    """Each by a coin of a probability of 2e-17, on average 20 of all of them, as by Poisson."""
    large = scenario_of(
        num_series=LARGEST_COUNT, lengths=(LARGEST_COUNT,), batch=20, top="flat", bottom="poisson"
    )
    sizes = [len(batch.series) for batch in drawn(large, 400)]
    assert np.mean(sizes) == pytest.approx(20.0, abs=5.0 * np.sqrt(20.0 / 400.0))
    assert np.var(sizes) == pytest.approx(20.0, rel=5.0 * np.sqrt(2.0 / 400.0))
