"""What a change of errors tells of series that were not looked at."""

import numpy as np
import pytest

from dpviz.protected_forecasts.study import error_change

RNG = np.random.default_rng


def test_change_by_hand():
    """Means 2 and 3, residuals -0.5, 0 and 0.5 of a ratio of 1.5, and Student's 4.3027."""
    found = error_change(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 5.0]))
    assert found.share == pytest.approx(0.5)
    reach = 4.302653 * (0.5 / 2.0 / 3.0) ** 0.5 / 2.0
    assert (found.low, found.high) == pytest.approx((0.5 - reach, 0.5 + reach))
    assert not found.is_told


def test_what_cannot_be_told_is_none():
    few = np.array([1.0, 2.0])
    assert error_change(few, few) is None
    assert error_change(np.array([1.0, 2.0, np.nan]), np.ones(3)) is None
    assert error_change(np.zeros(5), np.ones(5)) is None


@pytest.mark.parametrize("count", [8, 40])
def test_range_has_the_true_change_about_as_often_as_it_says(count):
    """Errors of two forecasts as they are here: exponential, correlated; truly 10 % larger."""
    rng, hits, runs = RNG(1), 0, 1000
    for _ in range(runs):
        before = rng.exponential(1.0, count)
        after = 1.1 * (0.5 * before + 0.5 * rng.exponential(1.0, count))
        found = error_change(before, after)
        hits += found.low <= 0.1 <= found.high
    assert 0.87 < hits / runs < 0.98


def test_nothing_is_often_told_by_chance_alone():
    """Two forecasts that are equally good: where it says a twentieth, it is an eighth at most."""
    rng, told, runs = RNG(2), 0, 1000
    for _ in range(runs):
        found = error_change(*rng.exponential(1.0, (2, 8)))
        told += found.is_told
    assert told / runs < 0.125
