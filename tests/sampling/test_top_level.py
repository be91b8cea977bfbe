"""Batches as a training loop sees them: which series and windows are drawn, by exact laws."""

import tracemalloc
from dataclasses import replace
from itertools import combinations, islice, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from dpviz.sampling import batches
from dpviz.sampling.batches import SERIES_DRAWS, draw_starts, series_draws
from dpviz.sampling.scheme import scheme_for
from dpviz.scenario import Relation, ScenarioError, worst_case_lengths
from dpviz.scenario.data import LARGEST_COUNT
from dpviz.scenario.mechanism import BOTTOM_LEVELS, TOP_LEVELS
from tests.sampling.laws import SIGNIFICANCE, assert_counts_follow, scenario_of
from tests.scenario.changes import TOY
from tests.scenario.strategies import scenarios


def drawn(scenario, count, seed=1):
    return list(islice(series_draws(scheme_for(scenario), np.random.default_rng(seed)), count))


def test_every_level_of_a_scenario_can_be_drawn():
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


@pytest.mark.parametrize("positions", [1, 2, 7, 300])
def test_start_positions_are_uniform_including_both_ends(positions):
    """Algorithm 4: 0 and T - 1 are as likely as any other."""
    rng = np.random.default_rng(2)
    _, start = draw_starts("with-replacement", np.full(30_000, positions), 2, rng)
    counts = np.bincount(start, minlength=positions)
    if positions > 1:
        assert_counts_follow(counts, np.full(positions, 1 / positions))
    assert counts[0] > 0
    assert counts[-1] > 0


def test_windows_of_a_series_are_independent_with_replacement():
    """Also the same window twice: all 9 pairs of start positions are equally likely."""
    rng = np.random.default_rng(3)
    owner, start = draw_starts("with-replacement", np.full(9000, 3), 2, rng)
    pairs = start.reshape(-1, 2) @ [3, 1]
    assert owner.tolist() == np.repeat(np.arange(9000), 2).tolist()
    assert_counts_follow(np.bincount(pairs, minlength=9), np.full(9, 1 / 9))


@pytest.mark.parametrize(("positions", "windows"), [(4, 1), (4, 2), (4, 3), (5, 1)])
def test_poisson_lets_each_start_position_in_on_its_own(positions, windows):
    """Algorithm 6: all 2^T subsets, with the probabilities of independent coins."""
    rng = np.random.default_rng(4)
    draws = 20_000
    owner, start = draw_starts("poisson", np.full(draws, positions), windows, rng)
    codes = np.bincount(owner, weights=2.0**start, minlength=draws).astype(int)
    rate = windows / positions
    ones = np.array([bin(code).count("1") for code in range(2**positions)])
    law = rate**ones * (1 - rate) ** (positions - ones)
    assert_counts_follow(np.bincount(codes, minlength=2**positions), law)


@pytest.mark.parametrize("windows", [4, 5, 64])
def test_poisson_takes_all_windows_where_lambda_is_at_least_t(windows):
    owner, start = draw_starts("poisson", np.array([4, 1, 2]), windows, np.random.default_rng(5))
    assert owner.tolist() == [0, 0, 0, 0, 1, 2, 2]
    assert start.tolist() == [0, 1, 2, 3, 0, 0, 1]


