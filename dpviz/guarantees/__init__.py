"""From a scheme to what is proven about it."""

from dpviz.guarantees.allocated import (
    covers_bins,
    one_batch_an_epoch,
    shuffled_batches,
    step_of_bins,
)
from dpviz.guarantees.bound import (
    THEOREMS_OF_ATTACKS,
    Bound,
    Composition,
    Guarantee,
    Kind,
    Unit,
    as_in_the_paper,
    in_one_direction,
)
from dpviz.guarantees.lookup import guarantee_for, revealing_rate
from dpviz.guarantees.noise_on_windows import (
    at_augmented_rate,
    augmented_bottom_rate,
    covers_noise_on_windows,
    windows_with_replacement,
)
from dpviz.guarantees.pairs import (
    SUBSTITUTION_SHIFT,
    AbsentPoissonPair,
    AllocatedPair,
    CoupledPair,
    DominatingPair,
    MixturePair,
    PlanarPair,
    ShiftedMixturePair,
)
from dpviz.guarantees.with_replacement import deterministic_top_level, sampled_top_level

__all__ = [
    "SUBSTITUTION_SHIFT",
    "THEOREMS_OF_ATTACKS",
    "AbsentPoissonPair",
    "AllocatedPair",
    "Bound",
    "Composition",
    "CoupledPair",
    "DominatingPair",
    "Guarantee",
    "Kind",
    "MixturePair",
    "PlanarPair",
    "ShiftedMixturePair",
    "Unit",
    "as_in_the_paper",
    "at_augmented_rate",
    "augmented_bottom_rate",
    "covers_bins",
    "covers_noise_on_windows",
    "deterministic_top_level",
    "guarantee_for",
    "in_one_direction",
    "one_batch_an_epoch",
    "revealing_rate",
    "sampled_top_level",
    "shuffled_batches",
    "step_of_bins",
    "windows_with_replacement",
]
