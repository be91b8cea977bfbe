"""The lines of a panel: as the paper draws them, as proven, and which run has the smaller delta."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.accounting import Brackets, composed_curve
from dpviz.accounting.buckets import FloatArray
from dpviz.guarantees import Bound, Kind, as_in_the_paper, guarantee_for
from dpviz.planning.curves import (
    EPSILON_GRID,
    ProvenCurve,
    ScenarioCurves,
    epsilons_of,
    proven_curve,
)
from dpviz.planning.order import Codes, Stretch, against_every, codes_of, stretches
from dpviz.planning.over_steps import DeltaOverSteps, DeltaSide, delta_over_steps, delta_side
from dpviz.planning.paper_figures.families import STEPS_OF_A_WALK
from dpviz.scenario import Scenario

# What the paper's accountant leaves out; orders are told down to here.
SMALLEST_DELTA = 1e-15
# The figures begin at 1e-3, and delta is negligible everywhere long before 1e3.
FIRST_EPSILON, LAST_EPSILON = 1e-3, 1e3
LOOKED_AT = EPSILON_GRID[(EPSILON_GRID >= FIRST_EPSILON) & (EPSILON_GRID <= LAST_EPSILON)]
# Some curves are less than 1 % apart where delta is large: this grid tells them apart.
_DELTA, _TOLERANCE = 0.2, 1e-4


@dataclass(frozen=True, kw_only=True, eq=False)
class PanelRun:
    """What is known of one run of a panel: its :func:`drawn_line`, and proven bounds if any."""

    scenario: Scenario
    line: ProvenCurve
    curves: ScenarioCurves | None

    @property
    def kind(self) -> Kind:
        """Direction of the line after all units."""
        return self.line.bound.kind_after_composition

    @property
    def attained(self) -> Bound | None:
        """The lower bound, if known, where the line is not attained itself or another one is."""
        lower = None if self.curves is None else self.curves.lower
        if lower is None:
            return None
        drawn, attained = self.line.bound, lower.of_curve
        is_apart = drawn.count > 1 or attained.theorem != drawn.theorem
        return attained if is_apart else None


def drawn_bound(scenario: Scenario) -> Bound:
    """Return the bound whose mirrored pair the figures compose for a run.

    Of several windows, and of one bag, that is the lower bound; of all else the upper one, also
    with noise on windows.
    """
    guarantee, noise = guarantee_for(scenario), scenario.noise
    is_noisy = noise.is_on_windows
    if guarantee.lower is not None and guarantee.lower.kind is Kind.LOWER and not is_noisy:
        return as_in_the_paper(guarantee.lower)
    return guarantee.upper


def drawn_line(scenario: Scenario) -> ProvenCurve:
    """Return a run's curve as the paper draws it: composed from the mirrored pair.

    For a bound that is tight for one unit, and for an upper one, that is an upper bound. A lower
    bound composed so bounds from neither side after several units (``Kind.UNPROVEN``).

    >>> from dpviz.planning.paper_figures import FIGURES
    >>> one, *_, many = FIGURES["2"].panel(1).scenarios
    >>> [drawn_line(run).bound.kind_after_composition.value for run in (one, many)]
    ['upper', 'unproven']
    """
    curve = composed_curve(drawn_bound(scenario), at_delta=_DELTA, tolerance=_TOLERANCE)
    return proven_curve(curve, epsilons_of([curve], SMALLEST_DELTA), scenario.delta)


def as_drawn(run: PanelRun) -> Brackets:
    """Return the brackets of the line that the paper draws."""
    return run.line.delta_at(LOOKED_AT)


def as_attained(run: PanelRun) -> FloatArray | None:
    """Return the attained lower bound at each of ``LOOKED_AT``; ``None`` where none is known."""
    lower = None if run.curves is None else run.curves.lower
    return None if lower is None else lower.delta_at(LOOKED_AT).low


def as_proven(run: PanelRun) -> Brackets:
    """Return between which values the delta of the mechanism itself is proven to lie.

    The drawn line counts where it is a bound, as for a single unit: it is on the finer grid.
    """
    drawn = as_drawn(run)
    nothing = np.zeros_like(drawn.low)
    low = drawn.low if run.kind in (Kind.LOWER, Kind.TIGHT) else nothing
    high = drawn.high if run.kind in (Kind.UPPER, Kind.TIGHT) else nothing + 1.0
    if run.curves is not None:
        proven = run.curves.delta_at(LOOKED_AT)
        low, high = np.maximum(low, proven.low), np.minimum(high, proven.high)
    return Brackets(low=low, high=high)


@dataclass(frozen=True, kw_only=True, eq=False)
class Verdict:
    """One comparison of a panel, in both readings.

    Args:
        one: the run that the figure claims to have the smaller delta than the other.
        drawn: the order of the two lines as the paper draws them, as far as the numerical brackets
            tell.
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

    The order is of the mechanisms, if it is to be proven, or of the lines that the paper draws.
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
    told = np.maximum(one.high, other.high) >= SMALLEST_DELTA
    # Where a delta is negligible, nobody asks whether the other one is still smaller.
    is_open = (one.high >= other.low) & (other.high >= one.low)
    return codes_of(one, other, told & ~(is_open & (one.high < SMALLEST_DELTA)))


@dataclass(frozen=True, kw_only=True, eq=False)
class StepsRun:
    """Delta of one run after each step: proven, attained from below, and as the paper draws it."""

    proven: DeltaOverSteps
    attained: DeltaSide
    drawn: DeltaSide

    @property
    def scenario(self) -> Scenario:
        """The training set-up."""
        return self.proven.scenario


@dataclass(frozen=True, kw_only=True)
class StepsVerdict:
    """One window per series against several, at the steps that end an epoch of several (``ends``).

    Args:
        drawn: those at which the drawn delta of one window is the smaller.
        proven: those at which its upper bound lies below the other's attained lower bound.
    """

    other: Scenario
    ends: tuple[int, ...]
    drawn: tuple[int, ...]
    proven: tuple[int, ...]


def steps_run(scenario: Scenario, epsilon: float) -> StepsRun:
    """Return a run's delta after each of the figure's steps.

    What is tight for one unit is drawn as the upper bound, any other as in Schuchardt et al., Fig.
    10: the lower bound composed mirrored, which after several units is none. Raises ``ValueError``
    where no lower bound is proven; of the figure's walks one is.
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
