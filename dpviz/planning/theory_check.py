"""Whether simulated attacks contradict what is proven, and where."""

from dataclasses import dataclass

import numpy as np

from dpviz.accounting.buckets import FloatArray
from dpviz.planning.curves import ScenarioCurves
from dpviz.planning.simulated_attack import ERROR, TESTED_EPSILONS, AttackCounts
from dpviz.planning.worst_case import WorstCase
from dpviz.risk.empirical_delta import DeltaRange


@dataclass(frozen=True, kw_only=True, eq=False)
class TheoryCheck:
    """Counted attacks beside the bounds, all arrays at ``TESTED_EPSILONS``, shape (epsilons,).

    Args:
        case: what was simulated.
        curves: what is proven after as many steps or epochs.
        runs: how many were simulated.
        band: delta of the simulated attack, all ranges together with 95 % confidence.
    """

    case: WorstCase
    curves: ScenarioCurves
    runs: int
    band: DeltaRange

    @property
    def upper(self) -> FloatArray:
        """The upper bound, on its sound side."""
        return self.curves.upper.delta_high[_places(self.curves)]

    @property
    def lower(self) -> FloatArray | None:
        """The lower bound, on its sound side; ``None`` where none is proven."""
        lower = self.curves.lower
        return None if lower is None else lower.delta_low[_places(self.curves)]

    @property
    def attains_lower(self) -> bool:
        """Whether the simulated outputs are those that the lower bound claims.

        Of series of several lengths another one than the simulated may tell more.
        """
        lower = self.curves.lower
        return lower is not None and not lower.bound.other_pairs

    @property
    def above_upper(self) -> FloatArray:
        """The epsilons at which even the lower limit of what was seen is above the upper bound."""
        return TESTED_EPSILONS[self.band.low > self.upper]

    @property
    def below_lower(self) -> FloatArray:
        """The epsilons at which even the upper limit is below the lower bound that it attains."""
        lower = self.lower
        if lower is None or not self.attains_lower:
            return TESTED_EPSILONS[:0]
        return TESTED_EPSILONS[self.band.high < lower]

    @property
    def holds(self) -> bool:
        """Whether nothing that was seen contradicts a bound."""
        return len(self.above_upper) == len(self.below_lower) == 0


def theory_check(case: WorstCase, curves: ScenarioCurves, counts: AttackCounts) -> TheoryCheck:
    """Return the counted attacks beside the bounds.

    Args:
        case: what was simulated.
        curves: of :func:`dpviz.planning.worst_case.after_units` as many units as a run has.
        counts: of all runs.

    >>> from dpviz.planning.curves import curves_of
    >>> from dpviz.planning.simulated_attack import simulated_attack
    >>> from dpviz.planning.worst_case import after_units, worst_case
    >>> from dpviz.scenario import PRESETS
    >>> scenario = PRESETS["toy"].scenario
    >>> case = worst_case(scenario)
    >>> counts = simulated_attack(case, units=2, runs=1000, seed=1)
    >>> theory_check(case, curves_of(after_units(scenario, 2)), counts).holds
    True
    """
    return TheoryCheck(case=case, curves=curves, runs=counts.runs, band=counts.band(ERROR))


def nearest_place(epsilon: float) -> int:
    """Return the place of the tested epsilon that is nearest on a logarithmic axis.

    >>> float(TESTED_EPSILONS[nearest_place(1.0)]), float(TESTED_EPSILONS[nearest_place(0.37)])
    (1.0, 0.398107)
    """
    distances = np.abs(np.log(TESTED_EPSILONS[1:] / epsilon))
    return 1 + int(np.argmin(distances))


def _places(curves: ScenarioCurves) -> list[int]:
    return [curves.at(epsilon) for epsilon in TESTED_EPSILONS.tolist()]
