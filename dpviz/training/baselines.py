"""What trained forecasts are held against: the last season, and a fit to each series alone."""

import warnings
from collections.abc import Sequence
from operator import itemgetter
from typing import Any

import numpy as np
from scipy.special import ndtri

from dpviz.training.forecaster import ClippedGradient, FloatArray, Forecaster
from dpviz.training.quantiles import checked_levels

# A level, and a damped trend; each without and with a season.
_FORMS: tuple[dict[str, Any], ...] = (
    {},
    {"trend": "add", "damped_trend": True},
    {"seasonal": "add"},
    {"trend": "add", "damped_trend": True, "seasonal": "add"},
)
# A state for each step of a season: beyond a day of hours a fit takes long and seldom succeeds.
LONGEST_SEASON = 24
# What statsmodels needs to begin with.
_FEWEST_VALUES = 10
_FEWEST_SEASONS = 2


def seasonal_naive(
    histories: Sequence[FloatArray], forecast_length: int, period: int, levels: FloatArray
) -> FloatArray:
    """Forecast each series by its last season.

    The quantiles are those of a normal distribution around the last season. Its variance k seasons
    ahead is k times the mean square of the changes from season to season in the same history
    (Hyndman and Athanasopoulos, Forecasting: Principles and Practice, Section 5.5). Of a history
    shorter than a season the last value is repeated; where it shows no change over a season, those
    from step to step count.

    Args:
        histories: what is known before each forecast, each of shape (values,), at least one value.
        levels: between 0 and 1, shape (levels,).

    Returns:
        Shape (windows, L_F, levels), not decreasing along the last axis.

    >>> seasonal_naive([np.array([1.0, 5.0, 2.0, 7.0])], 3, 2, np.array([0.5]))[0, :, 0].tolist()
    [2.0, 7.0, 2.0]
    """
    levels = checked_levels(levels)
    forecasts = np.zeros((len(histories), forecast_length, len(levels)))
    steps = np.arange(forecast_length)
    for forecast, history in zip(forecasts, histories, strict=True):
        season = period if len(history) >= period else 1
        last = history[len(history) - season :][steps % season]
        forecast[:] = last[:, np.newaxis]
        lag = season if len(history) > season else 1
        with np.errstate(over="ignore"):  # where a difference overflows, the largest there is
            changes = np.nan_to_num(history[lag:] - history[:-lag])
        size = np.abs(changes).max(initial=0.0)
        if size > 0.0:
            # Relative to the largest change, no square of huge numbers overflows.
            deviation = size * np.sqrt(np.mean((changes / size) ** 2) * (steps // season + 1))
            with np.errstate(over="ignore"):
                forecast += deviation[:, np.newaxis] * ndtri(levels)
    largest = np.finfo(np.float64).max
    return np.clip(forecasts, -largest, largest)


class SeasonalNaive(Forecaster):
    """The same as a forecaster: it reads the context alone, and has no parameters to train.

    Leading zeros of a context are taken for padding.
    """

    def initial_parameters(self, rng: np.random.Generator) -> FloatArray:  # noqa: ARG002
        """Return no parameters, shape (0,)."""
        return np.zeros(0)

    def _clipped_gradient(
        self, parameters: FloatArray, context: FloatArray, *_: object
    ) -> ClippedGradient:
        none = np.zeros(len(context))  # nothing is trained
        return ClippedGradient(total=parameters, norms=none, losses=none)

    def _quantiles(self, _: FloatArray, context: FloatArray, levels: FloatArray) -> FloatArray:
        begun = [np.flatnonzero(row) for row in context]
        # Of a context of zeros the last one.
        histories = [
            row[first[0] :] if len(first) else row[-1:]
            for row, first in zip(context, begun, strict=True)
        ]
        return seasonal_naive(histories, self.forecast_length, self._period, levels)


def exponential_smoothing(
    histories: Sequence[FloatArray], forecast_length: int, period: int, levels: FloatArray
) -> FloatArray:
    """Forecast each history by the additive form of least AICc (ETS, by statsmodels).

    Errors, trend and season are additive, for which the variance of a forecast is known exactly;
    its quantiles are normal. Seasons are fitted up to ``LONGEST_SEASON`` steps, of which a history
    must hold two. A history that no form fits, such as one that does not vary or has less than ten
    values, is forecast by its last season. Each history takes 0.05 to 0.2 s of processor time.

    Args:
        histories: what is known before each forecast, each of shape (values,).

    Returns:
        Quantiles, shape (windows, L_F, levels), not decreasing along the last axis.
    """
    levels = checked_levels(levels)
    quantiles = seasonal_naive(histories, forecast_length, period, levels)
    for forecast, history in zip(quantiles, histories, strict=True):
        fits = [_fit(history, forecast_length, period, form) for form in _FORMS]
        usable = [fit for fit in fits if fit is not None]
        if usable:
            _, mean, deviation = min(usable, key=itemgetter(0))
            forecast[:] = mean[:, np.newaxis] + deviation[:, np.newaxis] * ndtri(levels)
    return quantiles


def _fit(
    history: FloatArray, forecast_length: int, period: int, form: dict[str, Any]
) -> tuple[float, FloatArray, FloatArray] | None:
    """Return AICc, mean and deviation by one of ``_FORMS``; ``None`` where it cannot be fitted."""
    options = dict(form)
    if "seasonal" in options:
        if not 1 < period <= LONGEST_SEASON or len(history) < _FEWEST_SEASONS * period:
            return None
        options["seasonal_periods"] = period
    size = float(np.abs(history).max(initial=0.0))
    if len(history) < _FEWEST_VALUES or size == 0.0 or np.ptp(history / size) == 0.0:
        return None
    # First states found with the weights made no better criterion and took ten times as long.
    options |= {"error": "add", "initialization_method": "heuristic"}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        # Fits that did not converge are told by their criterion, which is then no better.
        warnings.simplefilter("ignore")
        # Imports take a second, which what trains without this baseline need not wait for.
        import pandas as pd
        from statsmodels.tsa.exponential_smoothing.ets import ETSModel

        try:
            result = ETSModel(pd.Series(history / size), **options).fit(disp=False)
            last = len(history) + forecast_length - 1
            ahead = result.get_prediction(start=len(history), end=last)
            mean = np.asarray(ahead.predicted_mean, dtype=np.float64) * size
            deviation = np.sqrt(np.asarray(ahead.forecast_variance, dtype=np.float64)) * size
            found = float(result.aicc), mean, deviation
        except (ValueError, ArithmeticError, np.linalg.LinAlgError):
            return None
    return found if all(np.isfinite(part).all() for part in found) else None
