"""Composing grid distributions: exact powers by arithmetic on integers and in 60 digits."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from dpviz.accounting import composition
from dpviz.accounting.composition import SMALLEST_DELTA, WindowTooLargeError, composed_profile
from dpviz.accounting.discretize import one_unit
from dpviz.accounting.loss_distribution import Direction, LossDistribution, Rounding
from dpviz.accounting.profile import weights_norm
from dpviz.accounting.tilted_sum import Repeated, TiltedUnit
from dpviz.guarantees import guarantee_for
from dpviz.scenario import Noise, Scenario
from tests.accounting.exact import DIGITS
from tests.scenario.changes import TOY, TRAFFIC

# The masses below are floats that sum to 1 but for their rounding, once for each unit.
SUM_ERROR = 4 * 2.0**-53
SMALLEST_FLOAT = 1e-300  # what is smaller is 0
# Above this delta, rounding errors and cut tails together stay below the gap.
RESOLVED_DELTA, LARGEST_GAP = 1e-8, 1e-5
POINTS_COMPARED = 30


def exact_powers(masses, count):
    """Return the masses of the sum of ``count`` losses, in exact decimals of 60 digits."""
    if len(masses) == 2:
        return [mp.binomial(count, k) * masses[0] ** (count - k) * masses[1] ** k
                for k in range(count + 1)]  # fmt: skip
    result = [mpf(1)]
    for _ in range(count):
        longer = [mpf(0)] * (len(result) + len(masses) - 1)
        for i, left in enumerate(result):
            for j, right in enumerate(masses):
                longer[i + j] += left * right
        result = longer
    return result


def exact_profile(distribution, count):
    """Return delta of ``count`` units as a function of epsilon."""
    sums = exact_powers([mpf(float(mass)) for mass in distribution.mass], count)
    interval = mpf(distribution.interval)
    lowest = count * (mpf(distribution.origin) + distribution.first * interval)
    infinite = 1 - (1 - mpf(distribution.infinity)) ** count
    # Of all masses from each loss on: their sum, and that of mass e^-(distance from that loss).
    above, discounted, shrink = [mpf(0)], [mpf(0)], mp.exp(-interval)
    for mass in reversed(sums):
        above.append(above[-1] + mass)
        discounted.append(discounted[-1] * shrink + mass)

    def delta(epsilon):
        k = max(int(mp.floor((epsilon - lowest) / interval)) + 1, 0)
        left = max(len(sums) - k, 0)
        return infinite + above[left] - mp.exp(epsilon - lowest - k * interval) * discounted[left]

    return delta


def assert_bounds_are_sound(masses, count, *, interval=0.1, first=-1, origin=0.0, infinity=0.0):
    masses = np.array(masses) / np.sum(masses)
    with mp.workdps(DIGITS):
        for rounding in Rounding:
            distribution = LossDistribution(
                interval=interval,
                origin=origin,
                indices=np.arange(first, first + len(masses)),
                mass=masses * (1.0 - infinity),
                infinity=infinity if rounding is Rounding.UP else 0.0,
            )
            profile = composed_profile([Repeated(distribution, count)], rounding)
            indices = np.unique(np.linspace(0, len(profile.delta) - 1, POINTS_COMPARED).astype(int))
            epsilons = np.maximum(profile.start + indices * interval, 0.0)
            exact_delta = exact_profile(distribution, count)
            for epsilon, delta in zip(epsilons, profile.delta_at(epsilons), strict=True):
                exact = exact_delta(mpf(float(epsilon)))
                room = count * SUM_ERROR
                if rounding is Rounding.UP:
                    assert delta >= min(exact, 1) * (1 - room) or exact < SMALLEST_FLOAT
                else:
                    assert delta <= exact * (1 + room)
                if exact > RESOLVED_DELTA:
                    assert abs(delta - exact) <= LARGEST_GAP * exact


@pytest.mark.parametrize(
    ("masses", "count"),
    [([0.5, 0.5], 1000), ([0.999, 0.001], 3000), ([1e-6, 1.0], 200), ([0.3, 0.4, 0.3], 40),
     ([1.0, 1e-9, 0.2, 1e-13], 25), ([0.1, 0.0, 0.0, 0.9, 0.05], 12)],
)  # fmt: skip
@pytest.mark.parametrize("interval", [1e-6, 0.1, 20.0])
@pytest.mark.every(3)
def test_composed_delta_lies_between_its_bounds(masses, count, interval):
    """Both bounds hold, and are close, for small and huge losses alike."""
    assert_bounds_are_sound(masses, count, interval=interval)


@pytest.mark.parametrize("infinity", [1e-14, 1e-5, 0.3])
def test_outcomes_that_reveal_everything_add_up(infinity):
    assert_bounds_are_sound([0.6, 0.2, 0.2], 30, infinity=infinity)


@settings(max_examples=30, derandomize=True, deadline=None)
@given(
    st.lists(st.floats(-12, 0).map(lambda power: 10.0**power), min_size=2, max_size=5),
    st.integers(1, 30), st.floats(-6, 1).map(lambda power: 10.0**power), st.integers(-4, 1),
    st.floats(-3, 3),
)  # fmt: skip
def test_any_small_distribution_is_bounded(masses, count, interval, first, shift):
    """Grids through any origin, with masses over 12 orders of magnitude."""
    assert_bounds_are_sound(masses, count, interval=interval, first=first, origin=shift * interval)


def test_windows_beyond_the_largest_transform_are_refused():
    distribution = LossDistribution(
        interval=1e-6,
        origin=0.0,
        indices=np.arange(-50_000, 50_001),
        mass=np.full(100_001, 1e-5),
        infinity=0.0,
    )
    with pytest.raises(WindowTooLargeError, match="too fine"):
        composed_profile([Repeated(distribution, 10**6)], Rounding.UP)


@pytest.mark.parametrize("tilt", [0.0, 1e-3, 0.5, 6.0, 800.0])
@pytest.mark.parametrize(("size", "interval"), [(1, 0.1), (50, 1e-9), (2000, 1e-3), (300, 5.0)])
def test_errors_of_all_points_together_count_no_more_than_the_bound(size, interval, tilt):
    """Against the plain sum of squares of what each point's mass counts for in delta."""
    distances = interval * np.arange(1, size + 1)
    norm = np.sqrt(np.sum((np.exp(-tilt * distances) * -np.expm1(-distances)) ** 2))
    bound = weights_norm(size, interval, tilt)
    assert norm <= bound
    assert bound <= 2.5 * norm + 1e-140


