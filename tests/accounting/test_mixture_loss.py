"""One step or epoch of every row with more than two components, against 40 digits."""

import numpy as np
import pytest
from scipy.stats import binom

from dpviz.accounting import composed_curve
from dpviz.accounting.discretize import loss_range
from dpviz.accounting.loss_distribution import Direction, Rounding
from dpviz.accounting.losses import loss_of
from dpviz.accounting.second_opinion import profile_at
from dpviz.guarantees import (
    Bound,
    Composition,
    Kind,
    MixturePair,
    Unit,
    in_one_direction,
)
from dpviz.guarantees.flat import one_bag
from dpviz.guarantees.poisson import poisson_deterministic, poisson_sampled
from dpviz.guarantees.weights import binomial_law
from dpviz.guarantees.with_replacement import touched_mixture
from tests.accounting import exact_mixtures as exact
from tests.accounting.divergences import divergences, masses
from tests.accounting.rows import attained, drawn, exact_of, profile_of_units, walked

EPSILONS = np.array([0.0, 0.01, 0.3, 1.0, 4.0, 20.0])
# The exact value is in the bracket but for the rounding of its printing to a double.
ROUNDING = 1e-15
# On a grid of a fiftieth of one unit's spread, in parts of delta(0).
FINE = 0.02
LARGEST_GAP = 5e-3


def with_replacement(windows, r, rho, sigma):
    """Yield the bounds of one epoch (4.3) and of one step (F.7), and E.1's and F.1's pairs."""
    epoch = walked(r, sigma, 1, windows)
    step = drawn(r, sigma, 1, windows, rho)
    yield epoch.lower, exact.thm_4_3(windows, r, sigma)
    yield shared(windows, r, 1.0, sigma), exact.thm_f_1(windows, r, 1.0, sigma)
    yield in_one_direction(step.lower), exact.thm_f_7(windows, r, rho, sigma)
    yield shared(windows, r, rho, sigma), exact.thm_f_1(windows, r, rho, sigma)


def shared(windows, r, rho, sigma):
    """Return a share of a reflected pair: Theorem F.1 as printed, in units of its shift of 2."""
    return Bound(
        theorem="F.1",
        kind=Kind.UPPER,
        unit=Unit.STEP,
        count=1,
        pair=touched_mixture(binomial_law(windows, r), sigma / 2, reflected=True),
        composition=Composition.MIRRORED,
        share=rho,
    )


def poisson(k, p, rho, sigma):
    """Yield the bounds of one epoch (E.8) and, of several lengths, of one step (F.8, F.2)."""
    epoch = poisson_deterministic(touched=[(k, p)], noise_multiplier=sigma, epochs=1)
    step = poisson_sampled(
        touched=[(k, 2 * k, p)], top_rate=rho, noise_multiplier=sigma, steps=1, is_one_length=False
    )
    yield epoch.upper, exact.thm_f_2(k, p, 1.0, sigma)
    yield epoch.lower, exact.thm_f_2(k, p, 1.0, sigma)
    yield step.upper, exact.thm_f_2(k, p, rho, sigma)
    yield step.lower, exact.thm_f_8(k, p, rho, sigma)


def assert_brackets(bound, right, *grids):
    is_shared = right.share < 1.0
    values = [right.delta(e) if is_shared else right.larger_direction(e) for e in EPSILONS]
    for in_spreads in grids:
        curve = composed_curve(bound, interval=in_spreads and interval_of(bound, in_spreads))
        brackets = curve.delta_at(EPSILONS)
        for place in zip(EPSILONS, brackets.low, values, brackets.high, strict=True):
            _, low, value, high = place
            assert low <= value * (1 + ROUNDING), (bound.theorem, place)
            assert high >= value * (1 - ROUNDING), (bound.theorem, place)


def interval_of(bound, in_spreads):
    spread = loss_of(bound.pair, Rounding.UP).spread
    return min(max(in_spreads * spread, loss_range(bound.pair) / 2**17), 100.0)


@pytest.mark.every(4)
@pytest.mark.parametrize(
    ("windows", "r", "rho", "sigma"),
    [
        (2, 0.1, 0.1, 1.0),
        (4, 0.8, 0.5, 4.0),
        (8, 0.01, 0.01, 0.5),
        (3, 1e-9, 1e-9, 1.0),
        (16, 1e-3, 0.3, 0.1),
        (2, 0.999, 0.999, 0.1),
        (8, 0.3, 1e-4, 100.0),
        (12, 0.05, 1.0, 10.0),
    ],
)
def test_windows_with_replacement(windows, r, rho, sigma):
    """4.3, E.1, F.7 and F.1: the exact profile lies in a narrow bracket."""
    for bound, right in with_replacement(windows, r, rho, sigma):
        assert_brackets(bound, right, None)


