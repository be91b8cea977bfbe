"""How regular a series is: what protection changes, and what makes series easy to forecast."""

from dataclasses import dataclass

import numpy as np

from dpviz.protected_forecasts.data import FloatArray, Series
from dpviz.protected_forecasts.smoothing import SEASON

FEATURES = ("spectral_entropy", "first_autocorrelation", "trend_strength", "seasonal_strength")


@dataclass(frozen=True, kw_only=True)
class SeriesFeatures:
    """Features of one series; NaN for a series whose values are all equal.

    Args:
        spectral_entropy: Shannon entropy of the periodogram over the frequencies above 0, divided
            by its largest possible value: near 0 for one wave, near 1 for noise.
        first_autocorrelation: of values with those right after them, from -1 to 1.
        trend_strength: 1 - Var(rest) / Var(trend + rest), at least 0, of an STL decomposition.
        seasonal_strength: the same with the season in the place of the trend.
    """

    spectral_entropy: float
    first_autocorrelation: float
    trend_strength: float
    seasonal_strength: float

    def as_array(self) -> FloatArray:
        """Return them in the order of :data:`FEATURES`."""
        return np.array([getattr(self, name) for name in FEATURES])


def series_features(values: FloatArray) -> SeriesFeatures:
    """Return the features of a series of monthly values, shape (length,), two years at least.

    The strengths are those of Wang, Smith and Hyndman (2006), in the form of Hyndman and
    Athanasopoulos (2018), by statsmodels' STL with a period of 12 and its own defaults. The entropy
    is taken of the plain periodogram; packages that smooth it first give other numbers.

    >>> wave = np.sin(2.0 * np.pi * np.arange(72) / 12)
    >>> found = series_features(wave)
    >>> round(found.spectral_entropy, 3), round(found.seasonal_strength, 3)
    (0.0, 1.0)
    """
    centred = values - values.mean()
    total = float(centred @ centred)
    # A sum of rounding errors is no variation.
    if total <= len(values) * (1e-12 * float(np.abs(values).max())) ** 2:
        return SeriesFeatures(**dict.fromkeys(FEATURES, float("nan")))
    from statsmodels.tsa.seasonal import STL

    parts = STL(values, period=SEASON).fit()
    return SeriesFeatures(
        spectral_entropy=_spectral_entropy(centred),
        first_autocorrelation=float(centred[1:] @ centred[:-1]) / total,
        trend_strength=_strength(parts.trend, parts.resid),
        seasonal_strength=_strength(parts.seasonal, parts.resid),
    )


def features_of(series: Series) -> FloatArray:
    """Return the features of each series, shape (series, features)."""
    return np.stack([series_features(values).as_array() for values in series])


def _spectral_entropy(centred: FloatArray) -> float:
    power = np.abs(np.fft.rfft(centred))[1:] ** 2
    shares = power / power.sum()
    present = shares[shares > 0.0]
    return float(-(present * np.log(present)).sum() / np.log(len(shares)))


def _strength(part: FloatArray, rest: FloatArray) -> float:
    together = float(np.var(part + rest))
    return max(0.0, 1.0 - float(np.var(rest)) / together) if together > 0.0 else 0.0
