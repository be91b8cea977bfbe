"""Two and three units against nested quadrature of the closed-form profile."""

import numpy as np
import pytest

from dpviz.accounting import composed_curve
from dpviz.accounting.loss_distribution import Direction, Rounding
from dpviz.accounting.losses import loss_of
from dpviz.guarantees import ShiftedMixturePair
from tests.accounting.quadrature import few_units_delta
from tests.accounting.rows import drawn, profile_of_units

QUADRATURE_ERROR = 1e-8
LARGEST_GAP = 2e-3  # on a grid of a fiftieth of one step's spread
# In units of one step's spread of the loss.
PLACES = np.array([0.0, 0.4, 1.0, 3.0])


@pytest.mark.parametrize("direction", Direction)
@pytest.mark.parametrize(
    ("rate", "sigma", "count"),
    [(0.01, 1.0, 2), (0.3, 0.6, 2), (0.9, 2.0, 2), (0.002, 4.0, 2), (0.01, 1.0, 3), (0.3, 0.6, 3)],
)
@pytest.mark.every(6)
def test_each_direction_is_bracketed(rate, sigma, direction, count):
    """Lower and upper discretisation hold the exact value between them, on any grid."""
    pair = ShiftedMixturePair(rate=rate, noise_multiplier=sigma)
    spread = loss_of(pair, Rounding.UP).spread
    epsilons = PLACES * spread
    exact = [few_units_delta(count * [(rate, sigma)], direction, float(e)) for e in epsilons]
    for in_spreads in (0.02, 0.5, 4.0):
        low, high = (
            profile_of_units(pair, direction, side, in_spreads * spread, count).delta_at(epsilons)
            for side in (Rounding.DOWN, Rounding.UP)
        )
        assert np.all(low <= np.multiply(exact, 1 + QUADRATURE_ERROR))
        assert np.all(high >= np.multiply(exact, 1 - QUADRATURE_ERROR))
        if in_spreads == 0.02:
            assert np.all(high - low <= LARGEST_GAP * exact[0])


@pytest.mark.every(3)
@pytest.mark.parametrize("count", [2, 3])
def test_attained_bound_is_the_larger_direction(count):
    """A lower bound may use the direction that is worse at its epsilon."""
    bound = drawn(0.2, 1.0, count).lower
    epsilons = np.array([0.0, 0.05, 0.3, 2.0])
    larger = [
        max(
            few_units_delta(count * [(0.2, 1.0)], direction, float(e))
            for direction in (Direction.FORWARD, Direction.BACKWARD)
        )
        for e in epsilons
    ]
    brackets = composed_curve(bound).delta_at(epsilons)
    assert np.all(brackets.low <= np.multiply(larger, 1 + QUADRATURE_ERROR))
    assert np.all(brackets.high >= np.multiply(larger, 1 - QUADRATURE_ERROR))
