"""Noise on data as it is released: exact, on a grid, and enough for who is counted often."""

import itertools
import math
from fractions import Fraction
from functools import cache
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from mpmath import exp, mp, mpf, ncdf, sqrt

from dpviz.release import CircularFilter, ReleaseSettings, SystemEntropy, calibrated, release
from dpviz.release.noisy import (
    GRID_BITS,
    change_on_grid,
    coarser_multiples,
    coins,
    doubles,
    grid_exponent,
    nearest_multiples,
    noisy_filtered_values,
    noisy_values,
)
from tests.accounting.exact import exact_gaussian_delta
from tests.release.exact import delta_of_moves
from tests.release.test_calibration import PAIRS

NOISE = 26.13
GRID = 2.0 ** grid_exponent(NOISE)


def off_grid(values):
    """Return the share of values that are no multiples of the grid."""
    return np.mean(values / GRID != np.round(values / GRID))


def test_last_digits_told_a_count_of_zero_from_one_and_tell_nothing_now():
    """After 1 + noise in doubles no sum has digits below 2^-53, after 0 + noise a hundredth has."""
    draws = 20_000
    plain = NOISE * np.random.default_rng(1).standard_normal(draws)
    told = [np.mean((count + plain) * 2.0**53 % 1.0 != 0.0) for count in (0.0, 1.0)]
    assert told[0] > 0.005
    assert told[1] == 0.0
    for count in (0.0, 1.0):
        noisy = noisy_values(np.full(draws, count), NOISE, SystemEntropy())
        assert off_grid(noisy) == 0.0
        # And each multiple comes, odd ones as often as even ones.
        assert abs(np.mean(noisy / GRID % 2) - 0.5) < 5 * 0.5 / math.sqrt(draws)


@given(st.integers(0, 2**32), st.integers(-50_000, 50_000), st.integers(-50_000, 50_000))
def test_a_count_only_shifts_its_noise(seed, count, change):
    """From the same bits counts that differ give results that differ by just as much."""
    one, other = (
        noisy_values(np.array([float(start)]), NOISE, SystemEntropy(Random(seed).randbytes))
        for start in (count, count + change)
    )
    assert Fraction(float(other[0])) - Fraction(float(one[0])) == change


@pytest.mark.parametrize(("mechanism", "accounting"), [pair for pair in PAIRS if pair[0] != "dft"])
def test_what_is_released_of_kept_steps_lies_on_the_grid(mechanism, accounting):
    """But the Fourier mechanisms', which are computed from such values by a transform."""
    settings = ReleaseSettings(length=500, participation=50)
    plan = calibrated(settings, mechanism, accounting)
    released = release(np.arange(500.0) + 0.3, plan, SystemEntropy())
    grid = Fraction(2) ** grid_exponent(plan.noise)
    found = released.values[released.kept].tolist()
    assert all((Fraction(value) / grid).denominator == 1 for value in found)


@given(
    length=st.integers(1, 20),
    width=st.sampled_from([0.01, 0.5, 3.0, 50.0]),
    size=st.sampled_from([1, 1000, 10**12, 10**40]),
    seed=st.integers(0, 2**32),
)
def test_filter_moves_by_exactly_what_theory_says(length, width, size, seed):
    """Sums of products one by one; no step moves by more than 1, all of them by as many counts."""
    drawn = Random(seed)
    filter_ = CircularFilter(length, width)
    weights = filter_.whole_weights.tolist()
    assert min(weights) >= 0
    assert sum(weights) == 2**40
    series = [drawn.randint(-size, size) for _ in range(length)]
    found = filter_.filtered_multiples(series)
    assert found == [
        sum(weights[(step - other) % length] * series[other] for other in range(length))
        for step in range(length)
    ]
    member = [drawn.randint(0, 1) for _ in range(length)]
    with_one = filter_.filtered_multiples([x + d for x, d in zip(series, member, strict=True)])
    moves = [after - before for after, before in zip(with_one, found, strict=True)]
    assert min(moves) >= 0
    assert max(moves) <= 2**40
    assert sum(moves) == 2**40 * sum(member)


