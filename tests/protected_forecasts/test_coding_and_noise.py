"""Protections of series by coding, noise and swaps, and what a change of errors tells."""

import math

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from dpviz.protected_forecasts.protections import (
    METHODS,
    LaplaceKnownBounds,
    bottom_coding,
    laplace_own_range,
    normal_noise,
    protection_named,
    top_coding,
)
from dpviz.protected_forecasts.study import error_change
from dpviz.protected_forecasts.swapping import NearestSwap, RadiusSwap, hull_centroid
from dpviz.scenario import ScenarioError

ONE = np.array([3.0, 1.0, 10.0, 2.0, 9.0])
RNG = np.random.default_rng
MANY = 200_000
# How far a mean of MANY draws may be off, in standard errors: less than one test in a million.
ERRORS = 5.0


def test_top_and_bottom_coding_by_hand():
    """With five values, the 80 % quantile lies a fifth of the way from 9 to 10."""
    top = top_coding(ONE, RNG(1), 0.2)
    assert top.tolist() == pytest.approx([3.0, 1.0, 9.2, 2.0, 9.0])
    bottom = bottom_coding(ONE, RNG(1), 0.2)
    assert bottom.tolist() == pytest.approx([3.0, 1.8, 10.0, 2.0, 9.0])


@pytest.mark.parametrize("share", [0.1, 0.2, 0.4])
def test_top_coding_touches_the_share_it_names(share):
    """The print's F(x) <= p would cut off 1 - p of the values instead of p."""
    values = RNG(2).permutation(1000).astype(float)
    coded = top_coding(values, RNG(1), share)
    assert np.mean(coded != values) == pytest.approx(share, abs=0.001)
    coded = bottom_coding(values, RNG(1), share)
    assert np.mean(coded != values) == pytest.approx(share, abs=0.001)


def test_series_are_coded_by_their_own_quantiles():
    first, second = protection_named("top-coding:0.5").protected((ONE, 100.0 * ONE), RNG(1))
    assert second.tolist() == pytest.approx((100.0 * first).tolist())


def test_normal_noise_has_the_multiple_of_the_own_standard_deviation():
    values = np.tile(ONE, MANY // 5)
    noisy = normal_noise(values, RNG(3), 0.5)
    noise, spread = noisy - values, 0.5 * ONE.std()
    assert abs(noise.mean()) < ERRORS * spread / math.sqrt(MANY)
    assert noise.var() == pytest.approx(spread**2, rel=ERRORS * math.sqrt(2.0 / MANY))


@pytest.mark.parametrize(
    ("protection", "scale"),
    [("laplace-own-range:2", 4.5), ("laplace-known-bounds:2:0:20", 10.0)],
)
def test_laplace_noise_has_the_scale_that_is_told(protection, scale):
    """A Laplace variable's absolute value is exponential: mean and deviation are the scale."""
    values = np.tile(ONE, MANY // 5)
    (noisy,) = protection_named(protection).protected((values,), RNG(4))
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
    same = laplace_own_range(constant, RNG(6), 0.1)
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


def test_change_by_hand():
    """Means 2 and 3, residuals -0.5, 0 and 0.5 of a ratio of 1.5, and Student's 4.3027."""
    found = error_change(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 5.0]))
    assert found.share == pytest.approx(0.5)
    reach = 4.302653 * (0.5 / 2.0 / 3.0) ** 0.5 / 2.0
    assert (found.low, found.high) == pytest.approx((0.5 - reach, 0.5 + reach))
    assert not found.is_told


def test_what_cannot_be_told_is_none():
    few = np.array([1.0, 2.0])
    assert error_change(few, few) is None
    assert error_change(np.array([1.0, 2.0, np.nan]), np.ones(3)) is None
    assert error_change(np.zeros(5), np.ones(5)) is None


@pytest.mark.parametrize("count", [8, 40])
def test_range_has_the_true_change_about_as_often_as_it_says(count):
    """Errors of two forecasts as they are here: exponential, correlated; truly 10 % larger."""
    rng, hits, runs = RNG(1), 0, 1000
    for _ in range(runs):
        before = rng.exponential(1.0, count)
        after = 1.1 * (0.5 * before + 0.5 * rng.exponential(1.0, count))
        found = error_change(before, after)
        hits += found.low <= 0.1 <= found.high
    assert 0.87 < hits / runs < 0.98


def test_nothing_is_often_told_by_chance_alone():
    """Two forecasts that are equally good: where it says a twentieth, it is an eighth at most."""
    rng, told, runs = RNG(2), 0, 1000
    for _ in range(runs):
        found = error_change(*rng.exponential(1.0, (2, 8)))
        told += found.is_told
    assert told / runs < 0.125


# Distances of the values: a-b 1, b-c 3, c-d 6, a-c 4, b-d 9, a-d 10.
LINE = tuple(np.array([value]) for value in (0.0, 1.0, 4.0, 10.0))


def values(series):
    return [one.tolist() for one in series]


