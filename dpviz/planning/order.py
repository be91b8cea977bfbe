"""Which of several runs is proven to be the most private one, and at which epsilons."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
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
    upper = curves.upper.delta_high[curves.upper.on_grid]
    lower = np.zeros_like(upper)
    if curves.lower is not None:
        lower = curves.lower.delta_low[curves.upper.on_grid]
    return _Deltas(upper=upper, lower=lower)


def _less(one: float | None, other: float | None) -> bool:
    return one is not None and other is not None and one < other


def winning_region(one: ScenarioCurves, others: Sequence[ScenarioCurves]) -> tuple[Stretch, ...]:
    """Return where one run is proven more private than all others.

    FIRST where its upper bound lies below the attained lower bound of *every* other that it is
    compared with, SECOND where *some* other is proven more private than it, UNPROVEN between. The
    epsilons are those of ``EPSILON_GRID``. It is not compared with another where neither delta is
    worth telling, nor where its own is not and no order is proven: the other's then is not either,
    or it is the larger one.

    Args:
        one: the run in question, such as that with one window per series.
        others: at least one run; for a single one this is its :func:`proven_order`.

    Raises:
        ValueError: there is no other run.

    >>> from dpviz.planning.curves import curves_of
    >>> from dpviz.planning.subsequences import with_subsequences
    >>> from dpviz.scenario import PRESETS
    >>> one, other = (
    ...     curves_of(with_subsequences(PRESETS["toy"].scenario, windows)) for windows in (1, 8))
    >>> [stretch.order.value for stretch in winning_region(one, [other])]
    ['first']
    """
    if not others:
        raise ValueError("others is empty: there must be a run to compare with")
    orders = [_orders_on_grid(proven_order(one, other)) for other in others]
    smallest = min(curves.smallest_delta for curves in (one, *others))
    upper = one.upper.delta_high[one.upper.on_grid]
    negligible = set(EPSILON_GRID[upper < smallest].tolist())

    def compared(epsilon: float) -> list[Order]:
        found = [seen[epsilon] for seen in orders if epsilon in seen]
        return [
            order for order in found if order is not Order.UNPROVEN or epsilon not in negligible
        ]

    told = [epsilon for epsilon in EPSILON_GRID.tolist() if compared(epsilon)]
    return _stretches(told, lambda epsilon: _against_all(compared(epsilon)))


def _orders_on_grid(stretches: Sequence[Stretch]) -> dict[float, Order]:
    return {
        epsilon: stretch.order
        for stretch in stretches
        for epsilon in EPSILON_GRID.tolist()
        if stretch.start <= epsilon <= stretch.end
    }


def _against_all(orders: Sequence[Order]) -> Order:
    if Order.SECOND in orders:
        return Order.SECOND
    return Order.FIRST if all(order is Order.FIRST for order in orders) else Order.UNPROVEN


def _stretches(
    epsilons: Sequence[float], order_at: Callable[[float], Order]
) -> tuple[Stretch, ...]:
    stretches: list[Stretch] = []
    for epsilon in epsilons:
        order = order_at(epsilon)
        if stretches and stretches[-1].order is order:
            stretches[-1] = replace(stretches[-1], end=epsilon)
        else:
            stretches.append(Stretch(start=epsilon, end=epsilon, order=order))
    return tuple(stretches)
