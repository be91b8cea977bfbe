"""What calibration returns meets the target, and what is just looser does not."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz.accounting import account_for
from dpviz.planning.boundary import Ladder, last_met
from dpviz.planning.calibrate import Target, calibrated, value_of
from dpviz.scenario import PRESETS, Noise, Rates, Sampling, Scenario, ScenarioError, Training

TOY = PRESETS["toy"].scenario


def quoted(scenario):
    return account_for(scenario).upper.quoted_epsilon_at(scenario.delta)


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
