"""delta of a few units by quadrature: the mean of the others' delta(epsilon - L) over one's L."""

from collections.abc import Sequence

import numpy as np
from scipy.special import ndtr

from dpviz.accounting.loss_distribution import Direction

# Gauss-Legendre on smooth pieces; twice as many give the same 9 digits.
PANELS, NODES_PER_PANEL = 20, 10
# Panels shrink towards the point where a direction's profile stops being smooth.
HALVINGS = 16
DEVIATIONS = 9.5
# Its rate and its noise.
Unit = tuple[float, float]


def few_units_delta(units: Sequence[Unit], direction: Direction, epsilon: float) -> float:
    """Return delta(epsilon) of 2 or 3 units together, to about 9 digits."""
    (rate, sigma), *others = units
    losses, weights = _nodes(rate, sigma, direction, epsilon, others)
    rest = epsilon - losses
    if len(others) == 1:
        return float(weights @ _one_unit(*others[0], direction, rest))
    return float(weights @ [few_units_delta(others, direction, float(e)) for e in rest])


def _nodes(
    rate: float, sigma: float, direction: Direction, epsilon: float, others: Sequence[Unit]
) -> tuple[np.ndarray, np.ndarray]:
    """Return losses and weights; a panel ends where the integrand is not smooth.

    With a mirrored pair that is where the rest's epsilon is 0; else where the others can lose no
    more, the sum of their smallest losses ln(1 - rate).
    """
    mirrored = direction is Direction.MIRRORED
    lowest = 1.0 if mirrored else -DEVIATIONS * sigma
    highest = 2.0 + DEVIATIONS * sigma
    edge = abs(epsilon) if mirrored else -sum(np.log1p(-other) for other, _ in others)
    if not mirrored:
        edge += epsilon if direction is Direction.FORWARD else -epsilon
    excess = np.expm1(edge) + rate
    place = sigma**2 / 2 * np.log(excess / rate) + 1 if excess > 0 else lowest
    near = [0.0] if mirrored else (highest - lowest) * 0.5 ** np.arange(HALVINGS)
    ends = np.concatenate(
        [np.linspace(lowest, highest, PANELS + 1), np.add(place, near), np.subtract(place, near)]
    )
    ends = np.unique(ends[(ends >= lowest) & (ends <= highest)])
    nodes, weights = np.polynomial.legendre.leggauss(NODES_PER_PANEL)
    half = np.diff(ends)[:, None] / 2
    x, dx = (ends[:-1, None] + half + half * nodes).ravel(), (half * weights).ravel()
    base = _density(x, 0.0, sigma) * dx
    mixture = (1 - rate) * base + rate * _density(x, 2.0, sigma) * dx
    loss = np.log1p(rate * np.expm1(2 / sigma**2 * (x - 1)))
    if direction is Direction.FORWARD:
        return loss, mixture
    if direction is Direction.BACKWARD:
        return -loss, base
    centre = 1.0 - float(mixture.sum()) - float(base.sum())
    return np.concatenate([loss, -loss, [0.0]]), np.concatenate([mixture, base, [centre]])


def _one_unit(rate: float, sigma: float, direction: Direction, epsilon: np.ndarray) -> np.ndarray:
    if direction is Direction.MIRRORED:
        above = _one_unit(rate, sigma, Direction.FORWARD, np.abs(epsilon))
        return np.where(epsilon >= 0, above, -np.expm1(epsilon) + np.exp(epsilon) * above)
    loss = -epsilon if direction is Direction.BACKWARD else epsilon
    with np.errstate(divide="ignore"):
        x = sigma**2 / 2 * np.log(np.maximum(np.expm1(loss) / rate + 1, 0.0)) + 1
    side = 1 if direction is Direction.BACKWARD else -1
    base = ndtr(side * x / sigma)
    mixture = (1 - rate) * base + rate * ndtr(side * (x - 2) / sigma)
    if direction is Direction.BACKWARD:
        return base - np.exp(epsilon) * mixture
    return mixture - np.exp(epsilon) * base


def _density(x: np.ndarray, mean: float, sigma: float) -> np.ndarray:
    return np.exp(-0.5 * ((x - mean) / sigma) ** 2) / (sigma * np.sqrt(2 * np.pi))
