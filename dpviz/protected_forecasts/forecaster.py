"""What all forecasters have in common, and which there are."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from dpviz.protected_forecasts.data import FloatArray, Series
from dpviz.protected_forecasts.learned import PACKAGE, boosted_trees, lasso_var, recurrent_network
from dpviz.scenario import ScenarioError
from dpviz.scenario.errors import MissingPackageError, is_installed

SEASON = 12  # months


def smoothed(series: Series, steps: int, **model: str | int) -> FloatArray:
    """Return forecasts by exponential smoothing, of a level alone unless the model says more.

    Args:
        series: of logarithms.
        steps: how many values of each are forecast.
        model: options of statsmodels' ``ExponentialSmoothing``.

    Returns:
        Shape (series, steps).
    """
    # Imported here, as it takes a second, and pages that forecast nothing need it not.
    from statsmodels.tsa.holtwinters import ExponentialSmoothing

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        # An optimiser that stops early still gives a forecast: the published ones stop so, too.
        warnings.simplefilter("ignore")
        return _one_by_one(
            series,
            steps,
            lambda values: ExponentialSmoothing(values, **model).fit().forecast(steps),
        )


def automatic(series: Series, *, model: str) -> FloatArray:
    """Return forecasts by the model of a kind that has the best AICc for each series.

    Args:
        series: of logarithms.
        model: ``AutoARIMA`` (seasonal, found stepwise) or ``AutoETS`` of statsforecast.

    Raises:
        MissingPackageError: statsforecast is not installed.
    """
    try:
        from statsforecast import models
    except ModuleNotFoundError:
        raise MissingPackageError("statsforecast") from None
    kind = getattr(models, model)
    return _one_by_one(
        series, 1, lambda values: kind(season_length=SEASON).forecast(y=values, h=1)["mean"]
    )[:, 0]


def _one_by_one(
    series: Series, steps: int, forecast: Callable[[FloatArray], FloatArray]
) -> FloatArray:
    found = np.full((len(series), steps), np.nan)
    for at, values in enumerate(series):
        try:
            found[at] = forecast(values)
        except (ValueError, ArithmeticError, np.linalg.LinAlgError):
            continue  # no forecast, and told as that
    return found


@dataclass(frozen=True, kw_only=True)
class Forecaster:
    """A way to forecast the next value of series.

    Args:
        name: in links and on the command line.
        forecast: takes series (of logarithms), each of shape (length,), in any number and of any
            lengths from 30 on; returns the next value of each, shape (series,), NaN where it finds
            none. May raise :class:`~dpviz.scenario.errors.MissingPackageError`.
        ahead: takes series and a number of steps, and returns that many values after each, shape
            (series, steps); ``None`` where dpviz forecasts the next value alone.
        learns_from_all: whether one model is made of all series, so that what it says of one
            depends on which others there are.
        packages: that it needs besides what dpviz always brings, by the names that pip knows; the
            first one brings the others.
        modules: the same, by the names that Python knows.
    """

    name: str
    title: str
    forecast: Callable[[Series], FloatArray]
    ahead: Callable[[Series, int], FloatArray] | None = None
    learns_from_all: bool = False
    packages: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()

    @property
    def is_installed(self) -> bool:
        """Whether all that it needs is there."""
        return all(map(is_installed, self.modules))


def _with_steps(
    name: str, title: str, ahead: Callable[[Series, int], FloatArray], **more: Any
) -> Forecaster:
    return Forecaster(name=name, title=title, forecast=partial(_next, ahead), ahead=ahead, **more)


def _next(ahead: Callable[[Series, int], FloatArray], series: Series) -> FloatArray:
    return ahead(series, 1)[:, 0]


FORECASTERS: dict[str, Forecaster] = {
    forecaster.name: forecaster
    for forecaster in (
        _with_steps("ses", "single exponential smoothing (SES)", smoothed),
        _with_steps(
            "des",
            "double exponential smoothing, with a trend (DES)",
            partial(smoothed, trend="add"),
        ),
        _with_steps(
            "tes",
            "triple exponential smoothing, with trend and season (TES)",
            partial(smoothed, trend="add", seasonal="add", seasonal_periods=SEASON),
        ),
        Forecaster(
            name="auto-arima",
            title="automatic ARIMA",
            forecast=partial(automatic, model="AutoARIMA"),
            packages=("statsforecast",),
            modules=("statsforecast",),
        ),
        Forecaster(
            name="auto-ets",
            title="automatic exponential smoothing (AutoETS)",
            forecast=partial(automatic, model="AutoETS"),
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
        _with_steps(
            "boosted-trees",
            "gradient-boosted trees for all series (LightGBM)",
            boosted_trees,
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
