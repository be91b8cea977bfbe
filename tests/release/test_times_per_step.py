"""Who is counted several times in a step: every individual of a short series, by every mask."""

import itertools

import numpy as np
import pytest

from dpviz.release import CircularFilter, ReleaseSettings, calibrated
from dpviz.scenario import ScenarioError
from tests.release.test_calibration import PAIRS
from tests.release.test_subsampled import delta_of_moves

LENGTH, STEPS, TIMES, RATE, WIDTH, EPSILON = 4, 2, 3, 0.4, 0.7, 0.5
# All who are counted in two of four steps at most, up to three times in each.
INDIVIDUALS = np.array(
    [
        times
        for times in itertools.product(range(TIMES + 1), repeat=LENGTH)
        if np.count_nonzero(times) <= STEPS
    ],
    dtype=float,
)


def planned(delta, times, **more):
    settings = {"length": LENGTH, "participation": STEPS, "rate": RATE, "filter_width": WIDTH}
    return ReleaseSettings(
        **settings | {"epsilon": EPSILON, "delta": delta, "times_per_step": times} | more
    )


def largest_delta(mechanism, individuals, epsilon, noise):
    """Return the largest delta of the individuals, from all masks, one by one."""
    moves, rate = individuals, RATE
    if mechanism == "filter-subsample":
        moves = np.array([CircularFilter(LENGTH, WIDTH).filtered(one) for one in individuals])
    elif mechanism != "subsample":
        rate = 1.0
    return delta_of_moves(moves, epsilon, rate, noise).max()


@pytest.mark.parametrize("delta", [1e-6, 0.01])
@pytest.mark.parametrize(("mechanism", "accounting"), PAIRS)
def test_no_individual_breaks_the_budget_and_one_attains_it_where_it_is_tight(
    mechanism, accounting, delta
):
    plan = calibrated(planned(delta, TIMES), mechanism, accounting)
    for epsilon in (EPSILON / 2, EPSILON, 2 * EPSILON):
        worst = largest_delta(mechanism, INDIVIDUALS, epsilon, plan.noise)
        assert worst <= plan.delta_at(epsilon) * (1 + 1e-9)
        if plan.is_tight:
            assert worst == pytest.approx(plan.delta_at(epsilon), rel=1e-6)
    # Noise for who is counted once in a step is not enough for who is counted three times.
    once = calibrated(planned(delta, 1), mechanism, accounting)
    assert plan.noise == pytest.approx(TIMES * once.noise, rel=1e-12)
    if plan.is_tight:
        assert largest_delta(mechanism, INDIVIDUALS, EPSILON, once.noise) > 2 * delta


def test_who_is_in_more_steps_is_told_what_holds_for_as_many_times_in_each():
    plan = calibrated(planned(0.001, TIMES), "subsample", "exact")
    everybody = np.full((1, LENGTH), float(TIMES))
    epsilon = plan.epsilon_at(LENGTH)
    assert largest_delta("subsample", everybody, epsilon, plan.noise) <= 0.001 * (1 + 1e-9)
    assert largest_delta("subsample", everybody, 0.99 * epsilon, plan.noise) > 0.001


@pytest.mark.parametrize("times", [1, 100])
def test_a_filter_is_free_by_the_noise_of_one_time(times):
    """By the condition for all of the noise, a hundred times would make it free."""
    little = calibrated(
        ReleaseSettings(
            length=10, participation=1, epsilon=0.001, delta=0.09, times_per_step=times
        ),
        "filter-subsample",
        "exact",
    )
    assert not little.is_filter_free
    assert 2 * 0.001 * (100 / times * little.noise) ** 2 >= 1.0


@pytest.mark.parametrize("times", [0, 1.5, 10_001])
def test_impossible_times_are_refused_by_name(times):
    with pytest.raises(ScenarioError, match="whole number from 1 to 10,000") as refused:
        planned(0.01, times)
    assert refused.value.field == "times_per_step"
