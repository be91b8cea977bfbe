"""Small series, all draws summed: named gradients reach the lower bounds, none exceed the upper.

Weights and means come from enumeration alone; no law of dpviz's own is used.
"""

from collections import defaultdict

import numpy as np
import pytest

from dpviz.accounting.loss_distribution import Direction
from dpviz.accounting.second_opinion import profile_at
from dpviz.guarantees import (
    Bound,
    Composition,
    Kind,
    MixturePair,
    ShiftedMixturePair,
    deterministic_top_level,
    sampled_top_level,
)
from dpviz.guarantees.flat import one_bag, one_bag_by_coins
from dpviz.guarantees.poisson import poisson_deterministic, poisson_sampled
from dpviz.guarantees.with_replacement import coins_top_level
from tests.accounting.rows import walked
from tests.guarantees.small_mechanisms import Draw, Small, divergence

SIGMA = 1.3
NOISE = {"noise_multiplier": SIGMA}


def outputs(draws, gradients, changed):
    """Return the laws of the sums on x and on x', as probabilities by mean."""
    other = np.concatenate([changed, gradients[len(changed) :]])
    laws = []
    for one in (gradients, other):
        assert np.all(np.abs(one) <= 1.0)
        law = defaultdict(float)
        for counts, weight in draws:
            law[float(np.dot(counts, one))] += weight
        laws.append({mean: weight for mean, weight in law.items() if weight > 0.0})
    return laws


def away_from_the_rest(small):
    """-1 everywhere, but on x +1 on touched windows."""
    gradients = -np.ones(sum(small.windows))
    changed = gradients[: small.touched].copy()
    gradients[: small.touched] = 1.0
    return gradients, changed


def silent_on_the_rest(small):
    """0 on untouched windows, +1 on touched ones of x, -1 on those of x'."""
    gradients = np.zeros(sum(small.windows))
    gradients[: small.touched] = 1.0
    return gradients, -gradients[: small.touched]


def stated(pair):
    """Return what a bound's pair says: means and weights under both distributions."""
    if isinstance(pair, ShiftedMixturePair):
        return {0.0: 1.0 - pair.rate, pair.shift: pair.rate}, {0.0: 1.0}
    assert isinstance(pair, MixturePair)
    assert pair.weight_below == pair.weight_between == pair.weight_above == 0.0
    first, second = (dict(zip(*law, strict=True)) for law in pair.components)
    return first, second


def assert_reached(bound, draws, gradients, changed):
    first, second = outputs(draws, gradients, changed)
    pair = stated(bound.pair)
    # Where both outputs lie together tells nothing: a single second mean is laid to 0.
    start = next(iter(second)) if pair[1] == {0.0: 1.0} else 0.0
    for law, expected in zip((first, second), pair, strict=True):
        found = {mean - start: weight for mean, weight in law.items()}
        assert sorted(found) == sorted(expected)
        assert found == pytest.approx(expected, rel=1e-12, abs=1e-15)
    assert bound.composition is Composition.ATTAINED
    assert bound.share == 1.0


@pytest.mark.parametrize("windows", [1, 2, 3, 4])
@pytest.mark.parametrize(("size", "touched"), [(2, 1), (4, 1), (4, 3), (5, 2)])
def test_4_3_is_reached_by_an_epoch(size, touched, windows):
    small = Small(windows=(size,), touched=touched, drawn=windows)
    bound = deterministic_top_level(
        bottom_rate=touched / size, epochs=1, subsequences=windows, **NOISE
    ).lower
    assert_reached(bound, list(small.walk()), *away_from_the_rest(small))


@pytest.mark.parametrize("windows", [1, 2, 3])
@pytest.mark.parametrize("series", [1, 2])
@pytest.mark.parametrize(("sizes", "touched"), [((3, 2), 1), ((3, 2, 2), 2)])
def test_f_7_is_reached_by_a_step(sizes, touched, series, windows):
    """Other series' windows pull as the untouched ones do: which series are drawn shows nowhere."""
    small = Small(windows=sizes, touched=touched, drawn=windows, series=series)
    bound = sampled_top_level(
        bottom_rate=touched / sizes[0],
        top_rate=series / len(sizes),
        steps=1,
        subsequences=windows,
        **NOISE,
    ).lower
    assert_reached(bound, list(small.without_replacement()), *away_from_the_rest(small))


@pytest.mark.parametrize("batch", [1, 2, 4, 6])
@pytest.mark.parametrize("touched", [1, 2, 4])
def test_c_2_is_reached_by_a_step(touched, batch):
    """Also where a bag has so few other windows that some are always touched."""
    small = Small(windows=(7,), touched=touched, drawn=batch)
    settings = {"num_windows": 7, "batch_size": batch, "touched_windows": touched}
    bound = one_bag(steps=1, **settings, **NOISE).lower
    assert_reached(bound, list(small.bag()), *away_from_the_rest(small))


