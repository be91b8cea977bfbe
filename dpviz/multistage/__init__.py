"""Sampling in several levels, and what it gains (Tombs et al.)."""

from dpviz.multistage.counterexample import Attained, Comparison, comparison
from dpviz.multistage.draw import StagedDraw, TreeDraw, tree_draw
from dpviz.multistage.guarantee import (
    READINGS,
    Amplified,
    amplified,
    printed_amplified,
    printed_claim,
    staged_guarantee,
)

__all__ = [
    "READINGS",
    "Amplified",
    "Attained",
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
