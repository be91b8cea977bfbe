"""The forecasters that can be trained, by their names."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from dpviz.sampling.noisy_step import CLIPPING_NORM_RANGE
from dpviz.scenario.data import LONGEST_WINDOW
from dpviz.scenario.errors import ScenarioError, checked_choice, checked_integer, checked_real
from dpviz.training.baselines import SeasonalNaive
from dpviz.training.forecaster import ClippedGradient, FloatArray, Forecaster
from dpviz.training.quantiles import START, HeadGradient, head_gradient, head_quantiles
from dpviz.training.window_scale import ScaledContexts, scaled_contexts

# Noise of each step grows with the square root of the number of parameters, so fewer than the 64
# of the paper (Appendix B.2.1).
HIDDEN = (32, 32)
NETWORKS = ("recurrent", "attention")
"""Forecasters that need PyTorch (:mod:`dpviz.training.networks`)."""
FORECASTERS = ("naive", "linear", "dlinear", "feedforward", *NETWORKS)
"""Names as on the command line. ``naive`` has no parameters: it is a baseline."""
MOST_PARAMETERS = 10_000_000
KERNEL = 25
"""Time steps of DLinear's moving average (Appendix B.2.1); less for contexts shorter than that."""


@dataclass(frozen=True, slots=True, eq=False)
class LayerGradient:
    """The gradients of one dense layer, as factors of outer products.

    The gradient of a window by the weights is ``output[i]`` times ``inputs[i]`` transposed, by the
    biases it is ``output[i]``.

    Args:
        output: derivatives of each window's loss by the layer's outputs, shape (windows, outputs).
        inputs: what the layer read, shape (windows, inputs); no columns for biases alone.
    """

    output: FloatArray
    inputs: FloatArray


def clipped_layers(
    layers: Sequence[LayerGradient], losses: FloatArray, clipping_norm: float
) -> ClippedGradient:
    """Return the summed clipped gradients of all layers together (Algorithm 2).

    The squared norm of an outer product is the product of the squared norms, so the norms are
    exact; the sum of scaled outer products is one product of matrices. The parameters are those of
    the layers in order, for each its weights row by row, then its biases. A window whose norm is
    not a finite number adds nothing.

    Args:
        losses: of each window, shape (windows,).

    >>> layer = LayerGradient(np.array([[3.0], [1e300]]), np.array([[0.0], [1e300]]))
    >>> clipped_layers([layer], np.zeros(2), clipping_norm=1.5).total.tolist()
    [0.0, 1.5]
    """
    C = checked_real("clipping_norm", clipping_norm, *CLIPPING_NORM_RANGE)
    with np.errstate(over="ignore", invalid="ignore"):
        squares = sum(
            (_squares(layer.output) * (1.0 + _squares(layer.inputs)) for layer in layers),
            np.zeros(len(losses)),
        )
        norms = np.sqrt(squares)
    is_finite = np.isfinite(norms)
    usable = slice(None) if is_finite.all() else is_finite  # all of them need no copy
    factors = (1.0 / np.maximum(1.0, norms[usable] / C))[:, np.newaxis]
    parts = []
    for layer in layers:
        scaled = factors * layer.output[usable]
        parts += [(scaled.T @ layer.inputs[usable]).ravel(), scaled.sum(axis=0)]
    return ClippedGradient(total=np.concatenate(parts), norms=norms, losses=losses)


def _squares(rows: FloatArray) -> FloatArray:
    return np.asarray(np.einsum("ij,ij->i", rows, rows))


def moving_average(context: FloatArray, kernel: int) -> FloatArray:
    """Return the mean of ``kernel`` values around each one, the ends repeated (Zeng et al. 2023).

    Args:
        kernel: number of values, odd.

    >>> moving_average(np.array([[0.0, 3.0, 6.0]]), 3).tolist()
    [[1.0, 3.0, 5.0]]
    """
    half = kernel // 2
    padded = np.pad(context, ((0, 0), (half, half)), mode="edge")
    with np.errstate(all="ignore"):
        around = np.lib.stride_tricks.sliding_window_view(padded, kernel, axis=1)
        return np.asarray(around.mean(axis=2))


