"""Reading delta and epsilon off a grid: exact between its points, rounded to the safe side."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from dpviz.accounting.loss_distribution import Rounding
from dpviz.accounting.profile import Profile
from tests.accounting.exact import DIGITS

POINTS = 12
# Besides the place on the grid, the straight line itself rounds a few times.
LINE_ROUNDING = 8 * 2.0**-53
SAFE_SIDES = {Rounding.UP: 1, Rounding.DOWN: -1}


def exact_reading(profile, epsilon):
    """Return the value at epsilon of the lines, straight in e^epsilon, between the points."""
    with mp.workdps(DIGITS):
        place = (mpf(float(epsilon)) - mpf(profile.start)) / mpf(profile.interval)
        k = min(int(mp.floor(place)), len(profile.delta) - 2)
        share = mp.expm1((place - k) * mpf(profile.interval)) / mp.expm1(mpf(profile.interval))
        return (1 - share) * mpf(profile.delta[k]) + share * mpf(profile.delta[k + 1])


@settings(max_examples=100, derandomize=True, deadline=None)
@given(
    st.sampled_from(Rounding), st.floats(-6, 2).map(lambda power: 10.0**power),
    st.floats(0, 1), st.floats(0, 15),
)  # fmt: skip
def test_no_reading_is_on_the_unsafe_side(rounding, interval, shift, fall):
    """Also where delta falls by 15 orders of magnitude from one grid point to the next."""
    profile = Profile(
        rounding=rounding,
        interval=interval,
        start=-shift * interval,
        delta=10.0 ** (-fall * np.arange(POINTS)),
    )
    points = profile.start + np.arange(1, POINTS) * interval
    epsilons = np.concatenate([points, np.nextafter(points, 0), points - 0.3 * interval])
    epsilons = epsilons[(epsilons >= 0.0) & (epsilons < points[-1])]
    for epsilon, delta in zip(epsilons, profile.delta_at(epsilons), strict=True):
        exact = exact_reading(profile, epsilon)
        side = SAFE_SIDES[rounding]
        assert side * (delta - exact) >= -LINE_ROUNDING * exact


@pytest.mark.parametrize("rounding", Rounding)
@pytest.mark.parametrize("delta", [0.7, 1e-3, 1e-9, 1e-20])
def test_epsilon_inverts_delta_on_the_safe_side(rounding, delta):
    """The epsilon of an upper bound meets delta; that of a lower bound does not exceed it."""
    profile = Profile(
        rounding=rounding, interval=0.3, start=-0.1, delta=10.0 ** (-2.0 * np.arange(POINTS))
    )
    epsilon = profile.epsilon_at(delta)
    at = exact_reading(profile, epsilon)
    # Where delta is 0 nats away already, 0 is the answer.
    if epsilon > 0:
        assert SAFE_SIDES[rounding] * (mpf(delta) - at) >= -LINE_ROUNDING * delta
        assert at == pytest.approx(delta, rel=1e-9)


@pytest.mark.parametrize("rounding", Rounding)
def test_readings_before_and_after_the_grid(rounding):
    """Before it, convexity (up) or the first value (down); after it, what is left."""
    left = 0.0 if rounding is Rounding.DOWN else 1e-9
    profile = Profile(rounding=rounding, interval=0.5, start=2.0, delta=np.array([0.4, 0.1, left]))
    before, inside, after = profile.delta_at(np.array([1.0, 2.25, 40.0]))
    if rounding is Rounding.UP:
        assert before == pytest.approx(1 - np.exp(-1.0) * 0.6)
        assert profile.epsilon_at(0.7) == pytest.approx(2.0 + np.log(0.3 / 0.6))
        assert profile.epsilon_at(1e-12) is None
    else:
        assert before == 0.4
        assert profile.epsilon_at(0.7) == 0.0
        assert profile.epsilon_at(1e-12) == pytest.approx(3.0)
    assert 0.1 < inside < 0.4
    assert after == left
