"""All ways to protect the data itself, and the words by which each is asked for."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from typing import Protocol

import numpy as np

from dpviz.protected_forecasts.data import FloatArray, Series
from dpviz.protected_forecasts.swapping import NearestSwap, RadiusSwap
from dpviz.scenario import ScenarioError
from dpviz.scenario.number_text import real_number, shown_number
from dpviz.settings.protected_forecasts import ProtectedForecastsView
from dpviz.settings.setting import settings_of


def normal_noise(values: FloatArray, rng: np.random.Generator, noise_multiple: float) -> FloatArray:
    """Return values with normal noise of so many standard deviations of theirs (Table 1).

    No privacy guarantee: the noise of a series depends on the series itself. They may fall below 0.
    """
    return values + rng.normal(0.0, noise_multiple * float(np.std(values)), len(values))


def laplace_own_range(
    values: FloatArray, rng: np.random.Generator, value_epsilon: float
) -> FloatArray:
    """Return values with Laplace noise by their range, as in the experiments of Bale et al.

    Not differential privacy, in spite of its epsilon: the scale is the range of the very series
    that is to be protected, divided by epsilon, so it changes with the data. Values may fall below
    0.
    """
    return values + rng.laplace(0.0, float(np.ptp(values)) / value_epsilon, len(values))


def top_coding(values: FloatArray, _rng: np.random.Generator, coded_share: float) -> FloatArray:
    """Return values of which the highest are their 1 - p quantile (Bale et al., Table 1).

    The print has the quantile's level as ``F(x) <= p``; 1 - p is meant, as its text says, and its
    numbers come out with. No privacy guarantee: all other values are released as they are.

    >>> top_coding(np.arange(1.0, 12.0), np.random.default_rng(), 0.2).tolist()
    [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 9.0, 9.0]
    """
    return np.asarray(np.minimum(values, np.quantile(values, 1.0 - coded_share)))


def bottom_coding(values: FloatArray, _rng: np.random.Generator, coded_share: float) -> FloatArray:
    """Return values of which the lowest are their p quantile; see :func:`top_coding`."""
    return np.asarray(np.maximum(values, np.quantile(values, coded_share)))


class Protection(Protocol):
    """What makes series that are released out of the confidential ones."""

    def protected(self, series: Series, rng: np.random.Generator) -> Series:
        """Return the released series, as long as the confidential ones."""


class OneByOne:
    """A protection of each series by itself, by its values, what to draw from, and strengths."""

    def __init__(self, of_one: Callable[..., FloatArray], *strengths: float) -> None:
        self._of_one, self._strengths = of_one, strengths

    def protected(self, series: Series, rng: np.random.Generator) -> Series:
        """Return the released series."""
        return tuple(self._of_one(values, rng, *self._strengths) for values in series)


@dataclass(frozen=True)
class LaplaceKnownBounds:
    """Laplace noise by bounds that depend on no data: differential privacy of one value.

    Every value is first cut to the bounds. With scale (high - low) / epsilon, the output changes by
    at most epsilon if one value of one series changes in any way (Dwork et al. 2006): epsilon of
    one value. If all T values of a series may change, it is T times epsilon. Bounds, number,
    lengths and names of the series count as public. The noise is drawn in ordinary floating-point
    numbers, whose last digits the theorem does not cover: for studies, not for a release.
    """

    value_epsilon: float
    value_low: float
    value_high: float

    def __post_init__(self) -> None:
        if not self.value_low < self.value_high:
            allowed = f"it must be above value_low ({shown_number(self.value_low)})"
            raise ScenarioError("value_high", self.value_high, allowed)

    @property
    def scale(self) -> float:
        """Of the noise, in the data's unit."""
        return (self.value_high - self.value_low) / self.value_epsilon

    def series_epsilon(self, num_values: int) -> float:
        """Return epsilon of a whole series: upper bound, composed over its values."""
        return float(Decimal(repr(self.value_epsilon)) * num_values)

    def protected(self, series: Series, rng: np.random.Generator) -> Series:
        """Return the released series, which may fall outside of the bounds."""
        return tuple(
            np.clip(values, self.value_low, self.value_high)
            + rng.laplace(0.0, self.scale, len(values))
            for values in series
        )


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


def _each(of_one: Callable[..., FloatArray], *strengths: str) -> Method:
    return Method(make=partial(OneByOne, of_one), strengths=strengths, needed=len(strengths))


def _nearest(replacement: str) -> Method:
    make = partial(NearestSwap, replacement=replacement)
    return Method(make=make, strengths=("neighbours", "swap_window"), needed=2)


def _radius(replacement: str) -> Method:
    make = partial(RadiusSwap, replacement=replacement)
    return Method(make=make, strengths=("swap_radius", "swap_window", "most_change"), needed=2)


METHODS: dict[str, Method] = {
    "none": _each(lambda values, _rng: values),
    "top-coding": _each(top_coding, "coded_share"),
    "bottom-coding": _each(bottom_coding, "coded_share"),
    "normal-noise": _each(normal_noise, "noise_multiple"),
    "laplace-own-range": _each(laplace_own_range, "value_epsilon"),
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
# As the page has them. A change may be as large as the radius in which one is looked for.
_SETTINGS = {one.name: one for one in settings_of(ProtectedForecastsView)}
_SETTINGS["most_change"] = replace(_SETTINGS["swap_radius"], name="most_change")


def protection_named(text: str) -> Protection:
    """Return a protection by its method and strengths, with colons between them.

    Raises ``ScenarioError`` if there is no such method, or a strength is missing or not allowed.

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
        numbers = list(map(real_number, strengths))
    except ValueError:
        allowed = f"it must be written as {wanted}, with numbers"
        raise ScenarioError("protection", text, allowed) from None
    given = zip(method.strengths, numbers, strict=False)
    return method.make(*(_SETTINGS[name].checked(strength) for name, strength in given))


def written(name: str, strengths: Sequence[float]) -> str:
    """Return the words by which a protection is asked for."""
    return ":".join([name, *(repr(strength).removesuffix(".0") for strength in strengths)])
