"""Two units of every kind against quadrature of E (1 - e^(epsilon - L1 - L2))+, on any grid."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom

from dpviz.accounting import composed_curve
from dpviz.guarantees import in_one_direction, sampled_top_level
from dpviz.guarantees.poisson import poisson_deterministic, poisson_sampled
from dpviz.guarantees.weights import binomial_law
from dpviz.guarantees.with_replacement import touched_mixture
from tests.accounting.divergences import delta_of_two, law_of_loss, mirrored_law
from tests.accounting.rows import both

EPSILONS = np.array([0.0, 0.2, 1.0, 3.0])
QUADRATURE_ERROR = 2e-6
LARGEST_GAP = 5e-3
ZERO = (np.zeros(1), np.ones(1))


def assert_brackets(bound, *laws):
    """Check that the larger delta of two units with one of these laws is in all brackets."""
    right = [max(delta_of_two(law, law, epsilon) for law in laws) for epsilon in EPSILONS]
    interval_of_grid = composed_curve(bound).interval
    for interval in (interval_of_grid / 4, interval_of_grid, 8 * interval_of_grid):
        brackets = composed_curve(bound, interval=interval).delta_at(EPSILONS)
        assert np.all(brackets.low <= np.multiply(right, 1 + QUADRATURE_ERROR))
        assert np.all(brackets.high >= np.multiply(right, 1 - QUADRATURE_ERROR))
        if interval < interval_of_grid:
            assert np.all(brackets.high - brackets.low <= LARGEST_GAP * right[0])
    return right


def binomial(trials, p, step, rate=1.0):
    means = step * np.arange(trials + 1)
    weights = rate * binom.pmf(np.arange(trials + 1), trials, p)
    weights[0] += 1 - rate
    return means, weights


def both_directions(first, second, sigma):
    return law_of_loss(first, second, sigma), law_of_loss(second, first, sigma)


@pytest.mark.every(3)
@pytest.mark.parametrize(("rate", "sigma"), [(0.01, 1.0), (0.3, 0.6), (0.9, 2.0), (0.002, 4.0)])
def test_two_steps_of_one_window(rate, sigma):
    """4.4: mirrored from above, the larger direction from below."""
    upper, lower = both(rate, sigma, 2)
    touched = binomial(1, rate, 2)
    assert_brackets(upper, mirrored_law(touched, ZERO, sigma))
    assert_brackets(lower, *both_directions(touched, ZERO, sigma))


@pytest.mark.every(3)
@pytest.mark.parametrize(("k", "p", "sigma"), [(2, 0.1, 1.0), (5, 0.4, 2.0), (8, 0.01, 0.5)])
def test_two_epochs_of_poisson_windows(k, p, sigma):
    """E.8, tight: both curves bracket the composition of the attained pair."""
    guarantee = poisson_deterministic(touched=[(k, p)], noise_multiplier=sigma, epochs=2)
    law = law_of_loss(binomial(k, p, -1), binomial(k, p, 1), sigma)
    assert_brackets(guarantee.upper, law)
    assert_brackets(guarantee.lower, law)


@pytest.mark.every(3)
@pytest.mark.parametrize(
    ("windows", "r", "rho", "sigma"),
    [(2, 0.1, 0.3, 1.0), (4, 0.5, 0.5, 2.0), (3, 0.3, 0.05, 0.7), (4, 0.01, 0.02, 0.7)],
)
def test_two_steps_of_several_windows(windows, r, rho, sigma):
    """F.7: the larger direction. F.1 as printed: mirrored, its profile rho times that of E.1."""
    guarantee = sampled_top_level(
        bottom_rate=r, top_rate=rho, noise_multiplier=sigma, steps=2, subsequences=windows
    )
    attained = binomial(windows, r, 2, rho)
    lower = in_one_direction(guarantee.lower)
    right = assert_brackets(lower, *both_directions(attained, ZERO, sigma))
    law = mirrored_law(binomial(windows, r, 2), binomial(windows, r, -2), sigma, rho)
    pair = touched_mixture(binomial_law(windows, r), sigma / 2, reflected=True)
    of_f_1 = replace(guarantee.upper, theorem="F.1", pair=pair, share=rho)
    printed = assert_brackets(of_f_1, law)
    # Proposition 2 is never above F.1, and below it by far.
    shown = composed_curve(guarantee.upper).delta_at(EPSILONS)
    assert np.all(shown.high >= np.multiply(right, 1 - QUADRATURE_ERROR))
    assert np.all(shown.high < printed)


@pytest.mark.every(3)
@pytest.mark.parametrize(("k", "p", "rho", "sigma"), [(2, 0.2, 0.1, 1.0), (6, 0.3, 0.5, 2.0)])
def test_two_steps_of_poisson_windows(k, p, rho, sigma):
    """F.2 and F.8: both are symmetric, one shares the profile, the other mixes the outputs."""
    guarantee = poisson_sampled(
        touched=[(k, 2 * k, p)], top_rate=rho, noise_multiplier=sigma, steps=2, is_one_length=False
    )
    assert_brackets(
        guarantee.upper, mirrored_law(binomial(k, p, 1), binomial(k, p, -1), sigma, rho)
    )
    law = law_of_loss(binomial(k, p, 1, rho), binomial(k, p, -1, rho), sigma)
    assert_brackets(guarantee.lower, law)
