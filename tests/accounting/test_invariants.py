"""What holds of every scenario and unit, and where the answer has a closed form."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from dpviz.accounting import composed_curve
from dpviz.accounting.discretize import LARGEST_INTERVAL, MOST_POINTS, loss_range, one_unit
from dpviz.accounting.loss_distribution import Direction, Rounding
from dpviz.accounting.losses import loss_of
from dpviz.guarantees import (
    Bound,
    Composition,
    ShiftedMixturePair,
)
from tests.accounting.exact import DIGITS, gaussian_delta, single_unit_delta
from tests.accounting.rows import both, drawn

EPSILONS = np.concatenate([[0.0], np.logspace(-4, 3, 60)])
RATES = st.floats(-9, 0).map(lambda power: 10.0**power)
SIGMAS = st.floats(-1, 2).map(lambda power: 10.0**power)
STEPS = st.floats(0, 4).map(lambda power: int(10**power))
# Each example composes two to four curves.
FEW = settings(max_examples=25, derandomize=True, deadline=None)


def upper_curve(rate, sigma, steps):
    return composed_curve(drawn(rate, sigma, steps).upper)


@FEW
@given(RATES, SIGMAS, STEPS, st.floats(1.05, 3))
def test_more_noise_fewer_steps_and_lower_rates_are_more_private(rate, sigma, steps, factor):
    """The certain statement: the better setting's lower end never exceeds the worse's upper."""
    assume(sigma * factor <= 100)
    worse = upper_curve(rate, sigma, steps)
    for better in (
        upper_curve(rate / factor, sigma, steps),
        upper_curve(rate, sigma * factor, steps),
        upper_curve(rate, sigma, max(1, int(steps / factor))),
    ):
        assert np.all(better.delta_at(EPSILONS).low <= worse.delta_at(EPSILONS).high)


@pytest.mark.every(3)
@pytest.mark.parametrize("steps", [10**5, 10**7])
@pytest.mark.parametrize(("rate", "sigma"), [(1e-9, 0.3), (1e-3, 2.0), (0.5, 10.0)])
def test_long_training_has_an_answer(rate, sigma, steps):
    bracket = upper_curve(rate, sigma, steps).epsilon_at(1e-7)
    assert bracket.high is not None
    assert bracket.low <= bracket.high


# All masses together may err by a few units in the last place; the composition allows for
# 32 of them in each unit.
ROUNDING = 8 * 2.0**-53
MOST_EXACT_POINTS = 400

PAIRS = [
    (0.01, 1.0), (1.0, 0.3), (0.4, 0.1), (1e-9, 60.0), (2e-8, 3.4), (1e-6, 0.15), (0.2, 100.0),
    (1 - 2e-9, 0.104), (1 - 1e-14, 0.54), (1 - 1e-6, 10.0),
]  # fmt: skip


def profile_of(distribution):
    """Return delta at each grid point, summed in 60 digits, and the losses of the points."""
    h, origin = mpf(distribution.interval), mpf(distribution.origin)
    losses = [origin + int(i) * h for i in distribution.indices]
    above = discounted = mpf(0)
    deltas = []
    for k in reversed(range(len(losses))):
        # The second distribution's mass above, times e^loss.
        if k + 1 < len(losses):
            discounted *= mp.exp(losses[k] - losses[k + 1])
        deltas.append(above - discounted + mpf(distribution.infinity))
        above += mpf(float(distribution.mass[k]))
        discounted += mpf(float(distribution.mass[k]))
    return losses, deltas[::-1]


def assert_on_its_side(pair, direction, rounding, interval, exact_delta, *, room=ROUNDING, most=40):
    """Check a unit's profile at so many points of its grid, and between them.

    Args:
        pair, direction, rounding, interval: what is put on a grid.
        exact_delta: the profile in 40 digits or more.
        room: what its weights may be off by, relatively.
        most: points that are looked at.
    """
    side = 1 if rounding is Rounding.UP else -1
    with mp.workdps(DIGITS):
        distribution = one_unit(pair, direction, rounding, interval)
        assert np.all(distribution.mass >= 0.0)
        losses, deltas = profile_of(distribution)
        for k in np.unique(np.linspace(0, len(losses) - 2, most).astype(int)):
            points = [(losses[k], deltas[k])]
            # Straight in e^epsilon between grid points, where the exact profile is convex.
            alphas = mp.exp(losses[k]), mp.exp(losses[k + 1])
            for share in (mpf(1) / 50, mpf(1) / 2, mpf(49) / 50):
                alpha = alphas[0] + share * (alphas[1] - alphas[0])
                points.append((mp.log(alpha), deltas[k] + share * (deltas[k + 1] - deltas[k])))
            for epsilon, delta in points:
                exact = exact_delta(epsilon)
                # From below nothing is claimed of the unresolved tail but 0.
                assert side * (delta - exact) >= -room * exact


def assert_closed_form_on_its_side(rate, sigma, direction, rounding, in_spreads):
    pair = ShiftedMixturePair(rate=rate, noise_multiplier=sigma)

    def exact(epsilon):
        return single_unit_delta(rate, sigma, epsilon, direction)

    interval = interval_of(pair, in_spreads)
    assert_on_its_side(pair, direction, rounding, interval, exact)


def interval_of(pair, in_spreads):
    wanted = max(
        in_spreads * loss_of(pair, Rounding.UP).spread, loss_range(pair) / MOST_EXACT_POINTS
    )
    return min(wanted, LARGEST_INTERVAL)


@pytest.mark.parametrize("rounding", Rounding)
@pytest.mark.parametrize("direction", Direction)
@pytest.mark.parametrize(("rate", "sigma"), PAIRS)
@pytest.mark.every(15)
def test_rounding_up_dominates_and_rounding_down_is_dominated(rate, sigma, direction, rounding):
    """At orders above and below 1, at the grid's points and between them."""
    for in_spreads in (0.1, 5.0):
        assert_closed_form_on_its_side(rate, sigma, direction, rounding, in_spreads)


