"""Sampling in several levels, and what it gains (Tombs et al.)."""

from dpviz.multistage.counterexample import Comparison, comparison
from dpviz.multistage.draw import StagedDraw, TreeDraw, tree_draw
from dpviz.multistage.guarantee import (
    amplified,
    printed_amplified,
    printed_claim,
    staged_guarantee,
)

__all__ = [
    "Comparison",
    "StagedDraw",
    "TreeDraw",
    "amplified",
    "comparison",
    "printed_amplified",
    "printed_claim",
    "staged_guarantee",
    "tree_draw",
]
