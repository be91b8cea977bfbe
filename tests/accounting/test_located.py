"""Where a mixture's loss takes given values, and rounding down: on the asked side, always."""

import warnings
from functools import partial
from itertools import product

import mpmath
import numpy as np
import pytest
from mpmath import mpf

from dpviz.accounting import composed_curve, labelled_loss, mixture_loss
from dpviz.accounting.buckets import LossBuckets, Masses
from dpviz.accounting.discretize import one_unit, transferred_down
from dpviz.accounting.labelled_loss import PoissonLoss
from dpviz.accounting.loss_distribution import Direction, Rounding
from dpviz.accounting.mixture_loss import MixtureLoss
from dpviz.guarantees import AbsentPoissonPair, MixturePair, ShiftedMixturePair, guarantee_for
from dpviz.guarantees.weights import binomial_law
from dpviz.guarantees.with_replacement import touched_mixture
from dpviz.scenario import DataShape
from tests.accounting.exact import DIGITS
from tests.accounting.rows import exact_of
from tests.accounting.test_invariants import assert_on_its_side
from tests.accounting.test_mixture_loss import told
from tests.scenario.changes import TOY, varied

# Printing an exact loss to a double rounds it by no more than this part.
PRINTED = 1e-30
TINY = (1e-12, 1e-20, 1e-40)


def exact_losses(loss, outcomes):
    """Return the losses of outcomes by their definition, in 40 digits."""
    with mpmath.workdps(DIGITS):
        variance = mpf(loss._sigma) ** 2

        def log_ratio(mixture, x):
            if mixture is None:
                return mpf(0)
            terms = zip(mixture.means.tolist(), mixture.weights.tolist(), strict=True)
            pairs = [(mpf(mean), mpf(weight)) for mean, weight in terms]
            return mpmath.log(sum(w * mpmath.exp(m * (x - m / 2) / variance) for m, w in pairs))

        points = [mpf(float(x)) for x in outcomes]
        return [log_ratio(loss._first, x) - log_ratio(loss._second, x) for x in points]


def assert_on_side(loss, losses, side):
    located = loss.located(losses, side)
    assert np.all(np.diff(located.outcomes) >= 0.0)
    inside = (located.outcomes > loss._smallest) & (located.outcomes < loss._largest)
    found = exact_losses(loss, located.outcomes)
    for asked, value, error, counts in zip(losses, found, located.errors, inside, strict=True):
        beyond = side * (value - mpf(float(asked)))
        if counts:
            assert -PRINTED * abs(value) <= beyond <= 2 * mpf(float(error))
    return inside


PAIRS = [
    touched_mixture(binomial_law(8, 0.1), 1.0, reflected=False, rate=0.1),
    touched_mixture(binomial_law(8, 0.1), 0.5, reflected=True),
    touched_mixture(binomial_law(3, 0.01), 50.0, reflected=True, rate=0.01),
    touched_mixture(binomial_law(20, 1e-3), 0.3, reflected=False),
    told((0.0, 2.0), (0.993, 0.007), (0.998, 0.002), 1.0),
    told((-1.0, 0.0, 1.0), (0.2, 0.7, 0.1), (0.29, 0.7, 0.01), 0.4),
]


@pytest.mark.every(4)
@pytest.mark.parametrize("newton_steps", [0, 1, 4])
@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize("pair", PAIRS)
def test_outcomes_are_on_the_asked_side(pair, side, newton_steps, monkeypatch):
    """Also where Newton's method has not arrived, and at losses of the table itself.

    These, and their neighbours by one unit in the last place, are closer to an end of a cell
    than the loss there is known: the next place of the table has to be taken.
    """
    monkeypatch.setattr(mixture_loss, "_NEWTON_STEPS", newton_steps)
    loss = MixtureLoss(pair, Rounding.UP)
    between = np.linspace(loss._table.losses[0], loss._table.losses[-1], 60)[1:-1]
    of_table = loss._table.losses[2:-2:19]
    near = [np.nextafter(of_table, -np.inf), of_table, np.nextafter(of_table, np.inf)]
    inside = assert_on_side(loss, np.unique(np.concatenate([between, *near])), side)
    assert np.count_nonzero(inside) > 100


