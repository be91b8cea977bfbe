"""Bins: outcomes that are put together from one order to the next."""

import pytest

from dpviz.accounting.allocated_loss import _joined, _table
from dpviz.accounting.loss_distribution import Rounding


@pytest.mark.every(2)
@pytest.mark.parametrize(
    ("batches", "sigma", "is_replaced"),
    [(3, 1.0, False), (10, 0.5, False), (10, 1.0, True), (4, 0.3, True)],
)
def test_masses_from_above_lack_nothing_and_are_not_filled_up_beyond_one(
    batches, sigma, is_replaced
):
    """What lacks would make the bound unsound, what is too much a loose one."""
    high, low = _table(batches, sigma, is_replaced)[Rounding.UP]
    told = [sum(each) for each in zip(high.total, reversed(low.total), strict=True)]
    together = [
        float(masses.sum()) + side.revealing
        for masses, side in zip(_joined(high, low), (high, low), strict=True)
    ]
    assert min(together) >= 1.0 - 1e-12
    assert max(together) <= max(1.0, *told) + 1e-12
