"""The noisy training step: clip each window's gradient, sum, add noise, divide by Lambda."""

import numpy as np
import numpy.typing as npt

from dpviz.sampling.scheme import FloatArray
from dpviz.scenario.errors import checked_integer, checked_real
from dpviz.scenario.mechanism import LARGEST_BATCH, NOISE_MULTIPLIER_RANGE

CLIPPING_NORM_RANGE = (1e-12, 1e12)


def clipped_sum(gradients: FloatArray, clipping_norm: float) -> npt.NDArray[np.float64]:
    """Return the sum of the rows, each scaled down to norm C if it is longer (Algorithm 2).

    Summed in double precision, so a row counts with norm C up to a relative rounding error of
    about 1e-15. A row whose norm is not a finite number adds nothing: no value may escape the
    clipping, and an error would tell which data had caused it.

    Args:
        gradients: one row per window, shape (windows, parameters); no rows for an empty batch.

    >>> clipped_sum(np.array([[6.0, 8.0], [0.0, 0.5]]), clipping_norm=5.0).tolist()
    [3.0, 4.5]
    """
    gradients = np.asarray(gradients)
    if gradients.ndim != 2 or not np.issubdtype(gradients.dtype, np.floating):
        raise ValueError(
            f"gradients of shape {gradients.shape} and type {gradients.dtype} are not allowed: "
            "they must be floating-point numbers of shape (windows, parameters)."
        )
    C = checked_real("clipping_norm", clipping_norm, *CLIPPING_NORM_RANGE)
    # einsum converts as it goes along: no second copy of the gradients in double precision.
    with np.errstate(over="ignore", invalid="ignore"):
        squares = np.einsum("ij,ij->i", gradients, gradients, dtype=np.float64, casting="same_kind")
    norms = np.sqrt(squares)
    usable = np.isfinite(norms)
    if not usable.all():
        gradients, norms = gradients[usable], norms[usable]
    factors = 1.0 / np.maximum(1.0, norms / C)
    return np.asarray(
        np.einsum("i,ij->j", factors, gradients, dtype=np.float64, casting="same_kind")
    )


def noisy_gradient(
    gradients: FloatArray,
    rng: np.random.Generator,
    *,
    clipping_norm: float,
    noise_multiplier: float,
    batch_size: int,
) -> npt.NDArray[np.float64]:
    """Return the private gradient of one batch (Algorithm 2); also for an empty batch.

    Args:
        gradients: gradient of each window's own loss, shape (windows, parameters).
        noise_multiplier: sigma; noise N(0, sigma^2 C^2 I) is added to the sum.
        batch_size: Lambda, the constant of the scenario, whatever number of windows was drawn.
    """
    return noisy_average(
        clipped_sum(gradients, clipping_norm),
        rng,
        clipping_norm=clipping_norm,
        noise_multiplier=noise_multiplier,
        batch_size=batch_size,
    )


def noisy_average(
    total: npt.NDArray[np.float64],
    rng: np.random.Generator,
    *,
    clipping_norm: float,
    noise_multiplier: float,
    batch_size: int,
) -> npt.NDArray[np.float64]:
    """Return the private gradient of a batch whose clipped gradients are summed already.

    Args:
        total: sum of the windows' gradients, each of at most norm C, shape (parameters,); zeros
            for an empty batch. Other arguments are those of :func:`noisy_gradient`.
    """
    C = checked_real("clipping_norm", clipping_norm, *CLIPPING_NORM_RANGE)
    sigma = checked_real("noise_multiplier", noise_multiplier, *NOISE_MULTIPLIER_RANGE)
    size = checked_integer("batch_size", batch_size, 1, LARGEST_BATCH)
    return (total + rng.normal(0.0, sigma * C, size=total.shape)) / size
