"""From a scheme to what is proven about it."""

from dpviz.guarantees.bound import (
    Bound,
    Composition,
    Guarantee,
    Kind,
    Unit,
    as_in_the_paper,
    in_one_direction,
)
from dpviz.guarantees.lookup import guarantee_for, revealing_rate
from dpviz.guarantees.noise_on_windows import covers_noise_on_windows
from dpviz.guarantees.pairs import (
    SUBSTITUTION_SHIFT,
    AbsentPoissonPair,
    CoupledPair,
    DominatingPair,
    MixturePair,
    ShiftedMixturePair,
)
from dpviz.guarantees.planar import PlanarPair
from dpviz.guarantees.with_replacement import deterministic_top_level, sampled_top_level

__all__ = [
    "SUBSTITUTION_SHIFT",
    "AbsentPoissonPair",
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
    "covers_noise_on_windows",
    "deterministic_top_level",
    "guarantee_for",
    "in_one_direction",
    "revealing_rate",
    "sampled_top_level",
]
