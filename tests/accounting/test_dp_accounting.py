"""Agreement with Google's dp-accounting, fed with the same profile."""

import math

import numpy as np
import pytest
from dp_accounting.pld import pld_pmf, privacy_loss_distribution
from scipy.special import ndtr

from dpviz.accounting import composed_curve
from dpviz.guarantees import sampled_top_level

INTERVAL = 1e-3
# Their builder takes second differences of delta, with about 1e-16 / interval of noise in each
# mass; after 1000 compositions that is far below 1e-5 of epsilon at 1e-7.
AGREEMENT = 1e-5


def mirrored_profile(rate: float, sigma: float, epsilon: np.ndarray) -> np.ndarray:
    """Return H(e^epsilon) for epsilon of either sign: 1 - alpha + alpha H(1 / alpha) below 0."""
    size = np.abs(epsilon)
    x = sigma**2 / 2 * np.log1p(np.expm1(size) / rate) + 1
    base, shifted = ndtr(-x / sigma), ndtr((2 - x) / sigma)
    h = (1 - rate) * base + rate * shifted - np.exp(size) * base
    return np.where(epsilon >= 0, h, -np.expm1(epsilon) + np.exp(epsilon) * h)


def theirs(rate: float, sigma: float, steps: int) -> privacy_loss_distribution:
    largest = math.ceil(40 / INTERVAL)
    indices = np.arange(-largest, largest + 1)
    deltas = mirrored_profile(rate, sigma, indices * INTERVAL)
    deltas = np.minimum.accumulate(np.maximum(deltas, 0.0))
    pmf = pld_pmf.create_pmf_pessimistic_connect_dots_fixed_gap(INTERVAL, -largest, largest, deltas)
    return privacy_loss_distribution.PrivacyLossDistribution(pmf).self_compose(steps)


@pytest.mark.parametrize(
    ("rate", "sigma", "steps"), [(0.01, 1.0, 1), (0.01, 1.0, 1000), (0.2, 2.0, 100), (0.9, 4.0, 10)]
)
def test_mirrored_composition_agrees(rate, sigma, steps):
    """The upper bound, on the same grid: two programs, one number."""
    bound = sampled_top_level(
        bottom_rate=rate, top_rate=1.0, noise_multiplier=sigma, steps=steps
    ).upper
    ours = composed_curve(bound, interval=INTERVAL)
    other = theirs(rate, sigma, steps)
    epsilon = other.get_epsilon_for_delta(1e-7)
    assert ours.quoted_epsilon_at(1e-7) == pytest.approx(epsilon, rel=AGREEMENT)
    epsilons = np.array([0.0, 0.5, 1.0, 2.0])
    deltas = np.array(other.get_delta_for_epsilon(epsilons.tolist()))
    assert ours.delta_at(epsilons).high == pytest.approx(deltas, rel=1e-4, abs=1e-11)
    # Theirs is an upper bound too: our certified lower end may not exceed it.
    assert np.all(ours.delta_at(epsilons).low <= deltas * (1 + 1e-9) + 1e-11)


@pytest.mark.parametrize(
    ("rate", "sigma", "steps"),
    [pytest.param(0.01, 1.0, 100, marks=pytest.mark.slow), (0.3, 3.0, 20)],
)
def test_directions_agree_with_their_mixture_mechanism(rate, sigma, steps):
    """The attained bound: theirs is rounded up, so our lower end lies just below it."""
    bound = sampled_top_level(
        bottom_rate=rate, top_rate=1.0, noise_multiplier=sigma, steps=steps
    ).lower
    ours = composed_curve(bound, interval=INTERVAL).epsilon_at(1e-7)
    other = privacy_loss_distribution.from_mixture_gaussian_mechanism(
        sigma,
        sensitivities=[0.0, 2.0],
        sampling_probs=[1 - rate, rate],
        value_discretization_interval=INTERVAL,
    ).self_compose(steps)
    epsilon = other.get_epsilon_for_delta(1e-7)
    assert ours.low <= epsilon * (1 + 1e-9)
    assert ours.low == pytest.approx(epsilon, rel=1e-3)
