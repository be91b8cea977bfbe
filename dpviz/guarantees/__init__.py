"""From a scheme to what is proven about it."""

from dpviz.guarantees.bound import (
    Bound,
    Composition,
    Guarantee,
    Kind,
    Unit,
    as_in_the_paper,
)
from dpviz.guarantees.lookup import guarantee_for
from dpviz.guarantees.pairs import (
    SUBSTITUTION_SHIFT,
    DominatingPair,
    MixturePair,
    ShiftedMixturePair,
)
from dpviz.guarantees.with_replacement import deterministic_top_level, sampled_top_level

__all__ = [
    "SUBSTITUTION_SHIFT",
    "Bound",
    "Composition",
    "DominatingPair",
    "Guarantee",
    "Kind",
    "MixturePair",
    "ShiftedMixturePair",
    "Unit",
    "as_in_the_paper",
    "deterministic_top_level",
    "guarantee_for",
    "sampled_top_level",
]
