"""From centre and width to quantiles, the loss of training, and the error of forecasts (CRPS)."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import expit, ndtri

from dpviz.scenario.errors import ScenarioError
from dpviz.training.forecaster import FloatArray

LEVELS = np.arange(1, 10) / 10
"""The quantile levels of training and evaluation (Appendix B.3)."""

SHAPE = ndtri(LEVELS)
"""Normal quantiles at these levels."""

# Of the quantile loss's slopes the sum over levels, and the sum weighted by their shape: for 0, 1,
# ... quantiles above the truth, and last for a number that is not known.
_UNKNOWN = LEVELS.size + 1
_ABOVE = np.arange(LEVELS.size) >= LEVELS.size - np.arange(_UNKNOWN)[:, np.newaxis]
_SLOPES = np.append((_ABOVE - LEVELS).sum(axis=1), np.nan)
_SHAPED_SLOPES = np.append((_ABOVE - LEVELS) @ SHAPE, np.nan)

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

    def where(self, counts: npt.NDArray[np.bool_]) -> "HeadGradient":
        """Return the same with zeros for the windows that do not count, shape (windows,)."""
        return HeadGradient(
            losses=np.where(counts, self.losses, 0.0),
            center=np.where(counts[:, np.newaxis], self.center, 0.0),
            width=np.where(counts[:, np.newaxis], self.width, 0.0),
        )


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
        width: shape (windows, L_F), or (1, L_F) where it is the same for all windows.
        spread: shape (windows,).
        truth: in the same unit as the centre, shape (windows, L_F).
    """
    with np.errstate(all="ignore"):
        unit = spread[:, np.newaxis] * np.logaddexp(0.0, width)
        error = truth - center
        # Where a quantile is no number, there is no telling on which side of it the truth is.
        is_known = np.isfinite(unit) & ~np.isnan(error)
        above = np.where(is_known, _levels_above(truth, center, unit), _UNKNOWN)
        by_quantiles, by_shapes = _SLOPES[above], _SHAPED_SLOPES[above]
        # A truth that overflowed leaves an infinite loss, with a slope like any other.
        losses = (unit * by_shapes - error * by_quantiles).mean(axis=1) * (2.0 / LEVELS.size)
        share = 2.0 / (LEVELS.size * truth.shape[1])
        by_center = share * by_quantiles
        by_width = share * by_shapes * spread[:, np.newaxis] * expit(width)
    return HeadGradient(losses=losses, center=by_center, width=by_width)


def _levels_above(truth: FloatArray, center: FloatArray, unit: FloatArray) -> npt.NDArray[np.int8]:
    """Return of how many levels, the highest ones, the quantile is above the truth."""
    # Level by level, nothing as large as windows, steps and levels together has to be kept, which
    # is what most of a training step's time went to.
    count = np.zeros(truth.shape, dtype=np.int8)
    quantile = np.empty(truth.shape)
    for shape in SHAPE:
        np.multiply(unit, shape, out=quantile)
        quantile += center
        count += truth < quantile
    return count


def head_quantiles(
    center: FloatArray, width: FloatArray, spread: FloatArray, levels: FloatArray
) -> FloatArray:
    """Return quantiles, shape (windows, L_F, levels), not decreasing along the last axis."""
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


def mean_weighted_quantile_loss(
    quantiles: FloatArray, truth: FloatArray, levels: FloatArray = LEVELS
) -> float:
    """Return the mean weighted quantile loss; lower is better, and 0 is perfect.

    For each level twice the pinball loss, summed over all windows and steps and divided by the sum
    of what came in absolute value; then the mean over levels. At levels 0.1 to 0.9 it is what
    GluonTS and Appendix B.3 of Schuchardt et al. report as the CRPS. As one sum stands for all,
    series of large values count for more.

    Args:
        quantiles: shape (windows, L_F, levels).
        truth: what came, shape (windows, L_F).
        levels: shape (levels,).

    Returns:
        Infinite or NaN where numbers are too large to add up.

    Raises:
        ScenarioError: shapes do not fit, or all that came is zero, so that nothing can be divided.

    >>> mean_weighted_quantile_loss(np.full((1, 1, 9), 8.0), np.array([[10.0]]))
    0.2
    """
    levels = checked_levels(levels)
    if quantiles.shape != (shape := (*truth.shape, len(levels))):
        allowed = f"it must have the shape {shape}"
        raise ScenarioError("quantiles", f"shape {quantiles.shape}", allowed)
    with np.errstate(all="ignore"):
        size = float(np.abs(truth).sum())
        if size == 0.0:
            raise ScenarioError("truth", size, "its absolute values must not sum to zero")
        if not np.isfinite(size):  # divided by that, any loss would be 0
            return float("nan")
        error = truth[..., np.newaxis] - quantiles
        pinball = error * (levels - (error < 0))
        return float(2.0 * pinball.sum(axis=(0, 1)).mean() / size)
