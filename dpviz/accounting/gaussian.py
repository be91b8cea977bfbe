"""The Gaussian mechanism's exact delta: the hockey stick of two Gaussians, in closed form."""

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import erfcx, log_ndtr, ndtr

from dpviz.accounting.buckets import SMALLEST_TAIL, UNIT_ROUNDOFF, FloatArray

# Of each of the two terms below, relative: erfcx, exp and the rounding of their arguments.
_TERM_ERROR = 2e-15
_EXPONENT_ERROR = 4.5e-16
_LEAST = float(np.finfo(np.float64).tiny)


def gaussian_delta(epsilon: ArrayLike, signal_to_noise: ArrayLike) -> FloatArray:
    """Return the delta of the Gaussian mechanism, rounded up.

    It is attained: no smaller delta holds at this epsilon (Balle and Wang, 2018, Theorem 8).

    Args:
        epsilon: at least 0, of any shape.
        signal_to_noise: L2 sensitivity divided by the noise's standard deviation, from 0 to
            infinity, of any shape.

    >>> float(gaussian_delta(0.0, 1.0).round(6))
    0.382925
    """
    mu, epsilon = np.asarray(signal_to_noise, dtype=np.float64), np.asarray(epsilon)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
        near = mu / 2.0 - epsilon / mu
        far = mu / 2.0 + epsilon / mu
        # delta = Phi(near) - e^epsilon Phi(-far), and e^epsilon phi(far) = phi(near), so that both
        # terms share the factor phi(near), and only the ratios of Mills differ.
        density = np.exp(-0.5 * near * near) / math.sqrt(2.0 * math.pi)
        second = density * _mills_ratio(far)
        first = np.where(near > 0.0, ndtr(near), density * _mills_ratio(np.maximum(-near, 0.0)))
        # near is a difference of two numbers of far's size, which may cancel: it errs as they do.
        error = (first + second) * (_TERM_ERROR + _EXPONENT_ERROR * (1.0 + abs(near)) * far)
        # It is never 0 where the two differ, though doubles may underflow to that.
        delta = np.clip(first - second + error, _LEAST, 1.0)
    delta = np.where(mu == np.inf, 1.0, delta)
    return np.asarray(np.where(mu == 0.0, 0.0, delta))


def hockey_stick(order: ArrayLike, signal_to_noise: ArrayLike) -> FloatArray:
    """Return that of N(mu, 1) and N(0, 1), rounded up: delta at ln(order), also below order 1.

    Args:
        order: alpha, at least 0.
        signal_to_noise: mu, as in :func:`gaussian_delta`.
    """
    order = np.asarray(order, dtype=np.float64)
    above = np.maximum(order, 1.0 / np.maximum(order, SMALLEST_TAIL))
    # Rounded down: at a smaller epsilon delta is no smaller.
    epsilon = np.maximum(np.log(above) * (1.0 - 4.0 * UNIT_ROUNDOFF) - 2.0 * UNIT_ROUNDOFF, 0.0)
    value = gaussian_delta(epsilon, signal_to_noise)
    below = (1.0 - order + order * value) * (1.0 + 4.0 * UNIT_ROUNDOFF)
    return np.asarray(np.where(order < 1.0, below, value))


def log_gaussian_delta(epsilon: ArrayLike, signal_to_noise: ArrayLike) -> FloatArray:
    """Return ln of the Gaussian mechanism's delta, but for rounding, also where that underflows.

    Args:
        epsilon: at least 0, of any shape.
        signal_to_noise: as in :func:`gaussian_delta`, above 0.
    """
    mu, epsilon = np.asarray(signal_to_noise, dtype=np.float64), np.asarray(epsilon)
    first = log_ndtr(mu / 2.0 - epsilon / mu)
    second = epsilon + log_ndtr(-mu / 2.0 - epsilon / mu)
    with np.errstate(divide="ignore"):
        return np.asarray(first + np.log(-np.expm1(np.minimum(second - first, 0.0))))


def _mills_ratio(x: FloatArray) -> FloatArray:
    """Return Phi(-x) / phi(x)."""
    return np.asarray(math.sqrt(math.pi / 2.0) * erfcx(x / math.sqrt(2.0)))
