"""What Koga et al. print of their experiments, and what follows from it without their data."""

import math
from dataclasses import dataclass

from dpviz.release.calibration import calibrated
from dpviz.scenario.release_settings import ReleaseSettings

MECHANISMS = ("Gaussian", "Fourier", "kept steps", "filtered")
"""The rows of Table 2."""


@dataclass(frozen=True, kw_only=True)
class PublishedSeries:
    """A data set of the paper, at (epsilon, delta) = (0.5, 1e-4).

    Args:
        name: of the data set.
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


def hoeffding_sensitivity(participation: int, rate: float, failure: float) -> float:
    """Return the sensitivity of kept steps by Corollary 1, an upper bound on Theorem 2's.

    Args:
        participation: I, the most steps in which one individual is counted.
        rate: p, the probability with which each step is kept.
        failure: delta', the chance with which it may be exceeded, above 0.

    >>> round(hoeffding_sensitivity(180, 0.1, 1e-4), 2)
    6.84
    """
    spread = math.sqrt(participation / 2.0 * math.log(1.0 / failure))
    return math.sqrt(participation * rate + spread)
