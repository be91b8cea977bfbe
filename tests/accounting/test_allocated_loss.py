"""Bins: outcomes that are put together from one order to the next."""

import pytest

from dpviz.accounting.allocated_loss import _halves, _joined
from dpviz.accounting.discretize import one_unit
from dpviz.accounting.loss_distribution import Direction, Rounding
from dpviz.guarantees import AllocatedPair


@pytest.mark.every(2)
@pytest.mark.parametrize(
    ("batches", "sigma", "is_replaced"),
    [(3, 1.0, False), (10, 0.5, False), (10, 1.0, True), (4, 0.3, True)],
)
def test_masses_from_above_lack_nothing_and_are_not_filled_up_beyond_one(
    batches, sigma, is_replaced
):
    """What lacks would make the bound unsound, what is too much a loose one."""
    high, low = (half.from_above for half in _halves(batches, sigma, is_replaced))
    told = [sum(each) for each in zip(high.total, reversed(low.total), strict=True)]
    together = [
        float(masses.sum()) + side.revealing
        for masses, side in zip(_joined(high, low), (high, low), strict=True)
    ]
    assert min(together) >= 1.0 - 1e-12
    assert max(together) <= max(1.0, *told) + 1e-12


@pytest.mark.parametrize("interval", [1e-4, 2e-5, 6e-6])
def test_few_outcomes_far_apart_lose_little_on_a_grid_from_below(interval):
    """Of millions of epochs the mean loss decides, which is far below the grid's distance."""
    pair = AllocatedPair(batches=2, noise_multiplier=1.0, rate=1e-4)
    unit = one_unit(pair, Direction.FORWARD, Rounding.DOWN, interval)
    mean = float((unit.mass * unit.losses).sum())
    exact = 3.188e-8  # by a sum over a grid of outputs in the plane
    assert 0.97 * exact < mean < exact
    above = one_unit(pair, Direction.FORWARD, Rounding.UP, interval)
    assert exact < float((above.mass * above.losses).sum()) < 1.04 * exact
