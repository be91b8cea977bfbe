"""The least noise, and the least epsilon, that keep to a budget."""

import math
from collections.abc import Callable

# Of the logarithm of the noise: 1e-9 of the noise itself, and always to the safe side.
_TOLERANCE = 1e-9
# Of epsilon, which is shown with few digits.
_EPSILON_TOLERANCE = 1e-7
_DIGITS_OF_BUDGET = 6
_MOST_STEPS = 200
_LEAST, _MOST = 1e-12, 1e12
# The largest epsilon that is looked for; above it the answer is "none".
LARGEST_EPSILON = 1e6


def smallest_noise(delta_at: Callable[[float], float], delta: float, *, start: float) -> float:
    """Return the least noise whose delta, as it was computed, is at most ``delta``.

    Args:
        delta_at: the delta of a noise, never more for more noise, rounded up.
        delta: more than 0.
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

    Args:
        delta_at: the delta of an epsilon, never more for a larger one, rounded up.
        delta: more than 0.
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
