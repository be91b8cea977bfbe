"""Where sliders stop: about a hundred round numbers each."""

from collections.abc import Sequence
from math import floor, log10

from dpviz.scenario.mechanism import MOST_SUBSEQUENCES

# Digits of a factor of ten, from fine to coarse; the first that does not give too many is taken.
_DIGITS = (
    "1 1.1 1.2 1.3 1.4 1.5 1.6 1.7 1.8 1.9 2 2.2 2.4 2.6 2.8 3 3.2 3.4 3.6 3.8 "
    "4 4.5 5 5.5 6 6.5 7 7.5 8 8.5 9 9.5",
    "1 1.2 1.4 1.6 1.8 2 2.5 3 3.5 4 4.5 5 6 7 8 9",
    "1 1.5 2 3 4 5 6 7 8 9",
)
_MOST_STOPS = 110


def round_numbers(first: float, last: float, most: int = _MOST_STOPS) -> tuple[float, ...]:
    """Return round numbers at about equal ratios, from ``first`` to ``last``, both included.

    ``first`` is positive. There are at most so many, as long as there are few enough of the
    coarsest ones.

    >>> len(round_numbers(0.1, 100.0)), round_numbers(0.1, 100.0)[:4]
    (97, (0.1, 0.11, 0.12, 0.13))
    >>> len(round_numbers(1e-12, 1e-3)), round_numbers(1e-12, 1e-3)[:3]
    (91, (1e-12, 1.5e-12, 2e-12))
    """
    powers = range(floor(log10(first)) - 1, floor(log10(last)) + 2)
    stops: list[float] = []
    for digits in map(str.split, _DIGITS):
        numbers = [float(f"{digit}e{power}") for power in powers for digit in digits]
        stops = sorted({first, last, *(one for one in numbers if first <= one <= last)})
        if len(stops) <= most:
            break
    return tuple(stops)


def round_counts(first: int, last: int) -> tuple[int, ...]:
    """Return round whole numbers at about equal ratios, both ends included.

    >>> round_counts(1, 20)
    (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20)
    """
    if last - first < _MOST_STOPS:
        return tuple(range(first, last + 1))
    if first == 0:
        return (0, *round_counts(1, last))
    return tuple(int(one) for one in round_numbers(first, last) if one == int(one))


def evenly(first: float, last: float, step: float) -> tuple[float, ...]:
    """Return numbers at equal distances, as they are written.

    >>> evenly(0.5, 0.53, 0.01)
    (0.5, 0.51, 0.52, 0.53)
    """
    return tuple(round(first + at * step, 12) for at in range(round((last - first) / step) + 1))


NOISE_MULTIPLIERS = round_numbers(0.1, 100.0)
BOTTOM_RATES = round_numbers(1e-5, 1.0)
TOP_RATES = round_numbers(1e-3, 1.0)
AUGMENTATIONS = (0.0, *round_numbers(0.01, 100.0))
WINDOWS = round_counts(1, MOST_SUBSEQUENCES)
COUNTS = round_counts(1, 1_000_000)
DELTAS = round_numbers(1e-12, 1e-3)
BUDGETS = round_numbers(0.01, 100.0)
FIXED_EPSILONS = round_numbers(1e-3, 100.0)
SUCCESSES = (0.501, 0.502, 0.505, *evenly(0.51, 0.99, 0.01))
FALSE_POSITIVE_RATES = round_numbers(1e-5, 0.1)
PRIORS = (*round_numbers(1e-4, 0.1, most=60), *evenly(0.12, 0.98, 0.02), 0.99)
TRUE_POSITIVE_RATES = (*round_numbers(1e-4, 0.1, most=60), *evenly(0.12, 0.9, 0.02))

# Known to the browser by their names: spelled out with each control, they would be sent again with
# every answer.
NAMED_GRIDS = {
    name: grid
    for name, grid in globals().items()
    if isinstance(grid, tuple) and not name.startswith("_")
}
_NAMES = {grid: name for name, grid in NAMED_GRIDS.items()}


def named(grid: Sequence[float]) -> str | tuple[float, ...]:
    """Return a grid as the browser is told of it: by its name, if it has one.

    >>> named(DELTAS), named((1, 2))
    ('DELTAS', (1, 2))
    """
    stops = tuple(grid)
    return _NAMES.get(stops, stops)
