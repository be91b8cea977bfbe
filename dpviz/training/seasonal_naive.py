"""The baseline that learns nothing: what came one season ago comes again."""

from collections.abc import Sequence

import numpy as np
from scipy.special import ndtri

from dpviz.training.forecaster import ClippedGradient, FloatArray
from dpviz.training.quantile_head import checked_levels
from dpviz.training.windows_given import check_windows


def seasonal_naive(
    histories: Sequence[FloatArray],
    forecast_length: int,
    period: int,
    levels: FloatArray,
    *,
    point: bool = False,
) -> FloatArray:
    """Forecast each series by its last season.

    The quantiles are those of a normal distribution around the last season. Its variance k seasons
    ahead is k times the mean square of the changes from season to season in the same history
    (Hyndman and Athanasopoulos, Forecasting: Principles and Practice, Section 5.5). With
    ``point``, all quantiles are the last season itself. Of a history shorter than a season the last
    value is repeated; where it shows no change over a season, those from step to step count.

    Args:
        histories: what is known before each forecast, each of shape (values,), at least one value.
        forecast_length: L_F.
        period: time steps of a season.
        levels: between 0 and 1, shape (levels,).
        point: leave out the spread.

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
        changes = _changes(history, season)
        size = np.abs(changes).max(initial=0.0)
        if size > 0.0 and not point:
            # Relative to the largest change, no square of huge numbers overflows.
            deviation = size * np.sqrt(np.mean((changes / size) ** 2) * (steps // season + 1))
            with np.errstate(over="ignore"):
                forecast += deviation[:, np.newaxis] * ndtri(levels)
    largest = np.finfo(np.float64).max
    return np.clip(forecasts, -largest, largest)


def _changes(history: FloatArray, season: int) -> FloatArray:
    """Return the changes over a season, or over a step where there is none to compare."""
    lag = season if len(history) > season else 1
    with np.errstate(over="ignore"):
        changes = history[lag:] - history[:-lag]
    # Where a difference overflows, the largest number there is.
    return np.nan_to_num(changes)


class SeasonalNaive:
    """The same as a forecaster: it reads the context alone, and has no parameters to train.

    Leading zeros of a context are taken for padding.

    Args:
        context_length: L_C.
        forecast_length: L_F.
        period: time steps of a season.
    """

    num_parameters = 0

    def __init__(self, context_length: int, forecast_length: int, period: int) -> None:
        self.context_length = context_length
        self.forecast_length = forecast_length
        self._period = period

    def initial_parameters(self, rng: np.random.Generator) -> FloatArray:  # noqa: ARG002
        """Return no parameters, shape (0,)."""
        return np.zeros(0)

    def clipped_gradient(
        self,
        parameters: FloatArray,
        context: FloatArray,
        forecast: FloatArray,
        clipping_norm: float,  # noqa: ARG002
    ) -> ClippedGradient:
        """Return a gradient without entries, as nothing is trained; losses are 0."""
        check_windows(self, parameters, context, forecast)
        none = np.zeros(len(context))
        return ClippedGradient(total=np.zeros(0), norms=none, losses=none)

    def quantiles(
        self, parameters: FloatArray, context: FloatArray, levels: FloatArray
    ) -> FloatArray:
        """Return quantiles in the data's unit, shape (windows, L_F, levels)."""
        check_windows(self, parameters, context)
        return seasonal_naive(
            [_without_padding(row) for row in context], self.forecast_length, self._period, levels
        )


def _without_padding(context: FloatArray) -> FloatArray:
    """Return a context from its first value on that is not zero; one zero if there is none."""
    begun = np.flatnonzero(context)
    return context[begun[0] :] if len(begun) else context[-1:]
