"""The lines of a panel: what the paper's figure draws, and what is proven beside it."""

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
    """What is known of one run of a panel.

    Args:
        line: as the paper draws it, see :func:`drawn_line`.
        curves: the proven bounds; ``None`` while they are computed.
    """

    scenario: Scenario
    line: ProvenCurve
    curves: ScenarioCurves | None

    @property
    def kind(self) -> Kind:
        """Direction of the line after all units."""
        return self.line.bound.kind_after_composition


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
    line = run.line
    looked_at = np.isin(line.epsilon, LOOKED_AT)
    return Brackets(low=line.delta_low[looked_at], high=line.delta_high[looked_at])


def as_attained(run: PanelRun) -> FloatArray | None:
    """Return the attained lower bound at each of ``LOOKED_AT``; ``None`` where none is known."""
    if run.curves is None or run.curves.lower is None:
        return None
    return run.curves.lower.delta_low[np.isin(run.curves.epsilon, LOOKED_AT)]


def as_proven(run: PanelRun) -> Brackets:
    """Return between which values the delta of the mechanism itself is proven to lie.

    The drawn line counts where it is a bound, as for a single unit: it is on the finer grid.
    """
    drawn = as_drawn(run)
    nothing = np.zeros_like(drawn.low)
    low = drawn.low if run.kind in (Kind.LOWER, Kind.TIGHT) else nothing
    high = drawn.high if run.kind in (Kind.UPPER, Kind.TIGHT) else nothing + 1.0
    curves = run.curves
    if curves is not None:
        looked_at = np.isin(curves.epsilon, LOOKED_AT)
        high = np.minimum(high, curves.upper.delta_high[looked_at])
    if (attained := as_attained(run)) is not None:
        low = np.maximum(low, attained)
    return Brackets(low=low, high=high)