@settings(max_examples=20, derandomize=True, deadline=None)
@given(
    st.floats(-9, 0), st.booleans(), st.floats(-1, 2), st.floats(-2, 1),
    st.sampled_from(Direction), st.sampled_from(Rounding),
)  # fmt: skip
def test_any_pair_is_rounded_to_the_claimed_side(power, near_one, log_sigma, size, way, side):
    """Rates from 1e-9 to 1 - 1e-9, every noise multiplier and grid of the domain."""
    rate = max(1.0 - 10.0**power, 1e-9) if near_one else 10.0**power
    assert_closed_form_on_its_side(rate, 10.0**log_sigma, way, side, 10.0**size)


@pytest.mark.parametrize("interval", [0.0, -1.0, float("nan"), float("inf"), 301.0])
def test_impossible_intervals_are_refused(interval):
    pair = ShiftedMixturePair(rate=0.1, noise_multiplier=1.0)
    with pytest.raises(ValueError, match="not allowed"):
        one_unit(pair, Direction.MIRRORED, Rounding.UP, interval)


def test_too_fine_a_grid_is_refused_before_memory_runs_out():
    pair = ShiftedMixturePair(rate=0.1, noise_multiplier=1.0)
    interval = loss_range(pair) / (2 * MOST_POINTS)
    with pytest.raises(ValueError, match="too fine"):
        one_unit(pair, Direction.MIRRORED, Rounding.UP, interval)


SOME_EPSILONS = np.array([0.0, 1e-4, 0.1, 1.0, 10.0, 1e3])
# Places of the composed loss in standard deviations from its mean: delta from 1 to 1e-14.
DEVIATIONS = np.array([-6.0, -2.0, 0.0, 2.0, 5.0, 7.5])


def bound_of(composition: Composition, *, rate: float, sigma: float, steps: int) -> Bound:
    guarantee = drawn(rate, sigma, steps)
    return guarantee.upper if composition is Composition.MIRRORED else guarantee.lower


def assert_holds_closed_form(curve, sigma, steps):
    mean = 2.0 * np.sqrt(steps) / sigma
    epsilons = np.append(mean**2 / 2 + DEVIATIONS * mean, SOME_EPSILONS)
    epsilons = epsilons[epsilons >= 0.0]
    brackets = curve.delta_at(epsilons)
    for epsilon, low, high in zip(epsilons, brackets.low, brackets.high, strict=True):
        assert low <= gaussian_delta(epsilon, sigma, steps) <= high


@pytest.mark.parametrize("composition", Composition)
@pytest.mark.parametrize("steps", [1, 1000, 10**7])
def test_untouched_data_cost_nothing(steps, composition):
    curve = composed_curve(bound_of(composition, rate=0.0, sigma=1.0, steps=steps))
    brackets = curve.delta_at(SOME_EPSILONS)
    assert not brackets.low.any()
    assert not brackets.high.any()
    assert curve.epsilon_at(1e-15).high == 0.0