@pytest.mark.parametrize("windows", [1, 2, 3])
@pytest.mark.parametrize("coin", [0.05, 0.5, 0.95])
@pytest.mark.parametrize(("sizes", "touched"), [((3,), 1), ((3, 2), 2), ((2, 2), 2)])
def test_the_lower_bound_of_coins_is_reached_by_a_step(sizes, touched, coin, windows):
    small = Small(windows=sizes, touched=touched, drawn=windows, coin=coin)
    bound = coins_top_level(
        bottom_rate=touched / sizes[0], top_rate=coin, steps=1, subsequences=windows, **NOISE
    ).lower
    assert bound.theorem == "dpviz 3"
    assert_reached(bound, list(small.by_coins()), *silent_on_the_rest(small))


@pytest.mark.parametrize("coin", [0.05, 0.3, 0.9])
@pytest.mark.parametrize(("size", "touched"), [(2, 1), (5, 1), (5, 4)])
def test_the_upper_bound_of_coins_is_reached_for_one_window_per_series(size, touched, coin):
    """-1 on the individual's other windows too, 0 on all other series; integrated on a grid."""
    small = Small(windows=(size, 2), touched=touched, coin=coin)
    upper = coins_top_level(bottom_rate=touched / size, top_rate=coin, steps=1, **NOISE).upper
    assert (upper.theorem, upper.kind) == ("dpviz 3", Kind.TIGHT)
    gradients = np.array([1.0] * touched + [-1.0] * (size - touched) + [0.0, 0.0])
    losses = np.array([0.0, 0.02, 0.1, 0.5, 1.5])
    reached = divergence(
        list(small.by_coins()), gradients[:, None], -np.ones((touched, 1)), SIGMA, np.exp(losses)
    )
    stated_profile = profile_at(upper.pair, Direction.MIRRORED, losses)
    assert reached == pytest.approx(stated_profile, rel=1e-3, abs=1e-9)


@pytest.mark.parametrize("windows", [1, 2])
@pytest.mark.parametrize("coin", [0.3, 1.0])
def test_poisson_windows_reach_e_8_and_f_8(coin, windows):
    """An epoch; a step of one of two series; one of series by coins."""
    small = Small(windows=(4, 4), touched=3, drawn=windows, coin=coin)
    p, silent = windows / 4, silent_on_the_rest(small)
    epoch = poisson_deterministic(touched=[(3, p)], epochs=1, **NOISE).lower
    assert_reached(epoch, list(small.of_series((True, False), poisson=True)), *silent)
    for by_coins, rate, draws in (
        (False, 0.5, small.without_replacement(poisson=True)),
        (True, coin, small.by_coins(poisson=True)),
    ):
        step = poisson_sampled(
            touched=[(3, 4, p)], top_rate=rate, steps=1, by_coins=by_coins, **NOISE
        ).lower
        assert_reached(step, list(draws), *silent)


@pytest.mark.parametrize("touched", [1, 3])
@pytest.mark.parametrize("batch", [1, 3, 6])
def test_one_bag_by_coins_reaches_its_bound(batch, touched):
    small = Small(windows=(6,), touched=touched, coin=batch / 6)
    settings = {"num_windows": 6, "batch_size": batch, "touched_windows": touched}
    bound = one_bag_by_coins(steps=1, **settings, **NOISE).lower
    assert_reached(bound, list(small.bag_by_coins()), *silent_on_the_rest(small))


@pytest.mark.parametrize("pull", [0.999, -1.0])
def test_weaker_gradients_do_not_reach_it(pull):
    """What is compared tells gradients apart."""
    small = Small(windows=(4,), touched=1, drawn=2)
    bound = deterministic_top_level(bottom_rate=0.25, epochs=1, subsequences=2, **NOISE).lower
    gradients = np.array([pull, -1.0, -1.0, -1.0])
    with pytest.raises(AssertionError):
        assert_reached(bound, list(small.walk()), gradients, -np.ones(1))


LOSSES = np.array([0.0, 0.05, 0.2, 0.5, 1.0, 2.0])
# Relative, and absolute for what is too small to be integrated.
ROOM, SMALLEST = 2e-3, 1e-7
SCHEMES = [
    "walk",
    "drawn",
    "coins",
    "bag",
    "bag by coins",
    "walk, poisson",
    "drawn, poisson",
    "coins, poisson",
]