def test_filtered_values_have_the_noise_and_the_means():
    """Against the filter in double precision, within five standard errors."""
    filter_, steps = CircularFilter(2000, 10.0), np.arange(0, 2000, 2)
    series = 500.0 + 100.0 * np.sin(np.arange(2000) / 100.0)
    noisy = noisy_filtered_values(series, filter_, steps, NOISE, SystemEntropy())
    added = (noisy - filter_.filtered(series)[steps]) / NOISE
    assert off_grid(noisy) == 0.0
    assert abs(added.mean()) < 5 / math.sqrt(1000)
    assert abs(added.std() - 1.0) < 5 / math.sqrt(2000)


def test_no_noise_hides_and_changes_nothing():
    values = np.array([0.1, 1e300])
    assert noisy_values(values, 0.0, SystemEntropy()) is values


@pytest.mark.parametrize("noise", [1e-150, 1e-291, 5e-324])
def test_values_of_more_steps_than_doubles_count_keep_their_size(noise):
    """Simulated, too: such a step is far below the last digit of each of these values."""
    values = np.array([-3.5, 1e10, 1e200])
    for rng in (SystemEntropy(), np.random.default_rng(1)):
        assert noisy_values(values, noise, rng).tolist() == values.tolist()


@pytest.mark.parametrize("rate", [0.0, 1e-6, 0.1, 0.3, 1 - 2.0**-53, 1.0])
def test_coins_are_exact_at_the_boundary(rate):
    """The last number below the rate keeps a step, the rate itself does not: of 128 digits."""
    threshold = int(Fraction(rate) * 2**128)
    assert Fraction(threshold, 2**128) == Fraction(rate)
    for number, is_kept in ((threshold - 1, True), (threshold, False)):
        if 0 <= number < 2**128:
            high, low = divmod(number, 2**64)
            given_bytes = np.array([high, low], dtype=np.uint64).tobytes()
            entropy = SystemEntropy(lambda count, given_bytes=given_bytes: given_bytes[:count])
            assert coins(rate, 1, entropy).tolist() == [is_kept]


def test_coins_fall_as_often_as_they_should():
    """Within five standard errors, and neighbours not alike (whose products overlap)."""
    found = coins(0.3, 100_000, SystemEntropy())
    assert abs(found.mean() - 0.3) < 5 * math.sqrt(0.21 / 100_000)
    assert abs((found[1:] & found[:-1]).mean() - 0.09) < 5 * math.sqrt(0.12 / 100_000)


def test_no_noise_is_given_out_twice():
    entropy = SystemEntropy()
    drawn = [tuple(entropy.rounded_normals(NOISE, -36, 5)) for _ in range(100)]
    assert len({value for values in drawn for value in values}) == 500


LENGTH, STEPS, TIMES, RATE, WIDTH, EPSILON = 4, 2, 3, 0.4, 0.7, 0.5
# All who are counted in two of four steps at most, up to three times in each.
INDIVIDUALS = np.array(
    [
        times
        for times in itertools.product(range(TIMES + 1), repeat=LENGTH)
        if np.count_nonzero(times) <= STEPS
    ],
    dtype=float,
)


def planned(delta, times, **more):
    settings = {"length": LENGTH, "participation": STEPS, "rate": RATE, "filter_width": WIDTH}
    return ReleaseSettings(
        **settings | {"epsilon": EPSILON, "delta": delta, "times_per_step": times} | more
    )


def largest_delta(mechanism, individuals, epsilon, noise):
    """Return the largest delta of the individuals, from all masks, one by one."""
    moves, rate = individuals, RATE
    if mechanism == "filter-subsample":
        moves = np.array([CircularFilter(LENGTH, WIDTH).filtered(one) for one in individuals])
    elif mechanism != "subsample":
        rate = 1.0
    return delta_of_moves(moves, epsilon, rate, noise).max()


