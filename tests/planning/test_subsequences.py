"""Another number of windows per series, and where one is provably the most private (Fig. 2)."""

from functools import lru_cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz.planning.curves import EPSILON_GRID, curves_of
from dpviz.planning.order import Order, proven_order, winning_region
from dpviz.planning.over_steps import after_steps
from dpviz.planning.subsequences import (
    COMPARED_SUBSEQUENCES,
    of_equal_work,
    possible_subsequences,
    with_subsequences,
)
from dpviz.scenario import DataShape, Rates, ScenarioError
from tests.scenario.changes import TOY, TRAFFIC, varied


@pytest.mark.parametrize("scenario", [TOY, TRAFFIC])
@pytest.mark.parametrize("windows", COMPARED_SUBSEQUENCES)
def test_batch_size_and_number_of_steps_stay(scenario, windows):
    changed = with_subsequences(scenario, windows)
    assert changed.sampling.batch_size == scenario.sampling.batch_size
    assert changed.sampling.num_subsequences == windows
    assert changed.sampling.series_per_batch == scenario.sampling.batch_size // windows
    assert changed.num_steps == scenario.num_steps


@settings(max_examples=60)
@given(
    series=st.integers(1, 400),
    batch=st.integers(1, 400),
    own=st.integers(1, 40),
    windows=st.integers(1, 64),
)
def test_rates_that_came_from_a_shape_change_as_the_shape_would(series, batch, own, windows):
    try:
        scenario = varied(TOY, num_series=series, batch_size=batch, num_subsequences=own)
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


HALF = Rates(bottom_rate=0.1, top_rate=0.5, steps_per_epoch=2)


def test_bare_rates_keep_the_expected_windows_of_a_series():
    scenario = varied(TOY, data=HALF, batch_size=1)
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
            varied(TOY, batch_size=800, num_subsequences=4),
            2,
            "num_subsequences = 2 is not allowed: it must be at least 3",
        ),
        (
            varied(TOY, data=HALF, batch_size=8, num_subsequences=8),
            1,
            "top_rate would have to be 4 ",
        ),
        (varied(TOY, top_level="flat"), 1, "top_level"),
    ],
)
def test_what_is_not_possible_is_refused_by_name(scenario, windows, message):
    with pytest.raises(ScenarioError, match=message):
        with_subsequences(scenario, windows)


def test_possible_numbers_are_those_of_the_comparison_that_fit_and_the_own_one():
    scenario = varied(TOY, batch_size=800, num_subsequences=7)
    assert possible_subsequences(scenario) == (4, 7, 8, 16, 32)
    small = varied(TOY, batch_size=3)
    assert possible_subsequences(small) == (1, 2)


@pytest.mark.parametrize("scenario", [TOY, TRAFFIC, TRAFFIC.with_rates()])
@pytest.mark.parametrize("unit", ["steps", "epochs"])
@pytest.mark.parametrize("windows", COMPARED_SUBSEQUENCES)
def test_other_windows_are_the_same_work(scenario, unit, windows):
    count = scenario.num_steps if unit == "steps" else scenario.num_epochs
    before = varied(scenario, **{unit: count})
    after = of_equal_work(before, windows)
    assert after.num_steps == before.num_steps
    is_whole = after.num_steps % after.steps_per_epoch == 0
    assert after.training.unit == ("epochs" if unit == "epochs" and is_whole else "steps")


@lru_cache(maxsize=32)
def toy_curves(windows, steps):
    return curves_of(with_subsequences(after_steps(TOY, steps), windows))


def test_against_all_is_what_holds_against_each():
    one, *others = (toy_curves(windows, 100) for windows in (1, 2, 4, 8))
    region = winning_region(one, others)
    orders = [proven_order(one, other) for other in others]
    for epsilon in (0.01, 0.1, 0.25, 0.4, 1.0, 10.0, 20.0):
        single = {at(epsilon, order) for order in orders}
        expected = Order.FIRST if single == {Order.FIRST} else Order.UNPROVEN
        assert at(epsilon, region) is expected


def test_an_epsilon_counts_where_any_of_the_runs_has_a_delta_worth_telling():
    """A run that gives nothing away there is still compared with those that do."""
    one, *others = (toy_curves(windows, 1) for windows in (1, 2, 32))
    ends = [proven_order(one, other)[-1].end for other in others]
    assert ends[0] < ends[1]
    region = winning_region(one, others)
    assert region[-1].end == ends[1]
    beyond = next(epsilon for epsilon in EPSILON_GRID.tolist() if epsilon > ends[0])
    assert at(beyond, region) is at(beyond, proven_order(one, others[1]))


def at(epsilon, stretches):
    return next(s.order for s in stretches if s.start <= epsilon <= s.end)


def test_one_window_per_series_minimises_delta_of_an_epoch():
    """Theorem 4.1, for windows drawn independently, whose bound is tight."""
    shape = DataShape(num_series=64, series_lengths=(40,), context_length=6, forecast_length=1)
    levels = {"top_level": "deterministic", "bottom_level": "poisson"}
    walk = varied(TOY, data=shape, batch_size=64, **levels, steps=1)
    runs = [curves_of(with_subsequences(walk, windows)) for windows in (1, 2, 4, 8)]
    region = winning_region(runs[0], runs[1:])
    assert [stretch.order for stretch in region] == [Order.FIRST]


def test_a_win_goes_on_where_ones_own_delta_is_negligible():
    """Another's delta there is smaller than what is told, or else larger than its own."""
    one, *others = (curves_of(with_subsequences(TOY, windows)) for windows in (1, 2, 4, 32))
    last = winning_region(one, others)[-1]
    assert last.order is Order.FIRST
    ends = others[-1].upper.delta_high[others[-1].upper.on_grid] >= one.smallest_delta
    assert last.end == EPSILON_GRID[ends][-1]
    assert all(stretch.order is not Order.FIRST for stretch in winning_region(one, others)[:-1])
