"""Which of two runs is proven to be the more private one, and at which epsilons."""

from dataclasses import dataclass
from enum import Enum
from itertools import groupby

import numpy as np

from dpviz.accounting.buckets import FloatArray
from dpviz.planning.curves import EPSILON_GRID, ScenarioCurves


class Order(Enum):
    """Which run's upper bound on delta lies below the other's lower one."""

    FIRST = "first"
    SECOND = "second"
    UNPROVEN = "unproven"


@dataclass(frozen=True, kw_only=True)
class Stretch:
    """Neighbouring epsilons of ``EPSILON_GRID`` above 0 with the same order.

    Args:
        start: the first of them.
        end: the last of them.
        order: who is the more private at each of them.
    """

    start: float
    end: float
    order: Order


def proven_order(first: ScenarioCurves, second: ScenarioCurves) -> tuple[Stretch, ...]:
    """Return the order at each epsilon at which one of the deltas is worth telling.

    An upper bound has to lie below the other run's attained lower bound: anything less shows
    which bound is the smaller, and not which run.

    >>> from dpviz.planning.curves import curves_of
    >>> from dpviz.scenario import PRESETS
    >>> toy = curves_of(PRESETS["toy"].scenario)
    >>> [stretch.order.value for stretch in proven_order(toy, toy)]
    ['unproven']
    """
    one, other = _on_grid(first), _on_grid(second)
    smallest = min(first.smallest_delta, second.smallest_delta)
    told = (np.maximum(one.upper, other.upper) >= smallest) & (EPSILON_GRID > 0.0)
    codes = np.where(one.upper < other.lower, 1, np.where(other.upper < one.lower, 2, 0))
    orders = {1: Order.FIRST, 2: Order.SECOND, 0: Order.UNPROVEN}
    stretches = []
    pairs = zip(EPSILON_GRID[told].tolist(), codes[told].tolist(), strict=True)
    for code, members in groupby(pairs, key=lambda pair: pair[1]):
        epsilons = [epsilon for epsilon, _ in members]
        stretches.append(Stretch(start=epsilons[0], end=epsilons[-1], order=orders[code]))
    return tuple(stretches)


def proven_order_at_delta(first: ScenarioCurves, second: ScenarioCurves) -> Order:
    """Return whose epsilon at the scenarios' delta is proven to be the smaller one."""
    if _less(first.epsilon_upper, second.epsilon_lower):
        return Order.FIRST
    if _less(second.epsilon_upper, first.epsilon_lower):
        return Order.SECOND
    return Order.UNPROVEN


@dataclass(frozen=True, kw_only=True, eq=False)
class _Deltas:
    """Bounds on an individual's delta at each epsilon of the grid.

    Args:
        upper: on its sound side.
        lower: 0 where none is proven.
    """

    upper: FloatArray
    lower: FloatArray


def _on_grid(curves: ScenarioCurves) -> _Deltas:
    upper = curves.upper.delta_high[curves.on_grid]
    lower = np.zeros_like(upper)
    if curves.lower is not None:
        lower = curves.lower.delta_low[curves.on_grid]
    return _Deltas(upper=upper, lower=lower)


def _less(one: float | None, other: float | None) -> bool:
    return one is not None and other is not None and one < other
