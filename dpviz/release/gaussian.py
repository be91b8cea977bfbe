"""The Gaussian mechanism's least noise, also of steps kept by chance, and the paper's bounds."""

import math
from bisect import bisect_left
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpviz.accounting.gaussian import gaussian_delta
from dpviz.release.circular_filter import CircularFilter
from dpviz.scenario.errors import ScenarioError

# Of the logarithm of the noise: 1e-9 of the noise itself, and always to the safe side.
_TOLERANCE = 1e-9
# Of epsilon, which is shown with few digits.
_EPSILON_TOLERANCE = 1e-7
_DIGITS_OF_BUDGET = 6
_MOST_STEPS = 200
_LEAST, _MOST = 1e-12, 1e12
# The largest epsilon that is looked for; above it the answer is "none".
LARGEST_EPSILON = 1e6
# Theorem 1 of Koga et al. (Dwork and Roth, 2014) is proven for smaller epsilon only.
CLASSICAL_EPSILON_LIMIT = 1.0


def smallest_noise(delta_at: Callable[[float], float], delta: float, *, start: float) -> float:
    """Return the least noise whose delta, as it was computed, is at most ``delta``, more than 0.

    Args:
        delta_at: the delta of a noise, never more for more noise, rounded up.
        start: where the search begins; any guess.

    >>> smallest_noise(lambda noise: 1.0 / noise, 0.5, start=1.0) - 2.0 < 1e-8
    True
    """
    low, high = start, start
    while delta_at(high) > delta:
        high *= 2.0
        if high > _MOST * start:
            raise ValueError("no noise keeps to this delta")
    while delta_at(low) <= delta:
        high, low = low, low / 2.0
        if low < _LEAST * start:
            return high
    for _ in range(_MOST_STEPS):
        if math.log(high / low) <= _TOLERANCE:
            break
        middle = math.sqrt(low * high)
        low, high = (low, middle) if delta_at(middle) <= delta else (middle, high)
    return high


def smallest_epsilon(delta_at: Callable[[float], float], delta: float) -> float:
    """Return the least epsilon whose delta is at most ``delta``; infinity where there is none.

    ``delta_at`` gives the delta of an epsilon, never more for a larger one, rounded up.
    """
    if delta_at(0.0) <= delta:
        return 0.0
    low, high = 0.0, 1.0
    while delta_at(high) > delta:
        low, high = high, 2.0 * high
        if high > LARGEST_EPSILON:
            return math.inf
    for _ in range(_MOST_STEPS):
        if high - low <= _EPSILON_TOLERANCE * high:
            break
        middle = 0.5 * (low + high)
        low, high = (low, middle) if delta_at(middle) <= delta else (middle, high)
    # A budget has few digits: where noise was found for it, it is told, not a number just above.
    budget = float(f"{high:.{_DIGITS_OF_BUDGET}g}")
    return budget if low < budget < high and delta_at(budget) <= delta else high


def classical_noise(epsilon: float, delta: float, sensitivity: float, *, parts: int = 1) -> float:
    """Return the noise of the classical calibration (Koga et al., Theorem 1).

    Several parts, each with noise of its own, share epsilon and delta equally.

    Raises ``ScenarioError`` for an epsilon of 1 or more a part, where that theorem says nothing.

    >>> round(classical_noise(0.5, 1e-4, 180 ** 0.5), 1)
    116.6
    """
    limit = parts * CLASSICAL_EPSILON_LIMIT
    if epsilon >= limit:
        raise ScenarioError(
            "epsilon",
            epsilon,
            f"the classical calibration of Gaussian noise is proven for ε below {limit:g} only"
            f"{'' if parts == 1 else f', shared by {parts} parts'}",
        )
    root = math.sqrt(2.0 * math.log(1.25 * parts / delta))
    return root * sensitivity / (epsilon / parts) * (1.0 + 1e-15)


def analytic_noise(epsilon: float, delta: float, sensitivity: float) -> float:
    """Return the least noise with which the Gaussian mechanism meets epsilon and delta.

    >>> round(analytic_noise(0.5, 1e-4, 180 ** 0.5), 1)
    79.1
    """
    return smallest_noise(
        lambda noise: float(gaussian_delta(epsilon, sensitivity / noise)), delta, start=sensitivity
    )


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
    from scipy.stats import binom  # half a second, which reports need not wait for

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


def is_filter_free(epsilon: float, participation: int, noise: float) -> bool:
    """Return whether the bound with a filter is that without one: I <= 2 epsilon noise^2."""
    return participation <= 2.0 * epsilon * noise**2


def convex_delta(epsilon: float, signal_to_noise: ArrayLike) -> NDArray[np.float64]:
    """Return the Gaussian delta, and from where it bends down its tangent: convex, rounded up."""
    mu = np.asarray(signal_to_noise, dtype=np.float64)
    # The second derivative changes its sign where mu^2 = 2 epsilon; the slope there is phi(0).
    bend = math.sqrt(2.0 * epsilon)
    below = gaussian_delta(epsilon, np.minimum(mu, bend))
    return below + np.maximum(mu - bend, 0.0) / math.sqrt(2.0 * math.pi)


