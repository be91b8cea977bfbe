"""Exponential smoothing by statsmodels, one series at a time."""

import warnings

import numpy as np

from dpviz.protected_forecasts.data import FloatArray, Series

SEASON = 12  # months


def single_smoothing(series: Series) -> FloatArray:
    """Return forecasts by a level alone."""
    return _smoothed(series)


def double_smoothing(series: Series) -> FloatArray:
    """Return forecasts by level and additive trend."""
    return _smoothed(series, trend="add")


def triple_smoothing(series: Series) -> FloatArray:
    """Return forecasts by level, additive trend and additive season of 12 values."""
    return _smoothed(series, trend="add", seasonal="add", seasonal_periods=SEASON)


def _smoothed(series: Series, **model: str | int) -> FloatArray:
    # Imported here, as it takes a second, and pages that forecast nothing need it not.
    from statsmodels.tsa.holtwinters import ExponentialSmoothing

    found = np.full(len(series), np.nan)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        # An optimiser that stops early still gives a forecast: the published ones stop so, too.
        warnings.simplefilter("ignore")
        for at, values in enumerate(series):
            try:
                found[at] = ExponentialSmoothing(values, **model).fit().forecast(1)[0]
            except (ValueError, ArithmeticError, np.linalg.LinAlgError):
                continue  # no forecast, and told as that
    return found
