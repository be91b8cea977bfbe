"""All ways to protect the data itself, and the words by which each is asked for."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import numpy as np

from dpviz.protected_forecasts.data import Series
from dpviz.protected_forecasts.swapping import NearestSwap, RadiusSwap
from dpviz.scenario import ScenarioError
from dpviz.scenario.errors import checked_real
from dpviz.scenario.number_text import real_number, shown_number
from dpviz.settings.protected_forecasts import (
    BOUND_RANGE,
    CODED_SHARE_RANGE,
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
            raise ScenarioError(
                "value_high", high, f"it must be above value_low ({shown_number(low)})"
            )

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


@dataclass(frozen=True)
class _Coding:
    coded_share: float

    def __post_init__(self) -> None:
        checked_real("coded_share", self.coded_share, *CODED_SHARE_RANGE)


@dataclass(frozen=True)
class TopCoding(_Coding):
    """The highest values of each series become its 1 - p quantile (Bale et al., Table 1).

    The print has the quantile's level as ``F(x) <= p``; 1 - p is meant, as its text says, and its
    numbers come out with. No privacy guarantee: all other values are released as they are.

    Args:
        coded_share: p, the share of values that are cut off.

    >>> values = np.arange(1.0, 12.0)
    >>> TopCoding(0.2).protected((values,), np.random.default_rng())[0].tolist()
    [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 9.0, 9.0]
    """

    def protected(self, series: Series, rng: np.random.Generator) -> Series:  # noqa: ARG002
        """Return the released series; nothing is drawn."""
        return tuple(
            np.minimum(values, np.quantile(values, 1.0 - self.coded_share)) for values in series
        )


@dataclass(frozen=True)
class BottomCoding(_Coding):
    """The lowest values of each series become its p quantile (Bale et al., Table 1).

    No privacy guarantee: all other values are released as they are.

    Args:
        coded_share: p, the share of values that are cut off.

    >>> values = np.arange(1.0, 12.0)
    >>> BottomCoding(0.2).protected((values,), np.random.default_rng())[0].tolist()
    [3.0, 3.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0]
    """

    def protected(self, series: Series, rng: np.random.Generator) -> Series:  # noqa: ARG002
        """Return the released series; nothing is drawn."""
        return tuple(np.maximum(values, np.quantile(values, self.coded_share)) for values in series)


class Protection(Protocol):
    """What makes series that are released out of the confidential ones."""

    def protected(self, series: Series, rng: np.random.Generator) -> Series:
        """Return the released series, as long as the confidential ones."""


@dataclass(frozen=True)
class NoProtection:
    """The series as they are."""

    def protected(self, series: Series, rng: np.random.Generator) -> Series:
        """Return the series."""
        del rng
        return series


@dataclass(frozen=True, kw_only=True)
class Method:
    """One way to protect.

    Args:
        make: returns the protection of given strengths.
        strengths: their names, in the order in which they are written.
        needed: how many of them have to be given.
    """

    make: Callable[..., Protection]
    strengths: tuple[str, ...]
    needed: int


def _nearest(replacement: str) -> Method:
    make = partial(NearestSwap, replacement=replacement)
    return Method(make=make, strengths=("neighbours", "swap_window"), needed=2)


def _radius(replacement: str) -> Method:
    make = partial(RadiusSwap, replacement=replacement)
    return Method(make=make, strengths=("swap_radius", "swap_window", "most_change"), needed=2)


METHODS: dict[str, Method] = {
    "none": Method(make=NoProtection, strengths=(), needed=0),
    "top-coding": Method(make=TopCoding, strengths=("coded_share",), needed=1),
    "bottom-coding": Method(make=BottomCoding, strengths=("coded_share",), needed=1),
    "normal-noise": Method(make=NormalNoise, strengths=("noise_multiple",), needed=1),
    "laplace-own-range": Method(make=LaplaceOwnRange, strengths=("value_epsilon",), needed=1),
    "laplace-known-bounds": Method(
        make=LaplaceKnownBounds,
        strengths=("value_epsilon", "value_low", "value_high"),
        needed=3,
    ),
    "nearest-swap": _nearest("neighbour"),
    "nearest-centroid": _nearest("centroid"),
    "nearest-own-centroid": _nearest("centroid-with-own"),
    "nearest-hull-centroid": _nearest("hull-centroid"),
    "radius-swap": _radius("neighbour"),
    "radius-centroid": _radius("centroid"),
    "radius-own-centroid": _radius("centroid-with-own"),
}


def protection_named(text: str) -> Protection:
    """Return a protection by its method and strengths, with colons between them.

    Raises:
        ScenarioError: there is no such method, or a strength is missing or not allowed.

    >>> protection_named("top-coding:0.1")
    TopCoding(coded_share=0.1)
    >>> protection_named("nearest-swap:5:12")
    NearestSwap(neighbours=5, swap_window=12, replacement='neighbour')
    """
    name, *strengths = text.split(":")
    if (method := METHODS.get(name)) is None:
        raise ScenarioError("protection", text, "it must begin with one of " + ", ".join(METHODS))
    wanted = ":".join((name, *method.strengths[: method.needed]))
    if not method.needed <= len(strengths) <= len(method.strengths):
        raise ScenarioError("protection", text, f"it must be written as {wanted}")
    try:
        return method.make(*map(_number, strengths))
    except ValueError as problem:
        if isinstance(problem, ScenarioError):
            raise
        raise ScenarioError(
            "protection", text, f"it must be written as {wanted}, with numbers"
        ) from None


def written(name: str, strengths: Sequence[float]) -> str:
    """Return the words by which a protection is asked for.

    >>> written("top-coding", [0.1]), written("nearest-swap", [5, 12])
    ('top-coding:0.1', 'nearest-swap:5:12')
    """
    return ":".join([name, *(repr(strength).removesuffix(".0") for strength in strengths)])


def _number(text: str) -> float:
    number = real_number(text)
    return int(number) if number.is_integer() else number
