"""From centre and width to quantiles, and the loss by which they are judged."""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, ndtri

from dpviz.scenario.errors import ScenarioError
from dpviz.training.forecaster import FloatArray

LEVELS = np.arange(1, 10) / 10
"""The quantile levels of training and evaluation (Appendix B.3)."""

_SHAPE = ndtri(LEVELS)

# softplus(START) spreads a normal distribution whose seasonal changes are 1 on average: the
# differences of two values of standard deviation s have mean absolute value 2 s / sqrt(pi), and
# the error of the seasonal naive forecast is such a difference, of deviation sqrt(pi / 2).
START = float(np.log(np.expm1(np.sqrt(np.pi / 2))))


@dataclass(frozen=True, slots=True, eq=False)
class HeadGradient:
    """The loss of each window, and its derivative by what the model puts out.

    Args:
        losses: shape (windows,).
        center: derivative by the centre, shape (windows, L_F).
        width: derivative by the width before it is made positive, likewise.
    """

    losses: FloatArray
    center: FloatArray
    width: FloatArray


def head_gradient(
    center: FloatArray, width: FloatArray, spread: FloatArray, truth: FloatArray
) -> HeadGradient:
    """Return the mean quantile loss over steps and levels, and its exact derivatives.

    The quantile at level a of a step is centre + spread softplus(width) z(a), with z(a) the normal
    quantile. The loss is twice the pinball loss, which the error of the test is made of. Of the
    losses at hand it suits clipping best: its derivative by a quantile is at most max(a, 1 - a) in
    size, however far off the truth, so that one outlier is one vote and clipping bends directions
    little; the derivative of a log-likelihood grows without limit where a width gets small.

    Where the truth is not a number, all derivatives of its window are not.

    Args:
        center: shape (windows, L_F).
        width: shape (windows, L_F).
        spread: shape (windows,).
        truth: in the same unit as the centre, shape (windows, L_F).
    """
    with np.errstate(all="ignore"):
        unit = spread[:, np.newaxis] * np.logaddexp(0.0, width)
        error = truth[..., np.newaxis] - (center[..., np.newaxis] + unit[..., np.newaxis] * _SHAPE)
        slope = np.where(np.isnan(error), np.nan, (error < 0) - LEVELS)
        # A truth that overflowed leaves an infinite loss, with a slope like any other.
        losses = (2.0 * -slope * error).mean(axis=(1, 2))
        share = 2.0 / (LEVELS.size * truth.shape[1])
        by_center = share * slope.sum(axis=2)
        by_width = share * (slope @ _SHAPE) * spread[:, np.newaxis] * expit(width)
    return HeadGradient(losses=losses, center=by_center, width=by_width)


def head_quantiles(
    center: FloatArray, width: FloatArray, spread: FloatArray, levels: FloatArray
) -> FloatArray:
    """Return quantiles, shape (windows, L_F, levels), not decreasing along the last axis.

    Raises:
        ScenarioError: a level is not between 0 and 1, or one is smaller than the one before.
    """
    shape = ndtri(checked_levels(levels))
    with np.errstate(all="ignore"):
        unit = spread[:, np.newaxis] * np.logaddexp(0.0, width)
        return np.asarray(center[..., np.newaxis] + unit[..., np.newaxis] * shape)


def checked_levels(levels: FloatArray) -> FloatArray:
    """Return quantile levels as an array, shape (levels,), or raise :class:`ScenarioError`."""
    values = np.asarray(levels, dtype=np.float64)
    if values.ndim != 1 or not len(values):
        raise ScenarioError("levels", f"shape {values.shape}", "it must be a list of numbers")
    wrong = ~((values > 0) & (values < 1))
    if wrong.any():
        raise ScenarioError("levels", float(values[wrong][0]), "each must be above 0 and below 1")
    if np.any(np.diff(values) < 0):
        raise ScenarioError("levels", values.tolist(), "they must be in increasing order")
    return values
