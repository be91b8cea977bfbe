"""How long each of several runs stays within one budget."""

from dataclasses import replace

from dpviz.planning.budget import used_up
from dpviz.scenario import PRESETS, Noise, Training
from dpviz.wording.budget import lasting_table

TOY = PRESETS["toy"].scenario
EPOCHS = replace(TOY, training=Training(unit="epochs", count=100))
QUIET = replace(TOY.with_rates(bottom_rate=1e-3, top_rate=1e-2), noise=Noise(noise_multiplier=10.0))
BAG = replace(TOY, sampling=replace(TOY.sampling, top_level="flat"))


def cell(scenario, target: float) -> str:
    _, _, row = lasting_table([("now", used_up(scenario, target))]).splitlines()
    return row.split("|")[2].strip()


def test_each_run_has_the_longest_training_that_is_proven_in_its_own_unit():
    rows = lasting_table([("now", used_up(TOY, 10.0)), ("pin A", used_up(EPOCHS, 10.0))])
    assert rows.splitlines()[2:] == ["| now | 126 steps |", "| pin A | 12 epochs |"]


def test_what_never_ends_is_told_as_far_as_it_is_proven():
    """Training can be set no longer than that, so nothing is known of longer ones."""
    assert cell(QUIET, 10.0) == "at least 10,000,000 steps"


def test_a_budget_that_the_first_step_exceeds_and_one_that_nothing_proves_are_told_apart():
    assert cell(TOY, 1.0) == "not even 1 step"
    assert cell(EPOCHS, 1.0) == "not even 1 epoch"
    assert cell(BAG, 10.0).endswith(" steps")


def test_what_is_still_computed_is_shown_as_such():
    assert lasting_table([("pin B", None)]).endswith("| pin B | … |")
