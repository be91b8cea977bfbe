"""Exact values by other means: closed forms and 40-digit arithmetic."""

import mpmath
import numpy as np
from scipy.special import log_ndtr, ndtr


def gaussian_delta(mu: float, epsilon: np.ndarray) -> np.ndarray:
    """Return delta(epsilon) of N(mu, 1) against N(0, 1) (Balle and Wang 2018)."""
    second = np.exp(epsilon + log_ndtr(-epsilon / mu - mu / 2))
    return ndtr(-epsilon / mu + mu / 2) - second


def single_unit_delta(rate: float, sigma: float, epsilon: float) -> mpmath.mpf:
    """Return H(MoG([0, 2], [1 - q, q]) || N(0)) at e^epsilon, epsilon of either sign.

    Below ln(1 - q) every outcome has a larger loss, and H = 1 - e^epsilon.
    """
    with mpmath.workdps(40):
        q, s, eps = map(mpmath.mpf, (rate, sigma, epsilon))
        inside = (mpmath.exp(eps) - 1 + q) / q
        if inside <= 0:
            return 1 - mpmath.exp(eps)
        x = s**2 / 2 * mpmath.log(inside) + 1

        def above(mean: int) -> mpmath.mpf:
            return mpmath.erfc((x - mean) / (s * mpmath.sqrt(2))) / 2

        return (1 - q) * above(0) + q * above(2) - mpmath.exp(eps) * above(0)
