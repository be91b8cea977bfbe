"""The toy setting of the figures, its curves, and which of two lies below by their brackets."""

from functools import cache
from typing import NamedTuple

import numpy as np

from dpviz.accounting import Curve, attained_curve, best_upper, composed_curve
from dpviz.guarantees import as_in_the_paper, guarantee_for, in_one_direction
from dpviz.planning.paper_figures.families import toy as paper_toy
from dpviz.scenario import Scenario, Training

NUM_SERIES = 320
EPSILONS = np.geomspace(1e-3, 100.0, 301)
WINDOWS = (2, 4, 8, 16, 32)


def toy(
    *,
    bottom_rate: float = 0.1,
    batch_share: float = 0.1,
    windows: int = 1,
    unit: str = "steps",
    count: int = 1,
    top_level: str = "without-replacement",
) -> Scenario:
    """Return N = 320, sigma = 1, with r and Lambda / N as given."""
    scenario = paper_toy(
        bottom_rate=bottom_rate,
        batch_share=batch_share,
        training=Training(unit=unit, count=count),
        windows=windows,
        top_level=top_level,
    )
    assert scenario.data.num_series == NUM_SERIES
    assert scenario.noise.noise_multiplier == 1.0
    assert scenario.bottom_rate == bottom_rate
    assert scenario.sampling.batch_size / NUM_SERIES == batch_share
    return scenario


@cache
def upper(scenario: Scenario) -> Curve:
    """Return the best proven upper bound."""
    return best_upper(scenario)


@cache
def attained(scenario: Scenario) -> Curve:
    """Return the paper's lower bound: what some gradient function really reveals."""
    return composed_curve(in_one_direction(guarantee_for(scenario).lower))


@cache
def attained_at_best(scenario: Scenario) -> Curve:
    """Return the best lower bound, of gradients in two directions or chosen anew as well."""
    return attained_curve(guarantee_for(scenario).lower, 1e-7)


@cache
def as_drawn(scenario: Scenario) -> Curve:
    """Return the curve of the paper's figures: the lower bound's pair composed mirrored."""
    return composed_curve(as_in_the_paper(guarantee_for(scenario).lower))


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
