"""A panel of made-up series with trend, seasons and noise."""

import numpy as np

from dpviz.scenario.data import LONGEST_WINDOW
from dpviz.scenario.errors import checked_integer
from dpviz.training.panel import Panel

MOST_GENERATED = 1_000
LONGEST_GENERATED = 10_000


def generated_panel(
    num_series: int = 200, length: int = 144, period: int = 12, seed: int = 1
) -> Panel:
    """Return series that nobody is harmed by: level times trend times seasons, with noise.

    Each series has its own level (about 20 to 500), a trend that changes it by up to a third over
    the series, a season of two waves whose strength and phase vary around those of the panel, and
    noise of about a tenth of the level that fades slowly (autocorrelation 0.4). Values are
    positive. As the series share their seasons, a model of them all can learn what one alone
    would show only slowly.

    Args:
        num_series: N, 1 to 1,000.
        length: L, values of each series, 1 to 10,000.
        period: time steps of a season; without one (1) there are no waves.
        seed: the same seed gives the same values.

    Raises:
        ScenarioError: an argument is out of range.

    >>> panel = generated_panel(num_series=3, length=24)
    >>> panel.lengths, panel.names[0], panel.period
    ((24, 24, 24), 'series 1', 12)
    """
    num_series = checked_integer("num_series", num_series, 1, MOST_GENERATED)
    length = checked_integer("length", length, 1, LONGEST_GENERATED)
    period = checked_integer("period", period, 1, LONGEST_WINDOW)
    rng = np.random.default_rng(checked_integer("seed", seed, 0, 2**63 - 1))
    times = np.arange(length)
    each = (num_series, 1)
    level = np.exp(rng.normal(np.log(100.0), 0.8, size=each))
    trend = 1.0 + rng.uniform(-1 / 3, 1 / 3, size=each) * times / length
    season = np.zeros((num_series, length))
    if period > 1:
        for wave, strength in ((1, 0.25), (2, 0.12)):
            phase = rng.normal(0.0, 0.4, size=each) + wave
            own = strength * rng.uniform(0.6, 1.4, size=each)
            season += own * np.sin(2 * np.pi * wave * times / period + phase)
    noise = _fading_noise(rng, num_series, length, deviation=0.1, fading=0.4)
    # The exponential keeps all values positive.
    values = level * trend * np.exp(season + noise)
    return Panel(
        series=tuple(values),
        names=tuple(f"series {number + 1}" for number in range(num_series)),
        period=period,
    )


def _fading_noise(
    rng: np.random.Generator, num_series: int, length: int, *, deviation: float, fading: float
) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Return an autoregression of order 1 that has no beginning, shape (series, length)."""
    fresh = rng.normal(0.0, deviation, size=(num_series, length))
    noise = fresh.copy()
    for time in range(1, length):
        noise[:, time] = fading * noise[:, time - 1] + np.sqrt(1 - fading**2) * fresh[:, time]
    return noise