@pytest.mark.every(3)
@pytest.mark.parametrize(
    ("k", "p", "rho", "sigma"),
    [
        (2, 0.05, 0.1, 1.0),
        (8, 0.5, 0.5, 2.0),
        (1, 1e-6, 1e-3, 0.1),
        (12, 1e-4, 0.3, 0.3),
        (3, 1.0, 0.2, 1.0),
        (20, 0.2, 0.01, 100.0),
    ],
)
def test_poisson_windows(k, p, rho, sigma):
    """E.8, F.2 and F.8; certain draws (p = 1) leave one component on each side."""
    for bound, right in poisson(k, p, rho, sigma):
        assert_brackets(bound, right, None)


@pytest.mark.parametrize(
    ("population", "k", "drawn", "sigma"),
    [
        (6400, 2, 32, 1.0),
        (100, 10, 60, 2.0),
        (10**4, 8, 10, 0.2),
        (20, 12, 15, 5.0),
        (50, 3, 50, 4),
    ],
)
def test_one_bag_of_windows(population, k, drawn, sigma):
    """C.2 and C.1, also where so many windows are drawn that some are always touched."""
    settings = {"num_windows": population, "batch_size": drawn, "noise_multiplier": sigma}
    individual = one_bag(touched_windows=k, steps=1, **settings).lower
    assert_brackets(individual, exact.prop_c_2(population, k, drawn, sigma), None)
    record = one_bag(touched_windows=1, steps=1, **settings).upper
    assert_brackets(record, exact.thm_4_3(1, drawn / population, sigma), None)


@pytest.mark.parametrize(
    ("count", "p", "rho", "sigma"),
    [
        (4, 0.3, 0.2, 1.0),
        pytest.param(6, 1e-3, 0.1, 0.2, marks=pytest.mark.slow),
        (5, 0.9, 0.9, 20.0),
    ],
)
def test_no_grid_misses_the_exact_value(count, p, rho, sigma):
    """However coarse or fine, both for windows with replacement and Poisson windows."""
    rows = [*with_replacement(count, p, rho, sigma), *poisson(count, p, rho, sigma)]
    for bound, right in rows:
        assert_brackets(bound, right, 0.02, 0.5, 5.0)


@pytest.mark.parametrize(("count", "p", "rho", "sigma"), [(2, 0.1, 0.1, 1.0), (6, 0.7, 0.5, 4.0)])
def test_brackets_are_narrow_on_fine_grids(count, p, rho, sigma):
    for bound, _ in (*with_replacement(count, p, rho, sigma), *poisson(count, p, rho, sigma)):
        brackets = composed_curve(bound, interval=interval_of(bound, FINE)).delta_at(EPSILONS)
        assert np.all(brackets.high - brackets.low <= LARGEST_GAP * brackets.high[0])


def cut_at_both_ends(law):
    return MixturePair(
        means=(2.0, 4.0, 6.0),
        weights=tuple(law[1:4]),
        noise_multiplier=1.0,
        reflected=False,
        weight_below=law[0],
        weight_above=sum(law[4:]),
        largest_mean=12.0,
    )


def cut_between(law):
    """The smallest counts left out, above that of a series that is not drawn."""
    return MixturePair(
        means=(0.0, 6.0, 8.0, 10.0, 12.0),
        weights=(law[0], *law[3:]),
        noise_multiplier=1.0,
        reflected=False,
        weight_between=law[1] + law[2],
        largest_mean=12.0,
    )


@pytest.mark.parametrize("cut_of", [cut_at_both_ends, cut_between])
def test_weight_that_is_not_listed_is_rounded_to_the_safe_side(cut_of):
    """Pairs that hide much of their weight: each side moves it to its own end."""
    cut = cut_of([float(weight) for weight in exact.binomial(6, 0.4)])
    right = exact.thm_4_3(6, 0.4, 1.0)
    for rounding, side in ((Rounding.UP, 1), (Rounding.DOWN, -1)):
        for direction in (Direction.FORWARD, Direction.BACKWARD, Direction.MIRRORED):
            deltas = profile_of_units(cut, direction, rounding, 0.05).delta_at(EPSILONS)
            of_direction = right.exchanged if direction is Direction.BACKWARD else right
            for epsilon, delta in zip(EPSILONS, deltas, strict=True):
                value = of_direction.delta(epsilon)
                assert side * (delta - value) >= -ROUNDING * value


@pytest.mark.parametrize("windows", [2, 20, 26, 27, 64])
@pytest.mark.parametrize("sigma", [0.1, 1.0])
@pytest.mark.parametrize("count", [1, 1000])
def test_outputs_that_reveal_everything_have_delta_1(windows, sigma, count):
    guarantee = walked(1.0, sigma, count, windows)
    for bound in (guarantee.upper, guarantee.lower):
        curve = composed_curve(bound)
        brackets = curve.delta_at(EPSILONS)
        assert np.all((brackets.low >= 0.0) & (brackets.low <= brackets.high))
        means = 2 * windows / sigma * np.sqrt(count)
        if means > 60.0:
            assert np.all(brackets.high == 1.0)
            assert curve.epsilon_at(1e-7).high is None or curve.epsilon_at(1e-7).high > 500.0


