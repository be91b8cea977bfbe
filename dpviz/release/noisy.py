"""Values with Gaussian noise, as they are released: the one place where noise meets data.

With :class:`SystemEntropy` all of it is exact: values are rounded to a grid, noise is an ideal
normal number rounded to the grid, both are added as whole numbers, and the sum becomes a double at
the very end. The law is that of values on the grid with ideal noise, rounded afterwards. So every
(epsilon, delta) of the Gaussian mechanism holds as it is (docs/release.md). With a generator, for
simulations, noise and sum are in double precision.
"""

import math
from collections.abc import Iterable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpviz.release.circular_filter import WEIGHT_BITS, CircularFilter
from dpviz.release.entropy import Randomness, SystemEntropy
from dpviz.scenario.errors import ScenarioError

# Of the noise: 10^-12, which no use of the values feels, nor the charge for rounding.
GRID_BITS = 40
_LEAST_EXPONENT = -1074  # every double is a multiple of 2^-1074


def grid_exponent(noise: float) -> int:
    """Return the e of the grid 2^e: the largest at most 2^-40 of the noise, and at most 1.

    It depends on the noise (more than 0) alone, never on a value. Whole numbers are on every grid.
    Where doubles end, it is 2^-1074: all of them are multiples of that.
    """
    # frexp's fraction is from a half to below 1.
    return min(0, max(math.frexp(noise)[1] - 1 - GRID_BITS, _LEAST_EXPONENT))


def nearest_multiples(values: Iterable[float], exponent: int) -> list[int]:
    """Return floor(x / 2^exponent + 1/2) of each finite value, exactly; the exponent is at most 0.

    Halves always go up. Rounding them to even numbers would move 0.5 and 1.5 two steps apart
    (docs/release.md, lemma 1).

    >>> nearest_multiples([0.5, 1.5, -0.5, 2.0**60], 0)
    [1, 2, 0, 1152921504606846976]
    """
    ratios = (value.as_integer_ratio() for value in values)
    return [((top << 1 - exponent) + bottom) // (2 * bottom) for top, bottom in ratios]


def coarser_multiples(multiples: Iterable[int], bits: int) -> list[int]:
    """Return the nearest multiples of a grid that is 2^bits times as coarse, halves upwards."""
    half = 1 << bits >> 1
    return [(whole + half) >> bits for whole in multiples]


def doubles(multiples: Iterable[int], exponent: int) -> NDArray[np.float64]:
    """Return multiples of 2^exponent as doubles; those above 2^53 steps as the nearest one.

    A double that is so many steps large is a multiple of the grid, too. The exponent is at most 0.
    """
    # Python divides whole numbers of any length with one rounding.
    parts = 1 << -exponent
    return np.array([whole / parts for whole in multiples], dtype=np.float64)


def change_on_grid(change: float, noise: float) -> float:
    """Return the most by which a value that was rounded to the noise's grid changes, rounded up.

    The least multiple of the grid from ``change`` on, the most by which the value itself changes
    (docs/release.md, lemma 1): more by less than 2^-40 of the noise, and no more at all where it is
    a whole number.

    >>> change_on_grid(10.0, 16.5), change_on_grid(0.1, 2.0**40), change_on_grid(0.1, 2.0**39)
    (10.0, 1.0, 0.5)
    """
    grid = Fraction(1, 1 << -grid_exponent(noise))
    exact = math.ceil(Fraction(change) / grid) * grid
    nearest = float(exact)
    return nearest if nearest >= exact else math.nextafter(nearest, math.inf)


def noisy_values(values: NDArray[np.float64], noise: float, rng: Randomness) -> NDArray[np.float64]:
    """Return finite values, of any shape, with noise, as whole multiples of the noise's grid.

    What changes a value by at most v moves it on the grid by at most ``change_on_grid(v, noise)``.
    With a noise of 0 nothing is hidden, and nothing rounded.

    >>> noisy_values(np.array([0.0]), 2.0, SystemEntropy()) * 2.0**39 % 1.0
    array([0.])
    """
    if noise == 0.0:
        return values
    exponent = grid_exponent(noise)
    if not isinstance(rng, SystemEntropy):
        return _simulated(values, noise, exponent, rng)
    multiples = nearest_multiples(values.ravel().tolist(), exponent)
    return doubles(_with_noise(multiples, noise, exponent, rng), exponent).reshape(values.shape)


def noisy_filtered_values(
    values: NDArray[np.float64],
    filter_: CircularFilter,
    steps: NDArray[np.int64],
    noise: float,
    rng: Randomness,
) -> NDArray[np.float64]:
    """Return some of the filtered values with noise, as whole multiples of the noise's grid.

    Noise comes after the filter, so that the filter, too, has to be exact: a change of the series
    moves the filtered one by just what theory says.

    Args:
        values: the series, of shape (filter_.length,).
        steps: which filtered values are released.
        noise: standard deviation, more than 0.
    """
    exponent = grid_exponent(noise)
    if not isinstance(rng, SystemEntropy):
        return _simulated(filter_.filtered(values)[steps], noise, exponent, rng)
    filtered = filter_.filtered_multiples(nearest_multiples(values.tolist(), exponent))
    # Filtered values lie on a finer grid, where nothing is rounded before there is noise.
    finer = exponent - WEIGHT_BITS
    noisy = _with_noise([filtered[step] for step in steps.tolist()], noise, finer, rng)
    return doubles(coarser_multiples(noisy, WEIGHT_BITS), exponent)


def coins(rate: float, size: int, rng: Randomness) -> NDArray[np.bool_]:
    """Return independent coins, True with the given probability."""
    if isinstance(rng, SystemEntropy):
        return rng.coins(rate, size)
    return np.asarray(rng.random(size) < rate)


def checked_finite(field: str, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return values that are all finite numbers, or raise ScenarioError, which names none."""
    if not np.isfinite(values).all():
        raise ScenarioError(field, "not finite", "all values must be finite numbers")
    return values


def _with_noise(multiples: list[int], noise: float, exponent: int, rng: SystemEntropy) -> list[int]:
    drawn = rng.rounded_normals(noise, exponent, len(multiples))
    return [whole + added for whole, added in zip(multiples, drawn, strict=True)]


def _simulated(
    values: NDArray[np.float64], noise: float, exponent: int, rng: Randomness
) -> NDArray[np.float64]:
    added = noise * np.asarray(rng.standard_normal(values.size)).reshape(values.shape)
    noisy, grid = np.asarray(values + added), math.ldexp(1.0, exponent)
    # From 2^53 steps on doubles are on the grid, and their number of steps may be beyond doubles.
    is_counted = np.abs(noisy) < 2.0**53 * grid
    noisy[is_counted] = np.round(noisy[is_counted] / grid) * grid
    return noisy
