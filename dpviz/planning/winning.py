"""Where one run is proven more private than several others."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from dpviz.planning.curves import EPSILON_GRID, ScenarioCurves
from dpviz.planning.order import Order, Stretch, proven_order


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
    orders = [_on_grid(proven_order(one, other)) for other in others]
    smallest = min(curves.smallest_delta for curves in (one, *others))
    upper = one.upper.delta_high[one.on_grid]
    negligible = set(EPSILON_GRID[upper < smallest].tolist())

    def compared(epsilon: float) -> list[Order]:
        found = [seen[epsilon] for seen in orders if epsilon in seen]
        return [
            order for order in found if order is not Order.UNPROVEN or epsilon not in negligible
        ]

    told = [epsilon for epsilon in EPSILON_GRID.tolist() if compared(epsilon)]
    return _stretches(told, lambda epsilon: _against_all(compared(epsilon)))


def _on_grid(stretches: Sequence[Stretch]) -> dict[float, Order]:
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
