"""Which of two curves lies below: only what their numerical brackets decide."""

from typing import NamedTuple

import numpy as np

from dpviz.accounting import Curve
from tests.findings.settings import EPSILONS

# Outcomes below 1e-30 are not resolved, and 1000 compositions add up what is rounded away. Where
# a delta is this small, nobody's order is asked for.
UNRESOLVED = 1e-25


class Crossing(NamedTuple):
    """A curve lies above another one up to one epsilon, and below it from the next one on.

    What is between the two is the width of the numerical brackets, rounded outwards.
    """

    above_to: float
    below_from: float


# Nowhere above, and below on all of [1e-3, 100].
EVERYWHERE = Crossing(above_to=0.0, below_from=EPSILONS[0])


def certainly_below(one: Curve, other: Curve, epsilons=EPSILONS) -> np.ndarray:
    """Return where the exact value of ``one`` is at most that of ``other``."""
    highest = one.delta_at(epsilons).high
    return (highest <= other.delta_at(epsilons).low) | (highest <= UNRESOLVED)


def certainly_above(one: Curve, other: Curve, epsilons=EPSILONS) -> np.ndarray:
    """Return where the exact value of ``one`` is larger than that of ``other``."""
    return one.delta_at(epsilons).low > other.delta_at(epsilons).high


def assert_crosses(one: Curve, other: Curve, crossing: Crossing) -> None:
    """Assert that ``one`` lies above up to the crossing, and below ``other`` from there on."""
    assert np.all(certainly_above(one, other)[crossing.above_to >= EPSILONS])
    assert np.all(certainly_below(one, other)[crossing.below_from <= EPSILONS])
