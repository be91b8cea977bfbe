"""The toy setting of the figures, and its curves."""

from functools import cache

import numpy as np

from dpviz.accounting import Curve, best_upper, composed_curve
from dpviz.guarantees import as_in_the_paper, guarantee_for
from dpviz.scenario import DataShape, Noise, Sampling, Scenario, Training

NUM_SERIES = 320
EPSILONS = np.geomspace(1e-3, 100.0, 301)
WINDOWS = (2, 4, 8, 16, 32)
# One value lies in both windows of length 2 of which it is part, L_C = L_F = 1. With
# L = (L_C + L_F) / r + L_F - 1, as in the paper, r is what the key says.
SERIES_LENGTHS = {0.1: 20, 0.5: 4}


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
    scenario = Scenario(
        data=DataShape(
            num_series=NUM_SERIES,
            series_lengths=(SERIES_LENGTHS[bottom_rate],),
            context_length=1,
            forecast_length=1,
        ),
        sampling=Sampling(
            batch_size=round(batch_share * NUM_SERIES),
            num_subsequences=windows,
            top_level=top_level,
        ),
        noise=Noise(noise_multiplier=1.0),
        training=Training(unit=unit, count=count),
    )
    assert scenario.bottom_rate == bottom_rate
    return scenario


@cache
def upper(scenario: Scenario) -> Curve:
    """Return the best proven upper bound."""
    return best_upper(scenario)


@cache
def attained(scenario: Scenario) -> Curve:
    """Return the lower bound: what some gradient function really reveals."""
    return composed_curve(guarantee_for(scenario).lower)


@cache
def as_drawn(scenario: Scenario) -> Curve:
    """Return the curve of the paper's figures: the lower bound's pair composed mirrored."""
    return composed_curve(as_in_the_paper(guarantee_for(scenario).lower))
