"""One episode and many: brackets against numbers that come by other ways, and how they move."""

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz.accounting import composed_curve
from dpviz.accounting.gaussian import gaussian_delta
from dpviz.accounting.second_opinion import second_opinion
from dpviz.guarantees import Kind
from dpviz.multistage import (
    StagedDraw,
    amplified,
    comparison,
    printed_amplified,
    printed_claim,
    staged_guarantee,
)
from dpviz.multistage.counterexample import proven_delta
from dpviz.multistage.guarantee import amplified_epsilon, draw_in, epsilon_before, moments_epsilon
from dpviz.scenario.levels import Level
from tests.accounting.divergences import divergences, masses
from tests.accounting.exact import DIGITS, exact_gaussian_delta

EPSILONS = np.array([0.0, 0.1, 0.5, 1.0, 2.0])


def two_episodes(first, second, sigma):
    """Return delta of two episodes at EPSILONS, on a plane of outcomes.

    Args:
        first: laws of the sum of both episodes on one data set.
        second: on the other.
        sigma: standard deviation of the noise.
    """
    episodes = [
        masses(*((list(law), list(law.values())) for law in laws), sigma, step=0.016)
        for laws in zip(first, second, strict=True)
    ]
    p, q = (np.outer(*both) for both in zip(*episodes, strict=True))
    return divergences(p, q, np.exp(EPSILONS))


def test_nothing_that_two_episodes_show_exceeds_the_bound():
    """Units that point opposite ways, each episode in either direction."""
    draw, sigma = draw_in("1:2,3:6"), 1.0
    upper = composed_curve(staged_guarantee(draw, sigma, 2).upper).quoted_delta_at(EPSILONS)
    one = {0.0: 0.25, 2.0: 0.25, 6.0: 0.5}
    other = {0.0: 0.5, 6.0: 0.5}
    for first, second in ([(one, one), (other, other)], [(one, other), (other, one)]):
        assert np.all(two_episodes(first, second, sigma) <= upper)
        assert np.all(two_episodes(second, first, sigma) <= upper)


def test_lower_bound_of_two_episodes_is_what_they_show():
    draw, sigma = draw_in("1:2,1:3"), 1.3
    lower = staged_guarantee(draw, sigma, 2).lower
    brackets = composed_curve(lower).delta_at(EPSILONS)
    one, other = {0.0: 5 / 6, 2.0: 1 / 6}, {0.0: 1.0}
    shown = np.maximum(
        two_episodes((one, one), (other, other), sigma),
        two_episodes((other, other), (one, one), sigma),
    )
    assert np.all(brackets.low <= shown * (1 + 1e-6))
    assert np.all(shown <= brackets.high * (1 + 1e-6))


@pytest.mark.parametrize("text", ["5:20,1:10", "2:3,4:20,2:12"])
def test_many_episodes_agree_with_dp_accounting(text):
    draw = draw_in(text)
    for bound in (staged_guarantee(draw, 1.5, 30).upper, printed_claim(draw, 1.5, 30)):
        brackets = composed_curve(bound).delta_at(EPSILONS)
        second = second_opinion(bound, interval=2e-3).delta_at(EPSILONS)
        assert np.all(brackets.low <= second * (1 + 1e-6) + 1e-12)
        assert np.all(second <= brackets.high * 1.01 + 1e-12)


def test_more_episodes_give_away_more_and_lose_tightness():
    draw, before = draw_in("5:20,1:10"), np.zeros(len(EPSILONS))
    for episodes in (1, 2, 10, 100):
        guarantee = staged_guarantee(draw, 1.0, episodes)
        upper = composed_curve(guarantee.upper).quoted_delta_at(EPSILONS)
        lower = composed_curve(guarantee.lower).quoted_delta_at(EPSILONS)
        assert np.all(before <= upper)
        assert np.all(lower <= upper)
        before = upper
    assert guarantee.upper.kind_after_composition is Kind.UPPER
    assert guarantee.lower.kind_after_composition is Kind.LOWER


@pytest.mark.parametrize(("sigma", "episodes"), [(4.0, 1), (8.0, 100)])
def test_moments_of_everything_drawn_are_those_of_one_gaussian(sigma, episodes):
    """Those of N(d) against N(0) are e^(s (s - 1) d^2 / 2), which has epsilon in closed form."""
    distance = 2.0 / sigma * np.sqrt(episodes)
    exact = distance**2 / 2.0 + distance * np.sqrt(2.0 * np.log(1e5))
    found = moments_epsilon(draw_in("3:3"), sigma, episodes, 1e-5)
    assert exact <= found <= 1.02 * exact


@pytest.mark.parametrize("levels", ["1:12", "5:64,1:20", "4:50,2:10,3:25"])
def test_moments_are_looser_than_the_composition_and_than_a_library_s_of_one_direction(levels):
    from dp_accounting import GaussianDpEvent, PoissonSampledDpEvent
    from dp_accounting.rdp import RdpAccountant

    draw = draw_in(levels)
    found = moments_epsilon(draw, 4.0, 100, 1e-5)
    exact = composed_curve(staged_guarantee(draw, 4.0, 100).upper, at_delta=1e-5)
    assert exact.quoted_epsilon_at(1e-5) < found
    if draw.outer_rate == 1.0:
        library = RdpAccountant(orders=[2, 4, 8, 16, 32, 64])
        library.compose(PoissonSampledDpEvent(draw.inner_rate, GaussianDpEvent(2.0)), 100)
        assert library.get_epsilon(1e-5) < found


