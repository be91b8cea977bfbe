"""What holds for every scenario."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dpviz.accounting import best_upper, composed_curve
from dpviz.guarantees import deterministic_top_level, guarantee_for, sampled_top_level
from dpviz.scenario import PRESETS
from tests.accounting.test_whole_domain import assert_sane

TOY = PRESETS["toy"].scenario
EPSILONS = np.concatenate([[0.0], np.logspace(-4, 3, 60)])
RATES = st.floats(-9, 0).map(lambda power: 10.0**power)
SIGMAS = st.floats(-1, 2).map(lambda power: 10.0**power)
STEPS = st.floats(0, 4).map(lambda power: int(10**power))
# Each example composes two to four curves.
FEW = settings(max_examples=25, derandomize=True, deadline=None)


def guarantee_of(rate, sigma, steps):
    return sampled_top_level(bottom_rate=rate, top_rate=1.0, noise_multiplier=sigma, steps=steps)


def upper_curve(rate, sigma, steps):
    return composed_curve(guarantee_of(rate, sigma, steps).upper)


@FEW
@given(RATES, SIGMAS, STEPS)
def test_brackets_are_sane_everywhere(rate, sigma, steps):
    upper = upper_curve(rate, sigma, steps)
    lower = composed_curve(guarantee_of(rate, sigma, steps).lower)
    for curve in (upper, lower):
        assert_sane(curve)
    assert np.all(lower.delta_at(EPSILONS).low <= upper.delta_at(EPSILONS).high)


@FEW
@given(RATES, SIGMAS, STEPS, st.floats(1.05, 3))
def test_more_noise_fewer_steps_and_lower_rates_are_more_private(rate, sigma, steps, factor):
    """The certain statement: the better setting's lower end never exceeds the worse's upper."""
    assume(sigma * factor <= 100)
    worse = upper_curve(rate, sigma, steps)
    for better in (
        upper_curve(rate / factor, sigma, steps),
        upper_curve(rate, sigma * factor, steps),
        upper_curve(rate, sigma, max(1, int(steps / factor))),
    ):
        assert np.all(better.delta_at(EPSILONS).low <= worse.delta_at(EPSILONS).high)


@FEW
@given(RATES, RATES, SIGMAS, STEPS)
def test_theorem_4_4_depends_on_the_product_of_the_rates_alone(r, rho, sigma, steps):
    one = sampled_top_level(bottom_rate=r, top_rate=rho, noise_multiplier=sigma, steps=steps)
    other = sampled_top_level(bottom_rate=rho, top_rate=r, noise_multiplier=sigma, steps=steps)
    assert one == other


def test_drawing_every_series_equals_one_deterministic_unit():
    drawn = sampled_top_level(bottom_rate=0.1, top_rate=1.0, noise_multiplier=1.0, steps=5)
    walked = deterministic_top_level(bottom_rate=0.1, noise_multiplier=1.0, epochs=5)
    assert drawn.upper.pair == walked.upper.pair
    assert drawn.upper.count == walked.upper.count


@pytest.mark.parametrize(("steps", "epochs"), [(1, 1), (10, 1), (11, 2), (95, 10)])
def test_deterministic_scheme_composes_every_epoch_that_began(steps, epochs):
    scenario = replace(
        TOY,
        sampling=replace(TOY.sampling, top_level="deterministic"),
        training=replace(TOY.training, count=steps),
    )
    bound = guarantee_for(scenario).upper
    assert (bound.theorem, bound.unit.value, bound.count) == ("4.2", "epoch", epochs)
    assert bound.pair.rate == 0.1


@pytest.mark.parametrize("steps", [10**5, 10**7])
@pytest.mark.parametrize(("rate", "sigma"), [(1e-9, 0.3), (1e-3, 2.0), (0.5, 10.0)])
def test_long_training_has_an_answer(rate, sigma, steps):
    bracket = upper_curve(rate, sigma, steps).epsilon_at(1e-7)
    assert bracket.high is not None
    assert bracket.low <= bracket.high


def test_wider_relations_and_users_are_less_private():
    epsilons = []
    for level, width in (("event", 1), ("event", 24), ("user", 24)):
        relation = replace(TOY.relation, level=level, width=width)
        scenario = replace(PRESETS["traffic"].scenario, relation=relation)
        epsilons.append(best_upper(scenario).quoted_epsilon_at(1e-7))
    assert epsilons == sorted(epsilons)
    assert epsilons[0] < epsilons[1] < epsilons[2]
