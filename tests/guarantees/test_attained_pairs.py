"""Named gradient functions reach the lower bounds exactly: all draws of small series, summed.

Weights and means come from enumeration alone; no law of dpviz's own is used.
"""

from collections import defaultdict

import numpy as np
import pytest

from dpviz.accounting.loss_distribution import Direction
from dpviz.accounting.second_opinion import profile_at
from dpviz.guarantees import (
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
from tests.guarantees.small_mechanisms import Small, divergence

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
@pytest.mark.parametrize("coin", [0.05, 0.5, 1.0])
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
