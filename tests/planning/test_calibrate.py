"""What calibration returns meets the target, and what is just looser does not."""

from dataclasses import replace
from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz.accounting import best_upper
from dpviz.planning import calibrate
from dpviz.planning.calibrate import calibrated, calibration
from dpviz.planning.quantities import CALIBRATED, value_of
from dpviz.planning.search import Ladder, Rung, largest_size, last_met
from dpviz.planning.target import Target
from dpviz.scenario import (
    PRESETS,
    DataShape,
    Noise,
    Rates,
    Sampling,
    Scenario,
    ScenarioError,
    Training,
)

TOY = PRESETS["toy"].scenario


def quoted(scenario):
    return best_upper(scenario).quoted_epsilon_at(scenario.delta)


@settings(max_examples=12)
@given(
    rate=st.floats(0.01, 1.0),
    steps=st.integers(1, 3000),
    epsilon=st.floats(0.1, 20.0),
    delta=st.sampled_from([1e-9, 1e-7, 1e-5]),
)
def test_noise_meets_the_target_and_half_a_percent_less_does_not(rate, steps, epsilon, delta):
    scenario = Scenario(
        data=Rates(bottom_rate=0.3, top_rate=rate, steps_per_epoch=1),
        sampling=Sampling(batch_size=1),
        noise=Noise(noise_multiplier=1.0),
        training=Training(unit="steps", count=steps),
    )
    target = Target(epsilon=epsilon, delta=delta)
    try:
        found = calibrated(scenario, "noise_multiplier", target)
    except ScenarioError:
        assert quoted(replace(scenario, delta=delta, noise=Noise(noise_multiplier=100.0))) > epsilon
        return
    sigma = found.noise.noise_multiplier
    assert quoted(found) <= epsilon
    if sigma > 0.101:
        assert quoted(replace(found, noise=Noise(noise_multiplier=0.995 * sigma))) > epsilon


@pytest.mark.parametrize("top_level", ["without-replacement", "deterministic"])
@pytest.mark.parametrize("quantity", ["steps", "epochs", "batch_size"])
def test_one_more_does_not_meet_the_target(top_level, quantity):
    scenario = replace(
        TOY, sampling=Sampling(batch_size=32, top_level=top_level), noise=Noise(noise_multiplier=3)
    )
    found = calibrated(scenario, quantity, Target(epsilon=6.0, delta=1e-6))
    assert quoted(found) <= 6.0
    value = value_of(found, quantity)
    if quantity == "batch_size":
        more = replace(found, sampling=replace(found.sampling, batch_size=value + 1))
    else:
        # Steps beyond whole epochs cost nothing until the next epoch begins.
        more = replace(found, training=Training(unit=quantity, count=value + 1))
    assert quoted(more) > 6.0


def test_subsequences_are_the_most_of_all_that_meet_the_target():
    scenario = replace(TOY, sampling=Sampling(batch_size=12), noise=Noise(noise_multiplier=2))
    epsilons = {}
    for windows in range(1, 13):
        sampling = Sampling(batch_size=12, num_subsequences=windows)
        epsilons[windows] = quoted(replace(scenario, sampling=sampling))
    for epsilon in (3.0, 5.0, 8.0):
        meeting = [windows for windows, reached in epsilons.items() if reached <= epsilon]
        target = Target(epsilon=epsilon, delta=1e-7)
        if not meeting:
            with pytest.raises(ScenarioError, match="even num_subsequences 1 gives"):
                calibrated(scenario, "num_subsequences", target)
            continue
        found = calibrated(scenario, "num_subsequences", target)
        assert found.sampling.num_subsequences == max(meeting)


def in_epochs(num_series, epochs, **sampling):
    return Scenario(
        data=DataShape(
            num_series=num_series, series_lengths=(26304,), context_length=168, forecast_length=24
        ),
        sampling=Sampling(batch_size=num_series, **sampling),
        noise=Noise(noise_multiplier=1.0),
        training=Training(unit="epochs", count=epochs),
    )


