"""Bounds and profiles that many tests are about."""

import mpmath
from mpmath import mpf

from dpviz.accounting.composition import composed_profile
from dpviz.accounting.discretize import one_unit
from dpviz.accounting.loss_distribution import Direction, Rounding
from dpviz.accounting.profile import Profile
from dpviz.accounting.tilted_sum import Repeated
from dpviz.guarantees import (
    Bound,
    Composition,
    DominatingPair,
    Guarantee,
    Kind,
    MixturePair,
    ShiftedMixturePair,
    Unit,
    deterministic_top_level,
    sampled_top_level,
)
from tests.accounting.exact_mixtures import BASE, DIGITS, Exact


def drawn(rate: float, sigma: float, steps: int, windows: int = 1, top: float = 1.0) -> Guarantee:
    """Return the bounds on steps that draw a series at a rate, and windows that touch at another.

    Args:
        rate: at which a window of the series touches the individual.
        sigma: the noise.
        steps: of training.
        windows: of a series that is drawn.
        top: at which series are drawn.
    """
    return sampled_top_level(
        bottom_rate=rate,
        top_rate=top,
        noise_multiplier=sigma,
        steps=steps,
        subsequences=windows,
    )


def walked(rate: float, sigma: float, epochs: int, windows: int = 1) -> Guarantee:
    """Return the bounds on epochs through all series."""
    return deterministic_top_level(
        bottom_rate=rate, noise_multiplier=sigma, epochs=epochs, subsequences=windows
    )


def both(rate: float, sigma: float, steps: int) -> tuple[Bound, Bound]:
    """Return the upper and the lower one."""
    guarantee = drawn(rate, sigma, steps)
    assert guarantee.lower is not None
    return guarantee.upper, guarantee.lower


def attained(pair: DominatingPair, count: int = 1) -> Bound:
    """Return the lower bound of what a pair's outputs tell in so many steps."""
    return Bound(
        theorem="dpviz 7",
        kind=Kind.LOWER,
        unit=Unit.STEP,
        count=count,
        pair=pair,
        composition=Composition.ATTAINED,
    )


def exact_of(pair: ShiftedMixturePair | MixturePair) -> Exact:
    """Return the profile of what a pair says of itself, without what it does not list."""
    if isinstance(pair, ShiftedMixturePair):
        with mpmath.workdps(DIGITS):
            laws = [{0: 1 - mpf(pair.rate), pair.shift: mpf(pair.rate)}, BASE]
    else:
        laws = [dict(zip(means, map(mpf, law), strict=True)) for means, law in pair.components]
    return Exact(first=laws[0], second=laws[1], sigma=pair.noise_multiplier)


def profile_of_units(
    pair: DominatingPair, direction: Direction, rounding: Rounding, interval: float, count: int = 1
) -> Profile:
    """Return the profile of so many units on a given grid."""
    unit = one_unit(pair, direction, rounding, interval)
    return composed_profile([Repeated(unit, count)], rounding)
