"""The noise that hides contexts, against every mask of small ones, and its brackets."""

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from math import comb

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz.private_inference.noise import (
    NOISE_RANGE,
    delta_of,
    epsilon_of,
    exact_noise,
    noise_by_each,
)
from dpviz.private_inference.plan import HidingPlan, most_readings
from dpviz.release import analytic_noise, change_on_grid
from dpviz.scenario import ScenarioError
from dpviz.wording.private_inference import what_has_to_hold
from tests.accounting.exact import DIGITS
from tests.release.exact import delta_of_moves, exact_subsampled_delta


def planned(**changes):
    given = {"context_length": 4, "rate": 0.5, "max_change": 2.0, "epsilon": 1.0, "delta": 1e-3}
    return HidingPlan(**(given | changes))


def enumerated_delta(epsilon, changes, rate, noise):
    """Return delta when the masks are seen: the mean over each of them of the exact delta."""
    return float(delta_of_moves(np.array([changes]), epsilon, rate, noise)[0])


@pytest.mark.parametrize("width", [1, 2, 3, 4, 9])
@pytest.mark.parametrize("rate", [0.3, 0.75, 1.0])
@pytest.mark.parametrize("epsilon", [0.25, 2.0, 8.0])
def test_delta_is_that_of_all_masks_at_once(width, rate, epsilon):
    plan = planned(width=width, rate=rate, epsilon=epsilon, delta=0.01)
    noise = exact_noise(plan).noise
    changed = [2.0] * min(width, 4) + [0.0] * (4 - min(width, 4))
    truth = enumerated_delta(epsilon, changed, rate, noise)
    assert truth == pytest.approx(0.01, rel=1e-6)
    assert truth <= 0.01 * (1.0 + 1e-9)
    assert delta_of(plan, noise) <= 0.01


@pytest.mark.parametrize("width", [1, 2])
def test_no_other_change_of_a_context_is_hidden_worse(width):
    """The largest change of as many values as may change, whichever they are, is the worst."""
    plan = planned(width=width, rate=0.6, delta=0.01)
    noise = exact_noise(plan).noise
    for places in combinations(range(4), width):
        for sizes in product((-2.0, -1.0, 0.0, 0.5, 2.0), repeat=width):
            changes = [0.0] * 4
            for place, size in zip(places, sizes, strict=True):
                changes[place] = size
            assert enumerated_delta(plan.epsilon, changes, plan.rate, noise) <= 0.01 * (1 + 1e-9)


@pytest.mark.parametrize(
    ("level", "width", "forecasts", "stride"),
    [("event", 1, 2, 1), ("event", 2, 2, 1), ("user", 2, 3, 2), ("user", 3, 2, 0)],
)
def test_several_forecasts_are_accounted_for_together(level, width, forecasts, stride):
    """Each context has a mask and noise of its own; all of them are seen."""
    length = 3
    series = length + (forecasts - 1) * stride
    contexts = [range(at * stride, at * stride + length) for at in range(forecasts)]
    if level == "event":
        starts = range(series - min(width, series) + 1)
        changed = [range(start, start + min(width, series)) for start in starts]
    else:
        changed = list(combinations(range(series), min(width, series)))
    plan = planned(
        context_length=length, level=level, width=width, forecasts=forecasts, stride=stride,
        rate=0.4, delta=0.01,
    )  # fmt: skip
    noise = exact_noise(plan).noise
    deltas = []
    for values in changed:
        readings = [2.0 for context in contexts for value in values if value in context]
        assert len(readings) <= plan.readings
        deltas.append(enumerated_delta(plan.epsilon, readings, plan.rate, noise))
    assert max(deltas) == pytest.approx(0.01, rel=1e-6)
    assert max(deltas) <= 0.01 * (1.0 + 1e-9)


def test_readings_are_counted_one_by_one():
    for context, forecasts, stride, width in product((1, 3, 5), (1, 2, 4), (0, 1, 2, 7), (1, 2, 6)):
        length = context + (forecasts - 1) * stride
        read = [
            sum(at * stride <= time < at * stride + context for at in range(forecasts))
            for time in range(length)
        ]
        reached = min(width, length)
        in_a_row = max(sum(read[at : at + reached]) for at in range(length - reached + 1))
        assert most_readings(context, "event", width, forecasts, stride) == in_a_row
        assert most_readings(context, "user", width, forecasts, stride) == sum(
            sorted(read)[-reached:]
        )


def test_papers_bounds_never_ask_for_less_than_is_needed():
    """Where they prove something, they prove no more than is true."""
    for width, rate, epsilon in product((1, 4, 30), (0.1, 0.5, 1.0), (0.3, 0.9, 2.0, 8.0)):
        plan = planned(context_length=30, width=width, rate=rate, epsilon=epsilon, delta=1e-4)
        exact, failure, paper = noise_by_each(plan).values()
        assert failure.noise >= exact.noise * (1 - 1e-8)
        assert delta_of(plan, failure.noise) <= 1e-4
        if epsilon >= 1.0:
            assert paper.noise is None
            assert "proven for ε below 1 only" in paper.reason
        else:
            assert paper.noise >= failure.noise * (1 - 1e-8)


