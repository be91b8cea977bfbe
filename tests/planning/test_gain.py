"""What an attacker gains is the smallest of what the upper bounds allow, said on the safe side."""

import math
import re
from dataclasses import replace
from statistics import NormalDist

import pytest
from hypothesis import given, settings

from dpviz.accounting import best_upper
from dpviz.planning.attack_rates import FALSE_POSITIVE_RATES, attackers_gain
from dpviz.risk import success, true_positive_rate
from dpviz.scenario import PRESETS, Sampling, ScenarioError
from dpviz.wording.attack_rates import gain_sentence
from tests.scenario.strategies import scenarios

TOY = PRESETS["toy"].scenario


@pytest.mark.parametrize("preset", PRESETS)
def test_no_other_curve_allows_less(preset):
    scenario = PRESETS[preset].scenario
    gain, other = attackers_gain(scenario), best_upper(scenario)
    assert gain.success.share <= success(other).high * 1.002
    assert success(other).low <= gain.success.share
    for rate, hits in zip(FALSE_POSITIVE_RATES, [one.bracket for one in gain.hits], strict=True):
        assert rate <= hits.low <= hits.high <= true_positive_rate(other, rate).high * 1.02


@settings(max_examples=20, deadline=None)
@given(scenarios())
def test_sentences_round_up_and_say_whose_number_it_is(scenario):
    short = replace(scenario, training=replace(scenario.training, count=3))
    try:
        gain = attackers_gain(short, tolerance=0.05)
    except ScenarioError:
        return
    text = gain_sentence(gain)
    right, *hits = (float(number) for number in re.findall(r"at most ([\d.]+)", text))
    assert right >= 100.0 * gain.success.share * (1.0 - 1e-12)
    for said, bracket in zip(hits, [one.bracket for one in gain.hits], strict=True):
        assert said >= 100.0 * bracket.high * (1.0 - 1e-12)
    assert ("one window" in text) == (short.sampling.top_level == "flat")


def test_with_large_rates_the_gain_is_no_more_than_a_plain_gaussian_mechanism_allows():
    scenario = replace(
        TOY.with_rates(bottom_rate=1.0, top_rate=1.0),
        sampling=Sampling(batch_size=4, num_subsequences=4, top_level="deterministic"),
        noise=replace(TOY.noise, noise_multiplier=30.0),
    )
    gain = attackers_gain(scenario)
    assert gain.bound.theorem == "dpviz 1"
    # All four windows touch the individual: the sum moves by 8 clipping norms, once an epoch.
    mu = 8.0 / 30.0 * math.sqrt(scenario.num_epochs)
    assert gain.success.share == pytest.approx(NormalDist().cdf(mu / 2.0), rel=1e-3)


def test_what_has_to_hold_is_said():
    noisy = replace(TOY, noise=replace(TOY.noise, forecast_noise=2.0))
    assert "if no value changes by more than v" in gain_sentence(attackers_gain(noisy))
    assert "if no value" not in gain_sentence(attackers_gain(TOY))
