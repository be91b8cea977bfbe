"""What all forecasters have in common, and which there are."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np

from dpviz.protected_forecasts.data import FloatArray, Series
from dpviz.protected_forecasts.learned import PACKAGE, boosted_trees, lasso_var, recurrent_network
from dpviz.scenario import ScenarioError
from dpviz.scenario.missing_package import MissingPackageError

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


@dataclass(frozen=True, kw_only=True)
class Forecaster:
    """A way to forecast the next value of series.

    Args:
        name: in links and on the command line.
        title: in words.
        forecast: takes series (of logarithms), each of shape (length,), in any number and of any
            lengths from 30 on; returns the next value of each, shape (series,), NaN where it finds
            none. May raise :class:`~dpviz.scenario.missing_package.MissingPackageError`.
        learns_from_all: whether one model is made of all series, so that what it says of one
            depends on which others there are.
        packages: that it needs besides what dpviz always brings, by the names that pip knows; the
            first one brings the others.
        modules: the same, by the names that Python knows.
    """

    name: str
    title: str
    forecast: Callable[[Series], FloatArray]
    learns_from_all: bool = False
    packages: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()

    @property
    def is_installed(self) -> bool:
        """Whether all that it needs is there."""
        return all(_is_found(module) for module in self.modules)


def _is_found(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ValueError:  # it was taken out of Python's list of modules
        return False


FORECASTERS: dict[str, Forecaster] = {
    forecaster.name: forecaster
    for forecaster in (
        Forecaster(
            name="ses", title="single exponential smoothing (SES)", forecast=single_smoothing
        ),
        Forecaster(
            name="des",
            title="double exponential smoothing, with a trend (DES)",
            forecast=double_smoothing,
        ),
        Forecaster(
            name="tes",
            title="triple exponential smoothing, with trend and season (TES)",
            forecast=triple_smoothing,
        ),
        Forecaster(
            name="auto-arima",
            title="automatic ARIMA",
            forecast=automatic_arima,
            packages=("statsforecast",),
            modules=("statsforecast",),
        ),
        Forecaster(
            name="auto-ets",
            title="automatic exponential smoothing (AutoETS)",
            forecast=automatic_smoothing,
            packages=("statsforecast",),
            modules=("statsforecast",),
        ),
        Forecaster(
            name="lasso-var",
            title="vector autoregression with a lasso (VAR)",
            forecast=lasso_var,
            learns_from_all=True,
            packages=("scikit-learn",),
            modules=("sklearn",),
        ),
        Forecaster(
            name="boosted-trees",
            title="gradient-boosted trees for all series (LightGBM)",
            forecast=boosted_trees,
            learns_from_all=True,
            packages=("lightgbm",),
            modules=("lightgbm",),
        ),
        Forecaster(
            name="recurrent",
            title="recurrent network for all series (LSTM)",
            forecast=recurrent_network,
            learns_from_all=True,
            packages=(PACKAGE, "torch"),
            modules=("darts", "torch"),
        ),
    )
}


def forecaster_named(name: str) -> Forecaster:
    """Return a forecaster.

    Raises:
        ScenarioError: there is none of that name.
    """
    if (found := FORECASTERS.get(name)) is None:
        raise ScenarioError("forecaster", name, "it must be one of " + ", ".join(FORECASTERS))
    return found
