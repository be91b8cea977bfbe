"""Windows drawn independently of each other (Poisson): Theorems E.8, F.2 and F.8."""

from dpviz.guarantees.bound import Bound, Composition, Guarantee, Kind, Unit
from dpviz.guarantees.with_replacement import touched_mixture

# A window that touches the individual moves the clipped sum by at most 2: from -1 to +1.
POISSON_SHIFT = 1.0


def poisson_deterministic(
    *, touched: list[tuple[int, float]], noise_multiplier: float, epochs: int
) -> Guarantee:
    """Return the bounds for walking through the series in order (Thm E.8).

    Formal guarantee: for one *epoch* the profile equals
    H(MoG(-i, B(k, p)) || MoG(i, B(k, p))). The second distribution is the first one's
    reflection, so the pair is attained and mirrored at once: it stays tight under composition.

    Args:
        touched: for each length that may be the worst, k and p = min(1, lambda / T).
        noise_multiplier: sigma.
        epochs: number of epochs.
    """
    pairs = [
        touched_mixture(k, p, noise_multiplier, shift=POISSON_SHIFT, reflected=True)
        for k, p in touched
    ]

    def bound(composition: Composition) -> Bound:
        return Bound(
            theorem="E.8",
            kind=Kind.TIGHT,
            unit=Unit.EPOCH,
            count=epochs,
            pair=pairs[0],
            other_pairs=tuple(pairs[1:]),
            composition=composition,
        )

    return Guarantee(upper=bound(Composition.MIRRORED), lower=bound(Composition.ATTAINED))


def poisson_sampled(
    *, touched: list[tuple[int, float]], top_rate: float, noise_multiplier: float, steps: int
) -> Guarantee:
    """Return the bounds for drawing series without replacement (Thms F.2, F.8).

    Formal guarantee: for one *step* the profile is at most rho times that of E.8, and at least
    H((1 - rho) N(0) + rho MoG(-i, B(k, p)) || (1 - rho) N(0) + rho MoG(i, B(k, p))), the outputs
    under the gradient +C on one data set, -C on the other and 0 elsewhere. (The printed F.8 has
    N(0) in second place, which is weaker.) Both are symmetric pairs.

    Args:
        touched: for each length that may be the worst, k and p = min(1, lambda / T).
        top_rate: rho.
        noise_multiplier: sigma.
        steps: number of steps.
    """

    def bound(theorem: str, kind: Kind, rate: float) -> Bound:
        pairs = [
            touched_mixture(k, p, noise_multiplier, shift=POISSON_SHIFT, reflected=True, rate=rate)
            for k, p in touched
        ]
        upper = kind is Kind.UPPER
        return Bound(
            theorem=theorem,
            kind=kind,
            unit=Unit.STEP,
            count=steps,
            pair=pairs[0],
            other_pairs=tuple(pairs[1:]),
            composition=Composition.MIRRORED if upper else Composition.ATTAINED,
            share=top_rate if upper else 1.0,
        )

    return Guarantee(upper=bound("F.2", Kind.UPPER, 1.0), lower=bound("F.8", Kind.LOWER, top_rate))
