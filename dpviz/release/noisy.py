"""Values with Gaussian noise, as they are released: the one place where noise meets data.

With :class:`SystemEntropy` all of it is exact: values are rounded to a grid, noise is an ideal
normal number rounded to the grid, both are added as whole numbers, and the sum becomes a double at
the very end. The law is that of values on the grid with ideal noise, rounded afterwards. So
every (epsilon, delta) of the Gaussian mechanism holds as it is: no term is left out
(docs/release.md). With a generator, for simulations, noise and sum are in double precision.
"""

import math

import numpy as np
from numpy.typing import NDArray

from dpviz.release.circular_filter import WEIGHT_BITS, CircularFilter
from dpviz.release.entropy import Randomness, SystemEntropy
from dpviz.release.rounding import coarser_multiples, doubles, grid_exponent, nearest_multiples
from dpviz.scenario.errors import ScenarioError


def noisy_values(values: NDArray[np.float64], noise: float, rng: Randomness) -> NDArray[np.float64]:
    """Return values with noise, as whole multiples of the noise's grid.

    What changes a value by at most v moves it on the grid by at most ``change_on_grid(v, noise)``.

    Args:
        values: finite numbers, of any shape.
        noise: standard deviation; with 0 nothing is hidden, and nothing rounded.
        rng: what to draw from.

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
        filter_: its weights are whole multiples of 2^-40.
        steps: which filtered values are released.
        noise: standard deviation, more than 0.
        rng: what to draw from.
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
    # Doubles divide by no less than that.
    grid = math.ldexp(1.0, max(exponent, -1000))
    return np.asarray(np.round((values + added) / grid) * grid)