def test_each_of_the_nearest_is_drawn_equally_often():
    """Of 4,000 draws between two, neither is off by more than five standard errors."""
    series = tuple(np.full(4000, value) for value in (0.0, 1.0, 4.0, 10.0))
    (first, *_) = NearestSwap(2, 1).protected(series, RNG(2))
    assert set(first) == {1.0, 4.0}
    assert np.mean(first == 1.0) == pytest.approx(0.5, abs=5 * 0.5 / math.sqrt(4000))


def test_series_of_other_lengths_are_never_swapped():
    series = (*(np.array([value, value]) for value in (0.0, 1.0)), *LINE)
    released = NearestSwap(1, 12).protected(series, RNG(1))
    assert values(released)[:2] == [[1.0, 1.0], [0.0, 0.0]]
    with pytest.raises(ScenarioError, match="2 series have 2 values"):
        NearestSwap(2, 12).protected(series, RNG(1))


def test_radius_is_open_and_who_has_no_neighbour_is_left_as_it_is():
    swap = RadiusSwap(3.0, 1)
    assert values(swap.protected(LINE, RNG(1))) == [[1.0], [0.0], [4.0], [10.0]]
    assert swap.kept_share(LINE) == 0.5
    assert RadiusSwap(3.001, 1).kept_share(LINE) == 0.25


@pytest.mark.parametrize(
    ("replacement", "expected"),
    [("centroid", 2.5), ("centroid-with-own", 5.0 / 3.0), ("hull-centroid", 2.5)],
)
def test_centroids_of_remark_2(replacement, expected):
    """Two nearest of 0 are 1 and 4; with the series itself, the mean is of three."""
    released = NearestSwap(2, 1, replacement).protected(LINE, RNG(1))
    assert released[0][0] == pytest.approx(expected)


def test_hull_centroid_leaves_out_who_is_between_others():
    """Of 1, 4 and 10 around 0, only 1 and 10 are corners; the plain centroid is 5."""
    assert NearestSwap(3, 1, "hull-centroid").protected(LINE, RNG(1))[0][0] == pytest.approx(5.5)
    assert NearestSwap(3, 1, "centroid").protected(LINE, RNG(1))[0][0] == pytest.approx(5.0)


def test_corners_of_a_hull_in_many_dimensions():
    """Windows in general position are all corners; adding their mean adds none."""
    points = RNG(3).normal(size=(6, 12))
    plain = points[:, -1].mean()
    assert hull_centroid(points) == pytest.approx(plain)
    assert hull_centroid(np.vstack([points, points.mean(axis=0)])) == pytest.approx(plain)
    assert hull_centroid(np.vstack([points, points[0]])) == pytest.approx(plain)


@pytest.mark.parametrize("values", [2, 3, 5])
def test_corners_are_those_that_quickhull_finds(values):
    points = 1000.0 + 100.0 * RNG(4).normal(size=(40, values))
    corners = points[ConvexHull(points).vertices]
    assert len(corners) < 40
    assert hull_centroid(points) == pytest.approx(corners[:, -1].mean(), rel=1e-12)


def test_large_values_that_hardly_differ_are_told_apart():
    """Distances of 0.02 and 0.03 among values of ten million: their squares hide it."""
    series = tuple(np.full(3, 1e7 + change) for change in (0.0, 0.05, 0.02))
    released = NearestSwap(1, 3).protected(series, RNG(1))
    assert [one[2] for one in released] == [series[2][2], series[2][2], series[0][2]]
    swap = RadiusSwap(0.04, 1)
    assert [one[2] for one in swap.protected(series[:2], RNG(1))] == [series[0][2], series[1][2]]


@pytest.mark.parametrize("window", [1, 3, 12])
def test_neighbours_are_those_that_a_plain_search_finds(window):
    """Algorithms 1 and 2 word by word on 7 series; the centroid tells all who were chosen."""
    series = tuple(RNG(at).normal(100.0, 10.0, 15) for at in range(7))
    radius = 10.0 * math.sqrt(window)
    by_rank = NearestSwap(3, window, "centroid").protected(series, RNG(1))
    by_radius = RadiusSwap(radius, window, 25.0, "centroid").protected(series, RNG(1))
    for own in range(7):
        for time in range(15):
            begin = max(0, time - window + 1)
            changes = {
                other: series[own][begin : time + 1] - series[other][begin : time + 1]
                for other in range(7)
                if other != own
            }
            nearest = sorted(changes, key=lambda other: math.hypot(*changes[other]))[:3]
            expected = sum(series[other][time] for other in nearest) / 3
            assert by_rank[own][time] == pytest.approx(expected)
            near = [
                series[other][time]
                for other, change in changes.items()
                if math.hypot(*change) < radius and max(map(abs, change)) <= 25.0
            ]
            expected = sum(near) / len(near) if near else series[own][time]
            assert by_radius[own][time] == pytest.approx(expected)


def test_swapped_values_are_of_the_same_time_and_of_others():
    series = tuple(RNG(at).normal(size=30) for at in range(8))
    released = NearestSwap(3, 12).protected(series, RNG(4))
    for own, one in enumerate(released):
        for time, value in enumerate(one):
            others = [other[time] for at, other in enumerate(series) if at != own]
            assert value in others
