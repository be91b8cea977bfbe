"""What all forecasters have in common, and which there are."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec

from dpviz.protected_forecasts.automatic import automatic_arima, automatic_smoothing
from dpviz.protected_forecasts.boosted_trees import boosted_trees
from dpviz.protected_forecasts.data import FloatArray, Series
from dpviz.protected_forecasts.lasso_var import lasso_var
from dpviz.protected_forecasts.recurrent import PACKAGE, recurrent_network
from dpviz.protected_forecasts.smoothing import (
    double_smoothing,
    single_smoothing,
    triple_smoothing,
)
from dpviz.scenario import ScenarioError


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
