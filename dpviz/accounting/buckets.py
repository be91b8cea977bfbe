"""Probability of the outcomes whose privacy loss lies between given losses, and their ratio."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr, ndtr

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]

UNIT_ROUNDOFF = float(np.finfo(np.float64).eps) / 2
# Outcomes beyond this probability are not resolved: they count as revealing everything (upper
# bounds) or nothing (lower bounds). 10^7 compositions of it stay below 1e-22.
UNRESOLVED_TAIL = 1e-30
# Below this a normal tail loses digits, and soon all of them.
SMALLEST_TAIL = 1e-300


@dataclass(frozen=True, kw_only=True)
class Masses:
    """One distribution's masses between edges, and bounds on their absolute errors.

    Args:
        mass: shape (buckets,).
        error: likewise.
        above: mass beyond the last edge.
        below: mass before the first edge.
    """

    mass: FloatArray
    error: FloatArray
    above: float
    below: float

    def reversed(self) -> "Masses":
        """Return them in the opposite order."""
        return Masses(
            mass=self.mass[::-1], error=self.error[::-1], above=self.below, below=self.above
        )


def normal_masses(edges: FloatArray) -> Masses:
    """Return a standard normal's masses between edges: differences on each bucket's own side.

    They are then taken between numbers as small as the bucket's tail, which keeps the relative
    error near the rounding error times tail over mass.
    """
    with np.errstate(under="ignore"):
        tails = ndtr(-np.abs(edges))
        squares = np.where(np.isfinite(edges), edges, 0.0) ** 2
    # Rounding x^2 in exp(-x^2 / 2) costs x^2 / 2 units in the last place, and the few
    # roundings of x itself as many each.
    errors = UNIT_ROUNDOFF * (8.0 + 4.0 * squares) * tails
    errors[(tails < SMALLEST_TAIL) & np.isfinite(edges)] = SMALLEST_TAIL
    right, left = edges[:-1] >= 0.0, edges[1:] <= 0.0
    mass = np.where(
        right,
        tails[:-1] - tails[1:],
        np.where(left, tails[1:] - tails[:-1], 1.0 - tails[:-1] - tails[1:]),
    )
    return Masses(
        mass=np.maximum(mass, 0.0),
        error=errors[:-1] + errors[1:] + 4.0 * UNIT_ROUNDOFF * mass,
        above=float(tails[-1]) if edges[-1] > 0 else float(ndtr(-edges[-1])),
        below=float(tails[0]) if edges[0] < 0 else float(ndtr(edges[0])),
    )


@dataclass(frozen=True, kw_only=True)
class LossBuckets:
    """Probability of the outcomes whose loss lies between consecutive, increasing edges.

    Args:
        upper: under the first distribution of the pair.
        lower: under the second one.
        log_ratio: loss of each bucket taken as one outcome, ln(upper / lower), more precise than
            the quotient of the two; shape (buckets,).
        log_ratio_error: bound on its absolute error.
    """

    upper: Masses
    lower: Masses
    log_ratio: FloatArray
    log_ratio_error: FloatArray

    def swapped(self) -> "LossBuckets":
        """Return the buckets of the pair with its two distributions exchanged."""
        return LossBuckets(
            upper=self.lower.reversed(),
            lower=self.upper.reversed(),
            log_ratio=-self.log_ratio[::-1],
            log_ratio_error=self.log_ratio_error[::-1],
        )


def log_quotients(
    first: FloatArray, first_error: FloatArray, second: FloatArray, second_error: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return ln of masses' quotients, and bounds on their errors: infinite where none is known."""
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(first), np.log(second)
        relative = first_error / first + second_error / second
        rounding = 4.0 * UNIT_ROUNDOFF * (np.abs(logs[0]) + np.abs(logs[1]) + 1.0)
        # To first order: not where the error is near the whole mass.
        errors = np.where(relative < 0.1, 1.5 * relative, np.inf) + rounding
        return np.asarray(logs[0] - logs[1]), np.asarray(errors)


