"""All windows in one bag, as common data loaders build it: Propositions C.1, C.2 and dpviz's 4."""

from dataclasses import replace

from dpviz.guarantees.bound import Bound, Composition, Guarantee, Kind, Unit
from dpviz.guarantees.pairs import SUBSTITUTION_SHIFT, MixturePair, ShiftedMixturePair
from dpviz.guarantees.weights import hypergeometric_law
from dpviz.guarantees.with_replacement import WINDOW_NORM, coupled_counts, touched_mixture

POISSON_BAG = "dpviz's extension: the theorem's pair for one bag in place of one series"


def one_bag(
    *,
    num_windows: int,
    batch_size: int,
    touched_windows: int,
    noise_multiplier: float,
    steps: int,
    is_exact: bool = True,
) -> Guarantee:
    """Return what is proven about batches of fixed size, drawn from all windows.

    Formal guarantee: with H = Hypergeometric(N_total, k, Lambda), for one *step* and one
    individual, who is in k windows, the profile is at most that of the coupled counts of H at
    distances 2i (Proposition 4), and at least H(MoG(2i, H) || N(0)) (C.2, printed "per epoch", but
    it is per step). That of one record equals Thm 4.2's at rate Lambda / N_total (C.1).

    Args:
        num_windows: N_total, or less.
        batch_size: Lambda, at most N_total.
        touched_windows: k, or more.
        steps: number of steps.
        is_exact: whether N_total and k are the numbers themselves; else no lower bound is stated.
    """
    record = Bound(
        theorem="C.1",
        kind=Kind.TIGHT if is_exact else Kind.UPPER,
        unit=Unit.STEP,
        count=steps,
        pair=ShiftedMixturePair(rate=batch_size / num_windows, noise_multiplier=noise_multiplier),
        composition=Composition.MIRRORED,
    )
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
    coupled = replace(
        record, theorem="dpviz 4", kind=Kind.UPPER, pair=coupled_counts(law, noise_multiplier)
    )
    lower = replace(
        record,
        theorem="C.2",
        kind=Kind.LOWER,
        pair=attained,
        composition=Composition.ATTAINED,
    )
    # Who is in one window only is one record.
    upper = record if touched_windows == 1 else coupled
    return Guarantee(upper=upper, lower=lower if is_exact else None)


def one_bag_by_coins(
    *,
    num_windows: int,
    batch_size: int,
    touched_windows: int,
    noise_multiplier: float,
    steps: int,
    is_exact: bool = True,
) -> Guarantee:
    """Return what is proven about batches into which each window comes by a coin of its own.

    Formal guarantee: with p = Lambda / N_total, for one *step* and one individual in k windows the
    profile equals H(MoG(-i, B(k, p)) || MoG(i, B(k, p))): Thm E.8 for the bag in place of a
    series. Arguments as for :func:`one_bag`.
    """
    kind = Kind.TIGHT if is_exact else Kind.UPPER
    upper = Bound(
        theorem="E.8",
        kind=kind,
        unit=Unit.STEP,
        count=steps,
        pair=touched_mixture(
            touched_windows,
            batch_size / num_windows,
            noise_multiplier,
            shift=WINDOW_NORM,
            reflected=True,
        ),
        composition=Composition.MIRRORED,
        extension=POISSON_BAG,
    )
    lower = replace(upper, composition=Composition.ATTAINED) if is_exact else None
    return Guarantee(upper=upper, lower=lower)
