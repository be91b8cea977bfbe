"""Runs side by side at one delta, and which of them is the best in what."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from dpviz.accounting import Bracket
from dpviz.guarantees import guarantee_for
from dpviz.planning.curves import ScenarioCurves
from dpviz.planning.ways import noise_per_gradient
from dpviz.scenario import Scenario, ScenarioError

# Quoted bounds as near as this, with brackets that overlap, differ by the accountant's grid alone.
_ALIKE = 0.01
_ROUNDING = 1e-9


@dataclass(frozen=True, kw_only=True, eq=False)
class ComparedRun:
    """One row of a comparison.

    Args:
        name: what the pages call it.
        scenario: its settings, with the delta at which runs are compared.
        curves: what is proven about it; ``None`` while it is computed, and where nothing is.
        is_exact: whether ``curves`` are as narrow as they get; coarse ones bound soundly too.
        refusal: why no bound covers it; empty where one does.
    """

    name: str
    scenario: Scenario
    curves: ScenarioCurves | None
    is_exact: bool = True
    refusal: str = ""

    def __post_init__(self) -> None:
        if self.curves is not None and self.curves.scenario.delta != self.scenario.delta:
            only = f"it must be that of the comparison, {self.scenario.delta!r}"
            raise ScenarioError("delta", self.curves.scenario.delta, only)

    @property
    def noise_per_gradient(self) -> float:
        """Sigma / Lambda: noise on the averaged gradient, its deviation in clipping norms."""
        return noise_per_gradient(self.scenario)

    @property
    def is_settled(self) -> bool:
        """Whether nothing more is going to be known about it."""
        return bool(self.refusal) or (self.curves is not None and self.is_exact)

    @property
    def individuals_epsilon(self) -> float | None:
        """The upper bound on an individual's epsilon; ``None`` where no finite one is proven."""
        return None if self.curves is None else self.curves.epsilon_upper


class WhyNone(Enum):
    """Why no run is the best."""

    ONE_RUN = "one run"
    COMPUTING = "computing"
    NO_BOUND = "no bound"
    ALL_ALIKE = "all alike"
    OTHER_PROTECTION = "other protection"


@dataclass(frozen=True, kw_only=True)
class Best:
    """The runs that are the best in one column.

    Args:
        names: in the order of the runs; several if they tie.
        why_none: set exactly where ``names`` is empty.
    """

    names: tuple[str, ...] = ()
    why_none: WhyNone | None = None


def refusal(scenario: Scenario) -> str:
    """Return why no bound covers a scenario, naming the field; empty where one does.

    >>> from dpviz.scenario import PRESETS
    >>> refusal(PRESETS["toy"].scenario)
    ''
    """
    try:
        guarantee_for(scenario)
    except ScenarioError as problem:
        return str(problem)
    return ""


def covers(one: ScenarioCurves, other: ScenarioCurves) -> bool:
    """Return whether one upper bound is about every change of data that the other is about.

    Values anywhere in a series include values in a row, and more of them fewer. A bound that
    holds for limited changes only does not cover one without that condition, unless the relation
    itself has the limit.

    Args:
        one: its upper bound, and that of ``other``, is read as one for an individual.
        other: see there.

    >>> from dataclasses import replace
    >>> from dpviz.planning.curves import curves_of
    >>> from dpviz.scenario import PRESETS, Relation
    >>> toy = PRESETS["toy"].scenario
    >>> wide = curves_of(replace(toy, relation=Relation(width=3)))
    >>> covers(wide, curves_of(toy)), covers(curves_of(toy), wide)
    (True, False)
    """
    mine, theirs = one.scenario.relation, other.scenario.relation
    if (mine.level, theirs.level) == ("event", "user") and theirs.width > 1:
        return False
    if mine.width < theirs.width:
        return False
    if not one.upper.bound.condition:
        return True
    is_limited = bool(other.upper.bound.condition)
    if is_limited and mine.num_channels < theirs.num_channels:
        return False
    if mine.max_change is None or theirs.max_change is None:
        return is_limited and mine.max_change == theirs.max_change
    in_one_unit = one.scenario.units.value_unit == other.scenario.units.value_unit
    return in_one_unit and mine.max_change >= theirs.max_change


