"""The clipped sum of the gradients of dense layers, without one gradient for each window."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.sampling.noisy_step import CLIPPING_NORM_RANGE
from dpviz.scenario.errors import checked_real
from dpviz.training.forecaster import ClippedGradient, FloatArray


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
        layers: of one batch.
        losses: of each window, shape (windows,).
        clipping_norm: C.

    Raises:
        ScenarioError: C is out of range.

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
