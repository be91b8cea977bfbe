"""What is proven about training on draws in stages, and what is printed about it."""

from dpviz.guarantees import (
    SUBSTITUTION_SHIFT,
    Bound,
    Composition,
    Guarantee,
    Kind,
    ShiftedMixturePair,
    Unit,
)
from dpviz.multistage.draw import StagedDraw

READINGS = ("sound", "printed")
PROPOSITION = "Proposition 1 of docs/multistage.md"
PRINTED = "Theorem 3 of Tombs et al. as printed"
# As printed one record is removed and none takes its place, so that the sum moves by C alone.
PRINTED_SHIFT = 1.0


def staged_guarantee(draw: StagedDraw, noise_multiplier: float, episodes: int) -> Guarantee:
    """Return the bounds on releasing noisy clipped sums of drawn records, one for each episode.

    Formal guarantee: for one *episode*, the replacement of one record and orders alpha >= 1 the
    profile is at most p H((1 - q) N(0) + q N(2) || N(0)), with q the chance of the levels from
    ``draw.hidden_from`` on and p that of the levels above (Prop. 1), and at least
    H((1 - eta) N(0) + eta N(2) || N(0)), eta = p q, which gradients that are all the same attain
    (Prop. 2). With p = 1 these are equal.

    Args:
        draw: the levels.
        noise_multiplier: sigma, in units of the norm C that each record's gradient is clipped to.
        episodes: how many are composed.

    >>> from dpviz.scenario.levels import levels_in
    >>> draw = StagedDraw(levels=levels_in("levels", "1:2,5:10"))
    >>> upper = staged_guarantee(draw, 1.0, 1).upper
    >>> upper.share, upper.pair.rate
    (0.5, 0.5)
    """
    upper = Bound(
        theorem=PROPOSITION,
        kind=Kind.TIGHT if draw.hides_units else Kind.UPPER,
        unit=Unit.STEP,
        count=episodes,
        pair=_pair(draw.inner_rate, noise_multiplier, SUBSTITUTION_SHIFT),
        composition=Composition.MIRRORED,
        share=draw.outer_rate,
    )
    lower = Bound(
        theorem="Proposition 2 of docs/multistage.md",
        kind=Kind.TIGHT if draw.hides_units else Kind.LOWER,
        unit=Unit.STEP,
        count=episodes,
        pair=_pair(draw.rate, noise_multiplier, SUBSTITUTION_SHIFT),
        composition=Composition.ATTAINED,
    )
    return Guarantee(upper=upper, lower=lower)


def printed_claim(draw: StagedDraw, noise_multiplier: float, episodes: int) -> Bound:
    """Return what the print claims, composed as the proven bound is. It is no bound.

    For one *episode* and orders >= 1 the claim is H((1 - eta) N(0) + eta N(1) || N(0)). It is
    false where a fixed number of units is drawn: see :mod:`dpviz.multistage.counterexample`.
    """
    return Bound(
        theorem=PRINTED,
        kind=Kind.UNPROVEN,
        unit=Unit.STEP,
        count=episodes,
        pair=_pair(draw.rate, noise_multiplier, PRINTED_SHIFT),
        composition=Composition.MIRRORED,
    )


def _pair(rate: float, noise_multiplier: float, shift: float) -> ShiftedMixturePair:
    return ShiftedMixturePair(rate=rate, noise_multiplier=noise_multiplier, shift=shift)
