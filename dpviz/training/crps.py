"""How good quantile forecasts are: the continuous ranked probability score, approximated."""

import numpy as np

from dpviz.scenario.errors import ScenarioError
from dpviz.training.forecaster import FloatArray
from dpviz.training.quantile_head import LEVELS, checked_levels


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
    if quantiles.shape != (*truth.shape, len(levels)):
        raise ScenarioError(
            "quantiles",
            f"shape {quantiles.shape}",
            f"it must have the shape {(*truth.shape, len(levels))}",
        )
    with np.errstate(all="ignore"):
        return _relative_loss(quantiles, truth, levels)


def _relative_loss(quantiles: FloatArray, truth: FloatArray, levels: FloatArray) -> float:
    size = float(np.abs(truth).sum())
    if size == 0.0:
        raise ScenarioError("truth", size, "its absolute values must not sum to zero")
    if not np.isfinite(size):  # divided by that, any loss would be 0
        return float("nan")
    error = truth[..., np.newaxis] - quantiles
    pinball = error * (levels - (error < 0))
    return float(2.0 * pinball.sum(axis=(0, 1)).mean() / size)
