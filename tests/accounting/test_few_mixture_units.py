"""Two and three units of mixtures against direct quadrature of E (1 - e^(eps - L))+."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom

from dpviz.accounting import composed_curve
from dpviz.guarantees import in_one_direction, sampled_top_level
from dpviz.guarantees.poisson import poisson_deterministic, poisson_sampled
from dpviz.guarantees.weights import binomial_law
from dpviz.guarantees.with_replacement import touched_mixture
from tests.accounting.divergences import masses

EPSILONS = np.array([0.0, 0.2, 1.0, 3.0])
QUADRATURE_ERROR = 2e-6
LARGEST_GAP = 5e-3


def law_of_loss(first, second, sigma):
    """Return losses ln(first / second) and what they weigh under first, on a fine grid."""
    p, q = masses(first, second, sigma, step=2e-4)
    return np.log(p / q), p


def mirrored_law(first, second, sigma, share):
    """Return the law of the pair whose profile is share * H at orders above 1, mirrored below."""
    losses, weights = law_of_loss(first, second, sigma)
    above = losses > 0
    losses, weights = losses[above], share * weights[above]
    mirror = weights * np.exp(-losses)
    centre = 1 - weights.sum() - mirror.sum()
    return np.concatenate([losses, -losses, [0.0]]), np.concatenate([weights, mirror, [centre]])


def two_units(losses, weights, epsilon):
    """Return E (1 - e^(epsilon - L1 - L2))+; suffix sums do the inner mean for every L1."""
    order = np.argsort(losses)
    losses, weights = losses[order], weights[order]
    mass_above = np.append(np.cumsum(weights[::-1])[::-1], 0.0)
    shrunk = np.append(np.cumsum((weights * np.exp(-losses))[::-1])[::-1], 0.0)
    start = np.searchsorted(losses, epsilon - losses, side="right")
    inner = mass_above[start] - np.exp(epsilon - losses) * shrunk[start]
    return float(np.sum(weights * inner))


def assert_brackets(bound, right):
    spread_of_grid = composed_curve(bound).interval
    for interval in (spread_of_grid / 4, spread_of_grid, 8 * spread_of_grid):
        brackets = composed_curve(bound, interval=interval).delta_at(EPSILONS)
        assert np.all(brackets.low <= np.multiply(right, 1 + QUADRATURE_ERROR))
        assert np.all(brackets.high >= np.multiply(right, 1 - QUADRATURE_ERROR))
        if interval < spread_of_grid:
            assert np.all(brackets.high - brackets.low <= LARGEST_GAP * right[0])


def binomial(trials, p, step, rate=1.0):
    means = step * np.arange(trials + 1)
    weights = rate * binom.pmf(np.arange(trials + 1), trials, p)
    weights[0] += 1 - rate
    return means, weights


ZERO = (np.zeros(1), np.ones(1))


@pytest.mark.every(3)
@pytest.mark.parametrize(("k", "p", "sigma"), [(2, 0.1, 1.0), (5, 0.4, 2.0), (8, 0.01, 0.5)])
def test_two_epochs_of_poisson_windows(k, p, sigma):
    """E.8, tight: both curves bracket the composition of the attained pair."""
    guarantee = poisson_deterministic(touched=[(k, p)], noise_multiplier=sigma, epochs=2)
    law = law_of_loss(binomial(k, p, -1), binomial(k, p, 1), sigma)
    right = [two_units(*law, epsilon) for epsilon in EPSILONS]
    assert_brackets(guarantee.upper, right)
    assert_brackets(guarantee.lower, right)


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
    directions = (law_of_loss(attained, ZERO, sigma), law_of_loss(ZERO, attained, sigma))
    right = [max(two_units(*law, epsilon) for law in directions) for epsilon in EPSILONS]
    assert_brackets(in_one_direction(guarantee.lower), right)
    law = mirrored_law(binomial(windows, r, 2), binomial(windows, r, -2), sigma, rho)
    printed = [two_units(*law, epsilon) for epsilon in EPSILONS]
    pair = touched_mixture(binomial_law(windows, r), sigma / 2, reflected=True)
    assert_brackets(replace(guarantee.upper, theorem="F.1", pair=pair, share=rho), printed)
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
    law = mirrored_law(binomial(k, p, 1), binomial(k, p, -1), sigma, rho)
    assert_brackets(guarantee.upper, [two_units(*law, epsilon) for epsilon in EPSILONS])
    law = law_of_loss(binomial(k, p, 1, rho), binomial(k, p, -1, rho), sigma)
    assert_brackets(guarantee.lower, [two_units(*law, epsilon) for epsilon in EPSILONS])
