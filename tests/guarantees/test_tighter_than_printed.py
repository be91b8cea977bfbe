"""What is shown lies below what is printed: E.1, F.1, F.2 and the Gaussian mechanism, one unit."""

import numpy as np
import pytest
from scipy.special import ndtr

from dpviz.accounting import composed_curve
from tests.accounting import exact_mixtures as exact
from tests.guarantees.test_identities import EPSILONS, coins, epoch, high, low, poisson_step, step

ROUNDING = 1e-14


@pytest.mark.parametrize(
    ("windows", "r", "rho", "sigma"),
    [(2, 0.1, 0.1, 1.0), (4, 0.5, 0.3, 2.0), (8, 0.01, 0.9, 1.0), (3, 0.999, 0.01, 5.0)],
)
def test_several_windows_are_more_private_than_printed(windows, r, rho, sigma):
    """Propositions 1 to 3: at no epsilon above, and at the largest one below by far."""
    shift = 2.0 * windows / sigma
    plain = ndtr(shift / 2 - EPSILONS / shift)
    plain -= np.exp(EPSILONS) * ndtr(-shift / 2 - EPSILONS / shift)
    for guarantee, rate in (
        (epoch(windows, r=r, sigma=sigma), 1.0),
        (step(windows, r=r, rho=rho, sigma=sigma), rho),
        (coins(windows, r=r, rho=rho, sigma=sigma), rho),
    ):
        printed = exact.thm_f_1(windows, r, rate, sigma)
        of_paper = np.array([float(printed.delta(epsilon)) for epsilon in EPSILONS])
        assert np.all(low(guarantee.upper) <= of_paper * (1 + ROUNDING))
        assert np.all(low(guarantee.upper) <= plain)
        assert high(guarantee.upper)[-1] < 0.97 * of_paper[-1]


@pytest.mark.parametrize(("k", "p", "rho", "at_most"), [(2, 0.1, 0.1, 0.7), (8, 0.01, 0.9, 0.9)])
@pytest.mark.parametrize("by_coins", [False, True])
def test_poisson_windows_are_more_private_than_printed(k, p, rho, at_most, by_coins):
    """Proposition 5: equal at 0, where a step without the series tells nothing."""
    upper = poisson_step(k, p, rho=rho, by_coins=by_coins).upper
    printed = exact.thm_f_2(k, p, rho, 1.0)
    of_paper = np.array([float(printed.delta(epsilon)) for epsilon in EPSILONS])
    assert np.all(low(upper) <= of_paper * (1 + ROUNDING))
    assert high(upper)[0] >= of_paper[0] * (1 - ROUNDING)
    assert high(upper)[3] < at_most * of_paper[3]


def test_large_rates_need_no_second_bound():
    """At lambda = 4, r = 0.8, sigma = 4, epsilon = 1: E.1 has 0.778, the Gaussian one 0.510."""
    assert float(exact.thm_f_1(4, 0.8, 1.0, 4.0).delta(1.0)) == pytest.approx(0.778, abs=1e-3)
    guarantee = epoch(4, r=0.8, sigma=4.0)
    at = np.array([1.0])
    assert composed_curve(guarantee.upper).delta_at(at).high[0] < 0.510


@pytest.mark.parametrize("windows", [1, 4])
@pytest.mark.parametrize(("r", "rho"), [(0.1, 0.1), (0.5, 0.3)])
def test_coins_are_more_private_than_a_fixed_number(windows, r, rho):
    """Half as far from a step without the series: less at every epsilon above 0."""
    settings = {"r": r, "rho": rho, "steps": 20}
    above, below = coins(windows, **settings).upper, step(windows, **settings).upper
    assert np.all(high(above)[1:] < low(below)[1:])
    fewer, more = (poisson_step(windows, r, rho=rho, by_coins=c).upper for c in (True, False))
    assert np.all(high(fewer)[1:4] < low(more)[1:4])
