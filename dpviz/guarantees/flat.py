"""All windows in one bag, as common data loaders build it: Propositions C.1 and C.2."""

from dpviz.guarantees.bound import Bound, Composition, Guarantee, Kind, Unit
from dpviz.guarantees.pairs import SUBSTITUTION_SHIFT, MixturePair, ShiftedMixturePair
from dpviz.guarantees.weights import hypergeometric_law

ONE_WINDOW = "one window of the bag, not one individual, who is in many of them"


def one_bag(
    *,
    num_windows: int,
    batch_size: int,
    touched_windows: int | None,
    noise_multiplier: float,
    steps: int,
) -> Guarantee:
    """Return what is proven about batches drawn without replacement from all windows.

    Formal guarantee: for one *step* the profile of one record equals that of Thm 4.2 at rate
    Lambda / N_total (C.1). One individual is in k of the records: the profile is at least
    H(MoG(2i, Hypergeometric(N_total, k, Lambda)) || N(0)) (C.2, printed "per epoch", but it is
    per step). No upper bound for an individual is proven but for k = 1, one record.

    Args:
        num_windows: N_total.
        batch_size: Lambda, at most N_total.
        touched_windows: k; ``None`` where it is not known exactly, and then no lower bound is.
        noise_multiplier: sigma.
        steps: number of steps.
    """
    record = Bound(
        theorem="C.1",
        kind=Kind.TIGHT,
        unit=Unit.STEP,
        count=steps,
        pair=ShiftedMixturePair(rate=batch_size / num_windows, noise_multiplier=noise_multiplier),
        composition=Composition.MIRRORED,
        # Who is in one window only is one record.
        protects="" if touched_windows == 1 else ONE_WINDOW,
    )
    if touched_windows is None:
        return Guarantee(upper=record, lower=None)
    law = hypergeometric_law(num_windows, touched_windows, batch_size)
    attained = MixturePair(
        means=tuple(SUBSTITUTION_SHIFT * (law.first + i) for i in range(len(law.weights))),
        weights=law.weights,
        noise_multiplier=noise_multiplier,
        reflected=False,
        weight_below=law.below,
        weight_above=law.above,
        largest_mean=SUBSTITUTION_SHIFT * law.largest,
    )
    return Guarantee(
        upper=record,
        lower=Bound(
            theorem="C.2",
            kind=Kind.LOWER,
            unit=Unit.STEP,
            count=steps,
            pair=attained,
            composition=Composition.ATTAINED,
        ),
    )
