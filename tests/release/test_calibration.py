"""The noise of every mechanism for a budget, against the table of checked values."""

import math
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz.release import (
    ACCOUNTINGS,
    MECHANISMS,
    CircularFilter,
    ReleaseSettings,
    calibrated,
    calibrated_all,
)
from dpviz.release.gaussian import filtered_noise, log_failure_chance, subsampled_noise
from dpviz.scenario import ScenarioError
from tests.release.exact import exact_subsampled_delta

PAIRS = [(mechanism, one) for mechanism in MECHANISMS for one in ACCOUNTINGS[mechanism]]
# For (0.5, 1e-4), p = 0.1, a filter of width 10: checked against 2e7 Monte-Carlo draws.
TABLE = {
    (1800, 180): (116.6, 79.1, 54.0, 84.3, 26.1),
    (725, 72): (73.7, 50.0, 39.2, 52.4, 17.3),
    (2126, 212): (126.5, 85.8, 56.9, 91.7, 28.2),
    (10000, 100): (86.9, 58.9, 43.2, 64.6, 20.0),
}
COLUMNS = [
    ("gaussian", "classical"),
    ("gaussian", "analytic"),
    ("subsample", "paper"),
    ("filter-subsample", "paper"),
    ("subsample", "exact"),
]


@pytest.mark.parametrize("row", TABLE)
def test_noise_of_the_checked_table_in_which_the_filter_is_free(row):
    planned = ReleaseSettings(length=row[0], participation=row[1])
    for column, expected in zip(COLUMNS, TABLE[row], strict=True):
        assert calibrated(planned, *column).noise == pytest.approx(expected, abs=0.055)
    filtered = calibrated(planned, "filter-subsample", "exact")
    assert filtered.is_filter_free
    assert filtered.noise == pytest.approx(calibrated(planned, "subsample", "exact").noise)


def test_stable_rank_and_largest_row_of_the_paper():
    filter_ = CircularFilter(10_000, 10.0)
    assert filter_.stable_rank == pytest.approx(282, abs=0.5)
    assert filter_.largest_row == pytest.approx(0.0282, abs=5e-5)


def test_the_failure_of_theorem_4_falls_with_alpha_and_rises_with_the_rate():
    """As figure 2 of the paper's appendix shows."""
    filter_ = CircularFilter(10_000, 10.0)
    row, rank = filter_.largest_row, filter_.stable_rank

    def logs(rate):
        return [log_failure_chance(a * a, rate, row, rank) for a in (0.6, 0.7, 0.8, 0.9, 1.0)]

    for rate in (0.05, 0.1, 0.2):
        assert logs(rate) == sorted(logs(rate), reverse=True)
    assert all(a < b < c for a, b, c in zip(logs(0.05), logs(0.1), logs(0.2), strict=True))


@pytest.mark.every(4)
@pytest.mark.parametrize("participation", [1, 2, 5, 40, 180])
@pytest.mark.parametrize("rate", [0.01, 0.1, 0.5, 1.0])
@pytest.mark.parametrize("epsilon", [0.01, 0.3, 0.99])
def test_the_papers_noise_is_enough_by_the_exact_delta(participation, rate, epsilon):
    """By 60 digits: the corrected corollary holds; with the print's exponent it would not be one.

    The same noise without a filter is judged here; a filter has the tangent's bound.
    """
    for delta in (1e-9, 1e-4):
        noise = subsampled_noise(epsilon, delta, participation, rate)
        assert exact_subsampled_delta(epsilon, participation, rate, noise) <= delta


@settings(max_examples=25)
@given(
    participation=st.integers(1, 40),
    rate=st.floats(0.05, 0.95),
    epsilon=st.floats(0.01, 4.0),
    exponent=st.floats(-12.0, -2.5),
)
def test_the_exact_noise_keeps_to_its_delta_and_hardly_more(participation, rate, epsilon, exponent):
    delta = 10.0**exponent
    planned = ReleaseSettings(
        length=100, participation=participation, rate=rate, epsilon=epsilon, delta=delta
    )
    noise = calibrated(planned, "subsample", "exact").noise
    assert exact_subsampled_delta(epsilon, participation, rate, noise) <= delta
    assert exact_subsampled_delta(epsilon, participation, rate, 0.999 * noise) > delta * 0.9


@pytest.mark.parametrize("epsilon", [0.001, 0.5, 0.99, 3.0, 100.0])
@pytest.mark.parametrize("delta", [1e-12, 1e-5, 1e-2])
@pytest.mark.parametrize("participation", [1, 30, 1000])
def test_every_noise_keeps_to_the_budget_that_is_known_best(epsilon, delta, participation):
    planned = ReleaseSettings(
        length=1000, participation=participation, epsilon=epsilon, delta=delta
    )
    known = calibrated_all(planned)
    assert {one.accounting for one in known} >= {"analytic", "exact"}
    for one in known:
        assert one.delta_at(epsilon) <= delta
        assert one.epsilon_at(participation) <= epsilon * (1 + 1e-6)
        if (one.mechanism, one.accounting) != ("filter-subsample", "paper"):
            assert one.delta_at(epsilon * (1 - 1e-12)) <= delta * (1 + 1e-6)


