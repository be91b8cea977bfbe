"""Windows drawn with replacement: Theorems 4.2, 4.3, 4.4, E.1, F.1 and F.7."""

from dpviz.guarantees.bound import Bound, Composition, Guarantee, Kind, Unit
from dpviz.guarantees.pairs import SUBSTITUTION_SHIFT, MixturePair, ShiftedMixturePair
from dpviz.guarantees.weights import binomial_law

GAUSSIAN = "Gaussian mechanism"


def deterministic_top_level(
    *, bottom_rate: float, noise_multiplier: float, epochs: int, subsequences: int = 1
) -> Guarantee:
    """Return the bounds for walking through the series in order (Thms 4.2, 4.3, E.1).

    Formal guarantee: for one *epoch*, any substitution within one series and orders >= 1 the
    profile equals H(MoG([0, 2], [1 - r, r]) || N(0)) for one window per series. For several,
    with B = Binomial(lambda, r), it is at most H(MoG(-2i, B) || MoG(2i, B)), at most that of the
    Gaussian mechanism with sensitivity 2 lambda, and at least H(MoG(2i, B) || N(0)). Each series
    is used in exactly one step of an epoch, so by parallel composition epochs compose and steps
    within one do not.

    >>> deterministic_top_level(bottom_rate=0.1, noise_multiplier=1.0, epochs=3).upper.unit.value
    'epoch'
    """
    if subsequences == 1:
        pair = ShiftedMixturePair(rate=bottom_rate, noise_multiplier=noise_multiplier)
        return _tight("4.2", Unit.EPOCH, epochs, pair)
    return _several(
        ("E.1", "4.3"), Unit.EPOCH, epochs, 1.0, bottom_rate, noise_multiplier, subsequences
    )


def sampled_top_level(
    *,
    bottom_rate: float,
    top_rate: float,
    noise_multiplier: float,
    steps: int,
    subsequences: int = 1,
) -> Guarantee:
    """Return the bounds for drawing series without replacement (Thms 4.4, F.1, F.7).

    Formal guarantee: for one *step*, any substitution within one series and orders >= 1 the
    profile equals H(MoG([0, 2], [1 - rho r, rho r]) || N(0)) for one window per series. For
    several it is at most rho times the epoch's upper bounds, and at least
    H((1 - rho) N(0) + rho MoG(2i, B) || N(0)).
    """
    if subsequences == 1:
        pair = ShiftedMixturePair(rate=top_rate * bottom_rate, noise_multiplier=noise_multiplier)
        return _tight("4.4", Unit.STEP, steps, pair)
    return _several(
        ("F.1", "F.7"), Unit.STEP, steps, top_rate, bottom_rate, noise_multiplier, subsequences
    )


def touched_mixture(
    trials: int,
    probability: float,
    noise_multiplier: float,
    *,
    shift: float,
    reflected: bool,
    rate: float = 1.0,
) -> MixturePair:
    """Return the pair of MoG(shift i, B(trials, probability)), drawn with ``rate``, else N(0).

    Args:
        trials: number of windows that may touch the individual.
        probability: of each to be drawn (or, with replacement, to touch).
        noise_multiplier: sigma.
        shift: what one touching window moves the mean by.
        reflected: whether the second distribution is the first one's reflection, or N(0).
        rate: probability that the series is drawn at all.
    """
    law = binomial_law(trials, probability)
    weights = {law.first + i: rate * weight for i, weight in enumerate(law.weights)}
    if rate < 1.0:
        weights[0] = (1.0 - rate) + weights.get(0, 0.0)
    # Products may underflow where the law itself did not.
    counts = [count for count in sorted(weights) if weights[count] > 0.0]
    # The counts that the law leaves out lie above the 0 of a series that is not drawn.
    apart = law.first > 0 and counts[0] == 0
    return MixturePair(
        means=tuple(shift * count for count in counts),
        weights=tuple(weights[count] for count in counts),
        noise_multiplier=noise_multiplier,
        reflected=reflected,
        weight_below=0.0 if apart else rate * law.below,
        weight_between=rate * law.below if apart else 0.0,
        weight_above=rate * law.above,
        largest_mean=shift * law.largest,
    )


def _several(
    theorems: tuple[str, str],
    unit: Unit,
    count: int,
    share: float,
    bottom_rate: float,
    noise_multiplier: float,
    subsequences: int,
) -> Guarantee:
    def upper(theorem: str, pair: MixturePair | ShiftedMixturePair) -> Bound:
        return Bound(
            theorem=theorem,
            kind=Kind.UPPER,
            unit=unit,
            count=count,
            pair=pair,
            composition=Composition.MIRRORED,
            share=share,
        )

    amplified = touched_mixture(
        subsequences, bottom_rate, noise_multiplier, shift=SUBSTITUTION_SHIFT, reflected=True
    )
    # With large r the amplified bound is worse than no amplification at all.
    plain = ShiftedMixturePair(
        rate=1.0, noise_multiplier=noise_multiplier, shift=SUBSTITUTION_SHIFT * subsequences
    )
    attained = touched_mixture(
        subsequences,
        bottom_rate,
        noise_multiplier,
        shift=SUBSTITUTION_SHIFT,
        reflected=False,
        rate=share,
    )
    return Guarantee(
        upper=upper(theorems[0], amplified),
        other_uppers=(upper(GAUSSIAN, plain),),
        lower=Bound(
            theorem=theorems[1],
            kind=Kind.LOWER,
            unit=unit,
            count=count,
            pair=attained,
            composition=Composition.ATTAINED,
        ),
    )


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
