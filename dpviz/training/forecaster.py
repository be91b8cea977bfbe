"""What the training loop asks of a forecaster."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dpviz.scenario.errors import ScenarioError

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ClippedGradient:
    """The gradients of one batch, each clipped, in one sum.

    Args:
        total: the sum of the windows' gradients, each scaled down to norm C if it is longer, shape
            (parameters,); zeros for an empty batch.
        norms: of each window's gradient before it was clipped, shape (windows,).
        losses: of each window, shape (windows,). Private: not to be shown or logged by a run
            whose data are somebody's.
    """

    total: FloatArray
    norms: FloatArray
    losses: FloatArray


class Forecaster(ABC):
    """A model with exact gradients for each window. Its parameters live outside, as one vector.

    Arrays of other shapes than the forecaster's raise :class:`~dpviz.scenario.ScenarioError`.
    """

    num_parameters = 0

    def __init__(self, context_length: int, forecast_length: int, period: int) -> None:
        self.context_length = context_length
        self.forecast_length = forecast_length
        self._period = period

    @abstractmethod
    def initial_parameters(self, rng: np.random.Generator) -> FloatArray:
        """Return parameters to begin with, which depend on no data, shape (parameters,)."""

    def clipped_gradient(
        self,
        parameters: FloatArray,
        context: FloatArray,
        forecast: FloatArray,
        clipping_norm: float,
    ) -> ClippedGradient:
        """Return the summed clipped gradients of a batch; a window whose norm is not finite adds 0.

        Args:
            parameters: shape (parameters,).
            context: shape (windows, L_C).
            forecast: shape (windows, L_F).
        """
        self._check(parameters, context, forecast)
        return self._clipped_gradient(parameters, context, forecast, clipping_norm)

    def quantiles(
        self, parameters: FloatArray, context: FloatArray, levels: FloatArray
    ) -> FloatArray:
        """Return quantiles of what follows each context, in the data's unit.

        Args:
            levels: from 0 to 1, shape (levels,).

        Returns:
            Shape (windows, L_F, levels), not decreasing along the last axis.
        """
        self._check(parameters, context)
        return self._quantiles(parameters, context, levels)

    @abstractmethod
    def _clipped_gradient(
        self,
        parameters: FloatArray,
        context: FloatArray,
        forecast: FloatArray,
        clipping_norm: float,
    ) -> ClippedGradient:
        """Do what ``clipped_gradient`` says; shapes are checked."""

    @abstractmethod
    def _quantiles(
        self, parameters: FloatArray, context: FloatArray, levels: FloatArray
    ) -> FloatArray:
        """Do what ``quantiles`` says; shapes are checked."""

    def _check(
        self, parameters: FloatArray, context: FloatArray, forecast: FloatArray | None = None
    ) -> None:
        """Refuse other shapes: NumPy would stretch some of them."""
        windows = len(context)
        wanted: list[tuple[str, FloatArray, tuple[int, ...]]] = [
            ("parameters", parameters, (self.num_parameters,)),
            ("context", context, (windows, self.context_length)),
        ]
        if forecast is not None:
            wanted.append(("forecast", forecast, (windows, self.forecast_length)))
        for name, array, shape in wanted:
            if array.shape != shape:
                raise ScenarioError(name, f"shape {array.shape}", f"it must have the shape {shape}")
