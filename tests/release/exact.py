"""Exact delta of steps that are kept by chance, and a bound of Koga et al. nothing rests on."""

import math

from mpmath import binomial, mp, mpf, sqrt

from tests.accounting.exact import DIGITS, exact_gaussian_delta


def exact_subsampled_delta(
    epsilon: float | mpf, participation: int, rate: float, noise: float | mpf
) -> mpf:
    """Return the mean over all numbers of kept steps, with many digits."""
    with mp.workdps(DIGITS):
        p, total = mpf(rate), mpf(0)
        for kept in range(1, participation + 1):
            mass = binomial(participation, kept) * p**kept * (1 - p) ** (participation - kept)
            if mass > 0:
                total += mass * exact_gaussian_delta(epsilon, sqrt(mpf(kept)) / mpf(noise))
        return total


def hoeffding_sensitivity(participation: int, rate: float, failure: float) -> float:
    """Return the sensitivity of kept steps by Corollary 1, an upper bound on Theorem 2's.

    Args:
        failure: delta', the chance with which it may be exceeded, above 0.
    """
    spread = math.sqrt(participation / 2.0 * math.log(1.0 / failure))
    return math.sqrt(participation * rate + spread)
