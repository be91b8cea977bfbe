"""Series made up for trying things out: monthly, positive, nobody's."""

import numpy as np

from dpviz.protected_forecasts.data import (
    SMALLEST_VALUE,
    FloatArray,
    SeriesToProtect,
    of_whole_series,
)

SOURCE = "a generated set: 40 made-up monthly series"
NUM_SERIES, NUM_VALUES, _PERIOD = 40, 73, 12
# About one value in twenty is much higher than usual: what top coding takes away.
_PEAK_RATE, _PEAK = 0.05, (0.4, 1.0)


def generated_series(rng: np.random.Generator) -> SeriesToProtect:
    """Return 40 series of 73 values with trend, season, noise and some peaks, between 1 and 20,000.

    >>> data = generated_series(np.random.default_rng(1))
    >>> len(data), len(data.known[0])
    (40, 72)
    """
    whole = {f"made up {at + 1}": _one(rng) for at in range(NUM_SERIES)}
    return of_whole_series(SOURCE, whole)


def _one(rng: np.random.Generator) -> FloatArray:
    time = np.arange(NUM_VALUES)
    level = rng.uniform(np.log(500.0), np.log(6000.0))
    trend = rng.normal(0.0, 0.004) * time
    season = rng.uniform(0.02, 0.35) * np.sin(2.0 * np.pi * (time / _PERIOD + rng.uniform()))
    noise = np.zeros(NUM_VALUES)
    spread, memory = rng.uniform(0.03, 0.25), rng.uniform(0.0, 0.8)
    for at in range(1, NUM_VALUES):
        noise[at] = memory * noise[at - 1] + rng.normal(0.0, spread)
    peaks = (rng.random(NUM_VALUES) < _PEAK_RATE) * rng.uniform(*_PEAK, NUM_VALUES)
    values = np.exp(level + trend + season + noise + peaks)
    return np.clip(np.round(values), SMALLEST_VALUE, 20_000.0)