def protect_the_same(one: ScenarioCurves, other: ScenarioCurves) -> bool:
    """Return whether two upper bounds, read as ones for an individual, are about the same."""
    return covers(one, other) and covers(other, one)


def are_alike(one: ScenarioCurves, other: ScenarioCurves) -> bool:
    """Return whether no difference of two finite upper bounds is resolved at their delta."""
    brackets = sorted((one.upper.epsilon, other.upper.epsilon), key=_quoted)
    smaller, larger = (_quoted(bracket) for bracket in brackets)
    return (brackets[1].low or 0.0) <= smaller and larger <= smaller * (1.0 + _ALIKE)


def best_epsilon(runs: Sequence[ComparedRun]) -> Best:
    """Return whose upper bound on an individual's epsilon is the smallest.

    It has to protect at least what every other bound in the comparison does: a small number for
    one value is no better than a larger one for a week of them. Which run *is* the most private
    is another question, see :func:`dpviz.planning.order.proven_order_at_delta`.

    Args:
        runs: all at the same delta.

    Raises:
        ScenarioError: two have different deltas.

    >>> from dataclasses import replace
    >>> from dpviz.planning.curves import curves_of
    >>> from dpviz.scenario import PRESETS, Noise
    >>> toy = PRESETS["toy"].scenario
    >>> quiet = replace(toy, noise=Noise(noise_multiplier=2.0))
    >>> best_epsilon([ComparedRun(name=name, scenario=run, curves=curves_of(run))
    ...               for name, run in (("now", toy), ("pin A", quiet))]).names
    ('pin A',)
    """
    check_same_delta(runs)
    if len(runs) < 2:
        return Best(why_none=WhyNone.ONE_RUN)
    if not all(run.is_settled for run in runs):
        return Best(why_none=WhyNone.COMPUTING)
    known = {run.name: run.curves for run in runs if run.individuals_epsilon is not None}
    candidates = {name: curves for name, curves in known.items() if curves is not None}
    if not candidates:
        return Best(why_none=WhyNone.NO_BOUND)
    smallest = min(candidates.values(), key=lambda curves: _quoted(curves.upper.epsilon))
    names = tuple(
        name
        for name, curves in candidates.items()
        if are_alike(smallest, curves) and all(covers(curves, c) for c in candidates.values())
    )
    if not names:
        return Best(why_none=WhyNone.OTHER_PROTECTION)
    if len(names) == len(runs):
        return Best(why_none=WhyNone.ALL_ALIKE)
    return Best(names=names)


def best_noise(runs: Sequence[ComparedRun]) -> Best:
    """Return which run puts the least noise on an averaged gradient.

    Args:
        runs: any; noise on context and labels is another noise and not counted.

    >>> from dpviz.scenario import PRESETS
    >>> best_noise([ComparedRun(name=name, scenario=PRESETS[name].scenario, curves=None)
    ...             for name in ("toy", "traffic")]).names
    ('traffic',)
    """
    if len(runs) < 2:
        return Best(why_none=WhyNone.ONE_RUN)
    least = min(run.noise_per_gradient for run in runs)
    names = tuple(
        run.name
        for run in runs
        if math.isclose(run.noise_per_gradient, least, rel_tol=_ROUNDING, abs_tol=0.0)
    )
    return Best(why_none=WhyNone.ALL_ALIKE) if len(names) == len(runs) else Best(names=names)


def check_same_delta(runs: Sequence[ComparedRun]) -> None:
    """Raise :class:`ScenarioError` where runs are not at one delta: they cannot be compared."""
    deltas = {run.scenario.delta: None for run in runs}
    if len(deltas) > 1:
        first, other, *_ = deltas
        raise ScenarioError("delta", other, f"it must be that of the comparison, {first!r}")


def _quoted(bracket: Bracket) -> float:
    assert bracket.high is not None  # the caller has looked
    return bracket.high