@pytest.mark.parametrize("delta", [1e-6, 0.01])
@pytest.mark.parametrize(("mechanism", "accounting"), PAIRS)
def test_no_individual_breaks_the_budget_and_one_attains_it_where_it_is_tight(
    mechanism, accounting, delta
):
    plan = calibrated(planned(delta, TIMES), mechanism, accounting)
    for epsilon in (EPSILON / 2, EPSILON, 2 * EPSILON):
        worst = largest_delta(mechanism, INDIVIDUALS, epsilon, plan.noise)
        assert worst <= plan.delta_at(epsilon) * (1 + 1e-9)
        if plan.is_tight:
            assert worst == pytest.approx(plan.delta_at(epsilon), rel=1e-6)
    # Noise for who is counted once in a step is not enough for who is counted three times.
    once = calibrated(planned(delta, 1), mechanism, accounting)
    assert plan.noise == pytest.approx(TIMES * once.noise, rel=1e-12)
    if plan.is_tight:
        assert largest_delta(mechanism, INDIVIDUALS, EPSILON, once.noise) > 2 * delta


def test_who_is_in_more_steps_is_told_what_holds_for_as_many_times_in_each():
    plan = calibrated(planned(0.001, TIMES), "subsample", "exact")
    everybody = np.full((1, LENGTH), float(TIMES))
    epsilon = plan.epsilon_at(LENGTH)
    assert largest_delta("subsample", everybody, epsilon, plan.noise) <= 0.001 * (1 + 1e-9)
    assert largest_delta("subsample", everybody, 0.99 * epsilon, plan.noise) > 0.001


@pytest.mark.parametrize("times", [1, 100])
def test_a_filter_is_free_by_the_noise_of_one_time(times):
    """By the condition for all of the noise, a hundred times would make it free."""
    little = calibrated(
        ReleaseSettings(
            length=10, participation=1, epsilon=0.001, delta=0.09, times_per_step=times
        ),
        "filter-subsample",
        "exact",
    )
    assert not little.is_filter_free
    assert 2 * 0.001 * (100 / times * little.noise) ** 2 >= 1.0


DIGITS = 90
FINITE = st.floats(allow_nan=False, allow_infinity=False)
NOISES = st.floats(min_value=5e-324, max_value=1e100)


@given(NOISES)
@example(5e-324)
@example(1e100)
def test_grid_is_fine_and_the_largest_such_power_of_two(noise):
    """Whole numbers are on it; and either it is 2^-40 of the noise or all doubles are on it."""
    exponent = grid_exponent(noise)
    assert exponent <= 0
    ratio = Fraction(noise) / Fraction(2) ** exponent
    assert ratio >= 2**GRID_BITS or exponent == -1074
    assert ratio < 2 ** (GRID_BITS + 1) or exponent == 0


@given(FINITE, NOISES)
def test_rounding_is_exact_and_halves_go_up(value, noise):
    exponent = grid_exponent(noise)
    (whole,) = nearest_multiples([value], exponent)
    away = Fraction(value) / Fraction(2) ** exponent - whole
    assert Fraction(-1, 2) <= away < Fraction(1, 2)


@given(FINITE, FINITE, st.floats(min_value=1e-12, max_value=1e12), NOISES)
@example(0.5, 1.5, 1.0, 1e15)
@example(0.0, 0.7, 0.7, 2.0**40)
@example(-5e-324, 5e-324, 1e-12, 1.0)
def test_a_change_moves_a_rounded_value_by_no_more_than_is_charged(one, other, change, noise):
    """Lemma 1 of docs/release.md, in exact arithmetic, for all doubles that differ by so much."""
    if abs(Fraction(one) - Fraction(other)) > Fraction(change):
        other = one + math.copysign(change, other)
        if math.isinf(other) or abs(Fraction(one) - Fraction(other)) > Fraction(change):
            other = one
    exponent = grid_exponent(noise)
    first, second = nearest_multiples([one, other], exponent)
    moved = abs(first - second) * Fraction(2) ** exponent
    assert moved <= Fraction(change_on_grid(change, noise))


@given(st.floats(min_value=1e-12, max_value=1e12), NOISES)
def test_charge_is_hardly_more_than_the_change(change, noise):
    charged = Fraction(change_on_grid(change, noise))
    assert charged >= Fraction(change)
    step = Fraction(2) ** grid_exponent(noise)
    assert charged < (Fraction(change) + step) * (1 + Fraction(1, 2**51))
    assert change_on_grid(float(math.ceil(change)), noise) == math.ceil(change)


