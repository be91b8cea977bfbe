"""What a theorem says: about which mechanism, in which direction, by which pair."""

from dataclasses import dataclass, replace
from enum import Enum

from dpviz.guarantees.pairs import DominatingPair, PlanarPair

# Of whose numbers an attack is computed, above which the bound itself may lie.
THEOREMS_OF_ATTACKS = ("dpviz 7", "dpviz 9", "dpviz 22")


class Kind(Enum):
    """Direction of a bound on the mechanism's own privacy profile.

    UNPROVEN: neither an upper nor a lower bound; what the composition of a lower bound's mirrored
        pair is, which the paper's figures show.
    """

    UPPER = "upper"
    LOWER = "lower"
    TIGHT = "tight"
    UNPROVEN = "unproven"


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
    ADAPTIVE: the same, but which of the two directions it is may be chosen between units, by what
        earlier ones have shown: a lower bound that is never smaller.
    RECURSIVE: no pair by itself, but the gradients that tell most of what is open after each unit:
        an upper bound below the mirrored pair's (Proposition 23).
    """

    MIRRORED = "mirrored"
    ATTAINED = "attained"
    ADAPTIVE = "adaptive"
    RECURSIVE = "recursive"


@dataclass(frozen=True, kw_only=True)
class Bound:
    """One proven bound on the privacy profile of one step or epoch.

    Args:
        theorem: number of the theorem in Schuchardt et al.; of a proposition of dpviz's own (in
            docs/tighter-bounds.md) with its name before it.
        kind: direction of the bound for one unit.
        unit: what is composed: a training step or an epoch.
        count: how many units training takes.
        pair: the pair whose profile is the bound for orders of 1 and above.
        composition: how the pair is composed with itself.
        share: the bound is this part of the pair's profile.
        extension: what dpviz adds to the theorem as printed, in words; empty where nothing.
        condition: what has to hold besides the scenario's relation; empty where nothing.
        other_pairs: pairs of series of other lengths, any of which may be the worst; of an attained
            bound also other attacks, any of which may tell most.
    """

    theorem: str
    kind: Kind
    unit: Unit
    count: int
    pair: DominatingPair
    composition: Composition
    share: float = 1.0
    extension: str = ""
    condition: str = ""
    other_pairs: tuple[DominatingPair, ...] = ()

    @property
    def pairs(self) -> tuple[DominatingPair, ...]:
        """All pairs; at each epsilon the one with the largest delta counts."""
        return (self.pair, *self.other_pairs)

    @property
    def is_of_an_attack(self) -> bool:
        """Whether what is computed is what one attacker sees: the bound itself may be larger.

        Who sees cells instead of outputs (Propositions 7 and 22), or chooses by stages instead of
        by steps (Proposition 9).
        """
        in_a_plane = any(isinstance(pair, PlanarPair) for pair in self.pairs)
        chooses = self.composition is Composition.ADAPTIVE and self.count > 1
        return in_a_plane or (chooses and not all(pair.is_symmetric for pair in self.pairs))

    @property
    def bounds_from_above(self) -> bool:
        """Whether the bound's sound side is the larger one.

        A lower bound that is composed mirrored, as in the paper's figures, bounds from below for
        one unit and not at all for several: what is read off it is the smaller side.
        """
        mirrored = self.composition is Composition.MIRRORED and self.kind is not Kind.LOWER
        return mirrored or self.composition is Composition.RECURSIVE

    @property
    def kind_after_composition(self) -> Kind:
        """Direction of the bound after ``count`` units.

        A mirrored pair that is tight for one unit bounds several units from above only, unless
        some gradient function attains the mirrored pair itself. If it is a lower bound for one
        unit, it bounds several from neither side: what it mirrors at orders below 1 no gradient
        function need attain along with the rest.
        """
        is_its_own_mirror = self.share == 1.0 and all(pair.is_symmetric for pair in self.pairs)
        if self.count == 1 or is_its_own_mirror:
            return self.kind
        mirrored = self.composition is Composition.MIRRORED
        if self.kind is Kind.TIGHT:
            return Kind.UPPER if mirrored else Kind.LOWER
        return Kind.UNPROVEN if mirrored and self.kind is Kind.LOWER else self.kind


@dataclass(frozen=True, kw_only=True)
class Guarantee:
    """The best proven bounds on one scheme, for one individual; there may be no proven lower one.

    Args:
        lower: the largest proven lower bound.
    """

    upper: Bound
    lower: Bound | None

    def __post_init__(self) -> None:
        """Call no lower bound exact that lies below an upper one, such as that of a part."""
        lower = self.lower
        if lower is None or self.upper.kind_after_composition is Kind.TIGHT:
            return
        if lower.kind_after_composition is Kind.TIGHT:
            object.__setattr__(self, "lower", replace(lower, kind=Kind.LOWER))

    @classmethod
    def between(
        cls,
        unit: Unit,
        count: int,
        upper: tuple[str, DominatingPair],
        lower: tuple[str, DominatingPair],
        *other_attacks: DominatingPair,
    ) -> "Guarantee":
        """Return an upper bound and an attained lower one, each by theorem and pair."""
        above = Bound(
            theorem=upper[0],
            kind=Kind.UPPER,
            unit=unit,
            count=count,
            pair=upper[1],
            composition=Composition.MIRRORED,
        )
        attained = replace(above, kind=Kind.LOWER, composition=Composition.ATTAINED)
        below = replace(attained, theorem=lower[0], pair=lower[1], other_pairs=other_attacks)
        return cls(upper=above, lower=below)

    @classmethod
    def tight(
        cls, theorem: str, unit: Unit, count: int, *pairs: DominatingPair, extension: str = ""
    ) -> "Guarantee":
        """Return bounds of which some gradient functions have exactly these outputs."""
        upper = Bound(
            theorem=theorem,
            kind=Kind.TIGHT,
            unit=unit,
            count=count,
            pair=pairs[0],
            other_pairs=pairs[1:],
            composition=Composition.MIRRORED,
            extension=extension,
        )
        return cls(upper=upper, lower=replace(upper, composition=Composition.ATTAINED))


def as_in_the_paper(bound: Bound) -> Bound:
    """Return a lower bound composed mirrored, as the figures of Schuchardt et al. draw it.

    For one unit it is the same bound; for several its kind is ``Kind.UNPROVEN``. (A bound that is
    tight for one unit is an upper one for several, and a pair that is its own mirror image stays
    what it is.) Attacks that are dpviz's own are left out.
    """
    return replace(in_one_direction(bound), composition=Composition.MIRRORED)


def in_one_direction(bound: Bound) -> Bound:
    """Return a bound without the attacks whose gradients point in two directions.

    What is left of Proposition 7 is Theorem F.7.
    """
    along_a_line = tuple(pair for pair in bound.other_pairs if not isinstance(pair, PlanarPair))
    if along_a_line == bound.other_pairs:
        return bound
    theorem = "F.7" if bound.theorem == "dpviz 7" else bound.theorem
    return replace(bound, theorem=theorem, other_pairs=along_a_line)
