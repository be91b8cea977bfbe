"""Rounding down: no hockey-stick divergence rises, and no probability is lost."""

from itertools import product

import numpy as np
import pytest

from dpviz.accounting.buckets import LossBuckets, Masses
from dpviz.accounting.discretize import transferred_down

ROUNDING = 1e-12
BUCKETS = 12
# Of the distance to the next point: with mass to spare, lacking mass, or either.
OFFSETS = {"any": (-0.5, 0.5), "spare": (0.0, 0.5), "lacking": (-0.5, 0.0), "small": (-0.02, 0.02)}
MASSES = {
    "level": np.ones(BUCKETS),
    "falling": np.exp(-3.0 * np.arange(BUCKETS)),
    "rising": np.exp(3.0 * np.arange(BUCKETS)),
    "gaps": np.array([1, 0, 1, 1, 0, 0, 1, 1, 1, 0, 1, 1]),
}
JUMPS = {"even": np.ones(BUCKETS + 1), "uneven": np.array([1, 1, 1, 2, 2, 3, 1, 1, 4, 4, 1, 1, 1])}


def buckets_of(p, losses, *, error=0.0, loss_error=0.0):
    return LossBuckets(
        upper=Masses(mass=p, error=p * error, above=0.0, below=0.0),
        lower=Masses(mass=p * np.exp(-losses), error=np.zeros(len(p)), above=0.0, below=0.0),
        log_ratio=losses,
        log_ratio_error=np.full(len(p), loss_error),
    )


def drawn(seed, masses, offsets, distances):
    """Return all points of a grid around 0, and masses and losses around the inner ones."""
    rng = np.random.default_rng(seed)
    every = 0.3 * distances[0] + np.append(0.0, np.cumsum(distances)) - distances[:4].sum()
    offset = rng.uniform(*OFFSETS[offsets], BUCKETS)
    losses = every[1:-1] + offset * np.where(offset < 0.0, distances[:-1], distances[1:])
    return every, MASSES[masses] * rng.uniform(0.5, 1.0, BUCKETS), losses


def divergences(p, losses, orders):
    """Return the hockey-stick divergence at each order in nats."""
    return np.sum(p * -np.expm1(np.minimum(orders[:, None] - losses, 0.0)), axis=1)


@pytest.mark.parametrize("masses", MASSES)
@pytest.mark.parametrize("interval", [1e-6, 0.1, 3.0, 40.0])
def test_every_divergence_falls_and_all_probability_is_kept(interval, masses):
    for grid, offsets, seed in product(JUMPS, OFFSETS, range(6)):
        distances = interval * JUMPS[grid]
        every, p, losses = drawn(seed, masses, offsets, distances)
        points = every[1:-1]
        mass, left_over = transferred_down(buckets_of(p, losses), points, distances)
        assert np.all(mass >= 0.0)
        assert left_over >= 0.0
        assert mass.sum() + left_over == pytest.approx(p.sum(), rel=ROUNDING, abs=0.0)
        orders = np.concatenate([every, losses])
        exact = divergences(p, losses, orders)
        # What the first bucket hands down still has a loss above its point.
        rounded = divergences(np.append(mass, left_over), np.append(every, points[0]), orders)
        assert np.all(rounded <= exact * (1 + ROUNDING))


@pytest.mark.parametrize("interval", [1e-6, 0.1, 3.0])
@pytest.mark.parametrize("masses", ["level", "falling"])
def test_what_lies_above_its_points_keeps_the_second_distribution_too(masses, interval):
    """No outcome is put on a point below its due where the next lower bucket can pass on all."""
    distances = interval * JUMPS["even"]
    for seed in range(6):
        every, p, losses = drawn(seed, masses, "spare", distances)
        mass, _ = transferred_down(buckets_of(p, losses), every[1:-1], distances)
        wanted = np.sum(p * np.exp(-losses))
        assert np.sum(mass * np.exp(-every)) == pytest.approx(wanted, rel=ROUNDING, abs=0.0)


@pytest.mark.parametrize("interval", [1e-6, 0.1])
def test_only_the_last_bucket_is_put_below_its_due_where_neighbours_have_enough(interval):
    distances = interval * JUMPS["even"]
    for seed in range(6):
        every, p, losses = drawn(seed, "level", "small", distances)
        mass, _ = transferred_down(buckets_of(p, losses), every[1:-1], distances)
        q = p * np.exp(-losses)
        surplus = np.sum(mass * np.exp(-every)) - q.sum()
        assert surplus <= q[-2:].sum() * np.expm1(interval) * (1 + ROUNDING)


def assert_same(rounded, other):
    for one, wanted in zip(rounded, other, strict=True):
        assert one == pytest.approx(wanted, rel=ROUNDING, abs=0.0)


def test_buckets_at_their_points_stay_there():
    distances = JUMPS["uneven"]
    every, p, _ = drawn(0, "level", "any", distances)
    points = every[1:-1]
    mass, left_over = transferred_down(buckets_of(p, points), points, distances)
    assert_same((mass, left_over), (np.concatenate([[0.0], p, [0.0]]), 0.0))


@pytest.mark.parametrize("masses", MASSES)
def test_errors_are_taken_from_both_mass_and_loss(masses):
    """A bucket may have as much less mass, and as much less loss, as its errors say."""
    distances = JUMPS["even"]
    every, p, losses = drawn(0, masses, "spare", distances)
    points = every[1:-1]
    buckets = buckets_of(p, losses, error=0.25, loss_error=0.125)
    least = transferred_down(buckets_of(0.75 * p, losses - 0.125), points, distances)
    assert_same(transferred_down(buckets, points, distances), least)
    for error in (1.0, 2.0):
        mass, left_over = transferred_down(buckets_of(p, losses, error=error), points, distances)
        assert not mass.any()
        assert left_over == 0.0


@pytest.mark.parametrize("off_point", [np.nan, -np.inf, np.inf, -9.0, -1.01])
def test_buckets_whose_loss_is_not_known_give_nothing(off_point):
    """Nor do those whose mass would not suffice on the next lower point either."""
    distances = JUMPS["even"]
    every, p, losses = drawn(0, "level", "any", distances)
    points = every[1:-1]
    losses[4] = points[4] + off_point
    rounded = transferred_down(buckets_of(p, losses), points, distances)
    p[4], losses[4] = 0.0, points[4]
    assert_same(rounded, transferred_down(buckets_of(p, losses), points, distances))


@pytest.mark.parametrize("at", [2, 5])  # the next point above is further away, and nearer
def test_losses_half_way_to_the_next_point_are_the_largest(at):
    """What lies above that by a rounding error still belongs to the lower point."""
    distances = JUMPS["uneven"]
    every, p, losses = drawn(0, "level", "small", distances)
    points = every[1:-1]
    losses[at] = points[at] + 0.5 * distances[at + 1]
    half_way = transferred_down(buckets_of(p, losses), points, distances)
    losses[at] -= 0.01
    assert transferred_down(buckets_of(p, losses), points, distances)[0] != pytest.approx(
        half_way[0], rel=ROUNDING
    )
    losses[at] += 0.02
    assert_same(transferred_down(buckets_of(p, losses), points, distances), half_way)
