"""Forecasters: what all have in common, which there are, and those that make one model of all."""

import logging
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from math import ceil
from typing import Any

import numpy as np

from dpviz.protected_forecasts.data import SHORTEST_KNOWN, FloatArray, Series, places_by_length
from dpviz.scenario import ScenarioError
from dpviz.scenario.errors import MissingPackageError, is_installed

# The previous month, and the same month of the year before.
LAGS = (1, 12)
# Weights of the lasso's penalty on standardised values, strong to weak.
PENALTIES = (0.8, 0.4, 0.2, 0.1, 0.05)
# The last so many months say which penalty forecasts best; the model is then made of all months.
_VALIDATED = 12
NUM_LAGS = 25  # two years and the same month before them
_SETTINGS = {"n_estimators": 300, "learning_rate": 0.05, "num_leaves": 31, "min_child_samples": 20}
PACKAGE = "darts[torch]"
# What Python calls a package, where pip has another name for it.
_MODULES = {PACKAGE: "darts", "scikit-learn": "sklearn"}
# Two years are read before a forecast. A window to learn from is as long as the shortest series
# allow, which its forecasts, one value further on, have to fit into.
NUM_READ, NUM_LEARNED = 24, SHORTEST_KNOWN - 1
# Darts' own defaults: the size of the network's memory, and the rate of its optimiser (Adam).
_MEMORY, _RATE = 25, 1e-3
_BATCH, _STEPS = 128, 1200
_SEED = 1


def lasso_var(series: Series, _steps: int) -> FloatArray:
    """Return the next values from the earlier ones of all series of the same length.

    Bale et al. fit VARX-L by R's BigVAR, one for each length. Here each equation is a lasso on lags
    1 and 12 of all series of the group, standardised, with one penalty for the whole group, the
    best of five on the last 12 months.
    """
    found = np.full((len(series), 1), np.nan)
    for group in places_by_length(series).values():
        found[group, 0] = _group_forecasts(np.stack([series[at] for at in group]))
    return found


def _group_forecasts(values: FloatArray) -> FloatArray:
    """Return the forecast of each series of a group, given as shape (series, length)."""
    mean, spread = values.mean(axis=1), values.std(axis=1)
    spread = np.where(spread > 0.0, spread, 1.0)
    scaled = (values - mean[:, None]) / spread[:, None]
    first = max(LAGS)
    times = np.arange(first, scaled.shape[1])
    inputs = np.hstack([scaled[:, times - lag].T for lag in LAGS])
    targets = scaled[:, times].T
    last = np.hstack([scaled[:, scaled.shape[1] - lag] for lag in LAGS])[None, :]
    errors = [
        np.abs(
            _predicted(inputs[:-_VALIDATED], targets[:-_VALIDATED], inputs[-_VALIDATED:], penalty)
            - targets[-_VALIDATED:]
        ).mean()
        for penalty in PENALTIES
    ]
    best = PENALTIES[int(np.argmin(errors))]
    return np.asarray(mean + spread * _predicted(inputs, targets, last, best)[0])


def _predicted(
    inputs: FloatArray, targets: FloatArray, asked: FloatArray, penalty: float
) -> FloatArray:
    try:
        from sklearn.linear_model import Lasso
    except ModuleNotFoundError:
        raise MissingPackageError("scikit-learn") from None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that coordinates still moved in the last round
        model = Lasso(alpha=penalty, max_iter=2000).fit(inputs, targets)
    return np.asarray(model.predict(asked).reshape(len(asked), targets.shape[1]))


def boosted_trees(series: Series, steps: int) -> FloatArray:
    """Return forecasts from the last 25 values of each series, by one model for all of them.

    Further steps are forecast from those before them, shape (series, steps). Each window is told
    relative to its own mean, so that series of different sizes can learn from each other. LightGBM
    is left at its defaults but for 300 trees at a rate of 0.05; Bale et al. search for such
    settings.
    """
    try:
        from lightgbm import LGBMRegressor
    except ModuleNotFoundError:
        raise MissingPackageError("lightgbm") from None
    windows = np.concatenate(
        [np.lib.stride_tricks.sliding_window_view(values, NUM_LAGS + 1) for values in series]
    )
    last = np.stack([values[-NUM_LAGS:] for values in series])
    means = windows[:, :-1].mean(axis=1)
    # One thread and a fixed seed: the same forecasts on every machine with the same LightGBM.
    model = LGBMRegressor(**_SETTINGS, n_jobs=1, random_state=0, deterministic=True, verbose=-1)
    model.fit(windows[:, :-1] - means[:, None], windows[:, -1] - means)
    for _ in range(steps):
        read = last[:, -NUM_LAGS:]
        own = read.mean(axis=1)
        last = np.column_stack([last, own + model.predict(read - own[:, None])])
    return last[:, NUM_LAGS:]