def loss_buckets(
    upper: Masses,
    lower: Masses,
    log_ratio: FloatArray,
    log_ratio_error: FloatArray,
    of_tiny: Callable[[BoolArray], tuple[FloatArray, FloatArray]],
) -> LossBuckets:
    """Return buckets, with other logarithms where one mass alone is too small for doubles.

    Args:
        log_ratio_error: infinite where the logarithm is not known.
        of_tiny: returns logarithms of the buckets that are chosen, and bounds on their errors.
    """
    both = np.minimum(upper.mass, lower.mass), np.maximum(upper.mass, lower.mass)
    tiny = (both[0] < SMALLEST_TAIL / UNIT_ROUNDOFF) & (both[1] > 1e-100)
    tiny &= ~np.isfinite(log_ratio_error)
    if tiny.any():
        log_ratio[tiny], log_ratio_error[tiny] = of_tiny(tiny)
    return LossBuckets(
        upper=upper, lower=lower, log_ratio=log_ratio, log_ratio_error=log_ratio_error
    )


def log_masses(left: FloatArray, right: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return ln of a standard normal's masses between ``left`` and ``right``, and error bounds.

    Differences of tails on the bucket's own side of the mean. Where the bucket is so narrow that
    nothing is left, -inf with an infinite error.
    """
    mirrored = right <= 0.0
    near, far = np.where(mirrored, -right, left), np.where(mirrored, -left, right)
    log_near, log_far = log_ndtr(-near), log_ndtr(-far)
    # As for the tails themselves: an absolute error here is a relative one there.
    near_error, far_error = _log_tail_error(near), _log_tail_error(far)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        kept = -np.expm1(np.minimum(log_far - log_near, 0.0))
        value = log_near + np.log(kept)
        error = (near_error + (1.0 - kept) * far_error) / kept
    error = np.where(kept > 0.0, 1.5 * error, np.inf)
    # To first order: not where the error is near the whole mass.
    error = np.where(error < 0.1, error, np.inf)
    return value, error + 4.0 * UNIT_ROUNDOFF * (1.0 + np.abs(value))


def log_of_sum(terms: FloatArray) -> FloatArray:
    """Return ln of the sum of e^terms over the first axis."""
    peak = terms.max(axis=0)
    return np.asarray(peak + np.log(np.exp(terms - peak).sum(axis=0)))


def log_sums(
    means: FloatArray, weights: FloatArray, left: FloatArray, right: FloatArray, sigma: float = 1.0
) -> tuple[FloatArray, FloatArray]:
    """Return ln of a mixture's masses in buckets, and bounds on its errors.

    Args:
        means: of the components, shape (components,).
        weights: their weights, above 0.
        left: the buckets' lower edges.
        sigma: standard deviation of each component.
    """
    columns = means[:, None]
    masses, errors = log_masses((left - columns) / sigma, (right - columns) / sigma)
    log_weights = np.log(weights)[:, None]
    terms = masses + log_weights
    peak = terms.max(axis=0)
    with np.errstate(invalid="ignore"):
        scaled = np.exp(terms - peak)
        total = scaled.sum(axis=0)
        value = peak + np.log(total)
        rounding = 4.0 * (1.0 + np.abs(terms) + np.abs(log_weights) + np.abs(peak))
        shares = scaled / total
        lost = np.where(shares > 0.0, shares * (errors + UNIT_ROUNDOFF * rounding), 0.0).sum(axis=0)
    # A component of unknown mass might be all of it.
    lost = np.where(np.isinf(errors).any(axis=0) | np.isnan(lost), np.inf, 1.5 * lost)
    sum_error = UNIT_ROUNDOFF * (4.0 * (1.0 + np.abs(value)) + len(means))
    return value, np.where(lost < 0.1, lost, np.inf) + sum_error


def _log_tail_error(edges: FloatArray) -> FloatArray:
    squares = np.where(np.isfinite(edges), edges, 0.0) ** 2
    return np.asarray(UNIT_ROUNDOFF * (8.0 + 4.0 * squares))
