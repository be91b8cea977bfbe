"""What is proven for one window must not be sold as a guarantee for an individual."""

from dataclasses import replace

import pytest

from dpviz.accounting import best_upper
from dpviz.guarantees import guarantee_for
from dpviz.planning.calibrate import QUANTITIES, Target, calibrated
from dpviz.scenario import PRESETS, ScenarioError

TOY = PRESETS["toy"].scenario
ONE_BAG = replace(TOY, sampling=replace(TOY.sampling, top_level="flat"))


@pytest.mark.parametrize("quantity", QUANTITIES)
def test_one_bag_meets_no_target(quantity):
    with pytest.raises(ScenarioError, match="no upper bound is proven for an individual"):
        calibrated(ONE_BAG, quantity, Target(epsilon=1.0, delta=1e-7))


def test_who_is_in_one_window_only_is_one_record_and_has_a_guarantee():
    lone = replace(ONE_BAG, data=replace(TOY.data, context_length=0))
    target = Target(epsilon=1.0, delta=1e-7)
    found = calibrated(lone, "noise_multiplier", target)
    assert best_upper(found).quoted_epsilon_at(1e-7) <= 1.0
    assert guarantee_for(found).upper.protects == ""


def test_the_upper_bound_of_one_bag_says_whom_it_protects():
    assert "one window" in guarantee_for(ONE_BAG).upper.protects


def test_noise_on_windows_counts_only_for_limited_changes():
    noisy = replace(TOY, noise=replace(TOY.noise, forecast_noise=1.0))
    assert "no value changes by more than v" in guarantee_for(noisy).upper.condition
    assert guarantee_for(TOY).upper.condition == ""