def recurrent_network(series: Series, _steps: int) -> FloatArray:
    """Return the next values by one network of long short-term memory cells (LSTM) for all series.

    Of each series its mean is taken away, so that all are told on one scale, and added to the
    forecast. The network has one layer of 25 cells and is trained by about 1,200 steps of Adam on
    128 windows each, to forecast every value of a window from those before it. Bale et al. search
    for such settings, and do not print those found.

    The same forecasts come out on the same machine with the same PyTorch; others may differ in the
    last digits, and these add up while it learns. Nothing is written and nothing downloaded.
    """
    try:
        import torch
        from darts import TimeSeries
        from darts.models import RNNModel
    except ImportError:  # Darts says so of its own parts, too
        raise MissingPackageError(PACKAGE) from None
    means = np.array([values.mean() for values in series])
    told = [
        TimeSeries.from_values((values - mean).astype(np.float32))
        for values, mean in zip(series, means, strict=True)
    ]
    num_windows = sum(len(values) - NUM_LEARNED for values in series)
    with _quietly_on_one_thread(torch):
        model = RNNModel(
            NUM_READ,
            model="LSTM",
            hidden_dim=_MEMORY,
            training_length=NUM_LEARNED,
            batch_size=_BATCH,
            n_epochs=ceil(_STEPS / ceil(num_windows / _BATCH)),
            optimizer_kwargs={"lr": _RATE},
            random_state=_SEED,
            pl_trainer_kwargs={
                "accelerator": "cpu",
                "logger": False,
                "enable_checkpointing": False,
                "enable_progress_bar": False,
                "enable_model_summary": False,
            },
        )
        model.fit(told, verbose=False)
        found = model.predict(1, series=told, verbose=False)
    return np.column_stack([means + np.array([float(one.values()[0, 0]) for one in found])])


@contextmanager
def _quietly_on_one_thread(torch: Any) -> Iterator[None]:
    """Let sums have the same order wherever it runs, and Lightning keep its remarks to itself."""
    threads, log = torch.get_num_threads(), logging.getLogger("pytorch_lightning")
    level = log.level
    torch.set_num_threads(1)
    log.setLevel(logging.ERROR)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
        log.setLevel(level)


SEASON = 12  # months


def smoothed(series: Series, steps: int, **model: str | int) -> FloatArray:
    """Return forecasts by exponential smoothing, of a level alone unless the model says more.

    Args:
        series: of logarithms; the answer has the shape (series, steps).
        model: options of statsmodels' ``ExponentialSmoothing``.
    """
    # Imported here, as it takes a second, and pages that forecast nothing need it not.
    from statsmodels.tsa.holtwinters import ExponentialSmoothing

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        # An optimiser that stops early still gives a forecast: the published ones stop so, too.
        warnings.simplefilter("ignore")

        def forecast(values: FloatArray) -> FloatArray:
            fitted = ExponentialSmoothing(values, **model).fit()
            # The next value comes with the fit.
            return np.asarray(fitted.fcastvalues if steps == 1 else fitted.forecast(steps))

        return _one_by_one(series, steps, forecast)


def automatic(series: Series, _steps: int, *, model: str) -> FloatArray:
    """Return the next values by the model of a kind that has the best AICc for each series.

    The kinds are ``AutoARIMA`` (seasonal, found stepwise) and ``AutoETS`` of statsforecast.
    """
    try:
        from statsforecast import models
    except ModuleNotFoundError:
        raise MissingPackageError("statsforecast") from None
    kind = getattr(models, model)
    return _one_by_one(
        series, 1, lambda values: kind(season_length=SEASON).forecast(y=values, h=1)["mean"]
    )


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
    """A way to forecast the values after series.

    Args:
        name: in links and on the command line.
        forecast: takes series (of logarithms), each of shape (length,), in any number and of any
            lengths from 30 on, and a number of steps; returns the values after each, shape (series,
            steps), NaN where it finds none. May raise
            :class:`~dpviz.scenario.errors.MissingPackageError`.
        goes_on: whether it forecasts more than the next value.
        learns_from_all: whether one model is made of all series, so that what it says of one
            depends on which others there are.
        packages: that it needs besides what dpviz always brings, by the names that pip knows; the
            first one brings the others.
    """

    name: str
    forecast: Callable[[Series, int], FloatArray]
    goes_on: bool = False
    learns_from_all: bool = False
    packages: tuple[str, ...] = ()

    @property
    def modules(self) -> list[str]:
        """The names by which Python knows these packages."""
        return [_MODULES.get(name, name) for name in self.packages]

    @property
    def is_installed(self) -> bool:
        """Whether all that it needs is there."""
        return all(map(is_installed, self.modules))


FORECASTERS: dict[str, Forecaster] = {
    forecaster.name: forecaster
    for forecaster in (
        Forecaster(name="ses", forecast=smoothed, goes_on=True),
        Forecaster(name="des", forecast=partial(smoothed, trend="add"), goes_on=True),
        Forecaster(
            name="tes",
            forecast=partial(smoothed, trend="add", seasonal="add", seasonal_periods=SEASON),
            goes_on=True,
        ),
        Forecaster(
            name="auto-arima",
            forecast=partial(automatic, model="AutoARIMA"),
            packages=("statsforecast",),
        ),
        Forecaster(
            name="auto-ets",
            forecast=partial(automatic, model="AutoETS"),
            packages=("statsforecast",),
        ),
        Forecaster(
            name="lasso-var", forecast=lasso_var, learns_from_all=True, packages=("scikit-learn",)
        ),
        Forecaster(
            name="boosted-trees",
            forecast=boosted_trees,
            goes_on=True,
            learns_from_all=True,
            packages=("lightgbm",),
        ),
        Forecaster(
            name="recurrent",
            forecast=recurrent_network,
            learns_from_all=True,
            packages=(PACKAGE, "torch"),
        ),
    )
}


def forecaster_named(name: str) -> Forecaster:
    """Return a forecaster."""
    if (found := FORECASTERS.get(name)) is None:
        raise ScenarioError("forecaster", name, "it must be one of " + ", ".join(FORECASTERS))
    return found
