"""One bag of windows, and series first, on the same data; other bags, batches and windows."""

from dataclasses import replace
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz.accounting import best_upper
from dpviz.guarantees import guarantee_for
from dpviz.planning.calibrate import calibrated
from dpviz.planning.hit_laws import hit_law
from dpviz.planning.one_bag import (
    bag_run,
    bag_size,
    compared_lengths,
    formula_rate,
    has_one_length,
    is_one_record,
    promise_run,
    series_first_run,
    with_bag,
    with_one_window,
    with_window_length,
)
from dpviz.planning.proven import proven_epsilon
from dpviz.planning.target import Target
from dpviz.scenario import Rates, Sampling, ScenarioError, Training
from dpviz.scenario.data import LONGEST_WINDOW
from dpviz.scenario.mechanism import COINS, FIXED_NUMBER, TOP_LEVELS
from tests.scenario.changes import TOY, TRAFFIC, varied

ROUNDING = 1e-12


def in_bag(batch_size, **changes):
    return varied(TOY, batch_size=batch_size, top_level="flat", **changes)


# The two runs.


@pytest.mark.parametrize("top_level", TOP_LEVELS)
@pytest.mark.parametrize("scenario", [TOY, TRAFFIC])
def test_both_runs_have_the_same_data_batch_steps_and_noise(scenario, top_level):
    if scenario is TRAFFIC and top_level == "flat":
        scenario = varied(scenario, steps=12_000)
    own = varied(scenario, top_level=top_level)
    bag, first = bag_run(own), series_first_run(own)
    for run in (bag, first):
        assert run.data == own.data
        assert run.noise == own.noise
        assert run.relation == own.relation
        assert run.delta == own.delta
        assert run.sampling.batch_size == own.sampling.batch_size
        assert run.num_steps == own.num_steps
    assert bag.sampling.top_level == "flat"
    assert first.sampling == replace(own.sampling, top_level="without-replacement")


@pytest.mark.parametrize(
    "sampling",
    [
        Sampling(batch_size=32, num_subsequences=4),
        Sampling(batch_size=32, num_subsequences=4, bottom_level="poisson"),
        Sampling(batch_size=32, num_subsequences=4, top_level="deterministic"),
    ],
)
def test_windows_per_series_are_the_visitor_s_and_the_bag_has_none(sampling):
    own = replace(TOY, sampling=sampling)
    first = series_first_run(own).sampling
    assert first == replace(sampling, top_level="without-replacement")
    assert bag_run(own).sampling == Sampling(batch_size=32, top_level="flat")
    one = with_one_window(own).sampling
    assert one == Sampling(batch_size=32)


@settings(max_examples=80)
@given(series=st.integers(1, 50), positions=st.integers(1, 200), batch=st.integers(1, 10_000))
def test_of_a_bag_it_is_the_smallest_number_of_windows_that_fits(series, positions, batch):
    batch = 1 + batch % (series * positions)
    own = in_bag(batch, num_series=series, series_lengths=(positions,))
    run = series_first_run(own)
    if run is None:
        assert batch > 64 * series
        with pytest.raises(ScenarioError, match="batch_size"):
            with_one_window(own)
        return
    windows = run.sampling.num_subsequences
    assert run.sampling.series_per_batch <= series
    assert windows == 1 or batch > (windows - 1) * series
    assert with_one_window(own) == run


def test_rates_are_refused_by_name():
    rates = TOY.with_rates(bottom_rate=0.5)
    for ask in (bag_run, series_first_run, with_one_window, formula_rate, has_one_length):
        with pytest.raises(ScenarioError, match=r"bottom_rate = 0\.5 is not allowed: rates alone"):
            ask(rates)
    bare = replace(rates, data=Rates(bottom_rate=0.5, top_rate=0.1, steps_per_epoch=10))
    with pytest.raises(ScenarioError, match="give the data's shape"):
        bag_run(bare)


