"""High-precision values of the Gaussian mechanism, by formulas that share nothing with dpviz.

And a bound of Koga et al. that no noise of dpviz rests on.
"""

import math

from mpmath import binomial, erfc, exp, mp, mpf, sqrt

DIGITS = 60


def exact_gaussian_delta(epsilon: float | mpf, signal_to_noise: float | mpf) -> mpf:
    """Return delta by the difference of the two tails, with many digits."""
    with mp.workdps(DIGITS):
        e, mu = mpf(epsilon), mpf(signal_to_noise)

        def upper_tail(x: mpf) -> mpf:
            return erfc(x / sqrt(mpf(2))) / 2

        return upper_tail(e / mu - mu / 2) - exp(e) * upper_tail(e / mu + mu / 2)


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
