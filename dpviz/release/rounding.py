"""Noisy values without the digits in which sums in floating point tell what was added up."""

import math

import numpy as np
from numpy.typing import NDArray

# Of the noise: a millionth, which no use of the values feels.
_GRID_BITS = 20
_LEAST_EXPONENT = -1000  # so that the grid is a double that can be divided by


def rounded_to_grid(noisy: NDArray[np.float64], noise: float) -> NDArray[np.float64]:
    """Return noisy values as whole multiples of a power of two, about a millionth of the noise.

    A sum near 0 ends in the digits of its larger terms: after 0 + noise there are all of a
    double's, after 1 + noise only those that numbers near 1 have. Who reads them can tell 0 from 1,
    whatever the theory of real numbers promises. The grid depends on the noise alone, and both
    leave the same multiples; what remains is in docs/release.md.

    Args:
        noisy: values with noise, of any shape.
        noise: its standard deviation; with 0 nothing is hidden, and nothing rounded.

    >>> rounded_to_grid(np.array([0.3, 2.0]), 2.0**20).tolist()
    [0.0, 2.0]
    """
    if noise == 0.0:
        return noisy
    # frexp's fraction is from a half to below 1.
    exponent = math.frexp(noise)[1] - 1 - _GRID_BITS
    grid = math.ldexp(1.0, max(exponent, _LEAST_EXPONENT))
    return np.asarray(np.round(noisy / grid) * grid)
