"""How well exponential smoothing forecasts some of the test windows, and a model the same ones."""

from dataclasses import dataclass

import numpy as np

from dpviz.sampling.scheme import IntArray
from dpviz.scenario import ScenarioError
from dpviz.training.crps import mean_weighted_quantile_loss
from dpviz.training.exponential_smoothing import exponential_smoothing
from dpviz.training.panel_source import PanelSource, parts_of
from dpviz.training.progress import Forecasts
from dpviz.training.quantile_head import LEVELS
from dpviz.training.seasonal_naive import seasonal_naive

# Each takes 0.05 to 0.2 s of processor time: all of them some ten seconds, in the background.
MOST_SMOOTHED = 100
# Forecasts that a server keeps of one run: a model's beyond that are not there to compare with.
MOST_SHOWN_NUMBERS = 200_000


@dataclass(frozen=True, kw_only=True)
class SmoothedBaseline:
    """Errors of exponential smoothing and of the seasonal naive forecast, on the same windows.

    Args:
        windows: how many were forecast.
        of: how many test windows there are.
        crps: error of exponential smoothing.
        naive_crps: that of the seasonal naive forecast.
    """

    windows: int
    of: int
    crps: float
    naive_crps: float


def shown_windows(count: int, forecast_length: int) -> int:
    """Return of how many test windows forecasts are kept, the first ones."""
    return min(count, max(1, MOST_SHOWN_NUMBERS // (LEVELS.size * forecast_length)))


def smoothed_windows(count: int, forecast_length: int) -> IntArray:
    """Return which of so many test windows are smoothed, evenly spaced, from 0.

    >>> smoothed_windows(3, 6).tolist(), len(smoothed_windows(474, 6))
    ([0, 1, 2], 100)
    """
    shown = shown_windows(count, forecast_length)
    many = min(shown, MOST_SMOOTHED)
    return np.asarray(np.arange(many) * shown // many)


def smoothed_baseline(
    source: PanelSource, context_length: int, forecast_length: int
) -> SmoothedBaseline:
    """Fit each of some series alone, and return how well its last values are forecast.

    Args:
        source: the series.
        context_length: L_C; decides with L_F which values are held out.
        forecast_length: L_F.

    Raises:
        ScenarioError: a series is too short, or all that came is zero.
    """
    parts = parts_of(source, context_length, forecast_length)
    windows, period = parts.test, parts.training.period
    chosen = smoothed_windows(len(windows), forecast_length)
    histories = [windows.histories[at] for at in chosen.tolist()]
    smoothed = exponential_smoothing(histories, forecast_length, period, LEVELS).quantiles
    naive = seasonal_naive(histories, forecast_length, period, LEVELS)
    truth = windows.truth[chosen]
    return SmoothedBaseline(
        windows=len(chosen),
        of=len(windows),
        crps=mean_weighted_quantile_loss(smoothed, truth),
        naive_crps=mean_weighted_quantile_loss(naive, truth),
    )


def crps_beside(forecasts: Forecasts, count: int) -> float | None:
    """Return a model's error on the windows that are smoothed; ``None`` where all of them are zero.

    Args:
        forecasts: at least those of the test windows that are kept.
        count: how many test windows there are.
    """
    chosen = smoothed_windows(count, forecasts.windows.truth.shape[1])
    try:
        return mean_weighted_quantile_loss(
            forecasts.quantiles[chosen], forecasts.windows.truth[chosen]
        )
    except ScenarioError:  # nothing to divide by
        return None
