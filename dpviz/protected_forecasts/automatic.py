"""Models that are chosen automatically for each series, by statsforecast."""

from typing import Any

import numpy as np

from dpviz.protected_forecasts.data import FloatArray, Series
from dpviz.protected_forecasts.smoothing import SEASON
from dpviz.scenario.missing_package import MissingPackageError


def automatic_arima(series: Series) -> FloatArray:
    """Return forecasts by the seasonal ARIMA model with the best AICc, found stepwise.

    Raises:
        MissingPackageError: statsforecast is not installed.
    """
    return _forecasts(_models().AutoARIMA, series)


def automatic_smoothing(series: Series) -> FloatArray:
    """Return forecasts by the exponential smoothing (ETS) with the best AICc.

    Raises:
        MissingPackageError: statsforecast is not installed.
    """
    return _forecasts(_models().AutoETS, series)


def _forecasts(model: Any, series: Series) -> FloatArray:
    found = np.full(len(series), np.nan)
    for at, values in enumerate(series):
        try:
            found[at] = model(season_length=SEASON).forecast(y=values, h=1)["mean"][0]
        except (ValueError, ArithmeticError, np.linalg.LinAlgError):
            continue  # no forecast, and told as that
    return found


def _models() -> Any:
    try:
        from statsforecast import models
    except ModuleNotFoundError:
        raise MissingPackageError("statsforecast") from None
    return models