@pytest.mark.parametrize("side", [-1, 1])
def test_losses_beyond_the_table_have_its_ends(side):
    loss = MixtureLoss(PAIRS[1], Rounding.UP)
    end = loss._table.losses[-1]
    located = loss.located(np.array([-2.0 * end, 0.0, 2.0 * end]), side)
    assert located.outcomes[0] == loss._smallest
    assert located.outcomes[-1] == loss._largest
    # At the end that has no outcome on that side: what rounds there, not how far away it is.
    assert located.errors[0 if side < 0 else -1] < 1e-9
    assert located.errors[1] < 1e-9


@pytest.mark.every(3)
@pytest.mark.parametrize("weight", TINY)
@pytest.mark.parametrize("direction", [Direction.FORWARD, Direction.BACKWARD])
@pytest.mark.parametrize("rounding", Rounding)
@pytest.mark.parametrize(
    "interval",
    [pytest.param(0.3, marks=pytest.mark.slow), 3.0, pytest.param(30.0, marks=pytest.mark.slow)],
)
def test_a_centre_of_tiny_weight_is_rounded_to_the_claimed_side(
    weight, direction, rounding, interval
):
    """Losses reach down to ln(weight), but by outcomes that are not resolved."""
    pair = MixturePair(
        means=(0.0, 2.0),
        weights=(weight, 1.0 - weight),
        noise_multiplier=1.0,
        reflected=False,
        largest_mean=2.0,
    )
    law = exact_of(pair)
    exact = law.delta if direction is Direction.FORWARD else law.exchanged.delta
    assert_on_its_side(pair, direction, rounding, interval, exact)


@pytest.mark.parametrize("direction", [Direction.FORWARD, Direction.BACKWARD])
def test_a_share_of_one_direction_is_refused(direction):
    """Only mirrored pairs have theorems about a share; it must not be left out in silence."""
    pair = ShiftedMixturePair(rate=0.1, noise_multiplier=1.0)
    with pytest.raises(ValueError, match=r"share = 0\.5 is not allowed"):
        one_unit(pair, direction, Rounding.UP, 0.1, 0.5)


