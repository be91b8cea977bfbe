"""Epsilon over one thing that is varied while all else stays."""

from dataclasses import dataclass

from dpviz.planning.proven_epsilon import ProvenEpsilon
from dpviz.scenario import Scenario


@dataclass(frozen=True, kw_only=True)
class SweepPoint:
    """What is proven where the varied thing has one value.

    Args:
        x: the value.
        name: the value in words, as in "with ...".
        scenario: the training set-up there.
        proven: what is proven about it, at its delta.
    """

    x: float
    name: str
    scenario: Scenario
    proven: ProvenEpsilon
