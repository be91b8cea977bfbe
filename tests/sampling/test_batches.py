"""Batches as a training loop sees them."""

import tracemalloc
from dataclasses import replace
from itertools import islice, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz.sampling import batches
from dpviz.sampling.batches import SERIES_DRAWS
from dpviz.scenario import Relation, ScenarioError, worst_case_lengths
from dpviz.scenario.data import LARGEST_COUNT
from dpviz.scenario.mechanism import BOTTOM_LEVELS, TOP_LEVELS
from tests.sampling.laws import scenario_of
from tests.scenario.changes import TOY
from tests.scenario.strategies import scenarios

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
