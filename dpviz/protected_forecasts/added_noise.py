"""Noise added to every value of a series: normal, and Laplace with and without a guarantee."""

from dataclasses import dataclass

import numpy as np

from dpviz.protected_forecasts.data import Series
from dpviz.scenario import ScenarioError
from dpviz.scenario.errors import checked_real
from dpviz.settings.protected_forecasts import (
    BOUND_RANGE,
    NOISE_MULTIPLE_RANGE,
    VALUE_EPSILON_RANGE,
)


@dataclass(frozen=True)
class NormalNoise:
    """Normal noise in proportion to each series' own spread (Bale et al., Table 1).

    No privacy guarantee: the noise of a series depends on the series itself, so its size already
    tells about the values.

    Args:
        noise_multiple: standard deviation of the noise, in standard deviations of the series.
    """

    noise_multiple: float

    def __post_init__(self) -> None:
        checked_real("noise_multiple", self.noise_multiple, *NOISE_MULTIPLE_RANGE)

    def protected(self, series: Series, rng: np.random.Generator) -> Series:
        """Return the released series, which may fall below 0."""
        return tuple(
            values + rng.normal(0.0, self.noise_multiple * float(np.std(values)), len(values))
            for values in series
        )


@dataclass(frozen=True)
class LaplaceOwnRange:
    """Laplace noise by each series' own range, as in the experiments of Bale et al.

    Not differential privacy, in spite of its epsilon: the scale is the distance from the smallest
    to the largest value of the very series that is to be protected, so it changes with the data.

    Args:
        value_epsilon: what the range is divided by to give the scale.
    """

    value_epsilon: float

    def __post_init__(self) -> None:
        checked_real("value_epsilon", self.value_epsilon, *VALUE_EPSILON_RANGE)

    def protected(self, series: Series, rng: np.random.Generator) -> Series:
        """Return the released series, which may fall below 0."""
        return tuple(
            values + rng.laplace(0.0, float(np.ptp(values)) / self.value_epsilon, len(values))
            for values in series
        )


@dataclass(frozen=True)
class LaplaceKnownBounds:
    """Laplace noise by bounds that depend on no data: differential privacy of one value.

    Every value is first cut to the bounds. With scale (high - low) / epsilon, the output changes
    by at most epsilon if one value of one series changes in any way (Dwork et al. 2006): epsilon
    of one value. If all T values of a series may change, it is T times epsilon. Number, lengths and
    names of the series count as public. The noise is drawn in ordinary floating-point numbers,
    whose last digits the theorem does not cover: for studies, not for a release.

    Args:
        value_epsilon: epsilon of one value of one series.
        value_low: the smallest value, known beforehand and public.
        value_high: the largest one, likewise.

    >>> LaplaceKnownBounds(0.5, 0.0, 100.0).scale
    200.0
    >>> LaplaceKnownBounds(0.5, 0.0, 100.0).series_epsilon(72)
    36.0
    """

    value_epsilon: float
    value_low: float
    value_high: float

    def __post_init__(self) -> None:
        checked_real("value_epsilon", self.value_epsilon, *VALUE_EPSILON_RANGE)
        low = checked_real("value_low", self.value_low, *BOUND_RANGE)
        high = checked_real("value_high", self.value_high, *BOUND_RANGE)
        if not low < high:
            raise ScenarioError("value_high", high, f"it must be above value_low ({low:g})")

    @property
    def scale(self) -> float:
        """Of the noise, in the data's unit."""
        return (self.value_high - self.value_low) / self.value_epsilon

    def series_epsilon(self, num_values: int) -> float:
        """Return epsilon of a whole series: upper bound, composed over its values."""
        return self.value_epsilon * num_values

    def protected(self, series: Series, rng: np.random.Generator) -> Series:
        """Return the released series, which may fall outside of the bounds."""
        return tuple(
            np.clip(values, self.value_low, self.value_high)
            + rng.laplace(0.0, self.scale, len(values))
            for values in series
        )
