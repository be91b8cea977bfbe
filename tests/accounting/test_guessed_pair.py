"""Pairs of tests that may be wrong: a reflected one, and two weights for each mean."""

import numpy as np
import pytest
from scipy.stats import binom

from dpviz.accounting import composed_curve
from dpviz.accounting.loss_distribution import Direction, Rounding
from dpviz.accounting.second_opinion import profile_at
from dpviz.guarantees import MixturePair
from tests.accounting.divergences import divergences, masses
from tests.accounting.rows import attained, exact_of, profile_of_units

EPSILONS = np.array([0.0, 0.01, 0.1, 0.5])


def guesses(right, wrong, sigma):
    return MixturePair(
        means=(-1.0, 0.0, 1.0),
        weights=(wrong, 1.0 - right - wrong, right),
        noise_multiplier=sigma,
        reflected=True,
        largest_mean=1.0,
    )


def told(means, weights, others, sigma):
    return MixturePair(
        means=means,
        weights=weights,
        noise_multiplier=sigma,
        reflected=False,
        largest_mean=means[-1],
        other_weights=others,
    )


PAIRS = [
    guesses(0.06, 0.01, 1.0),
    guesses(0.3, 0.29, 4.0),
    told((0.0, 2.0), (0.993, 0.007), (0.998, 0.002), 1.0),
    told((0.0, 2.0), (0.4, 0.6), (0.7, 0.3), 0.3),
    told((0.0, 2.0), (0.99, 0.01), (1.0 - 1e-12, 1e-12), 2.0),
    told((-1.0, 0.0, 1.0), (0.05, 0.9, 0.05), (0.08, 0.9, 0.02), 1.0),
]


def exact(pair, epsilon, direction):
    law = exact_of(pair)
    return float((law if direction is Direction.FORWARD else law.exchanged).delta(epsilon))


@pytest.mark.every(3)
@pytest.mark.parametrize("pair", PAIRS)
def test_one_step_is_what_densities_say(pair):
    p, q = masses(*pair.components, pair.noise_multiplier, step=1e-3)
    ways = {Direction.FORWARD: (p, q), Direction.BACKWARD: (q, p)}
    right = np.array([[exact(pair, one, way) for one in EPSILONS] for way in ways])
    summed = np.array([divergences(*cells, np.exp(EPSILONS)) for cells in ways.values()])
    assert summed == pytest.approx(right, rel=1e-4, abs=1e-9)
    larger = right.max(axis=0)
    brackets = composed_curve(attained(pair), at_delta=1e-3).delta_at(EPSILONS)
    assert np.all(brackets.low <= larger + 1e-12)
    assert np.all(larger - 1e-12 <= brackets.high)
    assert np.all(brackets.high - brackets.low <= 1e-4)


@pytest.mark.every(6)
@pytest.mark.parametrize("interval", [1e-3, 0.05, 1.0])
@pytest.mark.parametrize("direction", [Direction.FORWARD, Direction.BACKWARD])
@pytest.mark.parametrize("pair", PAIRS)
def test_each_direction_is_rounded_to_the_claimed_side(pair, direction, interval):
    for rounding, side in ((Rounding.UP, 1), (Rounding.DOWN, -1)):
        deltas = profile_of_units(pair, direction, rounding, interval).delta_at(EPSILONS)
        for epsilon, delta in zip(EPSILONS, deltas, strict=True):
            value = exact(pair, epsilon, direction)
            assert side * (delta - value) >= -1e-14
            assert profile_at(pair, direction, np.array([epsilon]))[0] == pytest.approx(
                value, rel=1e-6, abs=1e-12
            )


@pytest.mark.parametrize(("right", "count"), [(0.5083, 23), (0.5083, 1), (0.52, 1000), (0.75, 7)])
def test_guesses_that_little_noise_hides_are_randomized_responses(right, count):
    """No outcome has a loss near 0 then: what is rounded down must not exceed all there is."""
    pair = MixturePair(
        means=(-1.0, 1.0),
        weights=(1.0 - right, right),
        noise_multiplier=0.1,
        reflected=True,
        largest_mean=1.0,
    )
    rights = np.arange(count + 1)
    first, other = binom.pmf(rights, count, right), binom.pmf(rights, count, 1.0 - right)
    exact = divergences(first, other, np.exp(EPSILONS))
    for interval in (0.005, 1e-3, None):
        curve = composed_curve(attained(pair, count), interval=interval, at_delta=1e-3)
        brackets = curve.delta_at(EPSILONS)
        assert np.all(brackets.low <= exact + 1e-12)
        assert np.all(brackets.high >= exact - 1e-12)
        assert brackets.low[0] >= 0.7 * exact[0]


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"others": (0.2, 0.8)}, "must not fall"),
        ({"others": (0.5, 0.4)}, "must sum to 1"),
        ({"others": (1.0,)}, "one for each mean"),
    ],
)
def test_other_weights_that_are_no_law_or_not_in_order_are_refused(changes, named):
    with pytest.raises(ValueError, match=named):
        told(**({"means": (0.0, 2.0), "weights": (0.4, 0.6), "sigma": 1.0} | changes))