@pytest.mark.parametrize("sigma", [16.0, 1.0, 0.25])
def test_moments_cut_off_no_losses_however_small_delta_is(sigma):
    """At delta = 1e-280 the best order is large; what its moment left out would show."""
    distance = 2.0 / sigma
    exact = distance**2 / 2.0 + distance * np.sqrt(2.0 * 280.0 * np.log(10.0))
    assert moments_epsilon(draw_in("3:3"), sigma, 1, 1e-280) >= exact


@pytest.mark.parametrize("sigma", [0.01, 0.15])
def test_moments_too_large_for_a_double_give_no_bound(sigma):
    assert moments_epsilon(draw_in("1:2"), sigma, 1, 1e-5) == np.inf


LEVEL = st.integers(1, 50).flatmap(
    lambda size: st.builds(Level, drawn=st.integers(1, size), size=st.just(size))
)
DRAWS = st.lists(LEVEL, min_size=1, max_size=5).map(lambda found: StagedDraw(levels=tuple(found)))
ANY_SIGMA, ANY_EPSILON = st.floats(0.1, 20.0), st.floats(0.0, 20.0)


@pytest.mark.parametrize(
    ("text", "sigma", "truth", "printed"),
    [("1:2", 1.0, 0.2549, 0.0635), ("10:100", 2.0, 0.01269, 0.00068)],
)
def test_counterexamples_have_their_known_values(text, sigma, truth, printed):
    """A fixed number of one level: the truth is the sound reading's, far above the claim."""
    draw = draw_in(text)
    digits = 10.0 ** -len(str(printed).partition(".")[2])
    assert amplified(draw, sigma, 1.0).delta == pytest.approx(truth, abs=digits / 2)
    assert printed_amplified(draw, sigma, 1.0).delta == pytest.approx(printed, abs=digits / 2)
    found = comparison(draw, sigma, amplified_epsilon(draw.rate, 1.0))
    assert found.attained.delta == pytest.approx(amplified(draw, sigma, 1.0).delta, rel=1e-9)


def test_levels_that_share_records_amplify_delta_alone():
    """Three records of each of two classes: only the classes' pupils amplify epsilon."""
    draw = draw_in("1:4,2:10,3:30")
    assert (draw.hidden_from, draw.outer_rate, draw.inner_rate) == (2, 0.05, 0.1)
    assert draw.records == 6
    assert [draw.records_of_unit(at) for at in range(3)] == [6, 3, 1]
    found = amplified(draw, 1.0, 1.0)
    assert found.epsilon == pytest.approx(float(mpmath.log(1 + 0.1 * (mpmath.e - 1))))
    assert found.delta == pytest.approx(0.005 * gaussian_delta(1.0, 2.0))


def test_only_where_units_give_one_record_the_bound_is_tight():
    assert staged_guarantee(draw_in("5:20,1:10"), 1.0, 1).upper.kind is Kind.TIGHT
    assert staged_guarantee(draw_in("3:3,5:10"), 1.0, 1).upper.kind is Kind.TIGHT
    assert staged_guarantee(draw_in("1:2,5:10"), 1.0, 1).upper.kind is Kind.UPPER
    assert printed_claim(draw_in("5:20,1:10"), 1.0, 1).kind is Kind.UNPROVEN


@settings(max_examples=40)
@given(DRAWS, ANY_SIGMA, ANY_EPSILON)
def test_readings_keep_their_order(draw, sigma, epsilon):
    """What is attained is never above what is proven, and the claim never above either."""
    found = comparison(draw, sigma, epsilon)
    assert found.attained.delta <= found.proven * (1 + 1e-9) + 1e-15
    assert found.corrected_distance <= found.proven * (1 + 1e-9)
    assert found.printed <= found.corrected_distance * (1 + 1e-9)


@given(DRAWS, ANY_SIGMA, ANY_EPSILON, st.integers(0, 4), st.integers(1, 20))
def test_larger_units_and_more_noise_never_give_away_more(draw, sigma, epsilon, at, more):
    """So that the smallest size of each level is the one to give."""
    levels = list(draw.levels)
    at %= len(levels)
    levels[at] = Level(drawn=levels[at].drawn, size=levels[at].size + more)
    before = proven_delta(draw, sigma, epsilon)
    assert proven_delta(StagedDraw(levels=tuple(levels)), sigma, epsilon) <= before + 1e-15
    assert proven_delta(draw, sigma * 1.5, epsilon) <= before + 1e-15
    assert proven_delta(draw, sigma, epsilon + 0.5) <= before + 1e-15


@given(st.floats(1e-9, 1.0), st.floats(0.0, 1500.0))
def test_epsilon_before_and_after_the_draw_belong_together(rate, epsilon):
    assert epsilon_before(rate, amplified_epsilon(rate, epsilon)) == pytest.approx(
        epsilon, rel=1e-9, abs=1e-9
    )


@given(DRAWS, ANY_SIGMA, ANY_EPSILON)
def test_epsilon_and_delta_of_one_episode_are_rounded_up(draw, sigma, epsilon):
    """By 60 digits, from the chances as they are given."""
    with mpmath.workdps(DIGITS):
        before = mpmath.log1p(mpmath.expm1(epsilon) / mpmath.mpf(draw.inner_rate))
        exact = [
            draw.rate * exact_gaussian_delta(one, mpmath.mpf(2) / sigma)
            for one in (before, mpmath.mpf(epsilon))
        ]
        own = mpmath.log1p(mpmath.mpf(draw.inner_rate) * mpmath.expm1(epsilon))
        found = amplified(draw, sigma, epsilon)
        if epsilon > 1e-290:
            assert own * (1 - mpmath.mpf(10) ** -40) <= found.epsilon <= own * (1 + 1e-14)
    told = proven_delta(draw, sigma, epsilon), found.delta
    for least, delta in zip(exact, told, strict=True):
        if least > 1e-290:
            assert least <= delta
            assert delta <= least * (1 + 1e-10) + 1e-14
