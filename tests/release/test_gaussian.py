"""The Gaussian mechanism's delta and noise, and the sampler of rounded normal noise."""

import math
from collections import Counter
from fractions import Fraction
from random import Random

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2, kstest, norm

from dpviz.accounting.gaussian import gaussian_delta, log_gaussian_delta
from dpviz.release import analytic_noise, classical_noise, gaussian
from dpviz.release.entropy import half_coin, rounded_normal
from dpviz.scenario import ScenarioError
from tests.accounting.exact import exact_gaussian_delta

EPSILONS = [0.0, 1e-4, 0.01, 0.5, 1.0, 3.0, 30.0, 1000.0]
RATIOS = [1e-6, 1e-3, 0.01, 0.1, 0.5, 1.0, 2.0, 5.0, 20.0, 60.0, 1e4]


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_delta_is_rounded_up_from_the_exact_value(epsilon):
    """Never below the value of 60 digits; above it by 1e-10 of it, or what doubles cannot tell."""
    for ratio in RATIOS:
        exact = exact_gaussian_delta(epsilon, ratio)
        computed = float(gaussian_delta(epsilon, ratio))
        if exact < 1e-290:
            assert exact <= computed
            assert 0.0 < computed <= 1e-280
            continue
        assert computed >= exact or computed == 1.0
        assert computed - exact <= 1e-10 * exact + 1e-14


@pytest.mark.parametrize("epsilon", [995.0868381718249, 190400.47074161153, 675033.5459601746])
@pytest.mark.parametrize("beyond", [-8.0, -7.4542, -3.0, 0.0, 1e-8, 0.0409, 0.3])
def test_delta_is_rounded_up_where_the_terms_of_an_argument_cancel(epsilon, beyond):
    """About the bend, mu^2 = 2 epsilon, two large numbers leave a small one with their errors."""
    ratio = math.sqrt(2.0 * epsilon) + beyond
    exact = exact_gaussian_delta(epsilon, ratio)
    assert exact <= float(gaussian_delta(epsilon, ratio)) <= exact * (1 + 1e-10)


def test_no_and_infinite_signal():
    assert gaussian_delta(0.5, [0.0, np.inf]).tolist() == [0.0, 1.0]


@pytest.mark.parametrize("ratio", [0.01, 0.5, 5.0])
def test_its_logarithm_goes_on_where_it_underflows(ratio):
    epsilons = ratio * np.array([0.0, 3.0, 30.0, 60.0])
    exact = [float(mpmath.log(exact_gaussian_delta(one, ratio))) for one in epsilons]
    assert min(exact) < -1600.0
    assert log_gaussian_delta(epsilons, ratio) == pytest.approx(exact, rel=1e-9)


@given(epsilon=st.floats(1e-3, 20.0), exponent=st.floats(-14.0, -1.0), root=st.floats(0.1, 100.0))
def test_analytic_noise_meets_its_delta_and_hardly_more(epsilon, exponent, root):
    """By the 60-digit formula, not by dpviz's own."""
    delta = 10.0**exponent
    noise = analytic_noise(epsilon, delta, root)
    assert exact_gaussian_delta(epsilon, root / noise) <= delta
    assert exact_gaussian_delta(epsilon, root / (noise * (1 - 1e-7))) > delta * (1 - 1e-4)


@pytest.mark.parametrize("epsilon", [0.01, 0.1, 0.5, 0.99])
@pytest.mark.parametrize("delta", [1e-9, 1e-4, 0.01])
def test_the_classical_noise_is_enough_where_it_is_proven(epsilon, delta):
    noise = classical_noise(epsilon, delta, 3.0)
    assert exact_gaussian_delta(epsilon, 3.0 / noise) <= delta
    assert noise >= analytic_noise(epsilon, delta, 3.0)


@pytest.mark.parametrize("epsilon", [1.0, 2.0, 50.0])
def test_the_classical_noise_is_refused_from_epsilon_1_on(epsilon):
    with pytest.raises(ScenarioError, match=r"epsilon = .* is not allowed: .*below 1"):
        classical_noise(epsilon, 1e-5, 1.0)


def test_the_classical_formula_would_be_wrong_for_large_epsilon():
    """Why it is refused: at epsilon 50 its noise misses the delta."""
    noise = math.sqrt(2.0 * math.log(1.25e5)) / 50.0
    assert exact_gaussian_delta(50.0, 1.0 / noise) > 1e-5


SCALES = [Fraction(1, 3), Fraction(1), Fraction(5, 3), Fraction(129, 16)]


class MoreBitsError(Exception):
    """The bits that were given do not decide."""


