"""The line beside the length of training: it in the other unit, and what both units are."""

from dataclasses import replace

import pytest

from dpviz.planning.subsequences import of_equal_work
from dpviz.scenario import PRESETS, Rates, Sampling, Training
from dpviz.wording.training_length import equal_work_note, training_line
from tests.wording.proven import steps

TOY = PRESETS["toy"].scenario


@pytest.mark.parametrize(
    ("count", "unit", "said"),
    [
        (1000, "steps", "1,000 steps = 100 epochs."),
        (10, "steps", "10 steps = 1 epoch."),
        (100, "epochs", "100 epochs = 1,000 steps."),
        (1, "epochs", "1 epoch = 10 steps."),
        (1, "steps", "1 step is about 0.1 epochs."),
        (1001, "steps", "1,001 steps are about 100.1 epochs."),
    ],
)
def test_the_length_is_told_in_the_other_unit(count, unit, said):
    assert training_line(steps(TOY, count, unit)).startswith(f"{said} A step is one batch, an ")


def test_what_is_no_whole_number_is_not_told_as_one():
    bag = replace(TOY, sampling=Sampling(batch_size=32, top_level="flat"))  # 200 steps an epoch
    assert training_line(steps(bag, 995)).startswith("995 steps are just under 5 epochs.")
    assert training_line(steps(bag, 199)).startswith("199 steps are about 0.99 epochs.")
    assert training_line(steps(bag, 201)).startswith("201 steps are just over 1 epoch.")
    assert training_line(steps(bag, 210)).startswith("210 steps are about 1.1 epochs.")


@pytest.mark.parametrize(
    ("top_level", "per_epoch", "said"),
    [
        ("without-replacement", 10, "as many as one pass over the series would take."),
        ("poisson", 10, "as many as one pass over the series would take."),
        ("deterministic", 10, "one pass over the series, in the same order each time. An epoch"),
        ("shuffled", 10, "one pass over the series, in a new order each time. An epoch"),
        ("flat", 200, "as many as one pass over all windows would take."),
    ],
)
def test_an_epoch_is_a_pass_where_series_are_walked_through(top_level, per_epoch, said):
    run = replace(steps(TOY, 995), sampling=Sampling(batch_size=32, top_level=top_level))
    line = training_line(run)
    assert f"an epoch {per_epoch} steps: {said}" in line
    walks = top_level in ("deterministic", "shuffled")
    assert line.endswith(" that is begun counts whole.") == walks
    assert "begun" not in training_line(steps(run, 1000))


def test_epochs_of_rates_are_told_to_be_set_where_the_rate_allows_more():
    assert "20 steps: as many as one pass" in training_line(TOY.with_rates(top_rate=0.05))
    set_by_hand = Rates(bottom_rate=0.1, top_rate=0.01, steps_per_epoch=10)
    line = training_line(replace(TOY, data=set_by_hand))
    assert line.endswith("an epoch 10 steps: as was set, of the 100 that ρ allows.")
    three = replace(TOY, sampling=Sampling(batch_size=32, num_subsequences=3))
    assert "30 steps: as many as one pass" in training_line(three.with_rates())


def test_a_change_of_the_unit_is_told():
    epoch = replace(TOY, training=Training(unit="epochs", count=1))
    assert equal_work_note(epoch, of_equal_work(epoch, 4)) == (
        "Training stays as long as it was, 10 steps. It is counted in steps now: an epoch has 40 "
        "steps, and 10 are no whole number of epochs."
    )
    assert equal_work_note(TOY, of_equal_work(TOY, 4)) == ""
    hundred = replace(TOY, training=Training(unit="epochs", count=100))
    assert equal_work_note(hundred, of_equal_work(hundred, 4)) == ""
