"""k-nTS and delta-nTS swapping: small cases by hand, random choices by their frequencies."""

import math

import numpy as np
import pytest

from dpviz.protected_forecasts.swapping import NearestSwap, RadiusSwap, hull_centroid
from dpviz.scenario import ScenarioError

RNG = np.random.default_rng
# Distances of the values: a-b 1, b-c 3, c-d 6, a-c 4, b-d 9, a-d 10.
LINE = tuple(np.array([value]) for value in (0.0, 1.0, 4.0, 10.0))


def values(series):
    return [one.tolist() for one in series]


def test_nearest_series_gives_its_value():
    released = NearestSwap(1, 1).protected(LINE, RNG(1))
    assert values(released) == [[1.0], [0.0], [1.0], [4.0]]


def test_window_decides_who_is_near_and_its_newest_value_is_taken():
    """At the second time a and c are alike now, but over both times a and b are."""
    series = (np.array([0.0, 5.0]), np.array([1.0, 8.0]), np.array([50.0, 5.5]))
    over_both = NearestSwap(1, 2).protected(series, RNG(1))
    assert [one[1] for one in over_both] == [8.0, 5.0, 8.0]
    newest_only = NearestSwap(1, 1).protected(series, RNG(1))
    assert [one[1] for one in newest_only] == [5.5, 5.5, 5.0]
    # Windows are of original values, and at the first time there is only one.
    assert [one[0] for one in over_both] == [one[0] for one in newest_only] == [1.0, 0.0, 1.0]


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


def test_largest_change_within_the_window_is_kept_to():
    """The second is near to the first on the whole, but far at one time; the third never."""
    series = (np.zeros(2), np.array([0.0, 2.5]), np.array([2.0, 2.0]))
    near = RadiusSwap(3.0, 2, "centroid").protected(series, RNG(1))
    assert near[0][1] == pytest.approx(2.25)
    bounded = RadiusSwap(3.0, 2, "centroid", 2.0).protected(series, RNG(1))
    assert bounded[0][1] == pytest.approx(2.0)


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
    by_radius = RadiusSwap(radius, window, "centroid", 25.0).protected(series, RNG(1))
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
