"""Goals of attackers' gain and noise on labels are met on the sound side, as gains are said."""

import math
import pickle
from statistics import NormalDist

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz.accounting import best_upper, composed_curve
from dpviz.guarantees import guarantee_for
from dpviz.planning.attack_rates import (
    DRAWN_RATES,
    FALSE_POSITIVE_RATES,
    attackers_gain,
    pair_hits,
)
from dpviz.planning.calibrate import calibrated, calibration, plan
from dpviz.planning.target import HitsGoal, SuccessGoal, Target, excess, least_excess
from dpviz.risk import success, true_positive_rate
from dpviz.scenario import PRESETS, ScenarioError
from tests.scenario.changes import TOY, TRAFFIC, varied

TOLERANCE = 1e-3


def curve(scenario, goal):
    return composed_curve(guarantee_for(scenario).upper, at_delta=goal.resolved_at())


def with_sigma(scenario, sigma):
    return varied(scenario, noise_multiplier=sigma)


GOALS = st.one_of(
    st.floats(0.501, 0.99).map(lambda share: SuccessGoal(success=share)),
    st.tuples(st.floats(1e-4, 0.5), st.floats(1.05, 50.0)).map(
        lambda pair: HitsGoal(
            false_positive_rate=pair[0], true_positive_rate=min(0.99, pair[0] * pair[1])
        )
    ),
)


@settings(max_examples=12)
@given(goal=GOALS, steps=st.integers(1, 2000))
def test_noise_meets_the_goal_and_one_percent_less_does_not(goal, steps):
    scenario = varied(TOY, steps=steps)
    if excess(with_sigma(scenario, 100.0), goal, TOLERANCE) > 0.0:
        with pytest.raises(ScenarioError, match=rf"^{goal.field}\b"):
            calibration(scenario, "noise_multiplier", goal)
        return
    found = calibration(scenario, "noise_multiplier", goal)
    assert excess(found.scenario, goal, TOLERANCE) <= 0.0
    assert found.scenario.delta == scenario.delta
    if not found.at_limit:
        less = with_sigma(found.scenario, 0.99 * found.scenario.noise.noise_multiplier)
        assert excess(less, goal, TOLERANCE) > 0.0


@pytest.mark.parametrize("quantity", ["steps", "epochs", "batch_size", "num_subsequences"])
def test_every_quantity_can_be_sought_for_an_attackers_success(quantity):
    goal = SuccessGoal(success=0.6)
    scenario = with_sigma(TOY, 4.0)
    found = calibrated(scenario, quantity, goal)
    assert success(curve(found, goal)).high <= 0.6
    assert success(best_upper(found)).high <= 0.6 * 1.001


def test_hits_at_few_false_alarms_are_what_they_say():
    goal = HitsGoal(false_positive_rate=0.01, true_positive_rate=0.02)
    found = calibrated(TOY, "noise_multiplier", goal)
    hits = true_positive_rate(curve(found, goal), 0.01)
    assert 0.0195 <= hits.low <= hits.high <= 0.02


def test_what_certainly_misses_is_told_from_what_may_meet():
    for goal in (
        SuccessGoal(success=0.6),
        HitsGoal(false_positive_rate=0.01, true_positive_rate=0.02),
        Target(epsilon=2.0, delta=1e-7),
    ):
        at = calibrated(TOY, "noise_multiplier", goal).noise.noise_multiplier
        for factor in (0.5, 0.9, 1.0, 1.1, 2.0):
            scenario = with_sigma(TOY, at * factor)
            least, most = (side(scenario, goal, TOLERANCE) for side in (least_excess, excess))
            assert least <= most
            assert (least > 0.0) == (factor < 1.0)


@pytest.mark.parametrize("epsilon", [0.55, 0.6, 0.63])
def test_label_noise_is_the_least_that_meets_a_target(epsilon):
    target = Target(epsilon=epsilon, delta=1e-7)
    found = calibrated(TRAFFIC, "forecast_noise", target)
    noise = found.noise.forecast_noise
    assert best_upper(found).quoted_epsilon_at(1e-7) <= epsilon
    less = varied(found, forecast_noise=0.97 * noise)
    assert best_upper(less).quoted_epsilon_at(1e-7) > epsilon


def test_a_target_that_label_noise_cannot_reach_says_what_it_can():
    with pytest.raises(
        ScenarioError, match=r"even forecast_noise 1,000,000 gives epsilon at most 0\.5"
    ):
        calibrated(TRAFFIC, "forecast_noise", Target(epsilon=0.3, delta=1e-7))