@pytest.mark.every(4)
@pytest.mark.parametrize("composition", Composition)
@pytest.mark.parametrize("steps", [1, 2, 100, 10**4, 10**6])
@pytest.mark.parametrize("sigma", [0.1, 1.0, 4.0, 100.0])
def test_full_batches_are_the_gaussian_mechanism(sigma, steps, composition):
    """At rate 1 the bracket holds the closed form, to the last digit, and is narrow."""
    curve = composed_curve(bound_of(composition, rate=1.0, sigma=sigma, steps=steps))
    assert_holds_closed_form(curve, sigma, steps)
    assert curve.epsilon_at(1e-7).relative_gap < 1e-3


@pytest.mark.parametrize("composition", Composition)
@pytest.mark.parametrize("in_deviations", [0.05, 0.7, 3.0])
@pytest.mark.parametrize(("sigma", "steps"), [(0.1, 1), (0.1, 7), (1.0, 50), (30.0, 3000)])
def test_no_grid_misses_the_closed_form(sigma, steps, in_deviations, composition):
    """However coarse or fine the grid, up to many nats, the exact value is in the bracket."""
    bound = bound_of(composition, rate=1.0, sigma=sigma, steps=steps)
    curve = composed_curve(bound, interval=in_deviations * 2.0 / sigma)
    assert_holds_closed_form(curve, sigma, steps)


@pytest.mark.parametrize("delta", [0.5, 1e-3, 1e-7, 1e-15])
def test_epsilon_brackets_the_root_of_the_closed_form(delta):
    bound = bound_of(Composition.MIRRORED, rate=1.0, sigma=20.0, steps=400)
    bracket = composed_curve(bound).epsilon_at(delta)
    assert gaussian_delta(bracket.low, 20.0, 400) >= delta
    assert gaussian_delta(bracket.high, 20.0, 400) <= delta


@pytest.mark.every(5)
@pytest.mark.parametrize("interval", [None, 1e-2, 0.3])
@pytest.mark.parametrize("rate", [1e-9, 1e-4, 0.01, 0.3, 0.999])
@pytest.mark.parametrize("sigma", [0.1, 0.7, 4.0, 100.0])
def test_one_step_agrees_with_forty_digits(rate, sigma, interval):
    epsilons = np.array([0.0, 1e-4, 0.003, 0.02, 0.11, 0.5, 1.0, 3.7, 8.0, 40.0, 300.0])
    exact = np.array([float(single_unit_delta(rate, sigma, float(e))) for e in epsilons])
    for bound in both(rate, sigma, 1):
        brackets = composed_curve(bound, interval=interval).delta_at(epsilons)
        assert np.all(brackets.low <= exact * (1 + 1e-15))
        assert np.all(brackets.high >= exact * (1 - 1e-15))


def test_stated_value_of_the_toy_setting():
    """1000 steps at rate 0.01, sigma 1: 19.02618 on the interval 1e-3, truth 19.02612."""
    upper, lower = both(0.01, 1.0, 1000)
    on_grid = composed_curve(upper, interval=1e-3).epsilon_at(1e-7)
    assert on_grid.high == pytest.approx(19.02618, rel=1e-5)
    for interval in (1e-3, 3e-3, 1e-2, None):
        bracket = composed_curve(upper, interval=interval).epsilon_at(1e-7)
        assert bracket.low <= 19.026121
        assert bracket.high >= 19.026117
    attained = composed_curve(lower, interval=1e-3).epsilon_at(1e-7)
    assert attained.low == pytest.approx(17.53, abs=5e-3)
    # 17.53263 is the larger of two directions, rounded up: the truth lies below it.
    assert attained.low <= 17.53263


@pytest.mark.parametrize(
    ("epsilon", "attained", "mirrored"),
    [(0.0, 0.16936, 0.2305), (1.0, 0.0339, 0.0435), (4.0, 4.70e-4, 5.98e-4)],
)
def test_gap_between_attained_and_mirrored_composition(epsilon, attained, mirrored):
    """Rate 0.01, sigma 1, 100 steps, by an independent computation."""
    upper, lower = both(0.01, 1.0, 100)
    at = np.array([epsilon])
    assert composed_curve(upper, interval=1e-3).delta_at(at).high[0] == pytest.approx(
        mirrored, rel=2e-3
    )
    assert composed_curve(lower, interval=1e-3).delta_at(at).low[0] == pytest.approx(
        attained, rel=2e-3
    )
