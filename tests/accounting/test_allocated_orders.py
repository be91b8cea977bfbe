"""What the grid of sums of ratios cuts off, wraps around and rounds, which bounds count in full."""

from functools import reduce
from math import exp

import numpy as np
import pytest
from scipy import optimize, stats

from dpviz.accounting.allocated_loss import _Half
from dpviz.accounting.allocated_orders import SumOfRatios
from dpviz.accounting.transforms import SummedTransform, transform_error


@pytest.mark.parametrize("s", [0.3, 0.9, 2.0])
def test_what_lies_beyond_the_grid_counts_in_full(s):
    grid = SumOfRatios(8, (s, -s), 2.0, 0.1)

    def ratios_over_last(z):
        x = exp(s * z - s * s / 2) - 2.0 * exp(-s * z - s * s / 2)
        return x - grid._places[-1]

    beyond = stats.norm.sf(optimize.brentq(ratios_over_last, -10.0, 40.0) - s)
    assert grid._law_from_above()[1] == pytest.approx(beyond, rel=1e-9)


@pytest.mark.parametrize(("batches", "s", "order"), [(4, 0.9, 2.0), (8, 0.9, 1.2)])
def test_what_wraps_around_is_bounded(batches, s, order):
    """Against sums that are formed one by one, on a grid that is as wide as they need."""
    grid = SumOfRatios(batches, (s, -s), order, 0.1)
    law, _ = grid._law_from_above()
    tilt, log_moment, outside = grid._best_tilt(law)
    tilted = law * np.exp(tilt * grid._places - log_moment)
    sums = reduce(np.convolve, [tilted] * batches)
    places = batches * grid._first + np.arange(len(sums)) - grid._lowest_sum
    wrapped = sums[(places < 0) | (places >= grid._size)].sum()
    assert 0.0 < wrapped <= outside < 100.0 * wrapped


def test_an_error_of_each_coefficient_is_one_of_the_masses():
    """By Parseval, for a sum of one."""
    grid = SumOfRatios(8, (0.9, -0.9), 2.0, 0.1)
    law, _ = grid._law_from_above()
    summed = SummedTransform([np.fft.rfft(law, grid._size)], [1], grid._size)
    frequencies = len(summed.product)
    least = transform_error(grid._size) * np.sqrt(2.0 * frequencies / grid._size)
    assert least <= summed.error(law) < 2.0 * least


def test_distributions_that_hardly_overlap_take_no_more_orders_than_others():
    """Typical outputs of a batch tell nothing of how far their losses are from 0."""
    half = _Half(10, 0.1, is_replaced=False, from_other_side=False)
    with_sums = 2.0 * np.log(half.orders) + 20.0**2 < 600.0
    assert np.count_nonzero(with_sums) < 160
