"""Brackets hold the exact value wherever it is known by other means."""

import numpy as np
import pytest

from dpviz.accounting import composed_curve
from tests.accounting.exact import single_unit_delta
from tests.accounting.rows import both


@pytest.mark.every(5)
@pytest.mark.parametrize("interval", [None, 1e-2, 0.3])
@pytest.mark.parametrize("rate", [1e-9, 1e-4, 0.01, 0.3, 0.999])
@pytest.mark.parametrize("sigma", [0.1, 0.7, 4.0, 100.0])
def test_one_step_agrees_with_forty_digits(rate, sigma, interval):
    epsilons = np.array([0.0, 1e-4, 0.003, 0.02, 0.11, 0.5, 1.0, 3.7, 8.0, 40.0, 300.0])
    exact = np.array([float(single_unit_delta(rate, sigma, float(e))) for e in epsilons])
    for bound in both(rate, sigma, 1):
        brackets = composed_curve(bound, interval=interval).delta_at(epsilons)
        assert np.all(brackets.low <= exact * (1 + 1e-15))
        assert np.all(brackets.high >= exact * (1 - 1e-15))


def test_stated_value_of_the_toy_setting():
    """1000 steps at rate 0.01, sigma 1: 19.02618 on the interval 1e-3, truth 19.02612."""
    upper, lower = both(0.01, 1.0, 1000)
    on_grid = composed_curve(upper, interval=1e-3).epsilon_at(1e-7)
    assert on_grid.high == pytest.approx(19.02618, rel=1e-5)
    for interval in (1e-3, 3e-3, 1e-2, None):
        bracket = composed_curve(upper, interval=interval).epsilon_at(1e-7)
        assert bracket.low <= 19.026121
        assert bracket.high >= 19.026117
    attained = composed_curve(lower, interval=1e-3).epsilon_at(1e-7)
    assert attained.low == pytest.approx(17.53, abs=5e-3)
    # 17.53263 is the larger of two directions, rounded up: the truth lies below it.
    assert attained.low <= 17.53263


@pytest.mark.parametrize(
    ("epsilon", "attained", "mirrored"),
    [(0.0, 0.16936, 0.2305), (1.0, 0.0339, 0.0435), (4.0, 4.70e-4, 5.98e-4)],
)
def test_gap_between_attained_and_mirrored_composition(epsilon, attained, mirrored):
    """Rate 0.01, sigma 1, 100 steps, by an independent computation."""
    upper, lower = both(0.01, 1.0, 100)
    at = np.array([epsilon])
    assert composed_curve(upper, interval=1e-3).delta_at(at).high[0] == pytest.approx(
        mirrored, rel=2e-3
    )
    assert composed_curve(lower, interval=1e-3).delta_at(at).low[0] == pytest.approx(
        attained, rel=2e-3
    )