@pytest.mark.parametrize(("mechanism", "accounting"), PAIRS)
def test_who_takes_part_more_often_has_a_larger_epsilon(mechanism, accounting):
    """Proposition 1's c: epsilon grows, and not by more than c at the same delta here."""
    planned = ReleaseSettings(length=10_000, participation=100)
    one = calibrated(planned, mechanism, accounting)
    epsilons = [one.epsilon_at(100 * c) for c in (1, 2, 4)]
    assert epsilons == sorted(epsilons)
    assert epsilons[-1] < 16 * epsilons[0]


@pytest.mark.parametrize(("mechanism", "accounting"), PAIRS)
def test_delta_falls_from_the_planned_one_on(mechanism, accounting):
    """Where a theorem's noise is generous, what is told is the smaller delta that it has."""
    planned = ReleaseSettings(length=500, participation=50)
    plan = calibrated(planned, mechanism, accounting)
    deltas = [plan.delta_at(factor * planned.epsilon) for factor in (0.5, 1.0, 1.01, 2.0)]
    assert all(one > next_one for one, next_one in pairwise(deltas))
    assert deltas[1] <= planned.delta


def test_a_filter_as_wide_as_the_series_falls_back_to_the_gaussian_mechanism():
    """Theorem 4 says nothing where p + L_r is 1: then all steps move by sqrt(I) at most."""
    filter_ = CircularFilter(5, 0.01)
    noise = filtered_noise(0.5, 1e-4, 4, 0.5, filter_)
    plain = calibrated(ReleaseSettings(length=5, participation=4), "gaussian", "classical").noise
    assert noise == pytest.approx(plain)


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("participation", 0, "from 1 to 100"),
        ("participation", 101, "from 1 to 100"),
        ("epsilon", 0.0, "from 0.0001 to 1000"),
        ("epsilon", math.nan, "from 0.0001 to 1000"),
        ("delta", 0.0, "from 1e-15 to 0.5"),
        ("delta", 0.9, "from 1e-15 to 0.5"),
        ("rate", 0.0, "from 1e-06 to 1"),
        ("rate", 1.1, "from 1e-06 to 1"),
        ("filter_width", -1.0, "from 0.01"),
        ("coefficients", 0, "from 1 to 100"),
        ("coefficients", 101, "from 1 to 100"),
        ("times_per_step", 0, "whole number from 1 to 10,000"),
        ("times_per_step", 1.5, "whole number from 1 to 10,000"),
        ("times_per_step", 10_001, "whole number from 1 to 10,000"),
    ],
)
def test_values_out_of_range_are_refused_by_name(field, value, told):
    with pytest.raises(ScenarioError, match=told) as refused:
        ReleaseSettings(**{"length": 100, "participation": 10, field: value})
    assert refused.value.field == field


@pytest.mark.parametrize(
    ("mechanism", "accounting"),
    [("gaussian", "exact"), ("dft", "classical"), ("subsample", "analytic")],
)
def test_combinations_without_a_theorem_are_refused(mechanism, accounting):
    planned = ReleaseSettings(length=100, participation=10)
    with pytest.raises(ScenarioError, match=f"for {mechanism} it must be one of"):
        calibrated(planned, mechanism, accounting)


@pytest.mark.parametrize("accounting", ["paper", "exact"])
@pytest.mark.parametrize("mechanism", ["subsample", "filter-subsample"])
def test_a_delta_that_needs_no_noise_is_refused(mechanism, accounting):
    """Else a few individuals' steps would be published as they are."""
    planned = ReleaseSettings(length=100, participation=1, rate=0.01, delta=0.02)
    with pytest.raises(ScenarioError, match=r"delta = 0.02 is not allowed: it must be less than"):
        calibrated(planned, mechanism, accounting)
    planned = replace(planned, rate=0.01236, delta=0.01237)
    with pytest.raises(ScenarioError, match=r"it must be less than 0.0123, the chance"):
        calibrated(planned, mechanism, accounting)
    assert calibrated(planned, "dft", "paper").noise > 0  # which publishes no step as it is


def test_a_budget_that_is_shared_is_refused_as_it_was_given():
    planned = ReleaseSettings(length=100, participation=10, epsilon=2.0)
    assert calibrated(replace(planned, epsilon=1.9), "dft", "paper")
    with pytest.raises(ScenarioError, match=r"epsilon = 2\.0 .* below 2 only, shared by 2 parts"):
        calibrated(planned, "dft", "paper")


@pytest.mark.parametrize("mechanism", ["subsample", "filter-subsample"])
def test_the_papers_bounds_refuse_an_epsilon_whose_exponential_is_no_double(mechanism):
    planned = ReleaseSettings(length=100, participation=10, epsilon=1000.0)
    with pytest.raises(ScenarioError, match="below 1 only"):
        calibrated(planned, mechanism, "paper")
    assert calibrated_all(planned)
