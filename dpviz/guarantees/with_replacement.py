"""Windows drawn with replacement: Theorems 4.2 to 4.4, F.7 and dpviz's propositions 1 to 3, 7."""

from dataclasses import replace

from dpviz.guarantees.bound import Guarantee, Kind, Unit
from dpviz.guarantees.pairs import (
    SUBSTITUTION_SHIFT,
    CoupledPair,
    DominatingPair,
    MixturePair,
    ShiftedMixturePair,
    crossed_pairs,
)
from dpviz.guarantees.weights import CountLaw, binomial_law

# What a window adds to the clipped sum has at most this norm: where their number is random, one
# that touches the individual moves it from -1 to +1.
WINDOW_NORM = 1.0
# Counts of less probability are taken to reveal everything.
_UNLISTED = 1e-27


def deterministic_top_level(
    *, bottom_rate: float, noise_multiplier: float, epochs: int, subsequences: int = 1
) -> Guarantee:
    """Return the bounds for walking through the series in order (Thms 4.2, 4.3, Proposition 1).

    Formal guarantee: for one *epoch*, any substitution within one series and orders >= 1 the
    profile equals H(MoG([0, 2], [1 - r, r]) || N(0)) for one window per series. For several,
    with B = Binomial(lambda, r), it is at most that of the coupled counts of B at distances 2i,
    and at least H(MoG(2i, B) || N(0)), which it often equals (docs/tighter-bounds.md). Each series
    is used in exactly one step of an epoch, so by parallel composition epochs compose and steps
    within one do not.

    >>> deterministic_top_level(bottom_rate=0.1, noise_multiplier=1.0, epochs=3).upper.unit.value
    'epoch'
    """
    if subsequences == 1:
        pair = ShiftedMixturePair(rate=bottom_rate, noise_multiplier=noise_multiplier)
        return Guarantee.tight("4.2", Unit.EPOCH, epochs, pair)
    law = binomial_law(subsequences, bottom_rate)
    coupled = coupled_counts(law, noise_multiplier)
    attained = touched_mixture(law, noise_multiplier, reflected=False)
    return Guarantee.between(Unit.EPOCH, epochs, ("dpviz 1", coupled), ("4.3", attained))


def sampled_top_level(
    *,
    bottom_rate: float,
    top_rate: float,
    noise_multiplier: float,
    steps: int,
    subsequences: int = 1,
) -> Guarantee:
    """Return the bounds for drawing series without replacement (Thms 4.4, F.7, Propositions 2, 7).

    Formal guarantee: for one *step*, any substitution within one series and orders >= 1 the
    profile equals H(MoG([0, 2], [1 - rho r, rho r]) || N(0)) for one window per series. For
    several it is at most that of the coupled counts of Binomial(lambda, r), drawn with rho, where
    another series' lambda windows are 2 lambda away, and at least
    H((1 - rho) N(0) + rho MoG(2i, B) || N(0)), or what gradients in two directions attain
    (Proposition 7).
    """
    if subsequences == 1:
        pair = ShiftedMixturePair(rate=top_rate * bottom_rate, noise_multiplier=noise_multiplier)
        return Guarantee.tight("4.4", Unit.STEP, steps, pair)
    law = binomial_law(subsequences, bottom_rate)
    coupled = coupled_counts(
        law, noise_multiplier, rate=top_rate, absence=SUBSTITUTION_SHIFT * subsequences
    )
    attained = touched_mixture(law, noise_multiplier, reflected=False, rate=top_rate)
    # Where each batch holds the series no other one needs a direction of its own.
    crossed: tuple[DominatingPair, ...] = ()
    if 0.0 < top_rate < 1.0 and bottom_rate > 0.0:
        crossed = crossed_pairs(subsequences, bottom_rate, top_rate, noise_multiplier)
    by = "dpviz 7" if crossed else "F.7"
    return Guarantee.between(Unit.STEP, steps, ("dpviz 2", coupled), (by, attained), *crossed)


def coins_top_level(
    *,
    bottom_rate: float,
    top_rate: float,
    noise_multiplier: float,
    steps: int,
    subsequences: int = 1,
) -> Guarantee:
    """Return the bounds for drawing each series by a coin of its own (Proposition 3).

    Formal guarantee: for one *step*, any substitution within one series and orders >= 1 the
    profile is at most that of the coupled counts of B = Binomial(lambda, r), drawn with rho, where
    a step without the series is lambda away: nothing takes its place. For one window per series
    some gradient function attains it. It is at least
    H((1 - rho) N(0) + rho MoG(-i, B) || (1 - rho) N(0) + rho MoG(i, B)), by gradients that are 0
    but on windows that touch the individual.
    """
    law = binomial_law(subsequences, bottom_rate)
    absence = WINDOW_NORM * subsequences
    coupled = coupled_counts(law, noise_multiplier, rate=top_rate, absence=absence)
    attained = touched_mixture(law, noise_multiplier, reflected=True, rate=top_rate)
    found = Guarantee.between(Unit.STEP, steps, ("dpviz 3", coupled), ("dpviz 3", attained))
    if subsequences > 1:
        return found
    return replace(found, upper=replace(found.upper, kind=Kind.TIGHT))


def coupled_counts(
    law: CountLaw, noise_multiplier: float, *, rate: float = 1.0, absence: float = 0.0
) -> CoupledPair:
    """Return the coupled counts of windows that touch the individual.

    Args:
        rate: probability that the series is drawn at all.
        absence: distance to a step without it, in clipping norms.
    """
    counts, unlisted = listed_counts(law)
    return CoupledPair(
        distances=tuple(SUBSTITUTION_SHIFT * count for count, _ in counts),
        weights=tuple(weight for _, weight in counts),
        noise_multiplier=noise_multiplier,
        rate=rate,
        absence=absence,
        unlisted=unlisted,
    )


def listed_counts(law: CountLaw) -> tuple[list[tuple[int, float]], float]:
    """Return the counts of a law that are worth a component each, and the weight of all others."""
    counts = [(law.first + i, one) for i, one in enumerate(law.weights) if one > _UNLISTED]
    return counts, law.below + law.above + sum(one for one in law.weights if one <= _UNLISTED)


def touched_mixture(
    law: CountLaw, noise_multiplier: float, *, reflected: bool, rate: float = 1.0
) -> MixturePair:
    """Return what is attained by gradients that tell windows that touch from all others.

    Args:
        law: of how many of the drawn windows touch the individual.
        reflected: whether all others have 0, so that the outputs are MoG(-i) and MoG(i); else they
            have -1, where a window that touches has +1 on the one data set: MoG(2i) and N(0).
        rate: probability that the series is drawn at all; if not, nothing touches.
    """
    shift = WINDOW_NORM if reflected else SUBSTITUTION_SHIFT
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