@pytest.mark.parametrize("windows", [1, 8, 64])
def test_poisson_draws_lambda_windows_in_expectation_from_long_series(windows):
    """The number of windows is Binomial(T, lambda / T), never one position twice."""
    rng = np.random.default_rng(6)
    positions, draws = 17_521, 5000
    owner, start = draw_starts("poisson", np.full(draws, positions), windows, rng)
    codes = owner * positions + start
    assert len(np.unique(codes)) == len(codes)
    counts = np.bincount(np.bincount(owner, minlength=draws), minlength=windows * 4 + 20)
    law = stats.binom(positions, windows / positions).pmf(np.arange(len(counts)))
    assert_counts_follow(counts, law)
    tenths = np.bincount(start * 10 // positions, minlength=10)
    sizes = np.bincount(np.arange(positions) * 10 // positions)
    assert_counts_follow(tenths, sizes / positions)


def test_series_of_several_lengths_keep_their_own_rate():
    """T = 2 (all windows), 5 and 50 side by side, lambda = 2: each has its own law."""
    rng = np.random.default_rng(7)
    positions = np.tile([50, 2, 5], 5000)
    owner, start = draw_starts("poisson", positions, 2, rng)
    assert (start < positions[owner]).all()
    number = np.bincount(owner, minlength=len(positions)).reshape(-1, 3)
    assert (number[:, 1] == 2).all()
    for column, size in ((0, 50), (2, 5)):
        law = stats.binom(size, 2 / size).pmf(np.arange(size + 1))
        assert_counts_follow(np.bincount(number[:, column], minlength=size + 1), law)
    owner, start = draw_starts("with-replacement", positions, 2, rng)
    assert (start < positions[owner]).all()
    of_five = start[positions[owner] == 5]
    assert_counts_follow(np.bincount(of_five, minlength=5), np.full(5, 1 / 5))


@pytest.mark.parametrize("bottom", BOTTOM_LEVELS)
def test_no_series_give_no_windows(bottom):
    owner, start = draw_starts(bottom, np.empty(0, dtype=np.int64), 3, np.random.default_rng(8))
    assert len(owner) == len(start) == 0


def epochs_of(scenario, count, seed=1):
    """Return in which step each series is, shape (epochs, series); -1 where it is in none."""
    steps = scenario.steps_per_epoch
    drawn = series_draws(scheme_for(scenario), np.random.default_rng(seed))
    found = np.full((count, scenario.data.num_series), -1)
    for at, series in enumerate(islice(drawn, count * steps)):
        assert (found[at // steps, series] == -1).all()
        found[at // steps, series] = at % steps
    return found


@pytest.mark.parametrize(("num_series", "batch", "steps"), [(9, 3, 3), (11, 3, 3), (5, 5, 1)])
def test_each_series_is_in_exactly_one_batch_of_an_epoch(num_series, batch, steps):
    scenario = scenario_of(num_series=num_series, batch=batch, top="bins")
    assert scenario.steps_per_epoch == steps
    assert (epochs_of(scenario, 50) >= 0).all()


def test_all_ways_to_fill_the_bins_are_equally_likely_and_new_in_each_epoch():
    """Three series, three batches: all 27 ways, also those that leave batches empty."""
    found = epochs_of(scenario_of(num_series=3, batch=1, top="bins"), 10_000)
    codes = found @ [9, 3, 1]
    assert_counts_follow(np.bincount(codes, minlength=27), np.full(27, 1 / 27))
    repeated = int((codes[1:] == codes[:-1]).sum())
    assert stats.binomtest(repeated, len(codes) - 1, 1 / 27).pvalue > SIGNIFICANCE


SCHEMES = list(product(TOP_LEVELS, BOTTOM_LEVELS))


def run(scenario, seed=1, **options):
    return list(batches(scenario, np.random.default_rng(seed), **options))


@pytest.mark.parametrize(("top", "bottom"), SCHEMES)
def test_a_seed_gives_the_same_batches_again(top, bottom):
    scenario = scenario_of(top=top, bottom=bottom, windows=1 if top == "flat" else 2, batch=8)
    first, again, other = run(scenario), run(scenario), run(scenario, seed=2)
    for a, b in zip(first, again, strict=True):
        assert np.array_equal(a.series, b.series)
        assert np.array_equal(a.starts, b.starts)
    assert any(not np.array_equal(a.starts, b.starts) for a, b in zip(first, other, strict=True))


@pytest.mark.parametrize(("top", "bottom"), SCHEMES)
def test_a_run_has_the_steps_and_epochs_of_its_scenario(top, bottom):
    batch = 96 if top == "flat" else 3  # of 290 windows, or 10 series
    scenario = scenario_of(
        top=top, bottom=bottom, num_series=10, batch=batch, steps=4, unit="epochs"
    )
    drawn = run(scenario)
    assert [batch.step for batch in drawn] == list(range(12))
    assert [batch.epoch for batch in drawn] == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]
    endless = batches(scenario, np.random.default_rng(1), endless=True)
    assert [batch.step for batch in islice(endless, 14)] == list(range(14))


@settings(max_examples=60)
@given(scenarios().filter(lambda scenario: scenario.shape is not None))
def test_windows_lie_within_their_series(scenario):
    shape = scenario.shape
    for batch in islice(batches(scenario, np.random.default_rng(1), endless=True), 3):
        assert batch.series.dtype == batch.starts.dtype == np.int64
        assert batch.series.shape == batch.starts.shape == (len(batch),)
        if len(batch):
            assert batch.series.min() >= 0
            assert batch.series.max() < shape.num_series
            assert batch.starts.min() >= 0
            assert batch.starts.max() < shape.start_positions
        per_series = np.bincount(batch.series)
        per_series = per_series[per_series > 0]
        if scenario.sampling.bottom_level == "with-replacement":
            assert (per_series == scenario.sampling.num_subsequences).all()
            if scenario.sampling.top_level != "poisson":
                assert len(per_series) == scenario.sampling.series_per_batch
        elif scenario.sampling.top_level != "poisson":
            assert len(per_series) <= scenario.sampling.series_per_batch


def test_poisson_batches_may_be_empty():
    scenario = scenario_of(num_series=2, batch=1, top="poisson", bottom="poisson", steps=200)
    sizes = [len(batch) for batch in run(scenario)]
    assert min(sizes) == 0
    assert max(sizes) > 1


def test_callers_may_write_into_a_batch():
    """What a loop does to one batch does not reach the next."""
    for top in SERIES_DRAWS:
        scenario = scenario_of(num_series=6, batch=3, top=top)
        untouched = run(scenario)
        for batch, clean in zip(
            batches(scenario, np.random.default_rng(1)), untouched, strict=True
        ):
            assert np.array_equal(batch.series, clean.series)
            batch.series[:] = -1
            batch.starts[:] = -1


@pytest.mark.parametrize("bottom", BOTTOM_LEVELS)
def test_each_series_is_drawn_up_to_its_own_end(bottom):
    lengths = [30, 40, 90, 30, 35]
    scenario = scenario_of(
        num_series=5, lengths=(30, 35, 40, 90), batch=10, windows=2, bottom=bottom, steps=3000
    )
    starts = [[] for _ in lengths]
    for batch in batches(scenario, np.random.default_rng(1), series_lengths=lengths):
        for series, start in zip(batch.series.tolist(), batch.starts.tolist(), strict=True):
            starts[series].append(start)
    for length, seen in zip(lengths, starts, strict=True):
        assert set(seen) == set(range(length - 2 + 1))


@pytest.mark.parametrize(
    ("changes", "lengths", "allowed"),
    [
        ({}, [30] * 10, True),
        ({}, [30, *[400] * 9], True),
        ({}, [29, *[30] * 9], False),
        # Poisson windows of a walk: T = 29 holds all 5 windows of one value, so longer series are
        # no worse ...
        ({"bottom": "poisson", "top": "deterministic"}, [30, *[400] * 9], True),
        # ... but drawn series take each other's place, and Proposition 5 is about one length.
        ({"bottom": "poisson"}, [30, *[400] * 9], False),
        ({"bottom": "poisson", "lengths": (30, 40)}, [30, *[400] * 9], True),
        ({"bottom": "poisson", "batch": 10}, [30, *[400] * 9], True),
        # T = 5 and T = 6 do not hold the 8 of this one: no order between them is proven.
        ({"bottom": "poisson", "lengths": (6,), "width": 4}, [7, *[6] * 9], False),
        ({"bottom": "poisson", "lengths": (6, 7), "width": 4}, [7, *[6] * 9], True),
        ({"context_noise": 1.0, "lengths": (6,), "width": 4}, [7, *[6] * 9], False),
        ({"lengths": (6,), "width": 4}, [7, *[6] * 9], True),
    ],
)
def test_data_that_the_scenarios_bounds_do_not_cover_are_refused(changes, lengths, allowed):
    """The numbers of a scenario are never quoted for series it does not speak of."""
    scenario = scenario_of(**({"num_series": 10} | changes))
    if allowed:
        assert run(scenario, series_lengths=lengths)
        return
    with pytest.raises(ScenarioError, match=r"series_lengths = .* do not cover"):
        batches(scenario, np.random.default_rng(1), series_lengths=lengths)


@settings(max_examples=50)
@given(
    st.lists(st.integers(5, 60), min_size=2, max_size=20),
    st.integers(0, 20),
    st.sampled_from(["event", "user"]),
    st.integers(1, 4),
)
def test_a_shape_made_of_the_lengths_covers_them(lengths, context, level, width):
    """What dpviz.scenario.worst_case_lengths returns fits the lengths it was made of."""
    relation = Relation(level=level, width=width)
    shape = worst_case_lengths(
        lengths,
        num_series=len(lengths),
        context_length=context,
        forecast_length=5,
        relation=relation,
    )
    for bottom in BOTTOM_LEVELS:
        scenario = scenario_of(
            batch=1, bottom=bottom, level=level, width=width, steps=2, context_noise=1.0
        )
        assert len(run(replace(scenario, data=shape), series_lengths=lengths)) == 2


@pytest.mark.parametrize(
    "lengths", [[30] * 9, [[30] * 10], [30.0] * 10, ["30"] * 10, [LARGEST_COUNT + 1] * 10, 30]
)
def test_lengths_that_are_not_one_number_for_each_series_are_refused(lengths):
    with pytest.raises(ScenarioError, match="series_lengths"):
        batches(scenario_of(num_series=10), np.random.default_rng(1), series_lengths=lengths)


def test_rates_alone_draw_nothing():
    """And the error comes from the call, not from the first batch."""
    with pytest.raises(ScenarioError, match="data's shape"):
        batches(TOY.with_rates(top_rate=0.5), np.random.default_rng(1))


def test_a_million_series_cost_the_memory_of_a_batch():
    """A batch is 256 pairs of numbers, whatever the number and the length of the series."""
    for top in ("without-replacement", "deterministic"):
        scenario = scenario_of(num_series=10**6, lengths=(10**9,), batch=256, top=top, steps=20)
        tracemalloc.start()
        try:
            for batch in batches(scenario, np.random.default_rng(1)):
                assert len(batch) == 256
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert peak < 200_000  # bytes; one array over all series would have 8,000,000