@dataclass(frozen=True, slots=True, eq=False)
class Output:
    """What a model puts out for scaled contexts, and what its layers read for it.

    Args:
        center: shape (windows, L_F).
        width: shape (windows, L_F), or (1, L_F) where it is the same for all windows.
        inputs: of each layer, shape (windows, inputs).
    """

    center: FloatArray
    width: FloatArray
    inputs: list[FloatArray]


class ScaledForecaster(Forecaster):
    """What all models here have in common: contexts in their own scale, and the quantile loss.

    A context of zeros has no scale: it adds nothing to a gradient, and its loss counts as 0.
    """

    def _clipped_gradient(
        self,
        parameters: FloatArray,
        context: FloatArray,
        forecast: FloatArray,
        clipping_norm: float,
    ) -> ClippedGradient:
        scaled = scaled_contexts(context, self.forecast_length, self._period)
        output = self._put_out(parameters, scaled)
        found = head_gradient(output.center, output.width, scaled.spread, scaled.scaled(forecast))
        seen = found.where(scaled.scale != 0.0)
        layers = self._layers(parameters, output.inputs, seen)
        return clipped_layers(layers, seen.losses, clipping_norm)

    def _quantiles(
        self, parameters: FloatArray, context: FloatArray, levels: FloatArray
    ) -> FloatArray:
        scaled = scaled_contexts(context, self.forecast_length, self._period)
        output = self._put_out(parameters, scaled)
        return scaled.unscaled(head_quantiles(output.center, output.width, scaled.spread, levels))

    @abstractmethod
    def _put_out(self, parameters: FloatArray, scaled: ScaledContexts) -> Output:
        """Return the centre and width of each window's forecast, and what each layer read."""

    @abstractmethod
    def _layers(
        self, parameters: FloatArray, inputs: list[FloatArray], head: HeadGradient
    ) -> list[LayerGradient]:
        """Return the gradients of all layers, given what each read, in their parameters' order."""


class LinearForecaster(ScaledForecaster):
    """A weighted sum of the scaled context for each step, added to the seasonal naive forecast.

    Its parameters are a weight for each pair of an input and a step, a bias for each step, and one
    number for each step that says how wide the forecast spreads. At the start all weights are
    zero, which is the seasonal naive forecast: no data have been read for it.

    Args:
        kernel: time steps of a moving average that splits the context into trend and remainder,
            with weights for each (DLinear, Zeng et al. 2023); 0 reads the context as it is.
    """

    def __init__(
        self, context_length: int, forecast_length: int, period: int, *, kernel: int = 0
    ) -> None:
        super().__init__(context_length, forecast_length, period)
        self._kernel = kernel
        self._inputs = context_length * (2 if kernel else 1)
        self.num_parameters = forecast_length * (self._inputs + 2)

    def initial_parameters(self, rng: np.random.Generator) -> FloatArray:  # noqa: ARG002
        """Return the parameters of the seasonal naive forecast, shape (parameters,)."""
        parameters = np.zeros(self.num_parameters)
        parameters[-self.forecast_length :] = START
        return parameters

    def _put_out(self, parameters: FloatArray, scaled: ScaledContexts) -> Output:
        steps, inputs = self.forecast_length, scaled.values
        if self._kernel:
            trend = moving_average(inputs, self._kernel)
            inputs = np.concatenate([trend, inputs - trend], axis=1)
        weights = parameters[: -2 * steps].reshape(steps, self._inputs)
        with np.errstate(all="ignore"):
            center = scaled.recent + inputs @ weights.T + parameters[-2 * steps : -steps]
        nothing = np.zeros((len(inputs), 0))  # is read for the width
        return Output(center, parameters[np.newaxis, -steps:], [inputs, nothing])

    def _layers(
        self, _: FloatArray, inputs: list[FloatArray], head: HeadGradient
    ) -> list[LayerGradient]:
        return [*map(LayerGradient, (head.center, head.width), inputs)]


