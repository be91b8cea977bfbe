"""How far released series lie from the truth: mean absolute errors over repetitions."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpviz.release.calibration import Calibration
from dpviz.release.mechanisms import release
from dpviz.release.series import TruthAndSeries
from dpviz.scenario.release_settings import ALL_ACCOUNTINGS, MECHANISMS

_MIDDLE_95 = 1.959963984540054  # of the normal law


@dataclass(frozen=True, kw_only=True)
class ErrorSummary:
    """The mean absolute error of a mechanism over repetitions, in counts.

    Args:
        repetitions: how often the series was released anew.
        mean: of the errors; of one release over its steps, then over releases.
        spread: standard deviation from release to release.
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

    They look at the true series: they are for choosing a mechanism on data that are public, and
    are no part of what may be published.

    Args:
        truth_and_series: what is released, and what it is scored against.
        calibration: mechanism and noise.
        repetitions: how often it is released.
        seed: of the randomness; other mechanisms draw others from the same seed.
    """
    drawn = [
        *seed,
        MECHANISMS.index(calibration.mechanism),
        ALL_ACCOUNTINGS.index(calibration.accounting),
    ]
    rng = np.random.default_rng(drawn)
    truth, series = truth_and_series.truth, truth_and_series.series
    return np.array(
        [
            np.abs(release(series, calibration, rng).values - truth).mean()
            for _ in range(repetitions)
        ]
    )


def error_summary(errors: NDArray[np.float64]) -> ErrorSummary:
    """Return mean and spread of errors, of shape (repetitions,) with at least two.

    >>> error_summary(np.array([1.0, 3.0])).mean
    2.0
    """
    return ErrorSummary(
        repetitions=len(errors), mean=float(errors.mean()), spread=float(errors.std(ddof=1))
    )