@pytest.mark.parametrize(
    ("make", "field"),
    [
        (lambda: SuccessGoal(success=0.5), "target_success"),
        (lambda: SuccessGoal(success=1.0), "target_success"),
        (lambda: SuccessGoal(success=float("nan")), "target_success"),
        (
            lambda: HitsGoal(false_positive_rate=0.0, true_positive_rate=0.1),
            "target_false_positive_rate",
        ),
        (
            lambda: HitsGoal(false_positive_rate=0.1, true_positive_rate=0.1),
            "target_true_positive_rate",
        ),
    ],
)
def test_a_goal_that_is_none_is_named(make, field):
    with pytest.raises(ScenarioError, match=rf"^{field}\b"):
        make()


def test_a_goal_no_noise_can_meet_says_what_the_largest_gives():
    goal = SuccessGoal(success=0.501)
    with pytest.raises(ScenarioError, match=r"even noise_multiplier 100 gives at most 0\.\d+ of"):
        calibrated(TOY, "noise_multiplier", goal)


def test_what_is_proven_where_a_goal_is_missed_is_held_with_its_bound_also_in_another_process():
    goal = SuccessGoal(success=0.501)
    problem = pickle.loads(pickle.dumps(plan(TOY, "noise_multiplier", goal).problem))
    bound = guarantee_for(problem.first).upper
    assert problem.reached.bound == bound
    assert problem.reached.share == success(curve(problem.first, goal)).high > goal.success
    assert "right at even odds (upper bound by theorem 4.4, over 1,000 steps)." in str(problem)


@pytest.mark.parametrize(
    "goal",
    [
        SuccessGoal(success=0.51),
        HitsGoal(false_positive_rate=0.01, true_positive_rate=0.02),
        Target(epsilon=0.1, delta=1e-7),
    ],
)
def test_what_a_plan_gives_at_most_is_never_rounded_down(goal):
    for sigma in (1.0, 1.1, 1.3, 1.7, 2.0, 3.0, 5.0, 7.0):
        found = curve(with_sigma(TOY, sigma), goal)
        exact = {
            "target_success": lambda found: success(found).high,
            "target_true_positive_rate": lambda found: true_positive_rate(found, 0.01).high,
            "target_epsilon": lambda found: found.quoted_epsilon_at(1e-7),
        }[goal.field](found)
        words = goal.reached(goal.proven(found)).split()
        told = next(float(word) for word in words if word[0].isdigit())
        assert exact <= told <= exact * 1.01


@pytest.mark.parametrize("preset", PRESETS)
def test_no_other_curve_allows_less(preset):
    scenario = PRESETS[preset].scenario
    gain, other = attackers_gain(scenario), best_upper(scenario)
    assert gain.success.share <= success(other).high * 1.002
    assert success(other).low <= gain.success.share
    for rate, hits in zip(FALSE_POSITIVE_RATES, [one.bracket for one in gain.hits], strict=True):
        assert rate <= hits.low <= hits.high <= true_positive_rate(other, rate).high * 1.02


def test_with_large_rates_the_gain_is_no_more_than_a_plain_gaussian_mechanism_allows():
    scenario = varied(
        TOY.with_rates(bottom_rate=1.0, top_rate=1.0),
        batch_size=4,
        num_subsequences=4,
        top_level="deterministic",
        noise_multiplier=30.0,
    )
    gain = attackers_gain(scenario)
    assert gain.bound.theorem == "dpviz 1"
    # All four windows touch the individual: the sum moves by 8 clipping norms, once an epoch.
    mu = 8.0 / 30.0 * math.sqrt(scenario.num_epochs)
    assert gain.success.share == pytest.approx(NormalDist().cdf(mu / 2.0), rel=1e-3)


@pytest.mark.parametrize("epsilon", [0.0, 1e-12, 1e-3, 1.0, 30.0, 800.0])
@pytest.mark.parametrize("delta", [1e-15, 1e-7, 0.5, 0.999])
def test_what_a_pair_allows_is_rounded_up(epsilon, delta):
    """Also where nothing is gained but delta, in forty digits."""
    with mpmath.workdps(40):
        for rate, hits in zip(DRAWN_RATES, pair_hits(epsilon, delta, DRAWN_RATES), strict=True):
            known = mpmath.mpf(float(rate)) + mpmath.mpf(delta)
            odds = known + mpmath.expm1(epsilon) * mpmath.mpf(float(rate))
            missed = mpmath.exp(-epsilon) * max(1 - known, mpmath.mpf(0))
            exact = min(odds, 1 - missed)
            assert exact <= float(hits) <= exact * (1 + mpmath.mpf(1e-11))
