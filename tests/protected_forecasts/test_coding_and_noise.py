"""Protections of single series: cases by hand, and noise by its moments."""

import math

import numpy as np
import pytest

from dpviz.protected_forecasts.protections import (
    METHODS,
    BottomCoding,
    LaplaceKnownBounds,
    LaplaceOwnRange,
    NormalNoise,
    TopCoding,
    protection_named,
)
from dpviz.scenario import ScenarioError

ONE = np.array([3.0, 1.0, 10.0, 2.0, 9.0])
RNG = np.random.default_rng
MANY = 200_000
# How far a mean of MANY draws may be off, in standard errors: less than one test in a million.
ERRORS = 5.0


def test_top_and_bottom_coding_by_hand():
    """With five values, the 80 % quantile lies a fifth of the way from 9 to 10."""
    (top,) = TopCoding(0.2).protected((ONE,), RNG(1))
    assert top.tolist() == pytest.approx([3.0, 1.0, 9.2, 2.0, 9.0])
    (bottom,) = BottomCoding(0.2).protected((ONE,), RNG(1))
    assert bottom.tolist() == pytest.approx([3.0, 1.8, 10.0, 2.0, 9.0])


@pytest.mark.parametrize("share", [0.1, 0.2, 0.4])
def test_top_coding_touches_the_share_it_names(share):
    """The print's F(x) <= p would cut off 1 - p of the values instead of p."""
    values = RNG(2).permutation(1000).astype(float)
    (coded,) = TopCoding(share).protected((values,), RNG(1))
    assert np.mean(coded != values) == pytest.approx(share, abs=0.001)
    (coded,) = BottomCoding(share).protected((values,), RNG(1))
    assert np.mean(coded != values) == pytest.approx(share, abs=0.001)


def test_series_are_coded_by_their_own_quantiles():
    first, second = TopCoding(0.5).protected((ONE, 100.0 * ONE), RNG(1))
    assert second.tolist() == pytest.approx((100.0 * first).tolist())


def test_normal_noise_has_the_multiple_of_the_own_standard_deviation():
    values = np.tile(ONE, MANY // 5)
    (noisy,) = NormalNoise(0.5).protected((values,), RNG(3))
    noise, spread = noisy - values, 0.5 * ONE.std()
    assert abs(noise.mean()) < ERRORS * spread / math.sqrt(MANY)
    assert noise.var() == pytest.approx(spread**2, rel=ERRORS * math.sqrt(2.0 / MANY))


@pytest.mark.parametrize(
    ("protection", "scale"),
    [(LaplaceOwnRange(2.0), 4.5), (LaplaceKnownBounds(2.0, 0.0, 20.0), 10.0)],
)
def test_laplace_noise_has_the_scale_that_is_told(protection, scale):
    """A Laplace variable's absolute value is exponential: mean and deviation are the scale."""
    values = np.tile(ONE, MANY // 5)
    (noisy,) = protection.protected((values,), RNG(4))
    sizes = np.abs(noisy - values)
    assert sizes.mean() == pytest.approx(scale, rel=ERRORS / math.sqrt(MANY))
    assert np.mean(sizes > scale) == pytest.approx(math.exp(-1.0), abs=ERRORS * 0.5 / MANY**0.5)


def test_known_bounds_cut_values_before_the_noise():
    wide = np.array([-1000.0, 5.0, 1000.0])
    protection = LaplaceKnownBounds(1.0, 0.0, 10.0)
    (one,) = protection.protected((wide,), RNG(5))
    (other,) = protection.protected((np.array([0.0, 5.0, 10.0]),), RNG(5))
    assert one.tolist() == other.tolist()


def test_known_bounds_keep_to_epsilon_for_one_value_by_their_density():
    """The log of the ratio of the two densities is nowhere above epsilon, and reaches it."""
    protection = LaplaceKnownBounds(0.7, 10.0, 40.0)
    outputs = np.linspace(-200.0, 250.0, 2001)
    losses = (np.abs(outputs - 40.0) - np.abs(outputs - 10.0)) / protection.scale
    assert np.abs(losses).max() == pytest.approx(0.7, rel=1e-12)
    assert protection.series_epsilon(10) == pytest.approx(7.0)


def test_own_range_has_no_finite_epsilon():
    """A series of equal values is released without noise: its protection tells that it is one."""
    constant = np.full(50, 7.0)
    (same,) = LaplaceOwnRange(0.1).protected((constant,), RNG(6))
    assert same.tolist() == constant.tolist()


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("top-coding", "it must be written as top-coding:coded_share"),
        ("top-coding:0.1:0.2", "it must be written as top-coding:coded_share"),
        ("top-coding:much", "with numbers"),
        ("top-coding:nan", "with numbers"),
        ("top-coding:0.9", "it must be a number from 0.001 to 0.5"),
        ("magic:1", "it must begin with one of none, top-coding"),
        ("laplace-known-bounds:1:5:5", "it must be above value_low (5)"),
        ("nearest-swap:0:12", "it must be a whole number from 1 to 100"),
        ("nearest-swap:1.5:12", "it must be a whole number from 1 to 100"),
        ("radius-swap:1e999:12", "it must be a number from"),
    ],
)
def test_what_is_not_allowed_is_said(text, named):
    with pytest.raises(ScenarioError) as refused:
        protection_named(text)
    assert named in str(refused.value)


def test_every_method_can_be_asked_for():
    strengths = {"none": "", "laplace-known-bounds": ":1:0:100"}
    for name in METHODS:
        usual = ":3:5" if "swap" in name or "centroid" in name else ":0.25"
        found = protection_named(name + strengths.get(name, usual))
        series = tuple(RNG(at).uniform(1.0, 99.0, 40) for at in range(5))
        released = found.protected(series, RNG(1))
        assert [len(values) for values in released] == [40] * 5
        assert (name == "none") == all(map(np.array_equal, released, series)) or "radius" in name
