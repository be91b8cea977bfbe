"""The mechanisms themselves: a series of counts and randomness in, a released series out."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpviz.release.calibration import Calibration
from dpviz.release.circular_filter import CircularFilter
from dpviz.release.entropy import Randomness
from dpviz.release.rounding import rounded_to_grid
from dpviz.scenario.errors import ScenarioError

NOTHING_KEPT = 0.0
"""What is released of a series of which no step was kept: agreed beforehand, whatever the data."""


@dataclass(frozen=True)
class Released:
    """What may be published.

    Args:
        values: one a step, of shape (length,); complex only for the paper's Fourier baseline.
        kept: the steps that noisy values were released of; all of them where none is left out.
    """

    values: NDArray[np.float64] | NDArray[np.complex128]
    kept: NDArray[np.int64]


def release(series: ArrayLike, calibration: Calibration, rng: Randomness) -> Released:
    """Return a private version of a series.

    Args:
        series: counts, of shape (settings.length,).
        calibration: mechanism and noise.
        rng: who knows its state can take the noise off again.

    Raises:
        ScenarioError: the series has another length than was planned for.
    """
    values = np.asarray(series, dtype=np.float64)
    settings = calibration.settings
    if values.shape != (settings.length,):
        allowed = f"the plan is for one column of {settings.length:,} values"
        raise ScenarioError("length", str(values.shape), allowed)
    if calibration.mechanism == "gaussian":
        return released_with_noise(values, calibration.noise, rng)
    if calibration.mechanism == "dft":
        low_pass = low_pass_as_printed if calibration.accounting == "paper" else low_pass_projected
        return low_pass(values, calibration.noise, settings.coefficients, rng)
    if calibration.mechanism == "filter-subsample":
        values = CircularFilter(settings.length, settings.filter_width).filtered(values)
    return released_subsample(values, settings.rate, calibration.noise, rng)


def released_with_noise(values: NDArray[np.float64], noise: float, rng: Randomness) -> Released:
    """Return every value with Gaussian noise."""
    everything = np.arange(len(values), dtype=np.int64)
    noisy = rounded_to_grid(values + noise * rng.standard_normal(len(values)), noise)
    return Released(noisy, everything)


def released_subsample(
    values: NDArray[np.float64], rate: float, noise: float, rng: Randomness
) -> Released:
    """Return the values between noisy ones that were kept by chance (Koga et al., Algorithm 1).

    Before the first and after the last kept step its value is repeated; of one kept step there is
    nothing else, and of none :data:`NOTHING_KEPT` is released.
    """
    kept = np.flatnonzero(rng.random(len(values)) < rate).astype(np.int64)
    noisy = rounded_to_grid(values[kept] + noise * rng.standard_normal(len(kept)), noise)
    return Released(interpolated(kept, noisy, len(values)), kept)


def interpolated(
    steps: NDArray[np.int64], values: NDArray[np.float64], length: int
) -> NDArray[np.float64]:
    """Return a series with straight lines between values at increasing steps, flat at its ends.

    >>> interpolated(np.array([1, 3]), np.array([2.0, 6.0]), 5).tolist()
    [2.0, 2.0, 4.0, 6.0, 6.0]
    >>> interpolated(np.array([], dtype=int), np.array([]), 2).tolist()
    [0.0, 0.0]
    """
    if len(steps) == 0:
        return np.full(length, NOTHING_KEPT)
    line: NDArray[np.float64] = np.interp(np.arange(length), steps, values)
    return line


def low_pass_projected(
    values: NDArray[np.float64], noise: float, coefficients: int, rng: Randomness
) -> Released:
    """Return the noisy values' lowest frequencies.

    Noise in every step and the projection afterwards is the same as noise in the coefficients of
    an orthonormal basis: a projection lengthens no vector, so the sensitivity is sqrt(I) at most.
    """
    noisy = rounded_to_grid(values + noise * rng.standard_normal(len(values)), noise)
    spectrum = np.fft.rfft(noisy)
    spectrum[coefficients // 2 + 1 :] = 0.0  # the mean, and half as many frequencies, both signs
    everything = np.arange(len(values), dtype=np.int64)
    return Released(np.fft.irfft(spectrum, len(values)), everything)


def low_pass_as_printed(
    values: NDArray[np.float64], noise: float, coefficients: int, rng: Randomness
) -> Released:
    """Return the lowest frequencies as in the paper's experiments: noise apart on both parts.

    Half of the coefficients from zero upwards, half from minus one downwards; the noise breaks
    their symmetry, so that the series comes out complex, and was scored so.
    """
    length = len(values)
    # The transform lengthens every vector by sqrt(T), and so it does the noise.
    scale = noise * np.sqrt(length)
    drawn = rng.standard_normal(2 * length)
    clear = np.fft.fft(values)
    real = rounded_to_grid(clear.real + scale * drawn[:length], scale)
    spectrum = real + 1j * rounded_to_grid(clear.imag + scale * drawn[length:], scale)
    upper = (coefficients + 1) // 2
    spectrum[upper : max(upper, length - coefficients // 2)] = 0.0
    return Released(np.fft.ifft(spectrum), np.arange(length, dtype=np.int64))
