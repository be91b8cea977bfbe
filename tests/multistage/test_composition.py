"""Many episodes: the bracket against numbers that come by other ways."""

import numpy as np
import pytest

from dpviz.accounting import composed_curve
from dpviz.accounting.second_opinion import second_opinion
from dpviz.guarantees import Kind
from dpviz.multistage import printed_claim, staged_guarantee
from dpviz.multistage.guarantee import draw_in, moments_epsilon
from tests.accounting.divergences import divergences, masses

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


def test_moments_cut_off_no_losses_however_small_delta_is():
    """At delta = 1e-280 the best order is large; what its moment left out would show."""
    distance = 2.0 / 16.0
    exact = distance**2 / 2.0 + distance * np.sqrt(2.0 * 280.0 * np.log(10.0))
    assert moments_epsilon(draw_in("3:3"), 16.0, 1, 1e-280) >= exact


def test_moments_too_large_for_a_double_give_no_bound():
    assert moments_epsilon(draw_in("1:2"), 0.01, 1, 1e-5) == np.inf
