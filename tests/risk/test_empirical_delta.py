"""Exact limits hold as often as they say, and rest on no approximation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest, multinomial

from dpviz.risk.empirical_delta import CoupledCounts, exact_limits

ERROR = 0.05


def ordered_range(*, epsilon, error, right_only, **counts):
    """Return the range where the event never holds for the second output alone."""
    wrong_only, is_ordered = np.zeros_like(right_only), np.array(True)
    of_events = CoupledCounts(
        right_only=right_only, wrong_only=wrong_only, is_ordered=is_ordered, **counts
    )
    return of_events.delta(epsilon, error)


@pytest.mark.parametrize("runs", [1, 7, 40])
def test_limits_hold_with_the_stated_probability_whatever_the_truth(runs):
    """Counted over all outcomes, not drawn: on each side at most the error that was asked for."""
    outcomes = np.arange(runs + 1)
    low, high = exact_limits(outcomes, runs, ERROR)
    for truth in np.linspace(0.0, 1.0, 101):
        chances = binom.pmf(outcomes, runs, truth)
        assert chances[low > truth].sum() <= ERROR + 1e-12
        assert chances[high < truth].sum() <= ERROR + 1e-12


def test_limits_are_those_of_scipy():
    low, high = exact_limits(np.arange(21), 20, ERROR / 2)
    for successes in range(21):
        known = binomtest(successes, 20).proportion_ci(1.0 - ERROR, method="exact")
        assert (low[successes], high[successes]) == pytest.approx((known.low, known.high))


@given(
    st.integers(1, 10**6).flatmap(
        lambda runs: st.tuples(
            st.just(runs), st.integers(0, runs).flatmap(
                lambda right: st.tuples(st.just(right), st.integers(0, runs - right))
            )
        )
    ),
    st.floats(0.0, 50.0),
)  # fmt: skip
def test_any_counts_give_a_range_around_the_estimate(counted, epsilon):
    runs, (right_only, wrong) = counted
    found = ordered_range(
        runs=runs,
        right_only=np.array([right_only]),
        wrong=np.array([wrong]),
        epsilon=np.array([epsilon]),
        error=ERROR,
    )
    low, high = float(found.low[0]), float(found.high[0])
    assert 0.0 <= low <= high <= 1.0
    assert low <= max(float(found.estimate[0]), 0.0) + 1e-12
    assert high >= float(found.estimate[0]) - 1e-12


def test_one_delta_is_in_its_range_as_often_as_promised():
    """Every outcome of 12 coupled runs, with its probability: the range fails rarely enough."""
    runs, epsilon, only, wrong = 12, 0.7, 0.3, 0.2
    truth = only - np.expm1(epsilon) * wrong
    failed = 0.0
    for right_only in range(runs + 1):
        for wrongs in range(runs + 1 - right_only):
            found = ordered_range(
                runs=runs,
                right_only=np.array([right_only]),
                wrong=np.array([wrongs]),
                epsilon=np.array([epsilon]),
                error=0.4,
            )
            if not found.low[0] <= truth <= found.high[0]:
                rest = binom.pmf(wrongs, runs - right_only, wrong / (1.0 - only))
                failed += binom.pmf(right_only, runs, only) * rest
    assert 0.0 < failed <= 0.4


def test_events_of_the_second_output_alone_count_as_often_as_promised():
    """Every outcome of eight runs of four kinds: only right, only wrong, both, neither."""
    runs, epsilon, chances = 8, 0.4, (0.3, 0.15, 0.2, 0.35)
    truth = chances[0] - chances[1] - np.expm1(epsilon) * (chances[1] + chances[2])
    failed = 0.0
    for right_only in range(runs + 1):
        for wrong_only in range(runs + 1 - right_only):
            for both in range(runs + 1 - right_only - wrong_only):
                counts = CoupledCounts(
                    runs=runs,
                    right_only=np.array([right_only]),
                    wrong_only=np.array([wrong_only]),
                    wrong=np.array([wrong_only + both]),
                    is_ordered=np.array([False]),
                )
                found = counts.delta(np.array([epsilon]), 0.6)
                rest = runs - right_only - wrong_only - both
                # Ranges are cut to [0, 1].
                if not found.low[0] <= max(truth, 0.0) <= found.high[0]:
                    failed += multinomial.pmf((right_only, wrong_only, both, rest), runs, chances)
    assert 0.0 < failed <= 0.6


def test_many_ranges_together_are_wider_than_one():
    one = ordered_range(
        runs=100, right_only=np.array([30]), wrong=np.array([5]), epsilon=np.array([0.1]),
        error=ERROR,
    )  # fmt: skip
    many = ordered_range(
        runs=100, right_only=np.full(50, 30), wrong=np.full(50, 5), epsilon=np.full(50, 0.1),
        error=ERROR,
    )  # fmt: skip
    assert many.low[0] < one.low[0] < one.high[0] < many.high[0]
