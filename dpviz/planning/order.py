"""Which of several runs is proven to be the most private one, and at which epsilons."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import groupby

import numpy as np
import numpy.typing as npt

from dpviz.accounting import Brackets
from dpviz.accounting.buckets import FloatArray
from dpviz.planning.curves import EPSILON_GRID, ScenarioCurves

# Of two runs at some epsilons: the places of ``_ORDERS``, or ``NOT_TOLD``: nobody asks.
Codes = npt.NDArray[np.int8]
NOT_TOLD = -1


class Order(Enum):
    """Which run's upper bound on delta lies below the other's lower one."""

    FIRST = "first"
    SECOND = "second"
    UNPROVEN = "unproven"


@dataclass(frozen=True, kw_only=True)
class Stretch:
    """Neighbouring epsilons of ``EPSILON_GRID`` above 0 with the same order."""

    start: float
    end: float
    order: Order


def is_anywhere(order: Order, region: Sequence[Stretch]) -> bool:
    """Return whether some stretch has an order."""
    return any(stretch.order is order for stretch in region)


# A code is a place here.
_ORDERS = (Order.UNPROVEN, Order.FIRST, Order.SECOND)


def codes_of(one: Brackets, other: Brackets, told: npt.NDArray[np.bool_]) -> Codes:
    """Return which delta is surely the smaller one at each epsilon, wherever that is told."""
    codes = np.where(one.high < other.low, 1, np.where(other.high < one.low, 2, 0))
    return np.where(told, codes, NOT_TOLD).astype(np.int8)


def against_every(codes: Codes) -> Codes:
    """Return the order of one run against several others, of shape (others, epsilons).

    FIRST where it is below each that it is compared with, SECOND where some is below it. Who is
    nowhere below one of them is nowhere below all, though there only others may be compared.
    """
    told = codes != NOT_TOLD
    wins_somewhere = np.any(codes == 1, axis=1) | ~np.any(told, axis=1)
    best = np.all((codes == 1) | ~told, axis=0) & np.all(wins_somewhere)
    combined = np.where(np.any(codes == 2, axis=0), 2, np.where(best, 1, 0))
    return np.where(np.any(told, axis=0), combined, NOT_TOLD).astype(np.int8)


def stretches(codes: Codes, epsilons: FloatArray) -> tuple[Stretch, ...]:
    """Return the neighbouring epsilons of one order, where it is told."""
    told = codes != NOT_TOLD
    pairs = zip(epsilons[told].tolist(), codes[told].tolist(), strict=True)
    groups = ((code, [pair[0] for pair in of]) for code, of in groupby(pairs, lambda pair: pair[1]))
    return tuple(
        Stretch(start=within[0], end=within[-1], order=_ORDERS[code]) for code, within in groups
    )


def proven_order(first: ScenarioCurves, second: ScenarioCurves) -> tuple[Stretch, ...]:
    """Return the order at each epsilon at which one of the deltas is worth telling.

    An upper bound has to lie below the other run's attained lower bound: anything less shows
    which bound is the smaller, and not which run.
    """
    return stretches(_proven_codes(first, second), EPSILON_GRID)


def _proven_codes(first: ScenarioCurves, second: ScenarioCurves) -> Codes:
    one, other = (curves.delta_at(EPSILON_GRID) for curves in (first, second))
    smallest = min(first.smallest_delta, second.smallest_delta)
    told = (np.maximum(one.high, other.high) >= smallest) & (EPSILON_GRID > 0.0)
    return codes_of(one, other, told)


def proven_order_at_delta(first: ScenarioCurves, second: ScenarioCurves) -> Order:
    """Return whose epsilon at the scenarios' delta is proven to be the smaller one."""
    for one, other, order in ((first, second, Order.FIRST), (second, first, Order.SECOND)):
        upper, lower = one.epsilon_upper, other.epsilon_lower
        if upper is not None and lower is not None and upper < lower:
            return order
    return Order.UNPROVEN


def winning_region(one: ScenarioCurves, others: Sequence[ScenarioCurves]) -> tuple[Stretch, ...]:
    """Return where one run is provably more private than all of at least one other.

    FIRST where its upper bound lies below the attained lower bound of *every* other that it is
    compared with, SECOND where *some* other is provably more private than it, UNPROVEN between. The
    epsilons are those of ``EPSILON_GRID``. It is not compared with another where neither delta is
    worth telling, nor where its own is not and no order is proven: the other's then is not either,
    or it is the larger one.
    """
    codes = np.array([_proven_codes(one, other) for other in others])
    smallest = min(curves.smallest_delta for curves in (one, *others))
    negligible = one.delta_at(EPSILON_GRID).high < smallest
    codes[(codes == 0) & negligible] = NOT_TOLD
    return stretches(against_every(codes), EPSILON_GRID)