class FeedForwardForecaster(ScaledForecaster):
    """Two hidden layers, whose output is added to the seasonal naive forecast.

    The layers put out a centre and a width for each step to come. Hidden units are tanh, whose
    bounded values keep the norms of gradients in bounds. At the start the weights of the last
    layer are zero, which is the seasonal naive forecast, and those of the others random.
    """

    def __init__(self, context_length: int, forecast_length: int, period: int) -> None:
        super().__init__(context_length, forecast_length, period)
        self._sizes = list(pairwise((context_length, *HIDDEN, 2 * forecast_length)))
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

    def _put_out(self, parameters: FloatArray, scaled: ScaledContexts) -> Output:
        *hidden, (matrix, bias) = self._weights(parameters)
        inputs, steps = [scaled.values], self.forecast_length
        with np.errstate(all="ignore"):
            for own_matrix, own_bias in hidden:
                inputs.append(np.tanh(inputs[-1] @ own_matrix.T + own_bias))
            output = inputs[-1] @ matrix.T + bias
        return Output(scaled.recent + output[:, :steps], output[:, steps:], inputs)

    def _layers(
        self, parameters: FloatArray, inputs: list[FloatArray], head: HeadGradient
    ) -> list[LayerGradient]:
        layers, output = [], np.concatenate([head.center, head.width], axis=1)
        with np.errstate(all="ignore"):
            for (matrix, _), read in zip(
                self._weights(parameters)[::-1], inputs[::-1], strict=True
            ):
                layers.append(LayerGradient(output, read))
                # Below the first layer the inputs are the context, which has no gradient.
                output = (output @ matrix) * (1.0 - read**2)
        return layers[::-1]

    def _weights(self, parameters: FloatArray) -> list[tuple[FloatArray, FloatArray]]:
        """Return matrix (outputs, inputs) and biases of each layer, as views."""
        ends = np.cumsum([(inputs + 1) * outputs for inputs, outputs in self._sizes])
        return [
            (own[:-outputs].reshape(outputs, inputs), own[-outputs:])
            for (inputs, outputs), own in zip(
                self._sizes, np.split(parameters, ends[:-1]), strict=True
            )
        ]


def forecaster(name: str, context_length: int, forecast_length: int, period: int) -> Forecaster:
    """Return a forecaster, untrained.

    Args:
        period: time steps of a season; 1 where there is none.

    Raises:
        ScenarioError: an argument is out of range, or the model would be too large.
        MissingPackageError: the model needs PyTorch, which is not installed.

    >>> model = forecaster("linear", context_length=24, forecast_length=6, period=12)
    >>> model.num_parameters
    156
    """
    name = checked_choice("forecaster", name, FORECASTERS)
    context_length = checked_integer("context_length", context_length, 1, LONGEST_WINDOW)
    forecast_length = checked_integer("forecast_length", forecast_length, 1, LONGEST_WINDOW)
    period = checked_integer("period", period, 1, LONGEST_WINDOW)
    made = _made(name, context_length, forecast_length, period)
    if made.num_parameters > MOST_PARAMETERS:
        allowed = (
            f"a {name} model of {forecast_length:,} steps would have {made.num_parameters:,} "
            f"parameters, and at most {MOST_PARAMETERS:,} are trained"
        )
        raise ScenarioError("context_length", context_length, allowed)
    return made


def _made(name: str, *lengths: int) -> Forecaster:
    if name == "naive":
        return SeasonalNaive(*lengths)
    if name == "feedforward":
        return FeedForwardForecaster(*lengths)
    if name in NETWORKS:
        from dpviz.training.networks import NetworkForecaster  # takes seconds, where it is there

        return NetworkForecaster(name, *lengths)
    # The largest odd number of values that fits.
    context_length = lengths[0]
    kernel = min(KERNEL, context_length - 1 + context_length % 2) if name == "dlinear" else 0
    return LinearForecaster(*lengths, kernel=kernel)
