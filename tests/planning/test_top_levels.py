"""Comparing the two top-level schemes of one run."""

from dataclasses import replace

import numpy as np
import pytest

from dpviz.accounting import account_for
from dpviz.guarantees import Kind
from dpviz.planning import compare_top_levels
from dpviz.scenario import PRESETS
from dpviz.wording.findings import chart_title, headline

TOY = PRESETS["toy"].scenario


@pytest.fixture(scope="module")
def toy():
    return compare_top_levels(TOY)


def test_both_schemes_have_the_accountants_own_numbers(toy):
    for curves in toy.schemes:
        sampling = replace(TOY.sampling, top_level=curves.top_level)
        account = account_for(replace(TOY, sampling=sampling))
        assert curves.epsilon_upper == account.upper.quoted_epsilon_at(TOY.delta)
        assert account.lower is not None
        assert curves.epsilon_lower == account.lower.quoted_epsilon_at(TOY.delta)
        assert np.array_equal(curves.upper.delta_high, account.upper.delta_at(toy.epsilon).high)


def test_curves_cover_epsilon_zero_and_round_numbers(toy):
    assert toy.epsilon[0] == 0.0
    assert np.all(np.diff(toy.epsilon) > 0)
    assert {0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0} <= set(toy.epsilon)


def test_upper_bounds_lie_above_lower_bounds_and_all_fall(toy):
    for curves in toy.schemes:
        assert np.all(curves.lower.delta_low <= curves.upper.delta_high)
        for bound in (curves.upper, curves.lower):
            assert np.all(bound.delta_low <= bound.delta_high)
            assert np.all(np.diff(bound.delta_high) <= 0)
            assert np.all(np.diff(bound.delta_low) <= 0)


def test_title_claims_an_order_only_where_it_is_proven(toy):
    sampled, walked = toy.schemes
    assert sampled.epsilon_upper < walked.epsilon_lower
    assert chart_title(toy).startswith("Drawing series at random is more private")
    solar = compare_top_levels(PRESETS["solar_10_minutes"].scenario)
    sampled, walked = solar.schemes
    assert sampled.epsilon_upper > walked.epsilon_lower  # the bands overlap
    assert chart_title(solar).startswith("Neither")


def test_one_deterministic_epoch_wins_in_the_tail_at_high_rates():
    """The paper's "in all cases" fails after one epoch, and the title says so."""
    scenario = replace(
        TOY.with_rates(bottom_rate=0.5, top_rate=0.5), training=replace(TOY.training, count=10)
    )
    scenario = replace(scenario, data=replace(scenario.data, steps_per_epoch=2))
    scenario = replace(scenario, training=replace(scenario.training, count=2))
    assert chart_title(compare_top_levels(scenario)).startswith("Walking through")


def test_both_directions_alike_are_tight_after_any_number_of_steps():
    """At rate 1 the mirrored pair is the attained one: two Gaussians."""
    certain = compare_top_levels(TOY.with_rates(bottom_rate=1.0, top_rate=1.0))
    assert "The bound itself is tight" in headline(certain)
    for curves in certain.schemes:
        assert curves.upper.bound.kind_after_composition is Kind.TIGHT
        assert curves.lower.epsilon.low <= curves.upper.epsilon.high


def test_single_step_is_called_tight():
    one = replace(TOY, training=replace(TOY.training, count=1))
    assert "The bound itself is tight: some model attains it" in headline(compare_top_levels(one))
