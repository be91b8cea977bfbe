"""How much worse, or better, forecasts get when they are made of protected series."""

import warnings
from dataclasses import dataclass

import numpy as np

from dpviz.protected_forecasts.data import (
    SMALLEST_VALUE,
    FloatArray,
    Series,
    SeriesToProtect,
)
from dpviz.protected_forecasts.forecaster import Forecaster
from dpviz.protected_forecasts.protections import protection_named


def released(data: SeriesToProtect, protection: str, seed: int) -> Series:
    """Return the series as they are released.

    Args:
        data: the confidential ones.
        protection: as :func:`~dpviz.protected_forecasts.protections.protection_named` reads it.
        seed: the same one draws the same for a protection, whichever others are studied.

    Raises:
        ScenarioError: the protection is not allowed, or not for these series.
    """
    rng = np.random.default_rng([seed, *protection.encode()])
    return protection_named(protection).protected(data.known, rng)


def next_values(series: Series, forecaster: Forecaster) -> FloatArray:
    """Return forecasts of the value after each series, in the data's unit, shape (series,).

    As the study of Bale et al. does it: what is below 1 becomes 1, the forecast is made of
    logarithms, and taken back by the exponential. NaN where there is none.

    Raises:
        MissingPackageError: a package that the forecaster needs is not installed.
    """
    logarithms = tuple(np.log(np.maximum(values, SMALLEST_VALUE)) for values in series)
    with warnings.catch_warnings(), np.errstate(over="ignore"):
        warnings.simplefilter("ignore")
        forecasts = np.exp(forecaster.forecast(logarithms))
    return np.where(np.isfinite(forecasts), forecasts, np.nan)


@dataclass(frozen=True, kw_only=True)
class ErrorSummary:
    """How far off one forecaster is after one protection, over all series it has a forecast for.

    Args:
        num_series: with a forecast.
        without_forecast: how many series have none; they count nowhere else.
        mean: mean absolute error (MAE), in the data's unit.
        quantiles: 5, 25, 50, 75 and 95 % of the absolute errors.
        variance: of the absolute errors.
        improved_share: share of series whose absolute error is smaller than with their original
            values, from 0 to 1; ``None`` for the original values themselves.
        degraded_share: share of those whose error is larger; the rest are as before.
    """

    num_series: int
    without_forecast: int
    mean: float
    quantiles: tuple[float, ...]
    variance: float
    improved_share: float | None = None
    degraded_share: float | None = None


LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)


def error_summary(
    forecasts: FloatArray, next_values: FloatArray, original: FloatArray | None = None
) -> ErrorSummary:
    """Return how far off forecasts are.

    Args:
        forecasts: shape (series,), NaN where there is none.
        next_values: what came, shape (series,).
        original: the same forecaster's without protection, shape (series,); ``None`` if these are.

    >>> summary = error_summary(np.array([1.0, 5.0]), np.array([2.0, 2.0]), np.array([4.0, 4.0]))
    >>> summary.mean, summary.improved_share
    (2.0, 0.5)
    """
    errors = np.abs(forecasts - next_values)
    known = errors[np.isfinite(errors)]
    shares: tuple[float | None, float | None] = (None, None)
    if original is not None:
        before = np.abs(original - next_values)
        both = np.isfinite(errors) & np.isfinite(before)
        if both.any():
            shares = (
                float(np.mean(errors[both] < before[both])),
                float(np.mean(errors[both] > before[both])),
            )
    has_any = len(known) > 0
    return ErrorSummary(
        num_series=len(known),
        without_forecast=len(errors) - len(known),
        mean=float(known.mean()) if has_any else float("nan"),
        quantiles=tuple(np.quantile(known, LEVELS).tolist()) if has_any else (float("nan"),) * 5,
        variance=float(known.var()) if has_any else float("nan"),
        improved_share=shares[0],
        degraded_share=shares[1],
    )
