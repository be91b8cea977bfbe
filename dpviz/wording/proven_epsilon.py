"""Epsilon in words: one that is proven, with its meaning, and what sizes of it mean."""

from collections.abc import Callable, Sequence
from math import inf
from typing import NamedTuple

from dpviz.guarantees import Bound
from dpviz.planning import ScenarioCurves
from dpviz.planning.proven import ProvenEpsilon, SweepPoint
from dpviz.wording.numbers import (
    capitalised,
    counted,
    epsilon_at_most,
    joined,
    rounded_down,
    rounded_up,
)
from dpviz.wording.scope import conditions
from dpviz.wording.theorems import bound_label, qualified_label


def upper_hover(proven: ProvenEpsilon, where: str) -> str:
    """Return an upper bound with its meaning in few words; ``where``, as in "after 100 steps"."""
    value = epsilon_at_most(proven.epsilon_upper, "no finite ε")
    return f"{value} {where}: {qualified_label(proven.upper.bound)}"


def lower_hover(proven: ProvenEpsilon, where: str) -> str:
    """Return a lower bound with its meaning, in few words; there has to be one."""
    assert proven.lower is not None
    assert proven.epsilon_lower is not None
    least = rounded_down(proven.epsilon_lower)
    return f"ε ≥ {least} {where}: {bound_label(proven.lower.bound)}"


def epsilon_range(
    proven: ProvenEpsilon | ScenarioCurves, source: Callable[[Bound], str] = bound_label
) -> str:
    """Return both bounds on epsilon, as in "epsilon is ...", and in brackets ``source`` of each."""
    most = "not bounded by a finite number"
    if proven.epsilon_upper is not None:
        most = f"at most {rounded_up(proven.epsilon_upper)}"
    told = f"{most} ({source(proven.upper.bound)})"
    if not proven.epsilon_lower or proven.lower is None:
        return told  # that epsilon is at least 0 tells nothing
    least = rounded_down(proven.epsilon_lower)
    return f"{told} and at least {least} ({source(proven.lower.bound)})"


def sweep_description(
    title: str, varied: str, runs: Sequence[tuple[str, Sequence[SweepPoint]]]
) -> str:
    """Return a chart of epsilon over something varied in words: the ends of each line."""
    parts = [title + "."]
    points = [point for _, line in runs for point in line]
    if points:
        delta = points[0].scenario.delta
        parts.append(f"Epsilon at delta {delta!r} against {varied}, on logarithmic axes.")
    for label, line in runs:
        ordered = sorted(line, key=lambda point: point.x)
        ends = "; ".join(
            f"with {point.name} epsilon is {epsilon_range(point.proven)}"
            for point in (ordered if len(ordered) < 2 else (ordered[0], ordered[-1]))
        )
        if ends:
            parts.append(f"{capitalised(label)}, {counted(len(ordered), 'point')}: {ends}.")
    return joined(*parts, conditions([point.proven.upper.bound for point in points]))


# e^20 is 500 million: whatever was unlikely beforehand may be all but certain afterwards.
HARDLY_ANY_PROTECTION = 20.0


class EpsilonTier(NamedTuple):
    """How strong protection is from above one epsilon to another."""

    name: str
    start: float
    end: float


# Ponomareva et al., "How to DP-fy ML" (2023), section 5.2: up to 1 strong, up to 10 reasonable,
# above weak to none. They have no border beyond 10.
EPSILON_TIERS = (
    EpsilonTier("strong", 0.0, 1.0),
    EpsilonTier("moderate", 1.0, 10.0),
    EpsilonTier("weak", 10.0, HARDLY_ANY_PROTECTION),
    EpsilonTier("hardly any", HARDLY_ANY_PROTECTION, inf),
)
_PONOMAREVA = "after Ponomareva et al. 2023"
_OWN_BORDER = f"the border at {HARDLY_ANY_PROTECTION:g} is dpviz's own"
TIERS_SOURCE = f"Strong to weak: {_PONOMAREVA}; {HARDLY_ANY_PROTECTION:g} is dpviz's own border."


def tier_of(epsilon: float) -> EpsilonTier:
    """Return the stretch that an epsilon is in; a border belongs to what is below it.

    >>> tier_of(1.0).name, tier_of(9.99).name, tier_of(1e9).name
    ('strong', 'moderate', 'hardly any')
    """
    return next(tier for tier in EPSILON_TIERS if epsilon <= tier.end)


def strength(epsilon: float, of: str, weak: str = "") -> str:
    """Return how strong an upper bound's protection is, and by whose scale, as a sentence.

    ``weak`` is why delta is too large for epsilon to say so, if it is: that is told then.

    >>> strength(2.0, of="one value")
    'ε ≤ 2 is moderate protection of one value (after Ponomareva et al. 2023, *How to DP-fy ML*).'
    """
    if weak:
        return weak
    tier = tier_of(epsilon)
    is_ours = HARDLY_ANY_PROTECTION in (tier.start, tier.end)
    source = f"{_PONOMAREVA}, *How to DP-fy ML*" + (f"; {_OWN_BORDER}" if is_ours else "")
    return f"ε ≤ {rounded_up(epsilon)} is {tier.name} protection of {of} ({source})."
