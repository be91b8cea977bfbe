"""The privacy loss of a pair: its inverse, and the mass between given losses."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from dpviz.guarantees import ShiftedMixturePair

FloatArray = NDArray[np.float64]

UNIT_ROUNDOFF = float(np.finfo(np.float64).eps) / 2
# Outcomes beyond this probability are not resolved: they count as revealing everything (upper
# bounds) or nothing (lower bounds). 10^7 compositions of it stay below 1e-22.
UNRESOLVED_TAIL = 1e-30


@dataclass(frozen=True, kw_only=True)
class LossBuckets:
    """Probability of the outcomes whose loss lies between consecutive edges.

    ``upper`` and ``lower`` are the masses under the first and the second distribution of the
    pair; ``log_ratio`` is ln(upper / lower) of each whole bucket, more precise than the
    quotient of the two. All arrays run with increasing loss and have shape (buckets,).

    Args:
        upper: mass under the first distribution.
        lower: mass under the second distribution.
        log_ratio: privacy loss of the bucket taken as one outcome.
        upper_error: bound on the relative floating-point error of ``upper``.
        lower_error: the same for ``lower``.
        log_ratio_error: bound on the absolute error of ``log_ratio``.
        upper_above: mass of the first distribution beyond the last edge.
        upper_below: mass of the first distribution before the first edge.
        lower_above: mass of the second distribution beyond the last edge.
        lower_below: mass of the second distribution before the first edge.
    """

    upper: FloatArray
    lower: FloatArray
    log_ratio: FloatArray
    upper_error: FloatArray
    lower_error: FloatArray
    log_ratio_error: FloatArray
    upper_above: float
    upper_below: float
    lower_above: float
    lower_below: float

    @property
    def upper_absolute_error(self) -> FloatArray:
        """Bound on the absolute error of ``upper``; 0 for empty buckets."""
        relative = np.nan_to_num(self.upper_error, nan=0.0, posinf=1.0)
        return np.where(self.upper > 0.0, self.upper * relative, 0.0)

    def swapped(self) -> "LossBuckets":
        """Return the buckets of the pair with its two distributions exchanged."""
        return LossBuckets(
            upper=self.lower[::-1],
            lower=self.upper[::-1],
            log_ratio=-self.log_ratio[::-1],
            upper_error=self.lower_error[::-1],
            lower_error=self.upper_error[::-1],
            log_ratio_error=self.log_ratio_error[::-1],
            upper_above=self.lower_below,
            upper_below=self.lower_above,
            lower_above=self.upper_below,
            lower_below=self.upper_above,
        )


def loss_at(pair: ShiftedMixturePair, outcome: float) -> float:
    """Return ln(dP/dQ) at one outcome, in nats.

    >>> pair = ShiftedMixturePair(rate=1.0, noise_multiplier=2.0)
    >>> float(loss_at(pair, 1.0)), float(loss_at(pair, 3.0))
    (0.0, 1.0)
    """
    exponent = pair.shift / pair.noise_multiplier**2 * (outcome - pair.shift / 2)
    if pair.rate == 1.0:
        return exponent
    # ln(1 - q + q e^t): as log1p for small q, and free of overflow for large t.
    if exponent < 30.0:
        return float(np.log1p(pair.rate * np.expm1(exponent)))
    return float(exponent + np.log(pair.rate + (1 - pair.rate) * np.exp(-exponent)))


def outcomes_at(pair: ShiftedMixturePair, losses: FloatArray) -> FloatArray:
    """Return the outcomes with the given losses; -inf where no outcome has so small a loss.

    Inverts l = ln(1 - q + q exp(shift (x - shift/2) / sigma^2)), which increases in x.
    """
    q = pair.rate
    scale = pair.noise_multiplier**2 / pair.shift
    if q == 1.0:
        return np.asarray(scale * losses + pair.shift / 2)
    large, small = losses > 30.0, losses < -0.5
    middle = ~(large | small)
    exponents = np.full(losses.shape, -np.inf)
    with np.errstate(divide="ignore"):
        # At the smallest possible loss, ln(1 - q), rounding may push an argument beyond its end.
        argument = np.maximum(np.expm1(losses[middle]) / q, -1.0)
        exponents[middle] = np.log1p(argument)
        excess = np.maximum(np.exp(losses[small]) - (1.0 - q), 0.0)
        exponents[small] = np.log(excess) - np.log(q)
    exponents[large] = losses[large] - np.log(q) + np.log1p((q - 1.0) * np.exp(-losses[large]))
    return np.asarray(scale * exponents + pair.shift / 2)


def loss_errors_at(pair: ShiftedMixturePair, losses: FloatArray) -> FloatArray:
    """Return bounds on how far the loss of ``outcomes_at(pair, losses)`` is from ``losses``.

    Each operation errs by a few units in the last place of its result; an error of the outcome
    counts by the slope of the loss there, that of the loss itself in full. Distances on the
    grid round as well.
    """
    outcomes = outcomes_at(pair, losses)
    reached = np.where(np.isfinite(outcomes), outcomes, 0.0)
    per_outcome = pair.shift / pair.noise_multiplier**2
    exponents = per_outcome * (reached - pair.shift / 2)
    # dl/dt = q e^t / e^l, at most 1 but for rounding.
    slope = np.exp(np.minimum(exponents + np.log(pair.rate) - losses, 0.0))
    slope = np.where(np.isfinite(outcomes), slope, 0.0)
    own = np.minimum(np.abs(np.expm1(-np.maximum(losses, -1.0))), 1.0)
    of_grid = np.abs(losses) + np.abs(losses - losses[0])
    of_outcome = slope * (np.abs(exponents) + per_outcome * (np.abs(reached) + pair.shift))
    return np.asarray(8.0 * UNIT_ROUNDOFF * (own + of_outcome) + 2.0 * UNIT_ROUNDOFF * of_grid)


def largest_resolved_loss(pair: ShiftedMixturePair) -> float:
    """Return a loss beyond which the first distribution has less than the unresolved tail."""
    sigma, q = pair.noise_multiplier, pair.rate
    from_zero = -sigma * ndtri(UNRESOLVED_TAIL / 2)
    from_shift = pair.shift - sigma * ndtri(min(UNRESOLVED_TAIL / 2 / max(q, 1e-300), 0.5))
    return loss_at(pair, float(max(from_zero, from_shift)))


def smallest_resolved_loss(pair: ShiftedMixturePair) -> float:
    """Return a loss below which the second distribution has less than the unresolved tail."""
    return loss_at(pair, float(pair.noise_multiplier * ndtri(UNRESOLVED_TAIL)))


def loss_buckets(pair: ShiftedMixturePair, edges: FloatArray) -> LossBuckets:
    """Return the masses of a pair with rate > 0 between increasing losses ``edges``."""
    q, sigma = pair.rate, pair.noise_multiplier
    outcomes = outcomes_at(pair, edges)
    base = _GaussianBuckets.between(outcomes / sigma)
    shifted = _GaussianBuckets.between((outcomes - pair.shift) / sigma)

    upper = (1 - q) * base.mass + q * shifted.mass
    upper_absolute_error = (1 - q) * base.error + q * shifted.error
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = shifted.mass / base.mass
        base_error = base.error / base.mass
        shifted_error = shifted.error / shifted.mass
        # log1p keeps small losses exact; at high rates its argument nears -1, where it cannot.
        log_ratio = np.log1p(q * (ratio - 1.0)) if q < 0.5 else np.log((1.0 - q) + q * ratio)
        upper_error = upper_absolute_error / upper
        # d ln(1 - q + q R) = (q R / (1 - q + q R)) dR / R, and the fraction is q n / p.
        sensitivity = q * shifted.mass / upper
        ratio_error = sensitivity * (base_error + shifted_error)
    rounding = 4 * UNIT_ROUNDOFF * (np.abs(log_ratio) + (0.0 if q < 0.5 else 1.0))
    return LossBuckets(
        upper=upper,
        lower=base.mass,
        log_ratio=log_ratio,
        upper_error=upper_error,
        lower_error=base_error,
        log_ratio_error=ratio_error + rounding,
        upper_above=(1 - q) * base.above + q * shifted.above,
        upper_below=(1 - q) * base.below + q * shifted.below,
        lower_above=base.above,
        lower_below=base.below,
    )


@dataclass(frozen=True, kw_only=True)
class _GaussianBuckets:
    """Masses of a standard normal between edges, with absolute error bounds."""

    mass: FloatArray
    error: FloatArray
    above: float
    below: float

    @classmethod
    def between(cls, edges: FloatArray) -> "_GaussianBuckets":
        """Difference the tail on each bucket's own side of the mean.

        Each difference is then taken between numbers as small as the bucket's tail, which
        keeps the relative error near the rounding error times tail over mass.
        """
        with np.errstate(under="ignore"):
            tails = ndtr(-np.abs(edges))
            squares = np.where(np.isfinite(edges), edges, 0.0) ** 2
        # Rounding x^2 in exp(-x^2 / 2) costs x^2 / 2 units in the last place, and the few
        # roundings of x itself as many each.
        errors = UNIT_ROUNDOFF * (8.0 + 4.0 * squares) * tails
        right, left = edges[:-1] >= 0.0, edges[1:] <= 0.0
        mass = np.where(
            right,
            tails[:-1] - tails[1:],
            np.where(left, tails[1:] - tails[:-1], 1.0 - tails[:-1] - tails[1:]),
        )
        return cls(
            mass=np.maximum(mass, 0.0),
            error=errors[:-1] + errors[1:] + 4.0 * UNIT_ROUNDOFF * mass,
            above=float(tails[-1]) if edges[-1] > 0 else float(ndtr(-edges[-1])),
            below=float(tails[0]) if edges[0] < 0 else float(ndtr(edges[0])),
        )


def loss_spread(pair: ShiftedMixturePair) -> float:
    """Return about the root mean square of one unit's privacy loss, in nats.

    An estimate by quadrature, to choose a grid by; no bound rests on it.
    """
    sigma, q = pair.noise_multiplier, pair.rate
    x = np.linspace(-8 * sigma, pair.shift + 8 * sigma, 801)
    base = np.exp(-0.5 * (x / sigma) ** 2)
    shifted = np.exp(-0.5 * ((x - pair.shift) / sigma) ** 2)
    exponents = pair.shift / sigma**2 * (x - pair.shift / 2)
    losses = np.log1p(q * np.expm1(exponents)) if q < 1.0 else exponents
    weights = (1 - q) * base + q * shifted
    return float(np.sqrt(np.sum(weights * losses**2) / np.sum(weights)))
