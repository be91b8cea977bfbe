"""The bounds of Koga et al., with half of delta for the chance that too many steps are kept."""

import math
from bisect import bisect_left
from collections.abc import Callable

from dpviz.accounting.gaussian import gaussian_delta
from dpviz.release.circular_filter import CircularFilter
from dpviz.release.gaussian import classical_noise

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
