"""One window per series, drawn with replacement: Theorems 4.2 and 4.4."""

from dpviz.guarantees.bound import Bound, Composition, Guarantee, Kind, Unit
from dpviz.guarantees.pairs import ShiftedMixturePair


def deterministic_top_level(
    *, bottom_rate: float, noise_multiplier: float, epochs: int
) -> Guarantee:
    """Return the bounds for walking through the series in order (Thm 4.2).

    Formal guarantee: for one *epoch*, any substitution within one series and orders >= 1 the
    profile equals H(MoG([0, 2], [1 - r, r]) || N(0)). Each series is used in exactly one step
    of an epoch, so by parallel composition epochs compose and steps within one do not.

    >>> deterministic_top_level(bottom_rate=0.1, noise_multiplier=1.0, epochs=3).upper.unit.value
    'epoch'
    """
    pair = ShiftedMixturePair(rate=bottom_rate, noise_multiplier=noise_multiplier)
    return _tight("4.2", Unit.EPOCH, epochs, pair)


def sampled_top_level(
    *, bottom_rate: float, top_rate: float, noise_multiplier: float, steps: int
) -> Guarantee:
    """Return the bounds for drawing series without replacement (Thm 4.4).

    Formal guarantee: for one *step*, any substitution within one series and orders >= 1 the
    profile equals H(MoG([0, 2], [1 - rho r, rho r]) || N(0)).
    """
    pair = ShiftedMixturePair(rate=top_rate * bottom_rate, noise_multiplier=noise_multiplier)
    return _tight("4.4", Unit.STEP, steps, pair)


def _tight(theorem: str, unit: Unit, count: int, pair: ShiftedMixturePair) -> Guarantee:
    return Guarantee(
        upper=Bound(
            theorem=theorem,
            kind=Kind.TIGHT,
            unit=unit,
            count=count,
            pair=pair,
            composition=Composition.MIRRORED,
        ),
        # The proof of tightness names a gradient function with exactly these two outputs.
        lower=Bound(
            theorem=theorem,
            kind=Kind.TIGHT,
            unit=unit,
            count=count,
            pair=pair,
            composition=Composition.ATTAINED,
        ),
    )