def case(scheme: str, rng: np.random.Generator) -> tuple[Small, list[Draw], Bound, float]:
    """Return a small data set, all draws from it, what is proven, and sigma."""
    sigma, k = float(10 ** rng.uniform(-0.4, 0.6)), int(rng.integers(1, 4))
    size = int(rng.integers(k, 5))
    windows = int(rng.integers(1, 4))
    coin = float(rng.choice([0.05, 0.3, 0.7]))
    noise = {"noise_multiplier": sigma}
    if scheme.startswith("bag"):
        total = max(size, 2)
        batch = int(rng.integers(1, total + 1))
        of_bag = {"num_windows": total, "batch_size": batch, "touched_windows": k, **noise}
        small = Small(windows=(total,), touched=k, drawn=batch, coin=batch / total)
        if scheme == "bag":
            return small, list(small.bag()), one_bag(steps=1, **of_bag).upper, sigma
        bound = one_bag_by_coins(steps=1, **of_bag).upper
        return small, list(small.bag_by_coins()), bound, sigma
    poisson = scheme.endswith("poisson")
    others = () if scheme.startswith("walk") else (size,) if poisson else (min(size, 2), 1)
    windows = min(windows, size) if poisson else windows if len(others) < 2 else min(windows, 2)
    small = Small(windows=(size, *others), touched=k, drawn=windows, coin=coin)
    p = min(1.0, windows / size)
    rates = {"bottom_rate": k / size, "subsequences": windows, **noise}
    if scheme == "walk, poisson":
        bound = poisson_deterministic(touched=[(k, p)], epochs=1, **noise).upper
        return small, list(small.of_series((True,), poisson=True)), bound, sigma
    if scheme == "walk":
        return small, list(small.walk()), deterministic_top_level(epochs=1, **rates).upper, sigma
    by_coins = scheme.startswith("coins")
    rate = coin if by_coins else 1.0 / len(small.windows)
    draws = small.by_coins(poisson=poisson) if by_coins else None
    draws = draws or small.without_replacement(poisson=poisson)
    if poisson:
        bound = poisson_sampled(
            touched=[(k, size, p)], top_rate=rate, steps=1, by_coins=by_coins, **noise
        ).upper
    else:
        build = coins_top_level if by_coins else sampled_top_level
        bound = build(top_rate=rate, steps=1, **rates).upper
    return small, list(draws), bound, sigma


def clipped(gradients: np.ndarray) -> np.ndarray:
    return gradients / np.maximum(np.linalg.norm(gradients, axis=-1, keepdims=True), 1.0)


def largest_part(scheme: str, rng: np.random.Generator, *, climbs: int) -> float:
    """Return the largest part of its bound that a draw, or what it climbs to, has at any order."""
    return climbed_part(case(scheme, rng), rng, int(rng.integers(1, 3)), climbs=climbs)


def climbed_part(
    of: tuple[Small, list[Draw], Bound, float],
    rng: np.random.Generator,
    dimensions: int,
    *,
    climbs: int,
) -> float:
    """Return the same for a case and a number of dimensions."""
    small, draws, bound, sigma = of
    upper = profile_at(bound.pair, Direction.MIRRORED, LOSSES, bound.share)

    def part(gradients: np.ndarray, changed: np.ndarray) -> float:
        exact = divergence(draws, gradients, changed, sigma, np.exp(LOSSES))
        return float(np.max((exact - SMALLEST) / (upper + 1e-300)))

    shapes = [(sum(small.windows), dimensions), (small.touched, dimensions)]
    best = [clipped(2.0 * rng.normal(size=shape)) for shape in shapes]
    largest = part(*best)
    for _ in range(climbs):
        scale = 10 ** rng.uniform(-2, 0.3)
        moved = [clipped(g + scale * rng.normal(size=g.shape)) for g in best]
        if (now := part(*moved)) > largest:
            largest, best = now, moved
    return largest


@pytest.mark.every(2)
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(
    ("seed", "tries", "climbs"), [(0, 15, 4), pytest.param(100, 250, 30, marks=pytest.mark.slow)]
)
def test_no_gradient_function_exceeds_the_bound(scheme, seed, tries, climbs):
    """Nor do 2,000 in all, and 30 steps up from each, but for the error of the grid (``ROOM``)."""
    rng = np.random.default_rng(seed + SCHEMES.index(scheme))
    parts = [largest_part(scheme, rng, climbs=climbs) for _ in range(tries)]
    assert max(parts) <= 1.0 + ROOM
    assert max(parts) > 0.5  # the tries are worth something


@pytest.mark.slow
@pytest.mark.parametrize("scheme", SCHEMES)
def test_none_of_many_gradient_functions_in_space_exceeds_the_bound(scheme):
    """Three dimensions, integrated on a coarser grid: 12 of each scheme that have few outcomes."""
    rng = np.random.default_rng(200 + SCHEMES.index(scheme))
    parts = list[float]()
    while len(parts) < 12:
        found = case(scheme, rng)
        if len(found[1]) <= 200 and found[3] >= 0.8:
            parts.append(climbed_part(found, rng, 3, climbs=10))
    assert max(parts) <= 1.0 + ROOM
    assert max(parts) > 0.2


def test_e_1_with_half_its_distances_would_be_exceeded():
    """What is compared tells a bound that is too small: one of counts at distance i, not 2 i."""
    small = Small(windows=(2,), touched=1, drawn=2)
    bound = walked(0.5, 2.0, 1, 2).upper
    upper = profile_at(bound.pair, Direction.MIRRORED, LOSSES)
    exact = divergence(
        list(small.walk()), np.array([[1.0], [-1.0]]), np.array([[-1.0]]), 1.0, np.exp(LOSSES)
    )
    assert np.all(exact > upper * (1.0 + ROOM))