SMALL_EPSILONS = np.array([0.0, 0.01, 0.1, 0.5])


def guesses(right, wrong, sigma):
    return MixturePair(
        means=(-1.0, 0.0, 1.0),
        weights=(wrong, 1.0 - right - wrong, right),
        noise_multiplier=sigma,
        reflected=True,
        largest_mean=1.0,
    )


def told(means, weights, others, sigma):
    return MixturePair(
        means=means,
        weights=weights,
        noise_multiplier=sigma,
        reflected=False,
        largest_mean=means[-1],
        other_weights=others,
    )


PAIRS = [
    guesses(0.06, 0.01, 1.0),
    guesses(0.3, 0.29, 4.0),
    told((0.0, 2.0), (0.993, 0.007), (0.998, 0.002), 1.0),
    told((0.0, 2.0), (0.4, 0.6), (0.7, 0.3), 0.3),
    told((0.0, 2.0), (0.99, 0.01), (1.0 - 1e-12, 1e-12), 2.0),
    told((-1.0, 0.0, 1.0), (0.05, 0.9, 0.05), (0.08, 0.9, 0.02), 1.0),
]


def exact_delta(pair, epsilon, direction):
    law = exact_of(pair)
    return float((law if direction is Direction.FORWARD else law.exchanged).delta(epsilon))


@pytest.mark.every(3)
@pytest.mark.parametrize("pair", PAIRS)
def test_one_step_is_what_densities_say(pair):
    p, q = masses(*pair.components, pair.noise_multiplier, step=1e-3)
    ways = {Direction.FORWARD: (p, q), Direction.BACKWARD: (q, p)}
    right = np.array([[exact_delta(pair, one, way) for one in SMALL_EPSILONS] for way in ways])
    summed = np.array([divergences(*cells, np.exp(SMALL_EPSILONS)) for cells in ways.values()])
    assert summed == pytest.approx(right, rel=1e-4, abs=1e-9)
    larger = right.max(axis=0)
    brackets = composed_curve(attained(pair), at_delta=1e-3).delta_at(SMALL_EPSILONS)
    assert np.all(brackets.low <= larger + 1e-12)
    assert np.all(larger - 1e-12 <= brackets.high)
    assert np.all(brackets.high - brackets.low <= 1e-4)


@pytest.mark.every(6)
@pytest.mark.parametrize("interval", [1e-3, 0.05, 1.0])
@pytest.mark.parametrize("direction", [Direction.FORWARD, Direction.BACKWARD])
@pytest.mark.parametrize("pair", PAIRS)
def test_each_direction_is_rounded_to_the_claimed_side(pair, direction, interval):
    for rounding, side in ((Rounding.UP, 1), (Rounding.DOWN, -1)):
        deltas = profile_of_units(pair, direction, rounding, interval).delta_at(SMALL_EPSILONS)
        for epsilon, delta in zip(SMALL_EPSILONS, deltas, strict=True):
            value = exact_delta(pair, epsilon, direction)
            assert side * (delta - value) >= -1e-14
            assert profile_at(pair, direction, np.array([epsilon]))[0] == pytest.approx(
                value, rel=1e-6, abs=1e-12
            )


@pytest.mark.parametrize(("right", "count"), [(0.5083, 23), (0.5083, 1), (0.52, 1000), (0.75, 7)])
def test_guesses_that_little_noise_hides_are_randomized_responses(right, count):
    """No outcome has a loss near 0 then: what is rounded down must not exceed all there is."""
    pair = MixturePair(
        means=(-1.0, 1.0),
        weights=(1.0 - right, right),
        noise_multiplier=0.1,
        reflected=True,
        largest_mean=1.0,
    )
    rights = np.arange(count + 1)
    first, other = binom.pmf(rights, count, right), binom.pmf(rights, count, 1.0 - right)
    exact_delta = divergences(first, other, np.exp(SMALL_EPSILONS))
    for interval in (0.005, 1e-3, None):
        curve = composed_curve(attained(pair, count), interval=interval, at_delta=1e-3)
        brackets = curve.delta_at(SMALL_EPSILONS)
        assert np.all(brackets.low <= exact_delta + 1e-12)
        assert np.all(brackets.high >= exact_delta - 1e-12)
        assert brackets.low[0] >= 0.7 * exact_delta[0]


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"others": (0.2, 0.8)}, "must not fall"),
        ({"others": (0.5, 0.4)}, "must sum to 1"),
        ({"others": (1.0,)}, "one for each mean"),
    ],
)
def test_other_weights_that_are_no_law_or_not_in_order_are_refused(changes, named):
    with pytest.raises(ValueError, match=named):
        told(**({"means": (0.0, 2.0), "weights": (0.4, 0.6), "sigma": 1.0} | changes))
