"""How far above the exact values the noise and the epsilon of hidden contexts are."""

from collections.abc import Callable

import mpmath
import pytest

from dpviz.private_inference.noise import epsilon_of, exact_noise
from dpviz.private_inference.plan import HidingPlan
from dpviz.wording.private_inference import what_has_to_hold

# As the page says: 0.001 %.
TOLD = 1e-5
_DIGITS = 40


def exact_delta(epsilon: mpmath.mpf, plan: HidingPlan, noise: mpmath.mpf) -> mpmath.mpf:
    """Return the mean, over how many changed values are kept, of the Gaussian mechanism's delta."""
    total = mpmath.mpf(0)
    rate = mpmath.mpf(plan.rate)
    for kept in range(1, plan.readings + 1):
        distance = mpmath.sqrt(kept) * plan.max_change / noise
        delta = mpmath.ncdf(distance / 2 - epsilon / distance) - mpmath.exp(epsilon) * mpmath.ncdf(
            -distance / 2 - epsilon / distance
        )
        chance = mpmath.binomial(plan.readings, kept) * rate**kept
        total += chance * (1 - rate) ** (plan.readings - kept) * delta
    return total


def is_at_least_and_close(shown: float, keeps: Callable[[mpmath.mpf], bool]) -> bool:
    """Return whether a number keeps to the budget, and one that is smaller by 0.001 % does not."""
    return keeps(mpmath.mpf(shown)) and not keeps(mpmath.mpf(shown) * (1 - TOLD))


@pytest.mark.parametrize(("epsilon", "delta"), [(0.01, 1e-4), (2.0, 1e-10), (8.0, 1e-2)])
@pytest.mark.parametrize(("rate", "width"), [(0.1, 4), (0.5, 1), (1.0, 2)])
def test_noise_and_epsilon_are_within_what_the_page_says_of_the_exact_ones(
    epsilon: float, delta: float, rate: float, width: int
) -> None:
    """Never below, by 40-digit arithmetic from the closed form; and at most 0.001 % above."""
    plan = HidingPlan(
        context_length=8, rate=rate, max_change=10.0, epsilon=epsilon, delta=delta, width=width
    )
    assert "at most 0.001 % below" in what_has_to_hold(plan)
    noise = exact_noise(plan).noise
    assert noise is not None
    with mpmath.workdps(_DIGITS):
        budget, most = mpmath.mpf(epsilon), mpmath.mpf(delta)
        assert is_at_least_and_close(noise, lambda one: exact_delta(budget, plan, one) <= most)
        at_noise = mpmath.mpf(noise)
        assert is_at_least_and_close(
            epsilon_of(plan, noise), lambda one: exact_delta(one, plan, at_noise) <= most
        )
