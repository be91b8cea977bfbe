"""Rounding a privacy loss up: connect the dots.

Doroshenko et al. 2022, *Connect the Dots: Tighter Discrete Approximations of Privacy Loss
Distributions*, by the masses of loss buckets instead of differences of the profile.
"""

import numpy as np

from dpviz.accounting.buckets import FloatArray, LossBuckets


def connected_dots(
    buckets: LossBuckets, lower_edges: FloatArray, widths: FloatArray, edge_errors: FloatArray
) -> FloatArray:
    """Split each bucket between its two edges, keeping its mass under both distributions.

    Returns the masses at the edges, shape (buckets + 1,). With g the lower edge, h the width, p and
    q the masses, the upper edge gets (p - q e^g) / (1 - e^-h) = p (1 - e^-r) / (1 - e^-h), where
    r = ln(p/q) - g. A bucket's losses may lie below its lower edge by twice that edge's error:
    lifting those to the edge first raises r by no more than that.
    """
    with np.errstate(invalid="ignore"):  # an unknown ratio with an unknown error: see below
        above_edge = buckets.log_ratio + buckets.log_ratio_error + 2.0 * edge_errors[:-1]
        above_edge = above_edge - lower_edges
    # A bucket of unknown ratio goes to its upper edge whole.
    above_edge = np.clip(np.where(np.isnan(above_edge), widths, above_edge), 0.0, widths)
    p = buckets.upper + buckets.upper_absolute_error
    to_upper_edge = p * np.expm1(-above_edge) / np.expm1(-widths)
    mass = np.zeros(len(p) + 1)
    mass[:-1] = p - to_upper_edge
    mass[1:] += to_upper_edge
    return np.maximum(mass, 0.0)
