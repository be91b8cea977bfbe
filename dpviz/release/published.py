"""What Koga et al. print of their experiments, and what follows from it without their data."""

import math
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from dpviz.release.calibration import calibrated
from dpviz.release.circular_filter import CircularFilter
from dpviz.release.gaussian import log_failure_chance
from dpviz.release.mechanisms import ErrorSummary, absolute_errors, error_summary
from dpviz.release.series import synthetic, synthetic_filter_width, synthetic_rate
from dpviz.scenario.release_settings import ReleaseSettings

MECHANISMS = ("Gaussian", "Fourier", "kept steps", "filtered")
"""The rows of Table 2."""


@dataclass(frozen=True, kw_only=True)
class PublishedSeries:
    """A data set of the paper, at (epsilon, delta) = (0.5, 1e-4).

    Args:
        length: T, its number of steps.
        errors: mean absolute errors of Table 2, in counts, in the order of :data:`MECHANISMS`.
        most_often: Table 1, how often the most frequent individual is counted, by venue; empty
            where the paper does not say. The first venue is the one of Table 2.
    """

    name: str
    length: int
    errors: tuple[float, float, float, float]
    most_often: tuple[int, ...] = ()

    @property
    def settings(self) -> ReleaseSettings:
        """The paper's setting: it takes I to be a tenth of T, rounded up."""
        return ReleaseSettings(length=self.length, participation=math.ceil(self.length / 10))

    @property
    def clipped_mean(self) -> float:
        """How many counts a step has on average at least, if cutting off at 0 explains the print.

        Noise s on a count c errs by s (2 phi(0) - phi(u) + u Phi(-u)) on average, u = c / s, if
        what is below 0 becomes 0. That bends down in u, so where counts differ from step to step
        their mean is larger (Jensen). 0 where the print is larger than the formula without it.
        """
        from scipy.stats import norm  # half a second, which reports need not wait for

        if self.errors[0] >= self.gaussian_error:
            return 0.0
        noise = calibrated(self.settings, "gaussian", "classical").noise

        def excess(u: float) -> float:
            error = 2.0 * norm.pdf(0.0) - norm.pdf(u) + u * norm.cdf(-u)
            return float(noise * error - self.errors[0])

        return noise * float(brentq(excess, 0.0, 10.0))

    @property
    def gaussian_error(self) -> float:
        """The Gaussian mechanism's mean absolute error, in counts: that of its noise alone.

        >>> [round(one.gaussian_error, 1) for one in PUBLISHED]
        [93.0, 59.2, 101.2]
        """
        return calibrated(self.settings, "gaussian", "classical").noise * math.sqrt(2.0 / math.pi)


PUBLISHED = (
    PublishedSeries(name="PeMS", length=1800, errors=(93.0, 55.7, 42.8, 60.9)),
    PublishedSeries(
        name="Gowalla",
        length=725,
        errors=(33.0, 39.3, 16.7, 21.2),
        most_often=(63, 35, 39, 29, 51, 39, 43, 19, 27, 208, 27, 34, 45, 47, 75),
    ),
    PublishedSeries(
        name="Foursquare",
        length=2126,
        errors=(57.4, 42.9, 29.5, 39.6),
        most_often=(208, 127, 98, 225, 265, 121, 191, 78, 94, 182, 170, 206, 94, 82, 350),
    ),
)


WAYS = (
    ("gaussian", "classical"),
    ("dft", "paper"),
    ("subsample", "paper"),
    ("filter-subsample", "paper"),
    ("subsample", "exact"),
    ("filter-subsample", "exact"),
)
"""What Figures 1 and 2 compare, then dpviz's accounting of the last two."""
FREQUENCIES = tuple(2.0**-power for power in range(6, -1, -1))
_INDIVIDUALS_STEPS = 100


def synth_errors(
    frequency: float, observation_noise: float, repetitions: int, seed: int = 1
) -> list[ErrorSummary]:
    """Return the errors of :data:`WAYS` at one sampling frequency of Figure 2, in counts.

    Rate and filter width follow the frequency, I is 100, (epsilon, delta) = (0.5, 1e-4).
    """
    series = synthetic(frequency, observation_noise, seed)
    settings = ReleaseSettings(
        length=len(series.series),
        participation=_INDIVIDUALS_STEPS,
        rate=synthetic_rate(frequency),
        filter_width=synthetic_filter_width(frequency),
    )
    return [
        error_summary(absolute_errors(series, calibrated(settings, *way), repetitions, [seed]))
        for way in WAYS
    ]


FAILURE_RATES = (0.05, 0.1, 0.2, 0.4)


def failure_chances(rate: float, smallest: float) -> tuple[list[float], list[float]]:
    """Return alpha and delta' of Theorem 4, as the appendix's Figure 2: T = 10,000, sigma_g = 10.

    From the alpha on from which Tropp's bound holds and is below 1, to 1 or the smallest delta'.
    """
    filter_ = CircularFilter(10_000, 10.0)
    row, rank = filter_.largest_row, filter_.stable_rank
    found = [
        (float(alpha), log_failure_chance(float(alpha) ** 2, rate, row, rank))
        for alpha in np.linspace(math.sqrt(rate + row), 1.0, 200)
    ]
    kept = [(alpha, math.exp(log)) for alpha, log in found if math.log(smallest) <= log <= 0.0]
    return [alpha for alpha, _ in kept], [chance for _, chance in kept]
