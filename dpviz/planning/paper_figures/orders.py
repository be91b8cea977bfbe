"""Which run of a panel has the smaller delta: as the paper compares, and as far as it is proven."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.accounting import Brackets
from dpviz.guarantees import Kind, as_in_the_paper
from dpviz.planning.order import Codes, Stretch, against_every, codes_of, stretches
from dpviz.planning.over_steps import DeltaOverSteps, DeltaSide, delta_over_steps, delta_side
from dpviz.planning.paper_figures.families import STEPS_OF_A_WALK
from dpviz.planning.paper_figures.lines import (
    LOOKED_AT,
    SMALLEST_DELTA,
    PanelRun,
    as_drawn,
    as_proven,
)
from dpviz.scenario import Scenario


@dataclass(frozen=True, kw_only=True, eq=False)
class Verdict:
    """One comparison of a panel, in both readings.

    Args:
        one: the run that the figure claims to have the smaller delta.
        other: the run that it is compared with.
        drawn: the order of the two lines as the paper draws them, as far as the numerical
            brackets tell.
        proven: FIRST where the upper bound of ``one`` lies below the attained lower bound of
            ``other``, SECOND the other way round; ``None`` while that is computed.
    """

    one: Scenario
    other: Scenario
    drawn: tuple[Stretch, ...]
    proven: tuple[Stretch, ...] | None


def verdict(one: PanelRun, other: PanelRun) -> Verdict:
    """Return what holds of two runs."""
    is_known = one.curves is not None and other.curves is not None
    return Verdict(
        one=one.scenario,
        other=other.scenario,
        drawn=stretches(_codes(as_drawn(one), as_drawn(other)), LOOKED_AT),
        proven=stretches(_codes(as_proven(one), as_proven(other)), LOOKED_AT) if is_known else None,
    )


def against_all(one: PanelRun, others: Sequence[PanelRun], *, proven: bool) -> tuple[Stretch, ...]:
    """Return where one run is below all others (FIRST), and where some other is below it (SECOND).

    Args:
        others: at least one.
        proven: whether of the mechanisms, or of the lines that the paper draws.
    """
    side = as_proven if proven else as_drawn
    codes = np.array([_codes(side(one), side(other)) for other in others])
    return stretches(against_every(codes), LOOKED_AT)


def largest_difference(one: PanelRun, other: PanelRun) -> float:
    """Return by which part the deltas of two lines differ at most, wherever either is told."""
    first, second = as_drawn(one), as_drawn(other)
    told = np.maximum(first.high, second.high) >= SMALLEST_DELTA
    return float(
        max(
            np.max(above.high[told] / below.low[told])
            for above, below in ((first, second), (second, first))
        )
        - 1.0
    )


def _codes(one: Brackets, other: Brackets) -> Codes:
    told = (np.maximum(one.high, other.low) >= SMALLEST_DELTA) | (other.high >= SMALLEST_DELTA)
    # Where a delta is negligible, nobody asks whether the other one is still smaller.
    is_open = (one.high >= other.low) & (other.high >= one.low)
    return codes_of(one, other, told & ~(is_open & (one.high < SMALLEST_DELTA)))


@dataclass(frozen=True, kw_only=True, eq=False)
class StepsRun:
    """Delta of one run after each step.

    Args:
        proven: upper and attained lower bound.
        attained: the lower one.
        drawn: the side that the paper's figure draws.
    """

    proven: DeltaOverSteps
    attained: DeltaSide
    drawn: DeltaSide

    @property
    def scenario(self) -> Scenario:
        """The training set-up."""
        return self.proven.scenario


@dataclass(frozen=True, kw_only=True)
class StepsVerdict:
    """One window per series against several, at the steps that end an epoch of several.

    Args:
        ends: those steps.
        drawn: the ones at which the drawn delta of one window is the smaller.
        proven: the ones at which its upper bound lies below the other's attained lower bound.
    """

    other: Scenario
    ends: tuple[int, ...]
    drawn: tuple[int, ...]
    proven: tuple[int, ...]


def steps_run(scenario: Scenario, epsilon: float) -> StepsRun:
    """Return a run's delta after each of the figure's steps.

    What is tight for one unit is drawn as the upper bound, any other as in Schuchardt et al.,
    Fig. 10: the lower bound composed mirrored, which after several units is none.

    Raises:
        ValueError: no lower bound is proven of it; of the figure's walks one is.
    """
    proven = delta_over_steps(scenario, epsilon, range(1, STEPS_OF_A_WALK + 1))
    attained, drawn = proven.lower, proven.upper
    if attained is None:
        raise ValueError("scenario has no proven lower bound to compare with")
    if any(bound.kind is Kind.LOWER for bound in attained.bounds):
        drawn = delta_side([as_in_the_paper(bound) for bound in attained.bounds], epsilon)
    return StepsRun(proven=proven, attained=attained, drawn=drawn)


def steps_verdict(one: StepsRun, other: StepsRun) -> StepsVerdict:
    """Return after which steps one window is better than several.

    >>> from dpviz.planning.paper_figures import FIGURES
    >>> one, two, *_ = FIGURES["10"].panel(0).scenarios
    >>> found = steps_verdict(steps_run(one, 1.0), steps_run(two, 1.0))
    >>> len(found.ends), sorted(set(found.ends) - set(found.proven))
    (8, [12, 14, 16])
    """
    steps = other.proven.steps
    at_end = steps % other.scenario.steps_per_epoch == 0
    drawn = at_end & (one.drawn.delta_high < other.drawn.delta_low)
    proven = at_end & (one.proven.upper.delta_high < other.attained.delta_low)
    ends, below, surely = (
        tuple(np.extract(mask, steps).tolist()) for mask in (at_end, drawn, proven)
    )
    return StepsVerdict(other=other.scenario, ends=ends, drawn=below, proven=surely)
