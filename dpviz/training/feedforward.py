"""A small feed-forward network."""

from itertools import pairwise

import numpy as np

from dpviz.training.clipped_layers import LayerGradient, clipped_layers
from dpviz.training.forecaster import ClippedGradient, FloatArray
from dpviz.training.quantile_head import START, head_gradient, head_quantiles
from dpviz.training.window_scale import ScaledContexts, scaled_contexts
from dpviz.training.windows_given import check_windows

# Noise of each step grows with the square root of the number of parameters, so fewer than the 64
# of the paper (Appendix B.2.1).
HIDDEN = (32, 32)


class FeedForwardForecaster:
    """Two hidden layers, whose output is added to the seasonal naive forecast.

    The layers put out a centre and a width for each step to come. Hidden units are tanh, whose
    bounded values keep the norms of gradients in bounds. At the start the weights of the last
    layer are zero, which is the seasonal naive forecast, and those of the others random.

    Args:
        context_length: L_C.
        forecast_length: L_F.
        period: time steps of a season.
        hidden: units of each hidden layer.
    """

    def __init__(
        self,
        context_length: int,
        forecast_length: int,
        period: int,
        *,
        hidden: tuple[int, ...] = HIDDEN,
    ) -> None:
        self.context_length = context_length
        self.forecast_length = forecast_length
        self._period = period
        self._sizes = list(pairwise((context_length, *hidden, 2 * forecast_length)))
        self.num_parameters = sum((inputs + 1) * outputs for inputs, outputs in self._sizes)

    def initial_parameters(self, rng: np.random.Generator) -> FloatArray:
        """Return random hidden layers and the seasonal naive forecast, shape (parameters,)."""
        parts = []
        for inputs, outputs in self._sizes:
            # As wide as the number of inputs allows without saturating tanh (Glorot and Bengio).
            deviation = np.sqrt(2.0 / (inputs + outputs))
            parts += [rng.normal(0.0, deviation, size=inputs * outputs), np.zeros(outputs)]
        parts[-2][:] = 0.0
        parts[-1][self.forecast_length :] = START
        return np.concatenate(parts)

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
        weights = self._weights(parameters)
        values = self._values(weights, scaled)
        center, width = self._center_and_width(values[-1], scaled)
        found = head_gradient(center, width, scaled.spread, scaled.scaled(forecast))
        seen = scaled.scale != 0.0
        output = np.where(
            seen[:, np.newaxis], np.concatenate([found.center, found.width], axis=1), 0.0
        )
        layers = []
        with np.errstate(all="ignore"):
            for (matrix, _), inputs in zip(reversed(weights), reversed(values[:-1]), strict=True):
                layers.append(LayerGradient(output, inputs))
                # Below the first layer the inputs are the context, which has no gradient.
                output = (output @ matrix) * (1.0 - inputs**2)
        return clipped_layers(layers[::-1], np.where(seen, found.losses, 0.0), clipping_norm)

    def quantiles(
        self, parameters: FloatArray, context: FloatArray, levels: FloatArray
    ) -> FloatArray:
        """Return quantiles in the data's unit, shape (windows, L_F, levels)."""
        check_windows(self, parameters, context)
        scaled = scaled_contexts(context, self.forecast_length, self._period)
        output = self._values(self._weights(parameters), scaled)[-1]
        center, width = self._center_and_width(output, scaled)
        return scaled.unscaled(head_quantiles(center, width, scaled.spread, levels))

    def _weights(self, parameters: FloatArray) -> list[tuple[FloatArray, FloatArray]]:
        """Return matrix (outputs, inputs) and biases of each layer, as views."""
        found, start = [], 0
        for inputs, outputs in self._sizes:
            middle, end = start + inputs * outputs, start + (inputs + 1) * outputs
            found.append(
                (parameters[start:middle].reshape(outputs, inputs), parameters[middle:end])
            )
            start = end
        return found

    @staticmethod
    def _values(
        weights: list[tuple[FloatArray, FloatArray]], scaled: ScaledContexts
    ) -> list[FloatArray]:
        """Return what each layer reads, and last what the last one puts out."""
        values = [scaled.values]
        with np.errstate(all="ignore"):
            for matrix, bias in weights[:-1]:
                values.append(np.tanh(values[-1] @ matrix.T + bias))
            matrix, bias = weights[-1]
            values.append(values[-1] @ matrix.T + bias)
        return values

    def _center_and_width(
        self, output: FloatArray, scaled: ScaledContexts
    ) -> tuple[FloatArray, FloatArray]:
        steps = self.forecast_length
        return scaled.recent + output[:, :steps], output[:, steps:]
