"""The split lemma of docs/many-steps.md: above every triple, exact at both ends, and its cells."""

from itertools import pairwise

import mpmath
import numpy as np
import pytest

from dpviz.accounting.closer_upper import (
    StepProfile,
    below_all_lines,
    cell_edges,
    cells,
    choices,
    split_bound,
)
from dpviz.accounting.discretize import one_unit
from dpviz.accounting.gaussian import hockey_stick
from dpviz.accounting.loss_distribution import Direction, Rounding
from dpviz.guarantees import ShiftedMixturePair
from tests.accounting.divergences import divergences, masses
from tests.accounting.exact import exact_gaussian_delta

EDGES = cell_edges(12)
FURTHEST = 1e-18
ORDERS = np.concatenate([[1.0], 1.0 + np.geomspace(1e-4, 4.0, 25)])


def profile_by_quadrature(rate, points, orders):
    """Return H of (1 - q) N(a) + q N(b) against the same with b', on a grid in the plane."""
    a, b, other = points.tolist()
    weights = (1 - rate, rate)
    return divergences(*masses(([a, b], weights), ([a, other], weights), 1.0, step=0.027), orders)


@pytest.mark.parametrize("sigma", [0.7, 1.0, 4.0])
@pytest.mark.parametrize("rate", [0.003, 0.3])
def test_no_triple_in_the_ball_is_above_the_split_bound(sigma, rate):
    rng = np.random.default_rng(int(1000 * sigma + 10_000 * rate))
    for turn in range(2):
        angle = rng.uniform(0.0, 2 * np.pi, 3)
        radius = np.ones(3) if turn % 2 else np.sqrt(rng.uniform(0.0, 1.0, 3))
        points = (radius * np.array([np.cos(angle), np.sin(angle)])).T / sigma
        own, both = (float(np.linalg.norm(points[one] - points[1])) for one in (0, 2))
        exact = profile_by_quadrature(rate, points, ORDERS)
        bound = split_bound(ORDERS, rate, own, both)
        # At order 1 they are equal, and the grid's sums are off by a few in 100,000.
        assert (exact <= bound * (1 + 1e-4) + 1e-9).all()


@pytest.mark.parametrize(("rate", "sigma"), [(0.01, 1.0), (0.2, 3.0)])
def test_it_is_exact_where_one_direction_is(rate, sigma):
    """F: b' = a. R: b = a. Both from one dimension."""
    far = 2.0 / sigma
    mixture, base = masses(([0.0, far], [1 - rate, rate]), ([0.0], [1.0]), 1.0, step=1e-3)
    for first, second, own in ((mixture, base, far), (base, mixture, 0.0)):
        exact = divergences(first, second, ORDERS)
        bound = split_bound(ORDERS, rate, own, far)
        assert bound == pytest.approx(exact, rel=3e-6, abs=1e-9)


@pytest.mark.parametrize("distance", [1e-5, 1e-3, 0.3, 4.0, 30.0])
def test_no_rounding_brings_a_hockey_stick_below_the_exact_one(distance):
    """Also where tails underflow, where they cancel, and at orders below 1."""
    places = np.concatenate([[-20.0, -1.0, 0.0], np.linspace(0.5, 45.0, 30)])
    orders = np.exp(np.clip(places * distance, -600.0, 600.0))
    told = hockey_stick(orders, distance)
    with mpmath.workdps(60):
        for order, value in zip(orders, told, strict=True):
            exact = exact_gaussian_delta(mpmath.log(mpmath.mpf(order)), distance)
            assert exact <= value
            assert exact < 1e-40 or value <= exact * (1 + 1e-3)


def test_cells_are_above_all_their_triangles():
    rate, sigma, interval = 0.05, 1.5, 0.03
    rng = np.random.default_rng(1)
    found = {
        (round(g, 6), round(b, 6)): one
        for g, b, one in cells(rate, sigma, interval, EDGES, FURTHEST)
    }
    middle = [(low + high) / 2 for low, high in pairwise(EDGES)]
    checked = 0
    for at, g in enumerate(middle):
        for place, b in enumerate(middle):
            gamma, beta = (rng.uniform(EDGES[one], EDGES[one + 1]) for one in (at, place))
            if gamma + beta < np.pi / 2:
                continue
            profile = found[round(g, 6), round(b, 6)]
            orders = np.exp(interval * np.arange(len(profile.forward)))
            both, own, other = (
                2.0 / sigma * float(np.sin(angle)) for angle in (gamma + beta, gamma, beta)
            )
            for values, distance in ((profile.forward, own), (profile.backward, other)):
                least = below_all_lines(orders, split_bound(orders, rate, distance, both))
                assert (least <= values * (1 + 1e-12)).all()
            checked += 1
    assert checked > 50


def test_every_cell_is_below_a_mixture_of_choices():
    """Also cells that were left out or put together: at all points, with many shares."""
    rate, sigma, interval = 0.05, 1.5, 0.04
    found = list(cells(rate, sigma, interval, EDGES, FURTHEST))
    kept = [one.values for one in choices(found, 12)]
    shares = np.linspace(0.0, 1.0, 401)[:, None]
    for _, _, one in found:
        assert any(
            bool(
                np.any(
                    np.all(
                        shares * first + (1 - shares) * second >= one.values * (1 - 1e-4) - 1e-15,
                        axis=1,
                    )
                )
            )
            for first in kept
            for second in kept
        )


def test_a_profile_becomes_the_pair_that_has_it():
    """The polygon of direction F on a grid is what connecting the dots makes of its losses."""
    rate, sigma, interval = 0.1, 1.0, 0.02
    orders = np.exp(interval * np.arange(600))
    profile = StepProfile(
        below_all_lines(orders, split_bound(orders, rate, 2.0, 2.0)),
        below_all_lines(orders, split_bound(orders, rate, 0.0, 2.0)),
    )
    made = profile.losses(interval)
    pair = ShiftedMixturePair(rate=rate, noise_multiplier=sigma)
    other = one_unit(pair, Direction.FORWARD, Rounding.UP, interval)
    for one in (made, other):
        assert one.mass.sum() + one.infinity == pytest.approx(1.0, abs=1e-6)

    def delta(one, epsilon):
        above = np.maximum(-np.expm1(epsilon - one.losses), 0.0)
        return float((one.mass * above).sum()) + one.infinity

    for epsilon in (0.0, 0.3, 1.0, 3.0):
        place = np.exp(epsilon)
        exact = rate * float(hockey_stick(np.array([1 + (place - 1) / rate]), 2.0)[0])
        assert delta(made, epsilon) >= exact * (1 - 1e-9)
        assert delta(made, epsilon) == pytest.approx(exact, rel=2e-3)
        assert delta(other, epsilon) >= exact * (1 - 1e-9)
