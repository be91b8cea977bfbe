"""All ways to protect the data itself, and the words by which each is asked for."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from dpviz.protected_forecasts.added_noise import (
    LaplaceKnownBounds,
    LaplaceOwnRange,
    NormalNoise,
)
from dpviz.protected_forecasts.coding import BottomCoding, TopCoding
from dpviz.protected_forecasts.data import Series
from dpviz.protected_forecasts.swapping import NearestSwap, RadiusSwap
from dpviz.scenario import ScenarioError
from dpviz.scenario.number_text import real_number


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
    def make(neighbours: float, swap_window: float) -> Protection:
        return NearestSwap(neighbours, swap_window, replacement)  # type: ignore[arg-type]

    return Method(make=make, strengths=("neighbours", "swap_window"), needed=2)


def _radius(replacement: str) -> Method:
    def make(radius: float, window: float, most_change: float | None = None) -> Protection:
        return RadiusSwap(radius, window, replacement, most_change)  # type: ignore[arg-type]

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
