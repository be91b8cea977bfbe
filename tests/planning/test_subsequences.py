"""The same run of another number of windows per series, as far as there is one."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz.planning.subsequences import (
    COMPARED_SUBSEQUENCES,
    of_equal_work,
    possible_subsequences,
    with_subsequences,
)
from dpviz.scenario import PRESETS, Rates, Sampling, ScenarioError, Training

TOY = PRESETS["toy"].scenario
TRAFFIC = PRESETS["traffic"].scenario


@pytest.mark.parametrize("scenario", [TOY, TRAFFIC])
@pytest.mark.parametrize("windows", COMPARED_SUBSEQUENCES)
def test_batch_size_and_number_of_steps_stay(scenario, windows):
    changed = with_subsequences(scenario, windows)
    assert changed.sampling.batch_size == scenario.sampling.batch_size
    assert changed.sampling.num_subsequences == windows
    assert changed.sampling.series_per_batch == scenario.sampling.batch_size // windows
    assert changed.num_steps == scenario.num_steps


def test_a_run_that_has_these_windows_already_is_returned_as_it_is():
    assert with_subsequences(TRAFFIC, 1) is TRAFFIC


def test_epochs_become_the_epochs_of_as_many_steps():
    changed = with_subsequences(TRAFFIC, 4)
    assert changed.steps_per_epoch == 862 * 4 // 256
    assert (changed.num_steps, changed.num_epochs) == (12_000, -(-12_000 // 13))


@settings(max_examples=60)
@given(
    series=st.integers(1, 400),
    batch=st.integers(1, 400),
    own=st.integers(1, 40),
    windows=st.integers(1, 64),
)
def test_rates_that_came_from_a_shape_change_as_the_shape_would(series, batch, own, windows):
    data = replace(TOY.data, num_series=series)
    try:
        scenario = replace(
            TOY, data=data, sampling=Sampling(batch_size=batch, num_subsequences=own)
        )
    except ScenarioError:
        return
    if windows != own and not windows <= batch <= windows * series:
        with pytest.raises(ScenarioError, match="num_subsequences = "):
            with_subsequences(scenario, windows)
        return
    shaped = with_subsequences(scenario, windows)
    rated = with_subsequences(scenario.with_rates(), windows)
    assert rated.top_rate == pytest.approx(shaped.top_rate, rel=1e-12)
    assert rated.steps_per_epoch == shaped.steps_per_epoch
    assert (rated.num_steps, rated.num_epochs) == (shaped.num_steps, shaped.num_epochs)


def test_bare_rates_keep_the_expected_windows_of_a_series():
    scenario = replace(
        TOY,
        data=Rates(bottom_rate=0.1, top_rate=0.5, steps_per_epoch=2),
        sampling=Sampling(batch_size=1),
    )
    changed = with_subsequences(scenario, 8)
    assert changed.top_rate * 8 == pytest.approx(0.5)
    assert changed.steps_per_epoch == 16
    fewer = with_subsequences(changed, 2)
    assert fewer.top_rate == pytest.approx(0.25)
    assert fewer.steps_per_epoch == 4


@pytest.mark.parametrize(
    ("scenario", "windows", "message"),
    [
        (TOY, 33, "num_subsequences = 33 is not allowed: it must be at most batch_size .32"),
        (TOY, 0, "num_subsequences = 0 is not allowed: it must be a whole number from 1"),
        (TOY, 2.5, "num_subsequences = 2.5 is not allowed"),
        (
            replace(TOY, sampling=Sampling(batch_size=800, num_subsequences=4)),
            2,
            "num_subsequences = 2 is not allowed: it must be at least 3",
        ),
        (
            replace(
                TOY,
                data=Rates(bottom_rate=0.1, top_rate=0.5, steps_per_epoch=2),
                sampling=Sampling(batch_size=8, num_subsequences=8),
            ),
            1,
            "top_rate would have to be 4 ",
        ),
        (replace(TOY, sampling=Sampling(batch_size=32, top_level="flat")), 1, "top_level"),
    ],
)
def test_what_is_not_possible_is_refused_by_name(scenario, windows, message):
    with pytest.raises(ScenarioError, match=message):
        with_subsequences(scenario, windows)


def test_possible_numbers_are_those_of_the_comparison_that_fit_and_the_own_one():
    scenario = replace(TOY, sampling=Sampling(batch_size=800, num_subsequences=7))
    assert possible_subsequences(scenario) == (4, 7, 8, 16, 32)
    small = replace(TOY, sampling=Sampling(batch_size=3))
    assert possible_subsequences(small) == (1, 2)


@pytest.mark.parametrize("scenario", [TOY, TRAFFIC, TRAFFIC.with_rates()])
@pytest.mark.parametrize("unit", ["steps", "epochs"])
@pytest.mark.parametrize("windows", COMPARED_SUBSEQUENCES)
def test_other_windows_are_the_same_work(scenario, unit, windows):
    """The steps stay, and with them the unit wherever it can say them."""
    count = scenario.num_steps if unit == "steps" else scenario.num_epochs
    before = replace(scenario, training=Training(unit=unit, count=count))
    after = of_equal_work(before, windows)
    assert after.num_steps == before.num_steps
    is_whole = after.num_steps % after.steps_per_epoch == 0
    assert after.training.unit == ("epochs" if unit == "epochs" and is_whole else "steps")


def test_one_epoch_becomes_a_part_of_an_epoch():
    """Not four times the steps, and many times the epsilon."""
    one = replace(TOY, training=Training(unit="epochs", count=1))
    after = of_equal_work(one, 4)
    assert after.training == Training(unit="steps", count=10)
    assert (after.steps_per_epoch, of_equal_work(after, 1).num_steps) == (40, 10)
