"""Forecasters that are linear in the context: one row of weights for each step to come."""

import numpy as np

from dpviz.training.clipped_layers import LayerGradient, clipped_layers
from dpviz.training.forecaster import ClippedGradient, FloatArray
from dpviz.training.moving_average import moving_average
from dpviz.training.quantile_head import START, head_gradient, head_quantiles
from dpviz.training.window_scale import ScaledContexts, scaled_contexts
from dpviz.training.windows_given import check_windows


class LinearForecaster:
    """A weighted sum of the scaled context for each step, added to the seasonal naive forecast.

    Its parameters are a weight for each pair of an input and a step, a bias for each step, and one
    number for each step that says how wide the forecast spreads. At the start all weights are
    zero, which is the seasonal naive forecast: no data have been read for it.

    Args:
        context_length: L_C.
        forecast_length: L_F.
        period: time steps of a season.
        kernel: time steps of a moving average that splits the context into trend and remainder,
            with weights for each (DLinear, Zeng et al. 2023); 0 reads the context as it is.
    """

    def __init__(
        self, context_length: int, forecast_length: int, period: int, *, kernel: int = 0
    ) -> None:
        self.context_length = context_length
        self.forecast_length = forecast_length
        self._period = period
        self._kernel = kernel
        self._inputs = context_length * (2 if kernel else 1)
        self.num_parameters = forecast_length * (self._inputs + 2)

    def initial_parameters(self, rng: np.random.Generator) -> FloatArray:  # noqa: ARG002
        """Return the parameters of the seasonal naive forecast, shape (parameters,)."""
        parameters = np.zeros(self.num_parameters)
        parameters[-self.forecast_length :] = START
        return parameters

    def clipped_gradient(
        self,
        parameters: FloatArray,
        context: FloatArray,
        forecast: FloatArray,
        clipping_norm: float,
    ) -> ClippedGradient:
        """Return the summed clipped gradients; see :class:`dpviz.training.forecaster.Forecaster`.

        A context of zeros has no scale: it adds nothing, and its loss counts as 0.
        """
        check_windows(self, parameters, context, forecast)
        scaled = scaled_contexts(context, self.forecast_length, self._period)
        inputs = self._read(scaled)
        center, width = self._put_out(parameters, scaled, inputs)
        found = head_gradient(center, width, scaled.spread, scaled.scaled(forecast))
        seen = (scaled.scale != 0.0)[:, np.newaxis]
        return clipped_layers(
            [
                LayerGradient(np.where(seen, found.center, 0.0), inputs),
                LayerGradient(np.where(seen, found.width, 0.0), np.zeros((len(context), 0))),
            ],
            np.where(seen[:, 0], found.losses, 0.0),
            clipping_norm,
        )

    def quantiles(
        self, parameters: FloatArray, context: FloatArray, levels: FloatArray
    ) -> FloatArray:
        """Return quantiles in the data's unit, shape (windows, L_F, levels)."""
        check_windows(self, parameters, context)
        scaled = scaled_contexts(context, self.forecast_length, self._period)
        center, width = self._put_out(parameters, scaled, self._read(scaled))
        return scaled.unscaled(head_quantiles(center, width, scaled.spread, levels))

    def _read(self, scaled: ScaledContexts) -> FloatArray:
        if not self._kernel:
            return scaled.values
        trend = moving_average(scaled.values, self._kernel)
        return np.concatenate([trend, scaled.values - trend], axis=1)

    def _put_out(
        self, parameters: FloatArray, scaled: ScaledContexts, inputs: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return centre, shape (windows, L_F), and the width of all windows, shape (1, L_F)."""
        steps = self.forecast_length
        weights = parameters[: -2 * steps].reshape(steps, self._inputs)
        with np.errstate(all="ignore"):
            center = scaled.recent + inputs @ weights.T + parameters[-2 * steps : -steps]
        return center, parameters[np.newaxis, -steps:]
