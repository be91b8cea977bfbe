"""What an attacker gains at most, and may believe afterwards: closed forms, best tests, Bayes."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from dpviz.accounting import composed_curve
from dpviz.risk import (
    advantage,
    loss_exceeded_with,
    posterior_at_loss,
    posterior_of_claim,
    success,
    true_positive_rate,
    true_positive_rates,
)
from tests.accounting.rows import drawn

RATES = (0.0, 1e-6, 1e-3, 0.01, 0.1, 0.3, 0.5, 0.9, 1.0)


def curve_of(*, rate=1.0, noise=2.0, steps=1, tolerance=1e-4):
    return composed_curve(drawn(rate, noise, steps).upper, at_delta=1e-3, tolerance=tolerance)


@pytest.mark.parametrize(("noise", "steps"), [(2.0, 1), (4.0, 16), (100.0, 3), (0.5, 2)])
def test_without_sampling_it_is_the_gaussian_mechanisms_own(noise, steps):
    """TPR = Phi(Phi^-1(FPR) + mu) with mu = 2 sqrt(steps) / sigma; advantage 2 Phi(mu / 2) - 1."""
    curve, mu = curve_of(noise=noise, steps=steps), 2.0 * np.sqrt(steps) / noise
    wanted = 2.0 * norm.cdf(0.5 * mu) - 1.0
    assert advantage(curve).low <= wanted <= advantage(curve).high
    assert success(curve).low <= norm.cdf(0.5 * mu) <= success(curve).high
    assert success(curve).high == pytest.approx(norm.cdf(0.5 * mu), rel=1e-3)
    for rate in RATES:
        bracket, exact = true_positive_rate(curve, rate), norm.cdf(norm.ppf(rate) + mu)
        assert bracket.low <= exact <= bracket.high
        assert bracket.high == pytest.approx(exact, rel=5e-3, abs=1e-9)
        assert bracket.low == pytest.approx(exact, rel=5e-2, abs=1e-9)


@pytest.mark.parametrize("rate", [0.01, 0.1, 0.5])
def test_no_threshold_on_one_sampled_gradient_does_better(rate):
    """The best tests of N(0) against its mixture, in both directions; they are that good, too."""
    curve, noise = curve_of(rate=rate, noise=1.0), 1.0
    at = np.linspace(-8.0, 12.0, 4001)
    null = norm.sf(at, 0.0, noise)
    mixed = (1.0 - rate) * null + rate * norm.sf(at, 2.0, noise)
    attained = np.maximum(
        np.interp(RATES, null[::-1], mixed[::-1]), np.interp(RATES, (1.0 - mixed), (1.0 - null))
    )
    highs = np.array([true_positive_rate(curve, one).high for one in RATES])
    assert np.all(highs >= attained - 1e-12)
    assert advantage(curve).high >= rate * (2.0 * norm.cdf(1.0) - 1.0)
    assert advantage(curve).high == pytest.approx(rate * (2.0 * norm.cdf(1.0) - 1.0), rel=1e-3)
    # Where only one of the directions binds the two are one: at few false positives.
    assert highs[2] == pytest.approx(attained[2], rel=5e-3)


@given(
    st.floats(0.001, 1.0), st.floats(0.5, 20.0), st.integers(1, 500),
    st.lists(st.floats(0.0, 1.0), min_size=2, max_size=5).map(sorted),
)  # fmt: skip
def test_a_trade_off_curve_rises_above_chance_and_below_the_advantage(rate, noise, steps, rates):
    """However coarse it is."""
    curve = curve_of(rate=rate, noise=noise, steps=steps, tolerance=1e-2)
    brackets = true_positive_rates(curve, rates)
    most = advantage(curve).high
    for one, low, high in zip(rates, brackets.low, brackets.high, strict=True):
        assert one <= low <= high <= min(1.0, one + most + 1e-9)
    assert all(right >= left for left, right in pairwise(brackets.high))


@pytest.mark.parametrize("rate", [-0.1, 1.1, float("nan")])
def test_a_rate_that_is_none_is_refused(rate):
    with pytest.raises(ValueError, match="it must be from 0 to 1"):
        true_positive_rate(curve_of(), rate)


def test_the_curve_of_a_lower_bound_is_refused():
    with pytest.raises(ValueError, match="lower bound"):
        true_positive_rate(composed_curve(drawn(0.1, 2.0, 2).lower), 0.1)


def test_a_claim_is_right_as_bayes_rule_says():
    """Of 100 who are there and 900 who are not: 30 hits, 9 false alarms."""
    assert posterior_of_claim(0.1, 0.01, 0.3) == pytest.approx(30.0 / 39.0)
    assert posterior_of_claim(0.1, 0.3, 0.3) == pytest.approx(0.1)
    assert posterior_at_loss(0.1, np.log(3.0)) == pytest.approx(3.0 / 12.0)
    assert posterior_at_loss(0.3, 2000.0) == 1.0


@pytest.mark.parametrize("probability", [1e-9, 1e-5, 0.01])
@pytest.mark.parametrize(("noise", "steps"), [(2.0, 1), (4.0, 16), (1.0, 9)])
def test_a_gaussians_loss_is_exceeded_less_often(noise, steps, probability):
    """It is N(mu^2 / 2, mu^2); the bound on it is no more than a quarter above, epsilon below."""
    mu = 2.0 * np.sqrt(steps) / noise
    curve = composed_curve(drawn(1.0, noise, steps).upper, at_delta=probability)
    exact = mu * norm.isf(probability) + mu**2 / 2.0
    loss = loss_exceeded_with(curve, probability)
    assert exact <= loss <= 1.25 * exact
    assert curve.quoted_epsilon_at(probability) < exact


def test_a_sampled_steps_loss_is_exceeded_less_often_under_either_distribution():
    rate, noise, probability = 0.1, 0.7, 1e-3
    curve = composed_curve(drawn(rate, noise, 1).upper, at_delta=probability)
    loss = loss_exceeded_with(curve, probability)
    outcome = noise**2 / 2.0 * np.log(np.expm1(loss) / rate + 1.0) + 1.0
    absent = norm.sf(outcome, 0.0, noise)
    there = (1.0 - rate) * absent + rate * norm.sf(outcome, 2.0, noise)
    assert absent <= there <= probability


def test_what_is_no_probability_or_no_upper_bound_is_refused():
    curve = composed_curve(drawn(0.5, 2.0, 1).upper)
    for probability in (0.0, -0.1, 1.5, float("nan")):
        with pytest.raises(ValueError, match="it must be from above 0 to 1"):
            loss_exceeded_with(curve, probability)
    with pytest.raises(ValueError, match="lower bound"):
        loss_exceeded_with(composed_curve(drawn(0.5, 2.0, 1).lower), 0.1)
