"""How good forecasts of hidden contexts are."""

import numpy as np

from dpviz.private_inference.hide import forecasts_of_hidden, hidden_contexts, pulled_to_mean
from dpviz.release import Randomness
from dpviz.training.crps import mean_weighted_quantile_loss
from dpviz.training.forecaster import FloatArray, Forecaster
from dpviz.training.quantile_head import LEVELS
from dpviz.training.split import EvaluationWindows


def crps_of_hidden(
    forecaster: Forecaster,
    parameters: FloatArray,
    windows: EvaluationWindows,
    *,
    rate: float,
    noise: float,
    nothing_kept: float,
    lowest: float | None,
    rng: Randomness,
    pull: float = 0.0,
) -> float:
    """Return the error (CRPS) of forecasts of hidden contexts; lower is better.

    It is computed from what then came, which no budget covers: for public series.

    Args:
        forecaster: of the windows' shape.
        parameters: shape (parameters,).
        windows: contexts, and what then came.
        rate: see :func:`~dpviz.private_inference.hide.hidden_contexts`, as for the next two.
        noise: likewise.
        nothing_kept: likewise.
        lowest: see :func:`~dpviz.private_inference.hide.forecasts_of_hidden`.
        rng: of values kept and noise.
        pull: see :func:`~dpviz.private_inference.hide.pulled_to_mean`.
    """
    hidden = hidden_contexts(
        windows.context,
        rate=rate,
        noise=noise,
        nothing_kept=nothing_kept,
        known=known_values(windows),
        rng=rng,
    )
    seen = pulled_to_mean(hidden, pull) if pull > 0.0 else hidden
    quantiles = forecasts_of_hidden(forecaster, parameters, seen, LEVELS, lowest=lowest)
    return mean_weighted_quantile_loss(quantiles, windows.truth)


def known_values(windows: EvaluationWindows) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Return how many values of each context are its series' own, shape (windows,)."""
    return np.minimum(windows.starts, windows.context.shape[1])