def test_who_is_in_one_window_is_one_record():
    assert not is_one_record(TOY)
    single = varied(TOY, context_length=0)
    assert is_one_record(single)
    assert not is_one_record(varied(single, width=2))
    # Of other lengths there may be series with more windows.
    short = varied(TOY, series_lengths=(1,))
    assert is_one_record(short)
    assert not is_one_record(varied(short, series_lengths=(1, 5)))
    assert not is_one_record(varied(short, longer_series_beyond=1))


# How many windows of one individual are in a batch.


@settings(max_examples=60)
@given(
    series=st.integers(1, 12),
    positions=st.integers(1, 12),
    window=st.integers(1, 14),
    batch=st.integers(1, 144),
)
def test_hits_from_the_bag_follow_the_hypergeometric_law(series, positions, window, batch):
    """C(k, i) C(N_total - k, Lambda - i) / C(N_total, Lambda), in fractions."""
    total = series * positions
    batch = 1 + batch % total
    shape = {"num_series": series, "series_lengths": (positions,), "context_length": window - 1}
    law = hit_law(in_bag(batch, **shape))
    k = min(window, positions)
    for hits, weight in enumerate(law.weights.tolist()):
        ways = comb(k, hits) * comb(total - k, batch - hits) if batch >= hits else 0
        assert weight == pytest.approx(float(Fraction(ways, comb(total, batch))), rel=ROUNDING)
    assert law.weights.sum() + law.remainder == pytest.approx(1.0, abs=ROUNDING)
    assert law.mean == pytest.approx(float(np.arange(len(law.weights)) @ law.weights), rel=1e-9)


# Schuchardt et al., Fig. 13: one step, sigma = 1.

POSITIONS = {0.1: 10, 0.001: 100}  # T, so that Lambda = ratio N T is at most N


def of_figure_13(total, ratio, length, positions=None):
    positions = positions or POSITIONS[ratio]
    return in_bag(
        round(ratio * total),
        num_series=total // positions,
        series_lengths=(positions,),
        context_length=length - 1,
        steps=1,
    )


def test_long_series_leave_one_window_per_series_no_room():
    """A tenth of all windows of series with 100 each: ten of each, where that many fit."""
    own = of_figure_13(10**4, 0.1, 16, positions=100)
    assert series_first_run(own).sampling.num_subsequences == 10
    assert series_first_run(of_figure_13(10**6, 0.1, 16, positions=500_000)) is None


# Targets.

TARGET = Target(epsilon=2.0, delta=1e-7)


@pytest.mark.parametrize("level", [FIXED_NUMBER, COINS])
@pytest.mark.parametrize("quantity", ["noise_multiplier", "steps", "batch_size"])
def test_one_bag_meets_a_target(level, quantity):
    noisy = varied(TOY, noise_multiplier=4.0)
    found = calibrated(bag_run(noisy, level), quantity, TARGET)
    assert found.sampling.bottom_level == level
    assert best_upper(found).quoted_epsilon_at(1e-7) <= 2.0


def test_a_target_for_an_individual_costs_more_noise_than_one_for_a_window():
    bag = bag_run(TOY)
    noises = [
        calibrated(run, "noise_multiplier", TARGET).noise.noise_multiplier
        for run in (promise_run(bag), bag)
    ]
    assert noises[1] > 1.2 * noises[0]


# Other bags, batches and windows, while all else stays.


@pytest.mark.parametrize("scenario", [TOY, TRAFFIC])
@pytest.mark.parametrize("length", [1, 2, 3, 24, 120, 4096, LONGEST_WINDOW])
def test_series_and_windows_stay_when_windows_grow(scenario, length):
    data = with_window_length(scenario, length).data
    assert data.window_length == length
    assert data.num_series == scenario.data.num_series
    assert data.start_positions == scenario.data.start_positions
    assert data.forecast_length == min(scenario.data.forecast_length, length)


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


# Findings that the page shows.


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


def test_without_a_lower_bound_an_individual_has_an_upper_one():
    several = bag_run(varied(TOY, longer_series_beyond=2))
    bag = proven_epsilon(several)
    assert bag.epsilon_lower is None
    assert bag.epsilon_upper > proven_epsilon(promise_run(several)).epsilon_upper
