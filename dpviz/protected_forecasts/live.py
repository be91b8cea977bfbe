"""A few series protected and forecast while somebody waits."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dpviz.protected_forecasts.data import FloatArray, Series, SeriesToProtect
from dpviz.protected_forecasts.features import features_of
from dpviz.protected_forecasts.forecaster import forecaster_named
from dpviz.protected_forecasts.generated import generated_series
from dpviz.protected_forecasts.m3 import m3_monthly_micro
from dpviz.protected_forecasts.protections import protection_named
from dpviz.protected_forecasts.study import next_values, released
from dpviz.protected_forecasts.swapping import RadiusSwap

_GENERATED_SEED = 1


@dataclass(frozen=True, kw_only=True, eq=False)
class ProtectedSeries:
    """The first series of a data set, before and after its protection.

    Args:
        source: what the data are.
        names: of the series.
        known: original values, shape (length,) each.
        released: protected ones, likewise.
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
    """Return the data of a name, ``m3`` or ``generated``; or those given.

    Raises:
        MissingPackageError: they come with a package that is not installed.
    """
    return _named(data) if isinstance(data, str) else data


@lru_cache(maxsize=2)
def _named(name: str) -> SeriesToProtect:
    if name == "m3":
        return m3_monthly_micro()
    return generated_series(np.random.default_rng(_GENERATED_SEED))


def protected_series(
    data: SeriesToProtect | str, protection: str, seed: int, count: int
) -> ProtectedSeries:
    """Return the first series of the data; all of the data are protected.

    Raises:
        ScenarioError: the protection is not allowed, or not for these series.
        MissingPackageError: see :func:`series_of`.
    """
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
    """Return forecasts of the first series of the data after a protection, NaN where none is.

    Raises:
        ScenarioError: see :func:`protected_series`.
        MissingPackageError: also if the forecaster's package is not installed.
    """
    after = released(series_of(data), protection, seed)[:count]
    return tuple(next_values(after, forecaster_named(forecaster)).tolist())
