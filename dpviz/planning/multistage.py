"""delta(epsilon) of many episodes drawn in stages, as plain arrays."""

import numpy as np

from dpviz.accounting import Curve, composed_curve
from dpviz.guarantees import Bound
from dpviz.multistage import StagedDraw, printed_claim, staged_guarantee
from dpviz.planning.curves import SMALLEST_DELTA, ProvenCurve, epsilons_of, proven_curve

# The first two are proven; ``printed`` is a claim from above, and no bound.
STAGED_LINES = ("upper", "lower", "printed")
# At which epsilon is told.
STAGED_DELTA = 1e-7
# Aimed at in epsilon there: a hundredth of what curves need, as it still takes a tenth of a second.
STAGED_TOLERANCE = 1e-5
# Of what stands in for a line until that is there: it takes about a seventh of the time.
_FIRST_TOLERANCE = 1e-4


def staged_curve(bound: Bound) -> Curve:
    """Return the curve that page, command and script all read delta off."""
    return composed_curve(bound, at_delta=STAGED_DELTA, tolerance=STAGED_TOLERANCE)


def staged_line(
    name: str,
    draw: StagedDraw,
    noise_multiplier: float,
    episodes: int,
    at: float,
    *,
    only_quoted: bool = False,
) -> ProvenCurve:
    """Return one of the ``STAGED_LINES``, known also at one epsilon; its own is at that delta.

    With ``only_quoted`` it has nothing but the side to quote, on a coarser grid.
    """
    if name == "printed":
        bound = printed_claim(draw, noise_multiplier, episodes)
    else:
        guarantee = staged_guarantee(draw, noise_multiplier, episodes)
        assert guarantee.lower is not None  # staged draws always have one
        bound = guarantee.upper if name == "upper" else guarantee.lower
    if only_quoted:
        curve = composed_curve(
            bound, at_delta=STAGED_DELTA, tolerance=_FIRST_TOLERANCE, only_quoted=True
        )
    else:
        curve = staged_curve(bound)
    epsilons = np.union1d(epsilons_of([curve], min(SMALLEST_DELTA, STAGED_DELTA)), [at])
    return proven_curve(curve, epsilons, STAGED_DELTA)


def delta_at(line: ProvenCurve, epsilon: float) -> float:
    """Return delta to quote at one of the line's epsilons."""
    return float(line.delta[line.place_of(epsilon)])