@pytest.mark.parametrize(
    "scenario",
    [
        in_epochs(18, 10),
        in_epochs(10, 7, num_subsequences=2),
        in_epochs(18, 10, top_level="deterministic"),
    ],
)
def test_of_all_batch_sizes_over_epochs_the_largest_that_meets_the_target_is_found(scenario):
    """A larger batch means fewer steps, so epsilon falls again here and there."""
    last = scenario.sampling.batch_size * scenario.sampling.num_subsequences
    reached = {
        size: quoted(replace(scenario, sampling=replace(scenario.sampling, batch_size=size)))
        for size in range(scenario.sampling.num_subsequences, last + 1)
    }
    for epsilon in np.quantile(list(reached.values()), (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)) * 0.999:
        meeting = [size for size, value in reached.items() if value <= epsilon]
        target = Target(epsilon=epsilon, delta=scenario.delta)
        if not meeting:
            with pytest.raises(ScenarioError, match=rf"(to {last} none is known|even)"):
                calibrated(scenario, "batch_size", target)
            continue
        found = calibration(scenario, "batch_size", target)
        assert found.scenario.sampling.batch_size == max(meeting)
        assert found.at_limit == (max(meeting) == last)
        assert found.is_complete


def test_the_largest_batch_is_found_beyond_smaller_ones_that_miss_the_target():
    found = calibrated(in_epochs(321, 50), "batch_size", Target(epsilon=4.8, delta=1e-6))
    assert found.sampling.batch_size == 163


@given(windows=st.integers(1, 5000), level=st.floats(1e-3, 1.1), first=st.integers(1, 5000))
def test_largest_size_is_the_largest_of_all(windows, level, first):
    first = min(first, windows)

    def excess(size, steps):
        return log(size / windows * sqrt(steps) / level)

    found = largest_size(
        lambda size: excess(size, windows // size),
        lambda low, high, tolerance: excess(low, windows // high) - tolerance / 10,
        windows=windows,
        first=first,
        last=windows,
        most_looks=10**4,
    )
    sizes = range(windows, first - 1, -1)
    meeting = (size for size in sizes if excess(size, windows // size) <= 0.0)
    assert found == Rung(at=next(meeting, None))


def test_a_cut_search_says_so_and_still_meets_the_target(monkeypatch):
    monkeypatch.setattr(
        calibrate, "largest_size", lambda *_, **kept: largest_size(*_, **kept, most_looks=2)
    )
    found = calibration(in_epochs(321, 50), "batch_size", Target(epsilon=4.8, delta=1e-6))
    assert not found.is_complete
    assert quoted(found.scenario) <= 4.8


def test_the_limit_of_what_is_searched_is_told_from_a_boundary():
    target = Target(epsilon=1e8, delta=1e-7)
    for quantity in CALIBRATED:
        assert calibration(TOY, quantity, target).at_limit
    assert not calibration(TOY, "noise_multiplier", Target(epsilon=4.0, delta=1e-7)).at_limit


def test_the_loosest_value_is_returned_where_it_meets_the_target():
    found = calibrated(TOY, "noise_multiplier", Target(epsilon=1e8, delta=1e-7))
    assert found.noise.noise_multiplier == 0.1


def test_an_unreachable_target_is_refused_with_what_can_be_reached():
    with pytest.raises(ScenarioError, match="even steps 1 gives epsilon"):
        calibrated(TOY, "steps", Target(epsilon=0.1, delta=1e-7))


@given(boundary=st.integers(0, 1001), start=st.integers(1, 1000), steep=st.floats(0.01, 100))
def test_search_finds_the_last_rung_from_anywhere(boundary, start, steep):
    found = last_met(
        lambda rung: steep * (rung - boundary - 0.5), Ladder(first=1, last=1000), start=start
    )
    assert found == (None if boundary == 0 else min(boundary, 1000))
