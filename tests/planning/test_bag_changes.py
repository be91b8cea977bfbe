"""Other bags, batches and windows, while all else stays."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz.guarantees import guarantee_for
from dpviz.planning.one_bag import (
    bag_run,
    bag_size,
    compared_lengths,
    promise_run,
    series_first_run,
    with_bag,
    with_window_length,
)
from dpviz.planning.proven import proven_epsilon
from dpviz.scenario import PRESETS, Sampling, ScenarioError, Training
from dpviz.scenario.data import LONGEST_WINDOW
from tests.planning.test_one_bag import of_figure_13
from tests.scenario.changes import varied

TOY, TRAFFIC = PRESETS["toy"].scenario, PRESETS["traffic"].scenario


@pytest.mark.parametrize("scenario", [TOY, TRAFFIC])
@pytest.mark.parametrize("length", [1, 2, 3, 24, 120, 4096, LONGEST_WINDOW])
def test_series_and_windows_stay_when_windows_grow(scenario, length):
    data = with_window_length(scenario, length).data
    assert data.window_length == length
    assert data.num_series == scenario.data.num_series
    assert data.start_positions == scenario.data.start_positions
    assert data.forecast_length == min(scenario.data.forecast_length, length)


def test_every_one_of_several_lengths_keeps_its_windows():
    several = varied(TRAFFIC, series_lengths=(100, 300), longer_series_beyond=500)
    changed = with_window_length(several, 16).data
    assert changed.series_lengths == (92, 292)
    assert changed.longer_series_beyond == 500


def test_forecast_can_be_given():
    away = with_window_length(TRAFFIC, 8)
    assert with_window_length(away, 120).data.forecast_length == 8
    assert with_window_length(away, 120, 24) == TRAFFIC


@pytest.mark.parametrize("length", [0, LONGEST_WINDOW + 200])
def test_window_that_is_not_allowed_is_refused(length):
    with pytest.raises(ScenarioError, match="_length"):
        with_window_length(TRAFFIC, length)


def test_compared_lengths_reach_the_figure_s_and_the_whole_series():
    assert compared_lengths(TOY) == (1, 2, 4, 8, 16, 32)
    assert compared_lengths(TRAFFIC) == (1, 2, 4, 8, 16, 32, 64, 120, 128, 256, 512, 1024)
    longer = with_window_length(TOY, 100)
    assert compared_lengths(longer) == (1, 2, 4, 8, 16, 32, 100)


def test_lengths_for_which_left_out_series_matter_are_not_compared():
    own = varied(TOY, series_lengths=(20, 40), longer_series_beyond=5, bottom_level="poisson")
    assert compared_lengths(own) == (1, 2, 4)
    for length in compared_lengths(own):
        assert guarantee_for(series_first_run(with_window_length(own, length)))
    wide = varied(own, level="user", width=2)
    assert compared_lengths(wide) == (1, 2)


@settings(max_examples=80)
@given(series=st.integers(1, 10**6), share=st.floats(1e-9, 1.0))
def test_batch_is_the_nearest_part_of_the_bag_and_scheme_or_steps_stay(series, share):
    own = varied(TOY, epochs=3)
    run, total = with_bag(own, series, share), 20 * series
    assert bag_size(run.data) == total
    assert run.sampling.batch_size == max(1, round(share * total))
    if run.sampling.batch_size <= series:
        assert replace(run.sampling, batch_size=32) == own.sampling
        assert run.training == own.training
    else:
        assert run.sampling.top_level == "flat"
        assert run.training == Training(unit="steps", count=own.num_steps)


def test_batch_without_room_for_the_own_windows_per_series_comes_from_the_bag():
    own = varied(TOY, num_subsequences=4)
    assert with_bag(own, 320, 3 / 6400).sampling.is_bag
    assert with_bag(own, 320, 4 / 6400).sampling == Sampling(batch_size=4, num_subsequences=4)


def test_own_bag_and_share_change_nothing():
    assert with_bag(TRAFFIC, 862, 256 / bag_size(TRAFFIC.data)) == TRAFFIC


# Findings that the page shows.


def both(scenario):
    first = series_first_run(scenario)
    return proven_epsilon(bag_run(scenario)), proven_epsilon(first)


@pytest.mark.parametrize(("total", "ratio"), [(10**4, 0.1), (10**6, 0.1), (10**4, 0.001)])
def test_promise_is_the_same_for_every_length_and_the_truth_is_not(total, ratio):
    promises, truths = set(), []
    for length in (1, 2, 4, 8):
        own = replace(of_figure_13(total, ratio, length), delta=1e-7)
        bag = proven_epsilon(bag_run(own))
        promised = proven_epsilon(promise_run(bag_run(own)))
        promises.add((promised.upper.bracket.low, promised.upper.bracket.high))
        truths.append(bag.epsilon_lower)
    assert len(promises) == 1
    assert truths == sorted(truths)
    [(_, promise)] = promises
    assert all(truth > promise for truth in truths[1:])
    assert truths[0] <= promise


def test_after_long_training_with_much_noise_no_order_is_proven():
    """Of traffic: the truth is more than a hundred times the promise nevertheless."""
    bag, first = both(TRAFFIC)
    assert bag.epsilon_lower < first.epsilon_upper
    promised = proven_epsilon(promise_run(bag_run(TRAFFIC)))
    assert bag.epsilon_lower > 100 * promised.epsilon_upper


def test_without_a_lower_bound_an_individual_has_an_upper_one():
    several = bag_run(varied(TOY, longer_series_beyond=2))
    bag = proven_epsilon(several)
    assert bag.epsilon_lower is None
    assert bag.epsilon_upper > proven_epsilon(promise_run(several)).epsilon_upper
