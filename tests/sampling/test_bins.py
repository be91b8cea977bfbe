"""Balls into bins: each series in one batch of each epoch, by exact laws."""

from itertools import islice

import numpy as np
import pytest
from scipy import stats

from dpviz.sampling import batches
from dpviz.sampling.batches import series_draws
from dpviz.sampling.scheme import scheme_for
from tests.sampling.laws import SIGNIFICANCE, assert_counts_follow, scenario_of


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


@pytest.mark.parametrize("step", [0, 3])
def test_sizes_of_batches_are_left_to_chance(step):
    found = epochs_of(scenario_of(num_series=30, batch=7, top="bins"), 5000)
    sizes = (found == step).sum(axis=1)
    law = stats.binom(30, 1 / 4).pmf(np.arange(31))
    assert_counts_follow(np.bincount(sizes, minlength=31), law / law.sum())


def test_a_run_has_one_window_of_each_series_in_an_epoch():
    scenario = scenario_of(num_series=10, batch=3, top="bins", steps=4, unit="epochs")
    run = list(batches(scenario, np.random.default_rng(2)))
    assert [batch.epoch for batch in run] == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]
    for epoch in range(4):
        series = np.concatenate([batch.series for batch in run if batch.epoch == epoch])
        assert sorted(series.tolist()) == list(range(10))
    assert len({len(batch) for batch in run}) > 1
