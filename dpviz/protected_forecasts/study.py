"""How much worse, or better, forecasts get when they are made of protected series."""

import warnings
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt

import numpy as np
from scipy.special import stdtrit

from dpviz.protected_forecasts.data import (
    SMALLEST_VALUE,
    FloatArray,
    Series,
    SeriesToProtect,
    generated_series,
    m3_monthly_micro,
)
from dpviz.protected_forecasts.features import features_of
from dpviz.protected_forecasts.forecaster import Forecaster, forecaster_named
from dpviz.protected_forecasts.protections import protection_named
from dpviz.protected_forecasts.swapping import RadiusSwap

FEWEST_PAIRS = 3
LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)
_GENERATED_SEED = 1


@dataclass(frozen=True, kw_only=True)
class ErrorChange:
    """Change of the mean absolute error, as a share of that before: 0.1 for 10 % larger.

    The change over many series like these lies from ``low`` to ``high``, with 95 % confidence.
    """

    share: float
    low: float
    high: float

    @property
    def is_told(self) -> bool:
        """Whether these series are enough to tell smaller errors from larger ones."""
        return self.low > 0.0 or self.high < 0.0


def error_change(before: FloatArray, after: FloatArray) -> ErrorChange | None:
    """Return how the mean error changes; ``None`` with fewer than three pairs, or no error before.

    The range is that of a ratio of two means over the same series (Cochran 1977, Sampling
    Techniques, chapter 6), an approximation: docs/protected-forecasts.md says how good it is.
    Absolute errors before and after have shape (series,), NaN where there is none.
    """
    both = np.isfinite(before) & np.isfinite(after)
    before, after, count = before[both], after[both], int(both.sum())
    if count < FEWEST_PAIRS or not before.mean() > 0.0:
        return None
    ratio = float(after.mean() / before.mean())
    rest = after - ratio * before
    spread = sqrt(float(rest @ rest) / (count - 1) / count) / float(before.mean())
    reach = float(stdtrit(count - 1, 0.975)) * spread
    return ErrorChange(share=ratio - 1.0, low=ratio - 1.0 - reach, high=ratio - 1.0 + reach)


def released(data: SeriesToProtect, protection: str, seed: int) -> Series:
    """Return the series as they are released.

    The same seed draws the same for a protection, whichever others are studied.
    """
    rng = np.random.default_rng([seed, *protection.encode()])
    return protection_named(protection).protected(data.known, rng)


def next_values(series: Series, forecaster: Forecaster) -> FloatArray:
    """Return forecasts of the value after each series, in the data's unit, shape (series,).

    As the study of Bale et al. does it: what is below 1 becomes 1, the forecast is made of
    logarithms, and taken back by the exponential. NaN where there is none.
    """
    return values_ahead(series, forecaster, 1)[:, 0]


def values_ahead(series: Series, forecaster: Forecaster, steps: int) -> FloatArray:
    """Return forecasts of so many values after each series, shape (series, steps).

    As :func:`next_values` makes them; ``ValueError`` if the forecaster forecasts the next value
    alone.
    """
    if steps > 1 and not forecaster.goes_on:
        raise ValueError(f"{forecaster.name} forecasts the next value alone")
    logarithms = tuple(np.log(np.maximum(values, SMALLEST_VALUE)) for values in series)
    with warnings.catch_warnings(), np.errstate(over="ignore"):
        warnings.simplefilter("ignore")
        forecasts = np.exp(forecaster.forecast(logarithms, steps))
    return np.where(np.isfinite(forecasts), forecasts, np.nan)


@dataclass(frozen=True, kw_only=True)
class ErrorSummary:
    """How far off one forecaster is after one protection, over all series it has a forecast for.

    Args:
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


def error_summary(
    forecasts: FloatArray, next_values: FloatArray, original: FloatArray | None = None
) -> ErrorSummary:
    """Return how far off forecasts are.

    Args:
        forecasts: shape (series,), NaN where there is none.
        next_values: what came, shape (series,).
        original: the same forecaster's without protection, shape (series,); ``None`` if these are.
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
    told = known if len(known) else np.array([np.nan])
    return ErrorSummary(
        num_series=len(known),
        without_forecast=len(errors) - len(known),
        mean=float(told.mean()),
        quantiles=tuple(np.quantile(told, LEVELS).tolist()),
        variance=float(told.var()),
        improved_share=shares[0],
        degraded_share=shares[1],
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class ProtectedSeries:
    """The first series of a data set, before (``known``) and after their protection (``released``).

    Args:
        next_values: what came after them, shape (series,).
        features: before and after, shape (series, features) each.
        kept_share: of a swap within a radius, the share of all values of the whole data set that
            found no neighbour and are released as they are; ``None`` for other protections.
    """

    source: str
    names: tuple[str, ...]
    known: Series
    released: Series
    next_values: FloatArray
    features: tuple[FloatArray, FloatArray]
    kept_share: float | None


def series_of(data: SeriesToProtect | str) -> SeriesToProtect:
    """Return the data of a name, ``m3`` or ``generated``; or those given."""
    return _named(data) if isinstance(data, str) else data


@lru_cache(maxsize=2)
def _named(name: str) -> SeriesToProtect:
    if name == "m3":
        return m3_monthly_micro()
    return generated_series(np.random.default_rng(_GENERATED_SEED))


def protected_series(
    data: SeriesToProtect | str, protection: str, seed: int, count: int
) -> ProtectedSeries:
    """Return the first series of the data; all of the data are protected."""
    whole = series_of(data)
    after = released(whole, protection, seed)[:count]
    method = protection_named(protection)
    return ProtectedSeries(
        source=whole.source,
        names=whole.names[:count],
        known=whole.known[:count],
        released=after,
        next_values=whole.next_values[:count],
        features=(features_of(whole.known[:count]), features_of(after)),
        kept_share=method.kept_share(whole.known) if isinstance(method, RadiusSwap) else None,
    )


def live_forecasts(
    data: SeriesToProtect | str, protection: str, seed: int, count: int, forecaster: str
) -> tuple[float, ...]:
    """Return forecasts of the first series of the data after a protection, NaN where none is."""
    asked = forecaster_named(forecaster)
    # One model of all series says something else of a series among others. Of uploaded series
    # nothing is kept here.
    is_kept = isinstance(data, str) and not asked.learns_from_all
    known = _forecasts(data, protection, seed, forecaster) if is_kept else {}
    if lacking := [at for at in range(count) if at not in known]:
        after = released(series_of(data), protection, seed)[:count]
        series = tuple(after[at] for at in lacking if at < len(after))
        known.update(zip(lacking, next_values(series, asked).tolist(), strict=False))
    return tuple(known[at] for at in range(count) if at in known)


@lru_cache(maxsize=64)
def _forecasts(data: str, protection: str, seed: int, forecaster: str) -> dict[int, float]:  # noqa: ARG001
    """Return the forecasts of the named data that are known so far, by the place of the series."""
    return {}
