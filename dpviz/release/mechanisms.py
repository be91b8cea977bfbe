"""The mechanisms themselves, and how far what they release lies from the truth."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpviz.release.calibration import Calibration, calibrated_all
from dpviz.release.circular_filter import CircularFilter
from dpviz.release.entropy import Randomness
from dpviz.release.noisy import checked_finite, coins, noisy_filtered_values, noisy_values
from dpviz.release.series import TruthAndSeries
from dpviz.scenario.errors import ScenarioError
from dpviz.scenario.release_settings import ALL_ACCOUNTINGS, MECHANISMS, ReleaseSettings

LARGEST_COUNT = 2**53
NOTHING_KEPT = 0.0
"""What is released of a series of which no step was kept: agreed beforehand, whatever the data."""
_MIDDLE_95 = 1.959963984540054  # of the normal law


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
    """Return a private version of a series of counts, of shape (settings.length,).

    Args:
        rng: :class:`~dpviz.release.entropy.SystemEntropy` for whatever is published: its noise is
            exact. A generator is for simulations: who knows its state can take the noise off again.

    Raises:
        ScenarioError: the series has another length than was planned for, is not finite, or has
            counts above 2^53.
    """
    values = np.asarray(series, dtype=np.float64)
    settings = calibration.settings
    if values.shape != (settings.length,):
        allowed = f"the plan is for one column of {settings.length:,} values"
        raise ScenarioError("length", str(values.shape), allowed)
    checked_finite("series", values)
    if (np.abs(values) > LARGEST_COUNT).any():
        raise ScenarioError(
            "series",
            "too large",
            f"counts must be at most {LARGEST_COUNT:,} in size: of larger ones doubles skip some, "
            "so that one individual could change them by more than 1",
        )
    if calibration.mechanism == "gaussian":
        return _of_every_step(noisy_values(values, calibration.noise, rng))
    if calibration.mechanism == "dft":
        low_pass = low_pass_as_printed if calibration.accounting == "paper" else low_pass_projected
        return low_pass(values, calibration.noise, settings.coefficients, rng)
    filter_ = None
    if calibration.mechanism == "filter-subsample":
        filter_ = CircularFilter(settings.length, settings.filter_width)
    return released_subsample(values, settings.rate, calibration.noise, rng, filter_)


def _of_every_step(values: NDArray[np.float64] | NDArray[np.complex128]) -> Released:
    return Released(values, np.arange(len(values), dtype=np.int64))


def released_subsample(
    values: NDArray[np.float64],
    rate: float,
    noise: float,
    rng: Randomness,
    filter_: CircularFilter | None = None,
) -> Released:
    """Return the values between noisy ones that were kept by chance (Koga et al., Algorithm 1).

    Before the first and after the last kept step its value is repeated; of one kept step there is
    nothing else, and of none :data:`NOTHING_KEPT` is released.
    """
    kept = np.flatnonzero(coins(rate, len(values), rng)).astype(np.int64)
    if filter_ is None:
        noisy = noisy_values(values[kept], noise, rng)
    else:
        noisy = noisy_filtered_values(values, filter_, kept, noise, rng)
    return Released(interpolated(kept, noisy, len(values)), kept)


def interpolated(
    steps: NDArray[np.int64], values: NDArray[np.float64], length: int
) -> NDArray[np.float64]:
    """Return a series with straight lines between values at increasing steps, flat at its ends.

    >>> interpolated(np.array([1, 3]), np.array([2.0, 6.0]), 5).tolist()
    [2.0, 2.0, 4.0, 6.0, 6.0]
    """
    if len(steps) == 0:
        return np.full(length, NOTHING_KEPT)
    return np.asarray(np.interp(np.arange(length), steps, values))


def low_pass_projected(
    values: NDArray[np.float64], noise: float, coefficients: int, rng: Randomness
) -> Released:
    """Return the noisy values' lowest frequencies.

    Noise in every step and the projection afterwards is the same as noise in the coefficients of
    an orthonormal basis: a projection lengthens no vector, so the sensitivity is sqrt(I) at most.
    """
    spectrum = np.fft.rfft(noisy_values(values, noise, rng))
    spectrum[coefficients // 2 + 1 :] = 0.0  # the mean, and half as many frequencies, both signs
    return _of_every_step(np.fft.irfft(spectrum, len(values)))


def low_pass_as_printed(
    values: NDArray[np.float64], noise: float, coefficients: int, rng: Randomness
) -> Released:
    """Return the lowest frequencies as in the paper's experiments: noise apart on both parts.

    Half of the coefficients from zero upwards, half from minus one downwards; the noise breaks
    their symmetry, so that the series comes out complex, and was scored so.

    The transform of a real series has a symmetric real part and an antisymmetric imaginary one.
    Noise in every step gives them just the paper's noise there; what the paper adds elsewhere
    lies on no data. So this, too, is computed from the series with noise, and the law is the same.
    """
    length = len(values)
    noisy = noisy_values(values, noise, rng)
    # The transform lengthens every vector by sqrt(T), and so it does the noise.
    drawn = noise * np.sqrt(length) * rng.standard_normal(2 * length).reshape(2, length)
    mirrored = drawn[:, -np.arange(length) % length]
    antisymmetric, symmetric = (drawn[0] - mirrored[0]) / 2.0, (drawn[1] + mirrored[1]) / 2.0
    spectrum = np.fft.fft(noisy) + antisymmetric + 1j * symmetric
    upper = (coefficients + 1) // 2
    spectrum[upper : max(upper, length - coefficients // 2)] = 0.0
    return _of_every_step(np.fft.ifft(spectrum))


@dataclass(frozen=True, kw_only=True)
class ErrorSummary:
    """The mean absolute error of a mechanism over repetitions, in counts.

    The mean is that of one release over its steps, then over releases; the spread from release to
    release is their standard deviation.
    """

    repetitions: int
    mean: float
    spread: float

    @property
    def half_width(self) -> float:
        """Half the width of a 95 % interval for the mean, by the normal law."""
        return _MIDDLE_95 * self.spread / math.sqrt(self.repetitions)


def absolute_errors(
    truth_and_series: TruthAndSeries,
    calibration: Calibration,
    repetitions: int,
    seed: Sequence[int],
) -> NDArray[np.float64]:
    """Return the mean absolute error of each of several releases, of shape (repetitions,).

    They look at the true series: they are for choosing a mechanism on data that are public, and are
    no part of what may be published. Other mechanisms draw others from the same seed.
    """
    way = MECHANISMS.index(calibration.mechanism), ALL_ACCOUNTINGS.index(calibration.accounting)
    rng = np.random.default_rng([*seed, *way])
    truth, series = truth_and_series.truth, truth_and_series.series
    released = (release(series, calibration, rng).values for _ in range(repetitions))
    return np.array([np.abs(values - truth).mean() for values in released])


def error_summary(errors: NDArray[np.float64]) -> ErrorSummary:
    """Return mean and spread of errors, of shape (repetitions,) with at least two."""
    return ErrorSummary(
        repetitions=len(errors), mean=float(errors.mean()), spread=float(errors.std(ddof=1))
    )


@dataclass(frozen=True, kw_only=True)
class Row:
    """A mechanism, what holds for who takes part more often, and how far off it is.

    Args:
        more_steps: in how many steps somebody takes part who is in more than planned.
        more_epsilon: the least epsilon known for them at the same delta; infinity if there is none.
        error: over repetitions; ``None`` while it is to come.
    """

    calibration: Calibration
    more_steps: int
    more_epsilon: float
    error: ErrorSummary | None = None


def rows_without_errors(settings: ReleaseSettings, factor: float) -> tuple[Row, ...]:
    """Return every mechanism that has an answer, for ``factor`` times as many steps."""
    # Nobody is in more steps than there are; the small number takes back what rounding added.
    steps = min(settings.length, math.ceil(settings.participation * factor - 1e-9))
    return tuple(
        Row(calibration=one, more_steps=steps, more_epsilon=one.epsilon_at(steps))
        for one in calibrated_all(settings)
    )