def filtered_delta(epsilon: float, participation: int, rate: float, noise: float) -> float:
    """Return an upper bound on delta for any filter before :func:`subsampled_delta`'s mechanism.

    For every filter of non-negative weights that sum to 1 over each row and over each column of its
    matrix, such as a circular one with weights of sum 1; values outside of the series are none of
    its inputs. Proven in docs/release.md; never more than without keeping only some of the steps.

    >>> filtered_delta(0.5, 180, 0.1, 26.13) <= 1e-4
    True
    """
    kept, masses = kept_steps(participation, rate)
    tangent = mean_delta(masses, convex_delta(epsilon, np.sqrt(kept) / noise))
    # A filter's matrix lengthens no vector, so all steps together are a Gaussian mechanism.
    plain = float(gaussian_delta(epsilon, math.sqrt(participation) / noise))
    return min(tangent, plain)


# Numerical error of the chances below, relative; they are rounded up by it.
_TAIL_ERROR = 1e-9
_ALPHA_STEPS = 60


def subsampled_noise(epsilon: float, delta: float, participation: int, rate: float) -> float:
    """Return the noise of Theorem 2 and Corollary 3, both corrected, for an epsilon below 1.

    The print inverts the fraction in the corollary's exponent, and calibrates to alpha sqrt(I),
    which may be less than the sqrt(I') that the proof needs. One half of delta is for the
    mechanism, one for the chance that more steps are kept.

    >>> round(subsampled_noise(0.5, 1e-4, 180, 0.1), 1)
    54.0
    """
    from scipy.stats import binom  # half a second, which reports need not wait for

    def is_enough(kept: int) -> bool:
        alpha = math.sqrt(kept / participation)
        failure = float(binom.sf(kept, participation, rate)) * (1.0 + _TAIL_ERROR)
        return failure * _weight_of_failure(epsilon, delta, alpha) <= delta / 2.0

    # All of the steps are enough in any case.
    kept = bisect_left(range(participation), True, lo=1, key=is_enough)
    return _least_of_both(epsilon, delta, participation, math.sqrt(kept / participation))


def filtered_noise(
    epsilon: float, delta: float, participation: int, rate: float, filter_: CircularFilter
) -> float:
    """Return the noise of Theorem 4 and Corollary 2; see :func:`subsampled_noise`.

    >>> round(filtered_noise(0.5, 1e-4, 100, 0.1, CircularFilter(10_000, 10.0)), 1)
    64.6
    """
    row, rank = filter_.largest_row, filter_.stable_rank

    def is_enough(alpha_squared: float) -> bool:
        weight = _weight_of_failure(epsilon, delta, math.sqrt(alpha_squared))
        if weight == 0.0:
            return True
        log_failure = log_failure_chance(alpha_squared, rate, row, rank)
        return log_failure + math.log(weight) <= math.log(delta / 2.0)

    # Tropp's theorem, which Theorem 4 rests on, begins at p + L_r; the print leaves that out.
    alpha_squared = _smallest(is_enough, rate + row, 1.0)
    return _least_of_both(epsilon, delta, participation, math.sqrt(alpha_squared))


def log_failure_chance(alpha_squared: float, rate: float, row: float, rank: float) -> float:
    """Return the logarithm of delta' of Theorem 4, rounded up.

    The chance that kept and filtered steps can move by more than alpha sqrt(I), for an alpha^2 of
    at least rate + row: L_r, the squared norm of the filter's rows.
    """
    ratio = alpha_squared / rate
    exponent = (rate / row) * (ratio - 1.0 - ratio * math.log(ratio))
    return math.log(2.0 * rank) + exponent + _TAIL_ERROR * (1.0 + abs(exponent))


def _weight_of_failure(epsilon: float, delta: float, alpha: float) -> float:
    """Return what the chance of a failure counts in the corollaries: e^(epsilon/alpha) - e^epsilon.

    They take it that the noise still gives (epsilon/alpha, delta/2) then, by Theorem 1, which
    ends at epsilon 1. Where exact numbers do not bear that out, a failure counts as a whole.
    """
    # Refuses an epsilon from 1 on, before its exponential is no double.
    signal_to_noise = 1.0 / classical_noise(epsilon, delta / 2.0, alpha)
    weight = math.exp(min(epsilon / alpha, 700.0)) - math.exp(epsilon)
    holds = float(gaussian_delta(epsilon / alpha, signal_to_noise)) <= delta / 2.0
    return weight if holds else max(weight, 1.0)


def _least_of_both(epsilon: float, delta: float, participation: int, alpha: float) -> float:
    """Return the noise for alpha sqrt(I) at half of delta, or for sqrt(I) at all of it."""
    root = math.sqrt(participation)
    return min(
        classical_noise(epsilon, delta / 2.0, alpha * root),
        classical_noise(epsilon, delta, root),
    )


def _smallest(is_enough: Callable[[float], bool], low: float, high: float) -> float:
    """Return the least number that is enough, from the high side; the high one always is."""
    if low >= high:
        return high
    if is_enough(low):
        return low
    for _ in range(_ALPHA_STEPS):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high
