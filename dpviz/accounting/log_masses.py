"""Ratios of masses too small to be numbers: by the logarithms of normal tails."""

import numpy as np
from scipy.special import log_ndtr

from dpviz.accounting.buckets import SMALLEST_TAIL, UNIT_ROUNDOFF, FloatArray


def is_needed(upper: FloatArray, lower: FloatArray) -> np.ndarray:
    """Return which buckets have a mass under one distribution only that is a proper number."""
    threshold = SMALLEST_TAIL / UNIT_ROUNDOFF
    return np.asarray((np.minimum(upper, lower) < threshold) & (np.maximum(upper, lower) > 1e-100))


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
    means: FloatArray, weights: FloatArray, left: FloatArray, right: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return ln of a mixture's masses in buckets, and bounds on its errors.

    Args:
        means: of the components, in standard deviations, shape (components,).
        weights: their weights, above 0.
        left: the buckets' lower edges, in standard deviations.
        right: their upper edges.
    """
    columns = means[:, None]
    masses, errors = log_masses(left - columns, right - columns)
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