def test_flat_losses_need_no_warning():
    """Of 15 noised windows in a batch of 15: a step over nearly no slope is none."""
    scenario = varied(
        TOY,
        data=DataShape(num_series=48, series_lengths=(12,), context_length=1, forecast_length=1),
        batch_size=15,
        num_subsequences=15,
        context_noise=1e6,
        epochs=5,
        width=12,
        delta=0.99,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        composed_curve(guarantee_for(scenario).lower, at_delta=0.99, tolerance=0.05)


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


def test_mass_is_passed_over_empty_buckets():
    """What a bucket lacks, or has to spare, the next one that is not empty has, or takes."""
    points, p = np.arange(9.0), np.zeros(9)
    p[[1, 5, 7]] = [0.4, 0.35, 0.25]
    losses = points + np.array([0, -0.25, 0, 0, 0, 0, 0, 0.25, 0])
    mass, left_over = transferred_down(buckets_of(p, losses), points, np.ones(10))
    every = np.arange(-1.0, 10.0)
    wanted = np.sum(p * np.exp(-losses))
    assert left_over == 0.0
    assert np.sum(mass * np.exp(-every)) == pytest.approx(wanted, rel=ROUNDING, abs=0.0)
    assert set(np.flatnonzero(mass)) == {2, 6, 8}


def test_a_tail_gets_nothing_from_the_rounding_of_what_is_handed_down():
    """A bucket hands down what it has to spare: no unit in the last place of it is lifted."""
    p, losses = np.array([0.53, 0.47, 1e-16]), np.array([0.1, 0.21, 0.293])
    every = 0.1 + 0.046 * np.arange(-1.0, 6.0)
    buckets = buckets_of(np.insert(p, [1, 2], 0.0), np.insert(losses, [1, 2], 0.0))
    mass, _ = transferred_down(buckets, every[1:-1], np.full(6, 0.046))
    beyond = divergences(p, losses, losses[1:2])[0]
    assert divergences(mass, every, losses[1:2])[0] <= beyond * (1 + ROUNDING)


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


def exact_log_ratio(pair: AbsentPoissonPair, m: float, x: mpf) -> mpf:
    s, absent = 1 / mpf(pair.noise_multiplier), (1 - mpf(pair.rate)) / mpf(pair.rate)
    rest = 0 if m == np.inf else absent * mpmath.exp(-m * s * x - (m * s) ** 2 / 2)
    terms = [
        (mpf(w) * mpmath.exp(-((i * s) ** 2) / 2), i * s * x)
        for i, w in zip(pair.touched, pair.touched_weights, strict=True)
    ]
    up = sum(w * mpmath.exp(power) for w, power in terms) + rest
    return mpmath.log(up / (sum(w * mpmath.exp(-power) for w, power in terms) + rest))


def assert_rounding_holds(pair, t):
    """Return slopes and bounds on rounding, which are looked at in each place."""
    found, slopes, errors = PoissonLoss(pair)._log_ratio(t)
    with mpmath.workdps(DIGITS):
        for (label, at), x in np.ndenumerate(t):
            exact = exact_log_ratio(pair, pair.untouched[label], mpf(float(x)))
            assert abs(exact - mpf(found[label, at])) <= errors[label, at]
    return slopes, errors


@pytest.mark.parametrize("touched", [(0, 1, 2, 3, 4, 5, 6), (2, 3, 7), (1,)])
@pytest.mark.parametrize("sigma", [0.4, 1.0, 6.0])
@pytest.mark.parametrize("within_range", [-1.0, 200.0])  # by logarithms, as a polynomial
def test_rounding_of_poisson_windows_stays_within_its_bound(
    touched, sigma, within_range, monkeypatch
):
    monkeypatch.setattr(labelled_loss, "_WITHIN_RANGE", within_range)
    weights = tuple(0.7**number for number in touched)
    pair = AbsentPoissonPair(
        touched=touched,
        touched_weights=tuple(weight / sum(weights) for weight in weights),
        untouched=(0, 3, np.inf),
        untouched_weights=(0.5, 0.25, 0.25),
        noise_multiplier=sigma,
        rate=1e-3,
    )
    t = np.tile(np.linspace(0.0, 9.0, 25), (3, 1))
    slopes, errors = assert_rounding_holds(pair, t)
    with mpmath.workdps(DIGITS):
        for label, m in enumerate(pair.untouched):
            of_x = partial(exact_log_ratio, pair, m)
            exact = [float(mpmath.diff(of_x, mpf(float(x)))) for x in t[label]]
            assert slopes[label] == pytest.approx(exact, rel=1e-9, abs=1e-12)
    assert np.all(errors < 1e-11)


@pytest.mark.parametrize("within_range", [-1.0, 200.0])
@pytest.mark.parametrize(
    ("weights", "rate", "furthest"),
    [({33: 0.01, 187: 0.99}, 0.9, 1e-13), ({1: 1.0}, 1.07e-14, 4.0)],  # gaps, a series hardly drawn
)
def test_rounding_stays_within_its_bound_where_powers_or_the_absent_series_have_most_of_it(
    weights, rate, furthest, within_range, monkeypatch
):
    monkeypatch.setattr(labelled_loss, "_WITHIN_RANGE", within_range)
    pair = AbsentPoissonPair(
        touched=tuple(weights),
        touched_weights=tuple(weights.values()),
        untouched=(0, np.inf),
        untouched_weights=(0.5, 0.5),
        noise_multiplier=100.0,
        rate=rate,
    )
    t = np.tile(np.linspace(0.0, furthest, 400), (2, 1))
    assert_rounding_holds(pair, t)
