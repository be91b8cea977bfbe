"""delta(epsilon) of many episodes drawn in stages, as plain arrays."""

from dataclasses import dataclass

import numpy as np

from dpviz.accounting import composed_curve
from dpviz.accounting.buckets import FloatArray
from dpviz.multistage import StagedDraw, printed_claim, staged_guarantee
from dpviz.planning.curves import SMALLEST_DELTA, ProvenCurve, epsilons_of, proven_curve

STAGED_LINES = ("upper", "lower", "printed")
# At which epsilon is told.
STAGED_DELTA = 1e-7


@dataclass(frozen=True, kw_only=True, eq=False)
class StagedLine:
    """One line of the chart.

    Args:
        name: ``upper`` and ``lower`` are proven; ``printed`` is a claim and no bound.
        curve: its bound, and delta at the epsilons where it is known.
    """

    name: str
    curve: ProvenCurve

    @property
    def delta(self) -> FloatArray:
        """Delta to quote at each epsilon: of an upper bound, or a claim, from above."""
        return self.curve.delta_low if self.name == "lower" else self.curve.delta_high

    @property
    def epsilon(self) -> FloatArray:
        """Where delta is known, shape (epsilons,), increasing from 0."""
        return self.curve.epsilon


def staged_line(
    name: str, draw: StagedDraw, noise_multiplier: float, episodes: int, at: float
) -> StagedLine:
    """Return one line; its epsilon is at ``STAGED_DELTA``.

    Args:
        name: one of ``STAGED_LINES``.
        at: an epsilon at which delta is told.
    """
    if name == "printed":
        bound = printed_claim(draw, noise_multiplier, episodes)
    else:
        guarantee = staged_guarantee(draw, noise_multiplier, episodes)
        assert guarantee.lower is not None  # staged draws always have one
        bound = guarantee.upper if name == "upper" else guarantee.lower
    curve = composed_curve(bound, at_delta=STAGED_DELTA)
    epsilons = np.union1d(epsilons_of([curve], min(SMALLEST_DELTA, STAGED_DELTA)), [at])
    return StagedLine(name=name, curve=proven_curve(curve, epsilons, STAGED_DELTA))


def delta_at(line: StagedLine, epsilon: float) -> float:
    """Return delta to quote at one of the line's epsilons."""
    return float(line.delta[line.curve.place_of(epsilon)])
