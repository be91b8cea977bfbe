"""Poisson windows of drawn series: a length that a shape leaves out may be the worst one.

A longer series draws fewer windows of the individual, but more others, which part it from a step
without it (docs/tighter-bounds.md, Proposition 5).
"""

import numpy as np
import pytest
from scipy.special import ndtr
from scipy.stats import binom

from dpviz.accounting import composed_curve
from dpviz.guarantees import guarantee_for
from dpviz.scenario import Noise, Relation, Sampling, Scenario, Training
from dpviz.scenario.relation import worst_case_lengths

SIGMA, SERIES, WINDOW = 2.0, 1000, 10
EPSILONS = np.array([0.1, 0.5, 1.0])


def scenario_of(lengths, top_level):
    shape = worst_case_lengths(
        lengths, num_series=SERIES, context_length=9, forecast_length=1, relation=Relation()
    )
    return Scenario(
        data=shape,
        sampling=Sampling(batch_size=1, top_level=top_level, bottom_level="poisson"),
        noise=Noise(noise_multiplier=SIGMA),
        training=Training(unit="steps", count=1),
    )


def law(windows, drawn_from):
    """Return the law of how many of ``windows`` a coin of 1 / ``drawn_from`` each draws."""
    return binom.pmf(np.arange(windows + 1), windows, 1.0 / drawn_from)


def proposition_5(touched, untouched):
    """Return (5) at EPSILONS, at the best of many x: at most what it is."""
    x = np.linspace(-40.0, 40.0, 80_001) / SIGMA
    rate = 1.0 / SERIES
    values = np.zeros(len(EPSILONS))
    i = np.arange(len(touched))[:, None] / SIGMA
    beyond, other = touched @ ndtr(x + i), touched @ ndtr(x - i)
    for at, alpha in enumerate(np.exp(EPSILONS)):
        for m, weight in enumerate(untouched):
            absent = (alpha - 1.0) * (1.0 - rate) * ndtr(x - m / SIGMA)
            values[at] += weight * np.max(rate * (beyond - alpha * other) - absent)
    return values


def in_place_of(own, other, top_level):
    """Return (5) for an individual in a series of ``own`` windows, another one of ``other``."""
    untouched = law(own - WINDOW, own)
    if top_level == "without-replacement":
        untouched = np.convolve(untouched, law(other, other))
    return proposition_5(law(WINDOW, own), untouched)


@pytest.mark.parametrize("top_level", ["poisson", "without-replacement"])
def test_5_is_what_is_shown_of_one_length(top_level):
    """So that what is compared below is the proposition itself."""
    upper = guarantee_for(scenario_of([11], top_level)).upper
    bracket = composed_curve(upper).delta_at(EPSILONS)
    assert np.allclose(in_place_of(11, 11, top_level), bracket.high, rtol=1e-3)


@pytest.mark.parametrize("top_level", ["poisson", "without-replacement"])
@pytest.mark.parametrize(("own", "other"), [(20, 11), (11, 20), (20, 20), (40, 40)])
def test_the_bound_covers_the_lengths_that_were_left_out(own, other, top_level):
    """An individual may be in any series, and any other may take its place."""
    scenario = scenario_of([11, 20, 40], top_level)
    shown = composed_curve(guarantee_for(scenario).upper).delta_at(EPSILONS).high
    assert np.all(shown >= in_place_of(own, other, top_level))
