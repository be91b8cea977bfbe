"""The grid: what rounding to it does to values, to changes, and to delta."""

import math
from fractions import Fraction
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from mpmath import exp, mp, mpf, ncdf, sqrt

from dpviz.release.noisy import (
    GRID_BITS,
    change_on_grid,
    coarser_multiples,
    doubles,
    grid_exponent,
    nearest_multiples,
)
from tests.accounting.exact import exact_gaussian_delta

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
