"""What a theorem says: about which mechanism, in which direction, by which pair."""

from dataclasses import dataclass
from enum import Enum

from dpviz.guarantees.pairs import ShiftedMixturePair


class Kind(Enum):
    """Direction of a bound on the mechanism's own privacy profile."""

    UPPER = "upper"
    LOWER = "lower"
    TIGHT = "tight"


class Unit(Enum):
    """The mechanism that one application of the bound is about."""

    STEP = "step"
    EPOCH = "epoch"


class Composition(Enum):
    """How a pair stands for the mechanism when it is applied more than once.

    MIRRORED: the one pair whose profile equals the bound at every order and its mirror image
        below 1. It dominates, so its composition is an upper bound.
    ATTAINED: the two distributions of some real gradient function, in one fixed direction.
        Their composition is what an attacker really sees, so the larger one of the two
        directions is a lower bound. It is no upper bound: the worst direction may differ from
        step to step (Lebeda et al. 2024, *Avoiding Pitfalls for Privacy Accounting of
        Subsampled Mechanisms under Composition*).
    """

    MIRRORED = "mirrored"
    ATTAINED = "attained"


@dataclass(frozen=True, kw_only=True)
class Bound:
    """One proven bound on the privacy profile of one step or epoch.

    Args:
        theorem: number of the theorem in Schuchardt et al.
        kind: direction of the bound for one unit.
        unit: what is composed: a training step or an epoch.
        count: how many units training takes.
        pair: the pair whose profile is the bound for orders of 1 and above.
        composition: how the pair is composed with itself.
    """

    theorem: str
    kind: Kind
    unit: Unit
    count: int
    pair: ShiftedMixturePair
    composition: Composition

    @property
    def kind_after_composition(self) -> Kind:
        """Direction of the bound after ``count`` units.

        A mirrored pair that is tight for one unit bounds several units from above only, unless
        some gradient function attains the mirrored pair itself.
        """
        if self.kind is Kind.TIGHT and self.count > 1 and not self.pair.is_symmetric:
            return Kind.UPPER if self.composition is Composition.MIRRORED else Kind.LOWER
        return self.kind


@dataclass(frozen=True, kw_only=True)
class Guarantee:
    """The best proven bounds on one scheme; there may be no proven lower one."""

    upper: Bound
    lower: Bound | None
