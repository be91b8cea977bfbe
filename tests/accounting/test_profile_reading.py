"""Reading delta and epsilon off a grid: exact between its points, rounded to the safe side."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from dpviz.accounting import account_for
from dpviz.accounting.buckets import UNIT_ROUNDOFF
from dpviz.accounting.curve import composed_curve
from dpviz.accounting.loss_distribution import Rounding
from dpviz.accounting.profile import POWERS_ROUNDING, Profile, _recurrence
from dpviz.guarantees import guarantee_for
from dpviz.planning import curves_of
from dpviz.scenario import PRESETS
from tests.accounting.exact import DIGITS
from tests.scenario.changes import TOY, varied

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


_FACTORS = (0.0, 1e-300, 1e-30, 0.04, 0.5, 0.9, 0.97, 0.999, 1.0 - 1e-9, 1.0)


def exact_sums(terms: np.ndarray, factor: float) -> list[Fraction]:
    """Return y_k = terms_k + factor y_(k+1), without rounding."""
    sums, last = [], Fraction(0)
    for term in terms[::-1].tolist():
        last = Fraction(term) + Fraction(factor) * last
        # Of so many digits that nothing shows, and no more: exact ones would double each time.
        last = Fraction(int(last * 2**1600), 2**1600)
        sums.append(last)
    return sums[::-1]


@pytest.mark.parametrize("factor", _FACTORS)
@pytest.mark.parametrize("size", [1, 2, 63, 300, 2000])
def test_each_sum_is_as_precise_as_is_allowed_for(factor: float, size: int) -> None:
    rng = np.random.default_rng(size)
    terms = rng.random(size) * 10.0 ** rng.uniform(-12, 0, size)
    sums = _recurrence(terms, factor)
    allowed = UNIT_ROUNDOFF * (size + POWERS_ROUNDING)
    largest = float(sums.max())
    for found, exact in zip(sums.tolist(), exact_sums(terms, factor), strict=True):
        assert abs(Fraction(found) - exact) <= allowed * exact + Fraction(1e-86 * largest)


_EPSILONS = np.array([0.0, 0.1, 1.0, 5.0, 20.0])


@pytest.mark.parametrize("name", ["toy", "traffic"])
def test_the_quoted_side_is_that_of_the_whole_curve_on_the_same_grid(name: str) -> None:
    guarantee = guarantee_for(PRESETS[name].scenario)
    assert guarantee.lower is not None
    for bound in (guarantee.upper, guarantee.lower):
        one = composed_curve(bound, interval=0.05, only_quoted=True)
        whole = composed_curve(bound, interval=0.05)
        np.testing.assert_array_equal(
            one.quoted_delta_at(_EPSILONS), whole.quoted_delta_at(_EPSILONS)
        )
        assert one.quoted_epsilon_at(1e-7) == whole.quoted_epsilon_at(1e-7)


def test_the_side_that_was_not_computed_claims_nothing() -> None:
    account = account_for(TOY, only_quoted=True)
    assert account.lower is not None
    upper, lower = account.upper.delta_at(_EPSILONS), account.lower.delta_at(_EPSILONS)
    assert np.all(upper.low == 0.0)
    assert np.all(lower.high == 1.0)
    assert account.upper.epsilon_at(1e-7).low == 0.0
    assert account.lower.epsilon_at(1e-7).high is None


@pytest.mark.parametrize("name", ["toy", "traffic", "electricity"])
def test_rough_curves_are_bounds_and_close_to_the_exact_ones(name: str) -> None:
    scenario = PRESETS[name].scenario
    rough, exact = curves_of(scenario, tolerance=1e-2, only_quoted=True), curves_of(scenario)
    assert rough.upper.only_quoted
    assert not exact.upper.only_quoted
    assert rough.epsilon_upper is not None
    assert rough.epsilon_lower is not None
    assert exact.upper.bracket.low is not None
    assert exact.upper.bracket.low <= rough.epsilon_upper <= 1.02 * exact.upper.bracket.low
    assert exact.lower is not None
    assert exact.lower.bracket.high is not None
    assert 0.98 * exact.lower.bracket.high <= rough.epsilon_lower <= exact.lower.bracket.high


def test_rough_curves_leave_out_attacks_in_two_directions() -> None:
    """They take longer than all else; what is left is a lower bound of its own theorem."""
    scenario = varied(TOY, num_subsequences=4)
    rough, exact = curves_of(scenario, tolerance=1e-2, only_quoted=True), curves_of(scenario)
    assert rough.lower is not None
    assert exact.lower is not None
    assert rough.epsilon_lower is not None
    assert exact.epsilon_lower is not None
    assert [one.lower.bound.theorem for one in (rough, exact)] == ["F.7", "dpviz 7"]
    assert 0.0 < rough.epsilon_lower < exact.epsilon_lower


@pytest.mark.parametrize("delta", [-0.1, float("nan"), -float("inf")])
def test_what_is_no_delta_has_no_epsilon(delta):
    account = account_for(TOY)
    for curve in (account.upper, account.lower):
        with pytest.raises(ValueError, match=f"delta = {delta!r} is not allowed: .* from 0 to 1"):
            curve.quoted_epsilon_at(delta)
