"""From a scheme to what is proven about it."""

from dpviz.guarantees.bound import Bound, Composition, Guarantee, Kind, Unit
from dpviz.guarantees.lookup import guarantee_for
from dpviz.guarantees.pairs import SUBSTITUTION_SHIFT, ShiftedMixturePair
from dpviz.guarantees.with_replacement import deterministic_top_level, sampled_top_level

__all__ = [
    "SUBSTITUTION_SHIFT",
    "Bound",
    "Composition",
    "Guarantee",
    "Kind",
    "ShiftedMixturePair",
    "Unit",
    "deterministic_top_level",
    "guarantee_for",
    "sampled_top_level",
]
