"""How good a model's forecasts of held-out windows are."""

from dataclasses import dataclass

import numpy as np

from dpviz.training.crps import mean_weighted_quantile_loss
from dpviz.training.forecaster import FloatArray, Forecaster
from dpviz.training.quantile_head import LEVELS
from dpviz.training.split import EvaluationWindows

_ANY_NORM = 1.0  # of clipping; a loss does not depend on it


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldOut:
    """Errors of held-out windows: their CRPS, and their mean loss as in training."""

    crps: float
    loss: float


@np.errstate(all="ignore")
def held_out(forecaster: Forecaster, parameters: FloatArray, windows: EvaluationWindows) -> HeldOut:
    """Return the errors of a model's forecasts; not finite where the model has diverged."""
    quantiles = forecaster.quantiles(parameters, windows.context, LEVELS)
    losses = forecaster.clipped_gradient(
        parameters, windows.context, windows.truth, _ANY_NORM
    ).losses
    return HeldOut(
        crps=mean_weighted_quantile_loss(quantiles, windows.truth), loss=float(losses.mean())
    )
