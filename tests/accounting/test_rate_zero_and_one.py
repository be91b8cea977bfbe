"""The two ends of the rate, where the answer is known in closed form."""

import numpy as np
import pytest

from dpviz.accounting import composed_curve
from dpviz.guarantees import Bound, Composition, sampled_top_level
from tests.accounting.exact import gaussian_delta

SOME_EPSILONS = np.array([0.0, 1e-4, 0.1, 1.0, 10.0, 1e3])
# Places of the composed loss in standard deviations from its mean: delta from 1 to 1e-14.
DEVIATIONS = np.array([-6.0, -2.0, 0.0, 2.0, 5.0, 7.5])


def bound_of(composition: Composition, *, rate: float, sigma: float, steps: int) -> Bound:
    guarantee = sampled_top_level(
        bottom_rate=rate, top_rate=1.0, noise_multiplier=sigma, steps=steps
    )
    return guarantee.upper if composition is Composition.MIRRORED else guarantee.lower


def assert_holds_closed_form(curve, sigma, steps):
    mean = 2.0 * np.sqrt(steps) / sigma
    epsilons = np.append(mean**2 / 2 + DEVIATIONS * mean, SOME_EPSILONS)
    epsilons = epsilons[epsilons >= 0.0]
    brackets = curve.delta_at(epsilons)
    for epsilon, low, high in zip(epsilons, brackets.low, brackets.high, strict=True):
        assert low <= gaussian_delta(epsilon, sigma, steps) <= high


@pytest.mark.parametrize("composition", Composition)
@pytest.mark.parametrize("steps", [1, 1000, 10**7])
def test_untouched_data_cost_nothing(steps, composition):
    """At rate 0 both delta and epsilon are exactly 0."""
    curve = composed_curve(bound_of(composition, rate=0.0, sigma=1.0, steps=steps))
    brackets = curve.delta_at(SOME_EPSILONS)
    assert not brackets.low.any()
    assert not brackets.high.any()
    assert curve.epsilon_at(1e-15).high == 0.0


@pytest.mark.parametrize("composition", Composition)
@pytest.mark.parametrize("steps", [1, 2, 100, 10**4, 10**6])
@pytest.mark.parametrize("sigma", [0.1, 1.0, 4.0, 100.0])
def test_full_batches_are_the_gaussian_mechanism(sigma, steps, composition):
    """At rate 1 the bracket holds the closed form, to the last digit, and is narrow."""
    curve = composed_curve(bound_of(composition, rate=1.0, sigma=sigma, steps=steps))
    assert_holds_closed_form(curve, sigma, steps)
    assert curve.epsilon_at(1e-7).relative_gap < 1e-3


@pytest.mark.parametrize("composition", Composition)
@pytest.mark.parametrize("in_deviations", [0.05, 0.7, 3.0])
@pytest.mark.parametrize(("sigma", "steps"), [(0.1, 1), (0.1, 7), (1.0, 50), (30.0, 3000)])
def test_no_grid_misses_the_closed_form(sigma, steps, in_deviations, composition):
    """However coarse or fine the grid, up to many nats, the exact value is in the bracket."""
    bound = bound_of(composition, rate=1.0, sigma=sigma, steps=steps)
    curve = composed_curve(bound, interval=in_deviations * 2.0 / sigma)
    assert_holds_closed_form(curve, sigma, steps)


@pytest.mark.parametrize("delta", [0.5, 1e-3, 1e-7, 1e-15])
def test_epsilon_brackets_the_root_of_the_closed_form(delta):
    """Down to delta = 1e-15."""
    bound = bound_of(Composition.MIRRORED, rate=1.0, sigma=20.0, steps=400)
    bracket = composed_curve(bound).epsilon_at(delta)
    assert gaussian_delta(bracket.low, 20.0, 400) >= delta
    assert gaussian_delta(bracket.high, 20.0, 400) <= delta
