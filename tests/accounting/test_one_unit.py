"""One step or epoch: its discrete loss distribution really lies on the side it claims."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from dpviz.accounting.discretize import LARGEST_INTERVAL, MOST_POINTS, loss_range, one_unit
from dpviz.accounting.loss_distribution import Direction, Rounding
from dpviz.accounting.losses import loss_of
from dpviz.guarantees import ShiftedMixturePair
from tests.accounting.exact import DIGITS, single_unit_delta

# All masses together may err by a few units in the last place; the composition allows for
# 32 of them in each unit.
ROUNDING = 8 * 2.0**-53
MOST_POINTS_COMPARED = 40
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


def assert_on_its_side(pair, direction, rounding, interval):
    with mp.workdps(DIGITS):
        distribution = one_unit(pair, direction, rounding, interval)
        assert np.all(distribution.mass >= 0.0)
        losses, deltas = profile_of(distribution)
        places = np.unique(np.linspace(0, len(losses) - 2, MOST_POINTS_COMPARED).astype(int))
        for k in places:
            points = [(losses[k], deltas[k])]
            if rounding is Rounding.DOWN:
                # Straight in e^epsilon between grid points, where the exact profile is convex.
                alphas = mp.exp(losses[k]), mp.exp(losses[k + 1])
                for share in (mpf(1) / 50, mpf(1) / 2, mpf(49) / 50):
                    alpha = alphas[0] + share * (alphas[1] - alphas[0])
                    delta = deltas[k] + share * (deltas[k + 1] - deltas[k])
                    points.append((mp.log(alpha), delta))
            for epsilon, delta in points:
                exact = single_unit_delta(
                    pair.rate, pair.noise_multiplier, epsilon, direction=direction
                )
                if rounding is Rounding.UP:
                    assert delta >= exact * (1 - ROUNDING)
                else:
                    # Below the unresolved tail nothing is claimed but 0.
                    assert delta <= exact * (1 + ROUNDING)


def interval_of(pair, in_spreads):
    wanted = max(
        in_spreads * loss_of(pair, Rounding.UP).spread, loss_range(pair) / MOST_EXACT_POINTS
    )
    return min(wanted, LARGEST_INTERVAL)


@pytest.mark.parametrize("rounding", Rounding)
@pytest.mark.parametrize("direction", Direction)
@pytest.mark.parametrize(("rate", "sigma"), PAIRS)
def test_rounding_up_dominates_and_rounding_down_is_dominated(rate, sigma, direction, rounding):
    """At orders above and below 1, at the grid's points and between them."""
    pair = ShiftedMixturePair(rate=rate, noise_multiplier=sigma)
    for in_spreads in (0.1, 5.0):
        assert_on_its_side(pair, direction, rounding, interval_of(pair, in_spreads))


@settings(max_examples=20, derandomize=True, deadline=None)
@given(
    st.floats(-9, 0), st.booleans(), st.floats(-1, 2), st.floats(-2, 1),
    st.sampled_from(Direction), st.sampled_from(Rounding),
)  # fmt: skip
def test_any_pair_is_rounded_to_the_claimed_side(power, near_one, log_sigma, size, way, side):
    """Rates from 1e-9 to 1 - 1e-9, every noise multiplier and grid of the domain."""
    rate = max(1.0 - 10.0**power, 1e-9) if near_one else 10.0**power
    pair = ShiftedMixturePair(rate=rate, noise_multiplier=10.0**log_sigma)
    assert_on_its_side(pair, way, side, interval_of(pair, 10.0**size))


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
