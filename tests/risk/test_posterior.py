"""What an attacker may believe afterwards: Bayes' rule, and losses that are seldom exceeded."""

import numpy as np
import pytest
from scipy.stats import norm

from dpviz.accounting import composed_curve
from dpviz.guarantees import sampled_top_level
from dpviz.risk import loss_exceeded_with, posterior_at_loss, posterior_of_claim


def bounds(*, rate=1.0, noise=2.0, steps=1):
    return sampled_top_level(bottom_rate=rate, top_rate=1.0, noise_multiplier=noise, steps=steps)


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
    curve = composed_curve(bounds(noise=noise, steps=steps).upper, at_delta=probability)
    exact = mu * norm.isf(probability) + mu**2 / 2.0
    loss = loss_exceeded_with(curve, probability)
    assert exact <= loss <= 1.25 * exact
    assert curve.quoted_epsilon_at(probability) < exact


def test_a_sampled_steps_loss_is_exceeded_less_often_under_either_distribution():
    rate, noise, probability = 0.1, 0.7, 1e-3
    curve = composed_curve(bounds(rate=rate, noise=noise).upper, at_delta=probability)
    loss = loss_exceeded_with(curve, probability)
    outcome = noise**2 / 2.0 * np.log(np.expm1(loss) / rate + 1.0) + 1.0
    absent = norm.sf(outcome, 0.0, noise)
    there = (1.0 - rate) * absent + rate * norm.sf(outcome, 2.0, noise)
    assert absent <= there <= probability


def test_what_is_no_probability_or_no_upper_bound_is_refused():
    curve = composed_curve(bounds(rate=0.5).upper)
    for probability in (0.0, -0.1, 1.5, float("nan")):
        with pytest.raises(ValueError, match="it must be from above 0 to 1"):
            loss_exceeded_with(curve, probability)
    with pytest.raises(ValueError, match="lower bound"):
        loss_exceeded_with(composed_curve(bounds(rate=0.5).lower), 0.1)
