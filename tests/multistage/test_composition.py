"""Many episodes: the bracket against numbers that come by other ways."""

import numpy as np
import pytest
from scipy.stats import norm

from dpviz.accounting import composed_curve
from dpviz.accounting.second_opinion import second_opinion
from dpviz.guarantees import Kind
from dpviz.multistage import StagedDraw, printed_claim, staged_guarantee
from dpviz.scenario.levels import levels_in

EPSILONS = np.array([0.0, 0.1, 0.5, 1.0, 2.0])


def draw_of(text):
    return StagedDraw(levels=levels_in("levels", text))


def density(x, mixture, sigma):
    return sum(weight * norm.pdf(x, mean, sigma) for mean, weight in mixture.items())


def two_episodes(first, second, sigma):
    """Return delta of two episodes at EPSILONS, on a plane of outcomes.

    Args:
        first: laws of the sum of both episodes on one data set.
        second: on the other.
        sigma: standard deviation of the noise.
    """
    means = {*first[0], *first[1], *second[0], *second[1]}
    x = np.linspace(min(means) - 9 * sigma, max(means) + 9 * sigma, 1501)
    cell = (x[1] - x[0]) ** 2
    p = np.outer(density(x, first[0], sigma), density(x, first[1], sigma))
    q = np.outer(density(x, second[0], sigma), density(x, second[1], sigma))
    return np.array([np.maximum(p - np.exp(e) * q, 0.0).sum() * cell for e in EPSILONS])


def test_nothing_that_two_episodes_show_exceeds_the_bound():
    """Units that point opposite ways, each episode in either direction."""
    draw, sigma = draw_of("1:2,3:6"), 1.0
    upper = composed_curve(staged_guarantee(draw, sigma, 2).upper).quoted_delta_at(EPSILONS)
    one = {0.0: 0.25, 2.0: 0.25, 6.0: 0.5}
    other = {0.0: 0.5, 6.0: 0.5}
    for first, second in ([(one, one), (other, other)], [(one, other), (other, one)]):
        assert np.all(two_episodes(first, second, sigma) <= upper)
        assert np.all(two_episodes(second, first, sigma) <= upper)


def test_lower_bound_of_two_episodes_is_what_they_show():
    draw, sigma = draw_of("1:2,1:3"), 1.3
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
    draw = draw_of(text)
    for bound in (staged_guarantee(draw, 1.5, 30).upper, printed_claim(draw, 1.5, 30)):
        brackets = composed_curve(bound).delta_at(EPSILONS)
        second = second_opinion(bound, interval=2e-3).delta_at(EPSILONS)
        assert np.all(brackets.low <= second * (1 + 1e-6) + 1e-12)
        assert np.all(second <= brackets.high * 1.01 + 1e-12)


def test_more_episodes_give_away_more_and_lose_tightness():
    draw, before = draw_of("5:20,1:10"), np.zeros(len(EPSILONS))
    for episodes in (1, 2, 10, 100):
        guarantee = staged_guarantee(draw, 1.0, episodes)
        upper = composed_curve(guarantee.upper).quoted_delta_at(EPSILONS)
        lower = composed_curve(guarantee.lower).quoted_delta_at(EPSILONS)
        assert np.all(before <= upper)
        assert np.all(lower <= upper)
        before = upper
    assert guarantee.upper.kind_after_composition is Kind.UPPER
    assert guarantee.lower.kind_after_composition is Kind.LOWER
