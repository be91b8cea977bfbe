"""Both bags meet targets for an individual; and who is in one window only is one record."""

import pytest

from dpviz.accounting import best_upper
from dpviz.guarantees import guarantee_for
from dpviz.planning.calibrate import calibrated
from dpviz.planning.one_bag import bag_run, promise_run
from dpviz.planning.target import Target
from dpviz.scenario import PRESETS
from dpviz.scenario.mechanism import COINS, FIXED_NUMBER
from tests.scenario.changes import varied

TOY = PRESETS["toy"].scenario
TARGET = Target(epsilon=2.0, delta=1e-7)


@pytest.mark.parametrize("level", [FIXED_NUMBER, COINS])
@pytest.mark.parametrize("quantity", ["noise_multiplier", "steps", "batch_size"])
def test_one_bag_meets_a_target(level, quantity):
    noisy = varied(TOY, noise_multiplier=4.0)
    found = calibrated(bag_run(noisy, level), quantity, TARGET)
    assert found.sampling.bottom_level == level
    assert best_upper(found).quoted_epsilon_at(1e-7) <= 2.0


@pytest.mark.parametrize("level", [FIXED_NUMBER, COINS])
def test_who_is_in_one_window_only_is_one_record(level):
    lone = bag_run(varied(TOY, context_length=0), level)
    guarantee = guarantee_for(lone)
    assert guarantee.upper.pair == guarantee_for(promise_run(lone)).upper.pair
    assert guarantee.upper.theorem == ("C.1" if level == FIXED_NUMBER else "E.8")


def test_a_target_for_an_individual_costs_more_noise_than_one_for_a_window():
    bag = bag_run(TOY)
    noises = [
        calibrated(run, "noise_multiplier", TARGET).noise.noise_multiplier
        for run in (promise_run(bag), bag)
    ]
    assert noises[1] > 1.2 * noises[0]


def test_noise_on_windows_counts_only_for_limited_changes():
    noisy = varied(TOY, forecast_noise=1.0)
    assert "no value changes by more than v" in guarantee_for(noisy).upper.condition
    assert guarantee_for(TOY).upper.condition == ""
