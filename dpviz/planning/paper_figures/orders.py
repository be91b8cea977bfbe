"""Which run of a panel has the smaller delta: as the paper compares, and as far as it is proven."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
import numpy.typing as npt

from dpviz.planning.order import Order, Stretch
from dpviz.planning.paper_figures.lines import (
    LOOKED_AT,
    SMALLEST_DELTA,
    Deltas,
    PanelRun,
    as_drawn,
    as_proven,
)
from dpviz.scenario import Scenario

Codes = npt.NDArray[np.int8]
_ORDERS = {1: Order.FIRST, 2: Order.SECOND, 0: Order.UNPROVEN}
_NOT_TOLD = -1


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
    """Return what holds of two runs.

    Args:
        one: the run that the figure claims to have the smaller delta.
        other: the run that it is compared with.
    """
    is_known = one.curves is not None and other.curves is not None
    return Verdict(
        one=one.scenario,
        other=other.scenario,
        drawn=_stretches(_codes(as_drawn(one), as_drawn(other))),
        proven=_stretches(_codes(as_proven(one), as_proven(other))) if is_known else None,
    )


def against_all(one: PanelRun, others: Sequence[PanelRun], *, proven: bool) -> tuple[Stretch, ...]:
    """Return where one run is below all others (FIRST), and where some other is below it (SECOND).

    Args:
        one: the run in question.
        others: at least one.
        proven: whether of the mechanisms, or of the lines that the paper draws.
    """
    side = as_proven if proven else as_drawn
    codes = np.array([_codes(side(one), side(other)) for other in others])
    told = codes != _NOT_TOLD
    best = np.all((codes == 1) | ~told, axis=0)
    combined = np.where(np.any(codes == 2, axis=0), 2, np.where(best, 1, 0))
    return _stretches(np.where(np.any(told, axis=0), combined, _NOT_TOLD).astype(np.int8))


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


def _codes(one: Deltas, other: Deltas) -> Codes:
    codes = np.where(one.high < other.low, 1, np.where(other.high < one.low, 2, 0))
    told = (np.maximum(one.high, other.low) >= SMALLEST_DELTA) | (other.high >= SMALLEST_DELTA)
    # Where a delta is negligible, nobody asks whether the other one is still smaller.
    told &= (codes != 0) | (one.high >= SMALLEST_DELTA)
    return np.where(told, codes, _NOT_TOLD).astype(np.int8)


def _stretches(codes: Codes) -> tuple[Stretch, ...]:
    told = codes != _NOT_TOLD
    pairs = zip(LOOKED_AT[told].tolist(), codes[told].tolist(), strict=True)
    found = []
    for code, members in groupby(pairs, key=lambda pair: pair[1]):
        epsilons = [epsilon for epsilon, _ in members]
        found.append(Stretch(start=epsilons[0], end=epsilons[-1], order=_ORDERS[code]))
    return tuple(found)
