"""Hockey-stick divergences of mixtures of normal laws in one to three dimensions, on a grid.

Nothing here comes from dpviz. Densities are smooth, so that what sums over a grid's cells miss is
far below what is compared with them.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]
# Means, each a number or a point, and their weights.
Mixture = tuple[ArrayLike, ArrayLike]
# Privacy losses, and what they weigh.
Law = tuple[FloatArray, FloatArray]


def masses(
    first: Mixture, second: Mixture, sigma: float, *, step: float, margin: float = 9.0
) -> tuple[FloatArray, FloatArray]:
    """Return the probabilities of the cells of one grid under two mixtures of N(mean, sigma).

    Args:
        step: how wide a cell is, in units of sigma.
        margin: how far the grid goes beyond the outermost means, likewise.
    """
    laws = [
        (np.reshape(means, (len(weights), -1)) / sigma, np.asarray(weights))
        for means, weights in (first, second)
    ]
    every = np.concatenate([means for means, _ in laws])
    # Each axis has a line of its own: else most of what is summed is empty.
    lines = [np.arange(axis.min() - margin, axis.max() + margin, step) for axis in every.T]
    p, q = (step ** len(lines) * _density(lines, *law) for law in laws)
    return p, q


def divergences(p: FloatArray, q: FloatArray, orders: Sequence[float] | FloatArray) -> FloatArray:
    """Return what p has above each order times q, all cells together; shape (orders,)."""
    return np.array([np.maximum(p - order * q, 0.0).sum() for order in orders])


def law_of_loss(first: Mixture, second: Mixture, sigma: float) -> Law:
    """Return the losses ln(first / second) under the first, on a fine grid of a line."""
    p, q = masses(first, second, sigma, step=2e-4)
    return np.log(p / q), p


def mirrored_law(first: Mixture, second: Mixture, sigma: float, share: float = 1.0) -> Law:
    """Return the law of the pair whose profile is share * H at orders above 1, mirrored below."""
    losses, weights = law_of_loss(first, second, sigma)
    above = losses > 0
    losses, weights = losses[above], share * weights[above]
    mirror = weights * np.exp(-losses)
    centre = 1 - weights.sum() - mirror.sum()
    return np.concatenate([losses, -losses, [0.0]]), np.concatenate([weights, mirror, [centre]])


def delta_of_two(one: Law, other: Law, epsilon: float) -> float:
    """Return E (1 - e^(epsilon - L1 - L2))+; suffix sums do the inner mean for every L1."""
    order = np.argsort(other[0])
    losses, weights = other[0][order], other[1][order]
    mass_above = np.append(np.cumsum(weights[::-1])[::-1], 0.0)
    shrunk = np.append(np.cumsum((weights * np.exp(-losses))[::-1])[::-1], 0.0)
    left = epsilon - one[0]
    start = np.searchsorted(losses, left, side="right")
    return float(np.sum(one[1] * (mass_above[start] - np.exp(left) * shrunk[start])))


def _density(lines: list[FloatArray], means: FloatArray, weights: FloatArray) -> FloatArray:
    axes = [
        np.exp(-((line[:, None] - means[:, axis]) ** 2) / 2) / np.sqrt(2 * np.pi)
        for axis, line in enumerate(lines)
    ]
    if len(axes) == 1:
        return np.asarray(axes[0] @ weights)
    last = (axes[-1] * weights).T
    if len(axes) == 2:
        return np.asarray(axes[0] @ last)
    plane = (axes[0][:, None, :] * axes[1]).reshape(-1, len(weights))
    return np.asarray(plane @ last)