def chances(draw, depth):
    """Return the chance of each answer that ``depth`` bits decide, and of none: exactly.

    All strings of bits are walked through as a tree.
    """
    decided, open_strings, undecided = Counter(), [(0, 0)], Fraction(0)
    while open_strings:
        value, length = open_strings.pop()
        used = 0

        def bits(count, value=value, length=length):
            nonlocal used
            if used + count > length:
                raise MoreBitsError
            used += count
            return (value >> (length - used)) & ((1 << count) - 1)

        try:
            answer = draw(bits)
        except MoreBitsError:
            if length == depth:
                undecided += Fraction(1, 2**depth)
            else:
                open_strings += [(2 * value, length + 1), (2 * value + 1, length + 1)]
        else:
            assert used == length
            decided[answer] += Fraction(1, 2**length)
    return decided, undecided


def law(scale, whole):
    """Return the chance that a normal number with this deviation is rounded to ``whole``."""
    near, far = (math.fabs(whole) + half for half in (-0.5, 0.5))
    return norm.sf(near / float(scale)) - norm.sf(far / float(scale))


def test_the_coin_that_everything_is_made_of_has_its_exact_chance():
    """No sampling: all strings of 24 bits that are still open are followed."""
    decided, undecided = chances(half_coin, 24)
    assert undecided < 1e-4
    assert decided[True] <= math.exp(-0.5) <= decided[True] + undecided
    assert decided[False] <= 1 - math.exp(-0.5) <= decided[False] + undecided


@pytest.mark.parametrize("scale", SCALES[:3])
def test_no_value_is_more_likely_than_it_should_be(scale):
    """No sampling: what strings of 13 bits decide stays below the exact chance of every value."""
    decided, undecided = chances(lambda bits: rounded_normal(scale, bits, first_bits=1), 13)
    assert sum(decided.values()) + undecided == 1
    for whole, chance in decided.items():
        assert chance <= law(scale, whole) <= chance + undecided


@pytest.mark.every(2)
@pytest.mark.parametrize("first_bits", [1, None])
@pytest.mark.parametrize("scale", SCALES)
def test_values_come_as_often_as_they_should(scale, first_bits):
    """Chi-square over 20,000 draws from a fixed seed; also when few bits are looked at first."""
    draws, bits = 20_000, Random(1).getrandbits
    seen = Counter(rounded_normal(scale, bits, first_bits=first_bits) for _ in range(draws))
    most = next(n for n in range(1000) if draws * law(scale, n + 1) < 10)
    expected = {n: draws * law(scale, n) for n in range(-most, most + 1)}
    tails = [sum(c for n, c in seen.items() if abs(n) > most), draws - sum(expected.values())]
    statistic = sum((seen[n] - mean) ** 2 / mean for n, mean in expected.items())
    statistic += (tails[0] - tails[1]) ** 2 / max(tails[1], 1.0)
    assert statistic < chi2.isf(1e-4, len(expected))


def test_fine_noise_is_normal_in_all_its_digits():
    """At the grid that is used: moments, the law, and low digits that are fair, of 20,000 draws."""
    draws, bits, scale = 20_000, Random(2).getrandbits, Fraction(26.13) * 2**36
    drawn = [rounded_normal(scale, bits) for _ in range(draws)]
    normal = np.array([float(whole / scale) for whole in drawn])
    assert abs(normal.mean()) < 4 / math.sqrt(draws)
    assert abs(normal.var() - 1.0) < 4 * math.sqrt(2 / draws)
    assert abs((normal**4).mean() - 3.0) < 4 * math.sqrt(96 / draws)
    assert kstest(normal, "norm").pvalue > 1e-3
    for digit in range(32):
        share = sum(whole >> digit & 1 for whole in drawn) / draws
        assert abs(share - 0.5) < 5 * 0.5 / math.sqrt(draws)


def test_more_bits_only_add_digits():
    """The same bits at twice the scale give the same number with one more digit, or round up."""
    for seed in range(200):
        coarse, fine = (
            rounded_normal(scale, Random(seed).getrandbits, first_bits=64)
            for scale in (Fraction(2**20), Fraction(2**21))
        )
        assert fine in range(2 * coarse - 1, 2 * coarse + 2)


@pytest.mark.parametrize("epsilon", [0.05, 0.366, 0.5, 0.9])
@pytest.mark.parametrize("alpha", [0.05, 0.1, 0.4, 0.9, 1.0])
def test_a_failure_counts_as_printed_where_the_noise_is_enough_and_whole_elsewhere(epsilon, alpha):
    delta = 1e-4
    sigma = classical_noise(epsilon, delta / 2.0, alpha)
    is_enough = gaussian_delta(epsilon / alpha, 1.0 / sigma) <= delta / 2.0
    printed = math.exp(epsilon / alpha) - math.exp(epsilon)
    expected = printed if is_enough else max(printed, 1.0)
    assert gaussian._weight_of_failure(epsilon, delta, alpha) == pytest.approx(expected, rel=1e-12)
