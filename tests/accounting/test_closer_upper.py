"""Proposition 23: between attacks and the mirrored pair; its split lemma; other programs."""

from dataclasses import replace
from itertools import pairwise

import mpmath
import numpy as np
import pytest
from mpmath import mpf
from scipy.special import ndtr

from dpviz.accounting import closer_upper as module
from dpviz.accounting import composed_curve
from dpviz.accounting.adaptive import AdaptiveGame
from dpviz.accounting.closer_upper import (
    StepProfile,
    below_all_lines,
    cell_edges,
    cells,
    choices,
    closer_bound,
    closer_progress,
    closer_upper,
    split_bound,
)
from dpviz.accounting.discretize import one_unit
from dpviz.accounting.gaussian import hockey_stick
from dpviz.accounting.loss_distribution import Direction, Rounding
from dpviz.accounting.new_directions import with_new_directions
from dpviz.guarantees import (
    Composition,
    Kind,
    ShiftedMixturePair,
    Unit,
    guarantee_for,
)
from dpviz.scenario import from_fields, to_fields
from tests.accounting.divergences import divergences, masses
from tests.accounting.exact import exact_gaussian_delta
from tests.accounting.rows import drawn, walked
from tests.scenario.changes import TOY

QUICK, ALL = 2, 30
GAIN_NOTHING = {3, 13, 25}  # a wide step, or one that hardly anybody is in


@pytest.fixture(autouse=True)
def coarse_cells(monkeypatch):
    monkeypatch.setattr(module, "_FINE_CELLS", 8)


def setting(turn):
    rng = np.random.default_rng(turn)
    rate, sigma = np.exp(rng.uniform(np.log([1e-3, 0.5]), np.log([0.9, 8.0])))
    return float(rate), float(sigma), int(rng.integers(2, 30)), float(10 ** rng.uniform(-10, -3))


@pytest.mark.parametrize(
    "turn", [pytest.param(one, marks=[pytest.mark.slow] * (one >= QUICK)) for one in range(ALL)]
)
def test_it_lies_between_the_attack_and_the_mirrored_pair(turn):
    rate, sigma, steps, delta = setting(turn)
    both = drawn(rate, sigma, steps)
    closer = closer_upper(both.upper, delta)
    mirrored = composed_curve(both.upper, at_delta=delta)
    if closer is None:  # such coarse cells gain nothing
        assert turn in GAIN_NOTHING
        return
    attack = with_new_directions(composed_curve(both.lower, at_delta=delta), delta)
    high = closer.quoted_epsilon_at(delta)
    assert attack.epsilon_at(delta).low <= high < mirrored.epsilon_at(delta).high
    epsilons = np.linspace(0.0, 1.5 * high, 40)
    assert (attack.delta_at(epsilons).low <= closer.delta_at(epsilons).high * (1 + 1e-9)).all()


def test_it_is_an_upper_bound_by_its_own_name_and_tells_what_is_done():
    upper = drawn(0.1, 1.5, 4).upper
    told = list(closer_progress(upper, 1e-6))
    shares = [share for share, _ in told]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert all(curve is None for _, curve in told[:-1])
    bound = told[-1][1].bound
    assert (bound.theorem, bound.count, bound.pair) == ("dpviz 23", 4, upper.pair)
    assert bound.kind_after_composition is Kind.UPPER
    assert bound.bounds_from_above


@pytest.mark.parametrize(
    "fields",
    [
        {"top_level": "poisson"},
        {"top_level": "shuffled"},
        {"num_subsequences": 2},
        {"bottom_level": "poisson"},
        {"forecast_noise": 1.0},
        {"series_per_person": 2},
        {"steps": 1},
        {"steps": module.MOST_UNITS + 1},
    ],
    ids=str,
)
def test_what_it_does_not_cover_has_none(fields):
    assert closer_bound(guarantee_for(TOY).upper)
    upper = guarantee_for(from_fields(to_fields(TOY) | fields)).upper
    assert closer_bound(upper) is None
    assert list(closer_progress(upper, 1e-7)) == [(1.0, None)]


@pytest.mark.parametrize("steps", [2, 5, 20])
def test_where_an_attack_leaves_no_room_it_is_refused_at_once(steps, monkeypatch):
    """Much is told of each step that touches: one direction is as bad as the mirrored pair."""
    monkeypatch.setattr(module, "cells", None)
    assert list(closer_progress(drawn(0.01, 0.2, steps).upper, 1e-7)) == [(1.0, None)]


def test_an_epoch_of_a_walk_counts_as_a_step_of_the_same_rate():
    walk = walked(0.1, 1.5, 4).upper
    drawn_steps = drawn(0.1, 1.5, 4).upper
    of_walk, of_steps = (closer_upper(one, 1e-6) for one in (walk, drawn_steps))
    assert of_walk.bound.unit is Unit.EPOCH
    assert of_walk.quoted_epsilon_at(1e-6) == of_steps.quoted_epsilon_at(1e-6)


def test_a_lower_bound_is_not_improved_on():
    both = drawn(0.1, 1.5, 4)
    assert closer_bound(both.lower) is None
    assert closer_bound(replace(both.upper, composition=Composition.ATTAINED)) is None


def game_of(found, interval, steps):
    """Return the profile after so many steps."""
    units = [one.losses(interval) for one in choices(found, 20)]
    game = AdaptiveGame(units, Rounding.UP, tilt=1.0, furthest=25.0, longest=1)
    for _ in range(steps):
        game.play(1)
    return game.profile()