def test_failure_takes_its_part_of_delta():
    """All numbers of readings that may be kept are tried where they are few."""
    plan = planned(context_length=12, width=12, rate=0.1, epsilon=0.5, delta=0.02)
    most, noises = plan.readings, []
    for kept in range(most + 1):
        more = sum(comb(most, k) * 0.1**k * 0.9 ** (most - k) for k in range(kept + 1, most + 1))
        if kept and more < plan.delta:
            noises.append(plan.max_change * analytic_noise(0.5, plan.delta - more, math.sqrt(kept)))
    assert noise_by_each(plan)["failure"].noise == pytest.approx(min(noises), rel=1e-6)


@given(st.floats(1e-12, 1e12), st.floats(1e-4, 1e3), st.integers(1, 4))
def test_noise_covers_changes_that_lie_between_grid_points(max_change, epsilon, width):
    """Whatever the unit of the data: delta counts the change that a rounded value can make."""
    plan = planned(max_change=max_change, epsilon=epsilon, width=width)
    noise = exact_noise(plan).noise
    charged = change_on_grid(max_change, noise)
    assert delta_of(plan, noise) <= plan.delta
    ratio = Fraction(charged) / Fraction(noise)
    assert ratio * Fraction(exact_noise(replace(plan, max_change=1.0)).noise) <= 1 + 2 * 2.0**-49
    assert noise / max_change == pytest.approx(noise / charged, rel=1e-5)


def test_delta_counts_a_whole_step_of_the_grid_for_a_part_of_one():
    """Where noise is 2^40 large and the grid 1, a change by 0.1 may show as one by 1."""
    noise = 2.0**40
    small, whole = (planned(max_change=change) for change in (0.1, 1.0))
    assert delta_of(small, noise, 0.0) == delta_of(whole, noise, 0.0)


def test_epsilon_of_a_noise_is_the_other_way_round():
    plan = planned(width=2, epsilon=3.0, forecasts=5)
    noise = exact_noise(plan).noise
    assert epsilon_of(plan, noise) == pytest.approx(3.0, rel=1e-5)
    assert epsilon_of(plan, noise) <= 3.0 + 1e-6
    assert epsilon_of(plan, 2.0 * noise) < 3.0


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"rate": 0.0}, "rate = 0.0 is not allowed"),
        ({"rate": math.nan}, "rate"),
        ({"epsilon": 0.0}, "epsilon"),
        ({"delta": 0.6}, "delta"),
        ({"max_change": 0.0}, "max_change"),
        ({"max_change": math.inf}, "max_change"),
        ({"width": 0}, "width"),
        ({"context_length": 10_001}, "context_length"),
        ({"level": "group"}, "level"),
        ({"forecasts": 1.5}, "forecasts"),
        ({"stride": -1}, "stride"),
        ({"forecasts": 10_000, "stride": 10_000}, "together must cover at most"),
        ({"context_length": 1000, "width": 1000, "forecasts": 2000, "stride": 0}, "read at most"),
    ],
)
def test_plans_that_mean_nothing_are_refused_by_name(changes, named):
    with pytest.raises(ScenarioError, match=named):
        planned(**changes)


def test_budget_that_needs_no_noise_is_refused():
    """A delta above the chance that a changed value is kept would allow it to be published."""
    with pytest.raises(ScenarioError, match=r"delta = 0\.3 is not allowed"):
        exact_noise(planned(rate=0.25, delta=0.3))


@pytest.mark.parametrize("noise", [0.0, -1.0, math.nan, math.inf, 2 * NOISE_RANGE[1]])
def test_noise_that_is_none_has_no_epsilon(noise):
    with pytest.raises(ScenarioError, match="noise"):
        epsilon_of(planned(), noise)


# As the page says: 0.001 %.
TOLD = 1e-5


def is_at_least_and_close(shown: float, keeps: Callable[[mpmath.mpf], bool]) -> bool:
    """Return whether a number keeps to the budget, and one that is smaller by 0.001 % does not."""
    return keeps(mpmath.mpf(shown)) and not keeps(mpmath.mpf(shown) * (1 - TOLD))


@pytest.mark.parametrize(("epsilon", "delta"), [(0.01, 1e-4), (2.0, 1e-10), (8.0, 1e-2)])
@pytest.mark.parametrize(("rate", "width"), [(0.1, 4), (0.5, 1), (1.0, 2)])
def test_noise_and_epsilon_are_within_what_the_page_says_of_the_exact_ones(
    epsilon: float, delta: float, rate: float, width: int
) -> None:
    """Never below, by 60-digit arithmetic from the closed form; and at most 0.001 % above."""
    plan = HidingPlan(
        context_length=8, rate=rate, max_change=10.0, epsilon=epsilon, delta=delta, width=width
    )
    assert "at most 0.001 % below" in what_has_to_hold(plan)
    noise = exact_noise(plan).noise
    assert noise is not None

    def keeps(epsilon: mpmath.mpf, noise: mpmath.mpf) -> bool:
        return (
            exact_subsampled_delta(epsilon, plan.readings, rate, noise / plan.max_change) <= delta
        )

    with mpmath.workdps(DIGITS):
        assert is_at_least_and_close(noise, lambda one: keeps(mpmath.mpf(epsilon), one))
        least = epsilon_of(plan, noise)
        assert is_at_least_and_close(least, lambda one: keeps(one, mpmath.mpf(noise)))


def test_a_value_that_is_read_once_is_counted_so() -> None:
    budget = {"epsilon": 1.0, "delta": 1e-4}
    plan = HidingPlan(context_length=2, rate=0.5, max_change=1.0, forecasts=3, stride=2, **budget)
    assert "changed values at most 1 time in all." in what_has_to_hold(plan)
