"""Delta at one epsilon over the training steps; what Fig. 10 shows: see tests/findings."""

import numpy as np
import pytest

from dpviz.accounting import account_for
from dpviz.accounting.gaussian import gaussian_delta
from dpviz.guarantees import Unit
from dpviz.planning.over_steps import (
    DELTA_TOLERANCE,
    MOST_CONSECUTIVE_STEPS,
    after_steps,
    delta_over_steps,
    steps_to_show,
    steps_won,
)
from dpviz.planning.subsequences import with_subsequences
from dpviz.scenario import Rates, ScenarioError
from tests.planning.kinds import RUNS
from tests.scenario.changes import TOY, varied

STEPS = tuple(range(1, 17))


@pytest.mark.every(5)
@pytest.mark.parametrize("epsilon", [1.0, 4.0])
@pytest.mark.parametrize("bottom_rate", [0.5, 0.1])
@pytest.mark.parametrize("windows", [1, 2, 4, 8, 16])
def test_delta_rises_when_a_pass_begins_and_not_within_it(bottom_rate, epsilon, windows):
    """As many windows in a batch as there are series."""
    rates = Rates(bottom_rate=bottom_rate, top_rate=1.0, steps_per_epoch=1)
    one = varied(TOY, data=rates, batch_size=320, top_level="deterministic", steps=16)
    run = delta_over_steps(with_subsequences(one, windows), epsilon, STEPS)
    assert run.scenario.steps_per_epoch == windows
    for side in (run.upper, run.lower):
        assert [bound.count for bound in side.bounds] == [-(-s // windows) for s in STEPS]
        assert {bound.unit for bound in side.bounds} == {Unit.EPOCH}
        for values in (side.delta_low, side.delta_high):
            rises = np.diff(values) > 0
            begins = np.array([step % windows == 0 for step in STEPS[:-1]])
            assert np.array_equal(rises, begins)


@pytest.mark.every(4)
@pytest.mark.parametrize("top_level", ["without-replacement", "deterministic"])
@pytest.mark.parametrize("bottom_level", ["with-replacement", "poisson"])
@pytest.mark.parametrize("windows", [1, 4])
def test_numbers_are_the_accountants(top_level, bottom_level, windows):
    drawn = varied(TOY, top_level=top_level, bottom_level=bottom_level)
    scenario = with_subsequences(drawn, windows)
    run = delta_over_steps(scenario, 2.0, (1, 30, 200))
    for at, steps in enumerate((1, 30, 200)):
        account = account_for(after_steps(scenario, steps))
        for side, curve in ((run.upper, account.upper), (run.lower, account.lower)):
            known = curve.delta_at(np.array([2.0]))
            if side.bounds[at].theorem == curve.bound.theorem:
                assert side.bounds[at] == curve.bound
                assert side.delta_low[at] <= known.high[0]
                assert known.low[0] <= side.delta_high[at]


def test_brackets_are_as_narrow_as_asked_for():
    run = delta_over_steps(TOY, 1.0, (1, 10, 100, 1000))
    for side in (run.upper, run.lower):
        assert np.all(side.delta_high - side.delta_low <= DELTA_TOLERANCE * side.delta_high)


def test_windows_that_all_touch_are_bounded_by_the_gaussian_mechanism():
    """Two windows that all touch move the sum by 4, in a step that draws the series."""
    certain = with_subsequences(TOY.with_rates(bottom_rate=1.0, top_rate=1.0), 2)
    run = delta_over_steps(certain, 9.0, (1,))
    assert {bound.theorem for bound in run.upper.bounds} == {"dpviz 2"}
    most = certain.top_rate * gaussian_delta(9.0, 4.0)
    assert run.lower.delta_low[0] <= run.upper.delta_high[0] <= most


def test_no_lower_bound_wins_nothing():
    run = delta_over_steps(RUNS["no lower bound"], 1.0, (1, 2))
    assert run.lower is None
    assert steps_won(run, [run]) == ()


@pytest.mark.parametrize("windows", [2, pytest.param(4, marks=pytest.mark.slow)])
def test_losses_too_small_for_the_longer_runs_grid_have_one_of_their_own(windows):
    """Of a value in a billion a step tells so little that few grids hold several steps."""
    rare = varied(TOY, series_lengths=(10**9,))
    found = delta_over_steps(with_subsequences(rare, windows), 1.0, (1, 10))
    assert found.lower is not None
    assert np.all(found.lower.delta_low <= found.upper.delta_high)
    assert np.all(found.upper.delta_high < 1e-6)


def test_few_steps_are_all_shown_and_many_from_end_to_end():
    assert steps_to_show(MOST_CONSECUTIVE_STEPS) == tuple(range(1, MOST_CONSECUTIVE_STEPS + 1))
    many = steps_to_show(12_000)
    assert (many[0], many[-1], len(many)) == (1, 12_000, 16)


def test_many_steps_lie_at_even_ratios():
    """On a logarithmic axis they are evenly spaced, but for rounding to whole steps."""
    many = np.array(steps_to_show(10**7))
    ratios = many[1:] / many[:-1]
    assert ratios == pytest.approx(10 ** (7 / 15), rel=0.15)
    assert ratios[6:] == pytest.approx(10 ** (7 / 15), rel=1e-3)


@pytest.mark.parametrize(
    ("epsilon", "steps", "message"),
    [
        (-1.0, (1,), "epsilon = -1.0 is not allowed: it must be a number from 0 to 1000"),
        (float("nan"), (1,), "epsilon = nan is not allowed"),
        (1.0, (), "steps = .. is not allowed: it must be increasing numbers"),
        (1.0, (2, 1), "steps = .2, 1. is not allowed: it must be increasing numbers"),
        (1.0, (0,), "steps = 0 is not allowed: it must be a whole number from 1"),
    ],
)
def test_bad_input_is_named(epsilon, steps, message):
    with pytest.raises(ScenarioError, match=message):
        delta_over_steps(TOY, epsilon, steps)
