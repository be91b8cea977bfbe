"""Bins: outcomes that are put together from one order to the next."""

import numpy as np
import pytest
from scipy.special import logsumexp

from dpviz.accounting import composed_curve
from dpviz.accounting.allocated_loss import _halves, _joined
from dpviz.accounting.curve import COARSE_TOLERANCE
from dpviz.accounting.discretize import one_unit
from dpviz.accounting.gaussian import hockey_stick
from dpviz.accounting.loss_distribution import Direction, Rounding
from dpviz.guarantees import AllocatedPair
from dpviz.guarantees.allocated import balls_into_bins, shuffled_batches


@pytest.mark.every(2)
@pytest.mark.parametrize("is_coarse", [False, True])
@pytest.mark.parametrize(
    ("batches", "sigma", "is_replaced"),
    [(3, 1.0, False), (10, 0.5, False), (10, 1.0, True), (4, 0.3, True)],
)
def test_masses_from_above_lack_nothing_and_are_not_filled_up_beyond_one(
    batches, sigma, is_replaced, is_coarse
):
    """What lacks would make the bound unsound, what is too much a loose one."""
    high, low = (half.from_above for half in _halves(batches, sigma, is_replaced, is_coarse))
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


@pytest.mark.parametrize("batches", [2, 4])
def test_little_noise_promises_what_draws_from_the_batches_find(batches):
    """Of two batches the sum of both outputs tells all: distances are by the root of 2 smaller."""
    sigma, draws, epsilon = 0.3, 200_000, np.array([2.0, 15.0, 25.0])
    outputs = np.random.default_rng(batches).normal(size=(draws, batches)) / sigma
    outputs[:, 0] += 1.0 / sigma**2
    losses = logsumexp(outputs, axis=1) - logsumexp(-outputs, axis=1)
    gained = np.maximum(-np.expm1(epsilon[:, None] - losses), 0.0)
    error = 5.0 * gained.std(axis=1) / np.sqrt(draws)
    bins = balls_into_bins(bottom_rate=1.0, noise_multiplier=sigma, batches=batches, steps=batches)
    promised = composed_curve(bins.upper).delta_at(epsilon).high
    assert np.all(gained.mean(axis=1) - error <= promised)
    assert np.all(promised < hockey_stick(np.exp(epsilon), 2.0 / sigma))  # of a known batch
    if batches == 2:
        exact = hockey_stick(np.exp(epsilon), np.sqrt(2.0) / sigma)
        assert np.all(promised <= exact * 1.1)  # between orders it is a chord
        assert np.all(exact <= promised * (1.0 + 1e-9))


_BINS = [
    balls_into_bins(bottom_rate=0.4, noise_multiplier=sigma, batches=batches, steps=steps)
    for batches, sigma, steps in ((8, 0.9, 80), (55, 1.2, 5500), (312, 0.65, 936))
]
_SHUFFLED = shuffled_batches(bottom_rate=0.3, noise_multiplier=2.0, batches=20, epochs=100)


@pytest.mark.parametrize(
    "bound",
    [*(bound for bins in _BINS for bound in (bins.upper, bins.lower)), _SHUFFLED],
    ids=lambda bound: f"{bound.kind.name} {bound.pair.batches}",
)
def test_what_is_known_coarsely_holds_and_is_near(bound):
    fine = composed_curve(bound)
    coarse = composed_curve(bound, tolerance=COARSE_TOLERANCE, only_quoted=True)
    assert coarse.bounds == fine.bounds
    epsilon, quoted = fine.epsilon_at(1e-7), coarse.quoted_epsilon_at(1e-7)
    if bound.bounds_from_above:
        assert epsilon.low < quoted < 1.1 * epsilon.high
    else:
        assert 0.9 * epsilon.low < quoted < epsilon.high