@pytest.mark.parametrize("tilt", [0.0, 0.37, 2.0, -1.5])
@pytest.mark.parametrize("interval", [1e-3, 0.7, 30.0])
def test_tilted_masses_are_right_to_their_error(interval: float, tilt: float) -> None:
    """The exponential of a large loss is off by as many units in the last place."""
    rng = np.random.default_rng(3)
    distribution = LossDistribution(
        interval=interval, origin=0.1 * interval, indices=np.arange(-20, 21),
        mass=rng.dirichlet(np.ones(41)), infinity=0.0,
    )  # fmt: skip
    unit = TiltedUnit(distribution, tilt)
    with mp.workdps(DIGITS):
        tilted = [
            mpf(mass) * mp.exp(mpf(tilt) * mpf(loss))
            for mass, loss in zip(
                distribution.mass.tolist(), distribution.losses.tolist(), strict=True
            )
        ]
        total = sum(tilted)
        assert abs(mpf(unit.log_scale) - mp.log(total)) <= unit.relative_error
        for found, exact in zip(unit.mass.tolist(), tilted, strict=True):
            assert abs(mpf(found) - exact / total) <= unit.relative_error * exact / total + mpf(
                SMALLEST_FLOAT
            )


@pytest.mark.every(4)
@pytest.mark.parametrize("rounding", list(Rounding))
@pytest.mark.parametrize("scenario", [
    TOY,
    TRAFFIC,
    TOY.with_rates(bottom_rate=1e-4),  # rare huge losses
    replace(TOY, noise=Noise(noise_multiplier=0.3)),  # epsilon in the hundreds
], ids=["toy", "traffic", "rare", "little noise"])  # fmt: skip
def test_tilts_that_are_left_out_would_change_nothing_that_is_seen(
    scenario: Scenario, rounding: Rounding, monkeypatch: pytest.MonkeyPatch
) -> None:
    bound = guarantee_for(scenario).upper
    unit = one_unit(bound.pair, Direction.MIRRORED, rounding, 0.003)
    parts = [Repeated(unit, bound.count)]
    few = composed_profile(parts, rounding)
    monkeypatch.setattr(composition, "_NEGLIGIBLE_ERROR", 0.0)
    all_of_them = composed_profile(parts, rounding)
    epsilons = np.geomspace(1e-3, 500.0, 300)
    best, found = all_of_them.delta_at(epsilons), few.delta_at(epsilons)
    is_seen = best >= SMALLEST_DELTA
    assert np.any(is_seen)
    np.testing.assert_allclose(found[is_seen], best[is_seen], rtol=2e-5)
