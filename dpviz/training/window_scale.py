"""Each window in units of its own context, so that no statistic of the data set is needed."""

from dataclasses import dataclass

import numpy as np

from dpviz.training.forecaster import FloatArray

# A context that hardly varies, or of one value, is taken to vary by a hundredth of its size.
_LEAST_VARIATION = 0.01


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScaledContexts:
    """Contexts, centred and scaled by what each of them shows itself.

    Leading zeros are taken for padding, where the series had not begun. A statistic of several
    windows would be one more release of private data; these are functions of one window, so that
    clipping bounds all of what it adds.

    Args:
        values: (context - level) / scale, 0 in place of padding, shape (windows, L_C).
        recent: the scaled value one season before each step of the forecast, the last value of
            that season that the context shows (the last of all values where there is none), shape
            (windows, L_F).
        spread: mean size of changes from one season to the next, in scales, shape (windows,).
        level: mean of the values, as a part of ``peak``, shape (windows,).
        scale: mean distance from the level, likewise; 0 for a context of zeros.
        peak: largest absolute value of a context, in the data's unit. Level and scale are kept
            relative to it so that no sum of huge numbers overflows.
    """

    values: FloatArray
    recent: FloatArray
    spread: FloatArray
    level: FloatArray
    scale: FloatArray
    peak: FloatArray

    def scaled(self, forecast: FloatArray) -> FloatArray:
        """Return what came, in the unit of each context; infinite where that overflows."""
        with np.errstate(all="ignore"):
            relative = forecast / _or_one(self.peak)[:, np.newaxis] - self.level[:, np.newaxis]
            return np.asarray(relative / _or_one(self.scale)[:, np.newaxis])

    def unscaled(self, forecast: FloatArray) -> FloatArray:
        """Return a scaled forecast in the data's unit, shape (windows, L_F, ...).

        Of a context of zeros the forecast is zero. What exceeds the largest double is cut to it.
        """
        shape = (-1,) + (1,) * (forecast.ndim - 1)
        level, scale, peak = (a.reshape(shape) for a in (self.level, self.scale, self.peak))
        largest = np.finfo(np.float64).max
        with np.errstate(all="ignore"):
            return np.asarray(np.clip((level + scale * forecast) * peak, -largest, largest))


def scaled_contexts(context: FloatArray, forecast_length: int, period: int) -> ScaledContexts:
    """Return contexts in their own unit.

    Args:
        context: shape (windows, L_C). A row with a value that is not finite becomes NaN.
    """
    with np.errstate(all="ignore"):
        peak = np.abs(context).max(axis=1)
        relative = context / _or_one(peak)[:, np.newaxis]
        begun = np.maximum.accumulate(relative != 0, axis=1)
        count = np.maximum(begun.sum(axis=1), 1)
        level = relative.sum(axis=1) / count  # padding is 0
        centred = np.where(begun, relative - level[:, np.newaxis], 0.0)
        deviation = np.abs(centred).sum(axis=1) / count
        size = np.abs(relative).sum(axis=1) / count
        scale = np.maximum(deviation, _LEAST_VARIATION * size)
        values = centred / _or_one(scale)[:, np.newaxis]
    recent = np.repeat(values[:, -1:], forecast_length, axis=1)
    if period <= (length := values.shape[1]):
        places = length - period + np.arange(forecast_length) % period
        recent = np.where(begun[:, places], values[:, places], recent)
    return ScaledContexts(
        values=values,
        recent=recent,
        spread=_spread(values, begun, period),
        level=level,
        scale=scale,
        peak=peak,
    )


def _spread(values: FloatArray, begun: FloatArray, period: int) -> FloatArray:
    """Mean absolute change over a season, or over a step where no season was seen twice."""
    spread = _mean_change(values, begun, period)
    if np.isnan(spread).any():
        spread = np.where(np.isnan(spread), _mean_change(values, begun, 1), spread)
    # Without two values nothing is known of changes: as large as the scale.
    spread = np.where(np.isnan(spread), 1.0, np.maximum(spread, _LEAST_VARIATION))
    return np.asarray(np.where(np.isnan(values).any(axis=1), np.nan, spread))


def _mean_change(values: FloatArray, begun: FloatArray, lag: int) -> FloatArray:
    """Mean absolute change over ``lag`` steps, NaN where there is none, shape (windows,)."""
    if lag >= values.shape[1]:
        return np.full(len(values), np.nan)
    known = begun[:, :-lag]  # what follows a known value is known
    changes = np.where(known, np.abs(values[:, lag:] - values[:, :-lag]), 0.0)
    count = known.sum(axis=1)
    return np.asarray(np.where(count > 0, changes.sum(axis=1) / np.maximum(count, 1), np.nan))


def _or_one(divisor: FloatArray) -> FloatArray:
    """Return divisors with 1 in place of 0: what they divide is 0 there, too."""
    return np.asarray(np.where(divisor == 0.0, 1.0, divisor))