def cell_masses(means, edges):
    """Return the masses of a grid of rectangles under normal laws around points in the plane."""
    rows, columns = (np.diff(ndtr(edges - means[:, [axis]])) for axis in (0, 1))
    return (rows[:, :, None] * columns[:, None, :]).reshape(len(means), -1)


@pytest.mark.parametrize(("rate", "sigma"), [(0.05, 0.8), (0.3, 1.0), (0.4, 3.0)])
def test_no_strategy_of_a_discrete_game_has_more(rate, sigma):
    """What cells of the plane tell, under the best of seven triples for each outcome before."""
    far = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [-0.5, 0.75**0.5], [-0.5, -(0.75**0.5)]])
    edges = np.array([-np.inf, *np.linspace(-2.0, 2.0, 4) + 0.1, np.inf])
    masses = cell_masses(far / sigma, edges)
    triples = [(0, 1, 0), (0, 0, 1), (0, 1, 2), (2, 0, 1), (0, 3, 4), (3, 0, 2), (2, 3, 0)]
    pairs = [
        ((1 - rate) * masses[a] + rate * masses[b], (1 - rate) * masses[a] + rate * masses[c])
        for a, b, c in triples
    ]

    def value(order, steps):
        """V at many orders at once."""
        if steps == 0:
            return np.maximum(1.0 - order, 0.0)
        outcomes = [value(order[..., None] * q / p, steps - 1) @ p for p, q in pairs]
        return np.max(outcomes, axis=0)

    for steps in (2, 3):
        found = list(cells(rate, sigma, 0.05, cell_edges(8), 1e-9))
        epsilons = np.array([0.1, 0.5])
        attained = value(np.exp(epsilons), steps)
        assert (attained > 0.0).all()
        assert (attained <= game_of(found, 0.05, steps).delta_at(epsilons)).all()


def exact_stick(order, distance):
    """Return the hockey-stick divergence of two unit Gaussians in high precision."""
    if distance == 0:
        return max(1 - order, mpf(0))
    if order == 0:
        return mpf(1)
    return exact_gaussian_delta(mpmath.log(order), distance)


def exact_side(orders, rate, own, both):
    """Return the split lemma's bound with its splits, by 30 digits."""
    sides = []
    for order in orders:
        rest = (order - 1) * (1 - rate) / rate
        splits = [order / (order + rest), min(max(1 - rest, mpf("1e-9")), 1 - mpf("1e-9"))]
        splits += [mpf(one) for one in np.linspace(0.02, 0.98, 25)]
        values = [exact_stick(order, both)]
        for one in splits:
            kept = min(max(one, mpf("1e-9")), 1 - mpf("1e-9"))
            values.append(
                kept * exact_stick(order / kept, both)
                + (1 - kept) * exact_stick(rest / (1 - kept), own)
            )
        sides.append(rate * min(values))
    return sides


@pytest.mark.slow
def test_a_second_program_with_30_digits_and_all_cells_has_no_more():
    """Plain sums over all cells' polygons: no transforms, tilts, covers, groups or rounding up."""
    rate, sigma, interval, edges, steps = 0.2, 1.2, 0.25, cell_edges(4), 3
    found = list(cells(rate, sigma, interval, edges, 1e-12))
    count = len(found[0][2].forward)
    with mpmath.workdps(30):
        orders = [mpmath.exp(mpf(interval) * j) for j in range(count)]
        middles = (edges[1:] + edges[:-1]) / 2
        kept = []
        sides = {}

        def side(own, both):
            if (own, both) not in sides:
                sides[own, both] = exact_side(orders, mpf(rate), mpf(own), mpf(both))
            return sides[own, both]

        def masses(values):
            slopes = [
                (b - a) / (y - x)
                for a, b, x, y in zip(values, values[1:], orders, orders[1:], strict=False)
            ]
            slopes.append(mpf(0))
            return [o * (t - s) for o, s, t in zip(orders[1:], slopes, slopes[1:], strict=False)]

        for g in range(len(middles)):
            for b in range(len(middles)):
                if edges[g + 1] + edges[b + 1] < np.pi / 2 - 1e-9:
                    continue
                both = 2 / sigma * np.sin(min(np.pi - edges[g] - edges[b], np.pi / 2))
                forward = side(2 / sigma * np.sin(edges[g + 1]), both)
                backward = side(2 / sigma * np.sin(edges[b + 1]), both)
                above = masses(forward)
                below = [m / o for m, o in zip(masses(backward), orders[1:], strict=True)]
                rest = 1 - sum(above) - sum(below) - forward[-1]
                kept.append(([*below[::-1], rest, *above], forward[-1]))
        reach = count - 1
        start = steps * reach
        value = {
            j: max(mpf(0), 1 - mpmath.exp(mpf(interval) * j)) for j in range(-start, start + 1)
        }
        for step in range(1, steps + 1):
            ends = (steps - step) * reach
            value = {
                j: max(
                    last + sum(m * value[j - at + reach] for at, m in enumerate(mass))
                    for mass, last in kept
                )
                for j in range(-ends, ends + 1)
            }
            if step == steps:
                exact = value[0]
    told = float(game_of(found, interval, steps).delta_at(np.array([0.0]))[0])
    assert float(exact) <= told <= 1.05 * float(exact)


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
