"""The hockey-stick divergence of two Gaussian mixtures on a line, by its best test."""

from collections.abc import Mapping

import numpy as np
from scipy.optimize import brentq
from scipy.special import logsumexp, ndtr

from dpviz.accounting.buckets import FloatArray

# Weight of each mean. Equal means are one component.
Mixture = Mapping[float, float]
_DEVIATIONS = 12.0
_POINTS_PER_MEAN = 2001
# Beyond it e^epsilon is no double; 0 is a true lower bound.
_LARGEST_EPSILON = 700.0
# Of a normal distribution function within 12 deviations: its argument's own rounding included.
_RELATIVE_ERROR = 1e-13


def hockey_stick(first: Mixture, second: Mixture, sigma: float, epsilon: float) -> float:
    """Return sup over sets E of first(E) - e^epsilon second(E).

    Args:
        first: weights by mean; each component is normal with standard deviation ``sigma``.
        second: likewise.
        sigma: standard deviation, above 0.
        epsilon: at least 0, in nats.

    The set is where the likelihood ratio exceeds e^epsilon: intervals, whose ends are looked for
    between points around every mean. An interval that was missed would make the result smaller,
    and what rounding may have added is taken off: it is never too large.

    >>> round(hockey_stick({2.0: 0.5, 0.0: 0.5}, {0.0: 1.0}, 1.0, 0.0), 4)
    0.3413
    """
    if epsilon > _LARGEST_EPSILON:
        return 0.0
    means = np.array(sorted({*first, *second}))
    around = np.linspace(-_DEVIATIONS * sigma, _DEVIATIONS * sigma, _POINTS_PER_MEAN)
    points = np.unique((means[:, None] + around).ravel())

    def excess(x: FloatArray) -> FloatArray:
        return _log_density(first, x, sigma) - _log_density(second, x, sigma) - epsilon

    values = excess(points)
    inside = values > 0.0
    changes = np.flatnonzero(inside[1:] != inside[:-1])
    ends = [
        float(brentq(lambda x: float(excess(np.array([x]))[0]), points[at], points[at + 1]))
        for at in changes
    ]
    if inside[0]:
        ends.insert(0, -np.inf)
    if inside[-1]:
        ends.append(np.inf)
    gains = [
        _least_mass(first, left, right, sigma)
        - np.exp(epsilon) * _most_mass(second, left, right, sigma)
        for left, right in zip(ends[::2], ends[1::2], strict=True)
    ]
    return float(sum(gain for gain in gains if gain > 0.0))


def _log_density(mixture: Mixture, x: FloatArray, sigma: float) -> FloatArray:
    means, weights = _arrays(mixture)
    exponents = -0.5 * ((x[:, None] - means) / sigma) ** 2
    return np.asarray(logsumexp(exponents, b=weights, axis=1))


def _least_mass(mixture: Mixture, left: float, right: float, sigma: float) -> float:
    mass, error = _mass(mixture, left, right, sigma)
    return mass - error


def _most_mass(mixture: Mixture, left: float, right: float, sigma: float) -> float:
    mass, error = _mass(mixture, left, right, sigma)
    return mass + error


def _mass(mixture: Mixture, left: float, right: float, sigma: float) -> tuple[float, float]:
    """Return the mass between two outcomes, and how far rounding may have moved it."""
    means, weights = _arrays(mixture)
    low, high = (left - means) / sigma, (right - means) / sigma
    # On the side where the tails are small, so that small masses keep their digits.
    flip = low > 0.0
    low, high = np.where(flip, -high, low), np.where(flip, -low, high)
    below, above = ndtr(low), ndtr(high)
    return float(weights @ (above - below)), _RELATIVE_ERROR * float(weights @ (above + below))


def _arrays(mixture: Mixture) -> tuple[FloatArray, FloatArray]:
    return np.array(list(mixture.keys())), np.array(list(mixture.values()))
