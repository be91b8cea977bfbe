"""Exact privacy of releasing each step by chance, with noise: the kept steps are public."""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from dpviz.release.gaussian import gaussian_delta

# The chance of more extreme numbers of kept steps than are summed over; added to the delta.
_CUT_MASS = 1e-40
# Of a binomial probability and of the sum of all, relative; added to the delta.
_MASS_ERROR = 1e-10


def subsampled_delta(epsilon: float, participation: int, rate: float, noise: float) -> float:
    """Return the delta of keeping each step with a probability and adding noise, rounded up.

    Which steps are kept is public, and does not depend on the data. So delta is the mean, over how
    many of an individual's steps are kept, of the Gaussian mechanism's delta: attained by an
    individual who is in as many steps as may be.

    Args:
        epsilon: at least 0.
        participation: I, the most steps in which one individual is counted.
        rate: p, the probability with which each step is kept.
        noise: standard deviation, in counts.

    >>> subsampled_delta(0.5, 180, 0.1, 26.13) <= 1e-4 < subsampled_delta(0.5, 180, 0.1, 26.0)
    True
    """
    kept, masses = kept_steps(participation, rate)
    return mean_delta(masses, gaussian_delta(epsilon, np.sqrt(kept) / noise))


# A search for the noise asks again and again for the same ones.
@lru_cache(maxsize=64)
def kept_steps(participation: int, rate: float) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return how many of an individual's steps may be kept, and the chance of each number.

    Numbers whose chance is below any delta are left out; :func:`mean_delta` counts them.
    """
    # Bernstein: more than this away from the mean are fewer than the cut mass.
    spread = math.log(2.0 / _CUT_MASS)
    variance = participation * rate * (1.0 - rate)
    reach = spread / 3.0 + math.sqrt(spread**2 / 9.0 + 2.0 * spread * variance)
    least = max(0, math.floor(participation * rate - reach))
    most = min(participation, math.ceil(participation * rate + reach))
    kept = np.arange(least, most + 1, dtype=np.int64)
    masses = np.asarray(binom.pmf(kept, participation, rate))
    for shared in (kept, masses):
        shared.setflags(write=False)
    return kept, masses


def mean_delta(masses: NDArray[np.float64], deltas: NDArray[np.float64]) -> float:
    """Return the mean of deltas over the numbers of kept steps, rounded up."""
    mean = float(masses @ deltas)
    return min(1.0, mean * (1.0 + _MASS_ERROR) + _CUT_MASS)