@given(st.lists(st.integers(-(2**200), 2**200)), st.integers(-1074, 0))
def test_multiples_become_the_nearest_doubles(multiples, exponent):
    for whole, double in zip(multiples, doubles(multiples, exponent).tolist(), strict=True):
        exact = whole * Fraction(2) ** exponent
        assert (Fraction(double) / Fraction(2) ** exponent).denominator == 1
        assert abs(Fraction(double) - exact) <= abs(exact) / 2**53
        assert abs(whole) > 2**53 or Fraction(double) == exact


@given(st.integers(-(2**80), 2**80), st.integers(0, 50))
def test_a_coarser_grid_has_the_nearest_multiples(whole, bits):
    (coarse,) = coarser_multiples([whole], bits)
    assert Fraction(-1, 2) <= Fraction(whole, 2**bits) - coarse < Fraction(1, 2)


@cache
def chances(scale):
    """Return the chances of all whole numbers that matter, for rounded noise of so many steps."""
    reach = int(16 * scale) + 8
    with mp.workdps(DIGITS):
        below = [ncdf((mpf(n) - mpf(0.5)) / mpf(scale)) for n in range(-reach, reach + 2)]
        return {n - reach: after - before for n, (before, after) in enumerate(pairwise(below))}


def chances_of_pairs(scale, moved):
    """Return the chance of each number that matters without a move and with it."""
    still = chances(scale)
    return [(still.get(n - moved, mpf(0)), still.get(n, mpf(0))) for n in still]


def rounded_delta(epsilon, scale, moved):
    """Return delta of whole noise of so many steps when a value moves by ``moved`` of them."""
    with mp.workdps(DIGITS):
        factor = exp(mpf(epsilon))
        return sum(max(p - factor * q, mpf(0)) for p, q in chances_of_pairs(scale, moved))


@pytest.mark.parametrize("scale", [1.0, 2.0, 8.3])
@pytest.mark.parametrize("moved", [1, 3, 8])
@pytest.mark.parametrize("epsilon", [0.0, 0.3, 1.0, 4.0])
def test_rounded_noise_hides_at_least_as_well_as_ideal_noise(scale, moved, epsilon):
    """Summed with 90 digits, on grids so coarse that a gap can be seen; and it hides hardly better.

    Theorem and corollary of docs/release.md; there the grid is 2^-40 of the noise.
    """
    ideal = exact_gaussian_delta(epsilon, moved / scale)
    rounded = rounded_delta(epsilon, scale, moved)
    assert rounded <= ideal * (1 + mpf(10) ** -12)
    assert rounded >= ideal - moved / scale**2


def test_rounding_to_a_coarse_grid_does_lose_something():
    """Else the test above could not tell one side from the other."""
    ideal = exact_gaussian_delta(0.3, 1.0)
    assert rounded_delta(0.3, 1.0, 1) < 0.97 * ideal


def test_two_rounded_values_hide_at_least_as_well_together():
    """Both moved, by different amounts: the distance of the moves alone decides for ideal noise."""
    scale, epsilon = 4.0, 0.1
    with mp.workdps(DIGITS):
        factor = exp(mpf(epsilon))
        rounded = sum(
            max(p * s - factor * q * r, mpf(0))
            for p, q in chances_of_pairs(scale, 1)
            for s, r in chances_of_pairs(scale, 3)
        )
    ideal = exact_gaussian_delta(epsilon, float(sqrt(mpf(10))) / scale)
    assert ideal - 4 / scale**2 <= rounded <= ideal * (1 + mpf(10) ** -12)


def test_a_change_between_grid_points_costs_the_next_one():
    """Without the charge delta would be too small: 0 and 1.5 steps become 0 and 2."""
    scale, epsilon = 8.0, 0.1
    assert nearest_multiples([0.0, 1.5], 0) == [0, 2]
    truth = rounded_delta(epsilon, scale, 2)
    assert exact_gaussian_delta(epsilon, 1.5 / scale) < truth
    assert truth <= exact_gaussian_delta(epsilon, 2.0 / scale)
