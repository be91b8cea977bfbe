"""What a map tells is read off its computed cells, and nothing else."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz.planning.region import (
    RegionPoint,
    alone,
    computed_along,
    least_noise,
    meets,
    most_private,
    nearest_that_meet,
    place_along,
    places_coarse_to_fine,
    sources,
)
from tests.planning.region_maps import made_up, rising

WHOLE = 17 * 17


def patterned(bits, *, most=None):
    """Return a map whose cells meet the goal in any pattern, or have no answer."""
    return made_up(lambda column, row: bits[(17 * row + column) % len(bits)], most=most)


PATTERNS = st.lists(st.sampled_from([1.0, 9.0, None, float("inf")]), min_size=5, max_size=60)


def test_places_come_once_the_own_one_first_and_coarse_before_fine():
    shown = made_up(rising)
    places = places_coarse_to_fine(shown.x, shown.y)
    assert places[0] == shown.own
    assert len(places) == len(set(places)) == WHOLE
    assert {(0, 0), (16, 0), (0, 16), (16, 16)} <= set(places[:36])


@pytest.mark.parametrize("most", [1, 2, 17, 36, 50, 120, WHOLE - 1, WHOLE])
def test_every_place_is_stood_for_by_itself_or_a_computed_one_near_it(most):
    shown = made_up(rising, most=most)
    found = sources(shown)
    for at, source in found.items():
        assert source in shown.cells
        if at in shown.cells:
            assert source == at
        assert max(abs(at[0] - source[0]), abs(at[1] - source[1])) <= 2
    if most >= 36:
        assert len(found) == WHOLE


@settings(max_examples=40)
@given(PATTERNS, st.integers(1, WHOLE))
def test_a_stretch_holds_every_computed_value_that_meets_and_ends_at_one_that_does_not(bits, most):
    shown = patterned(bits, most=most)
    for axis in (shown.x, shown.y):
        stretch = alone(shown, axis)
        assert (stretch is not None) == meets(shown, shown.own)
        known = computed_along(shown, axis)
        if stretch is None:
            continue
        assert stretch.first <= axis.own <= stretch.last
        inside = [at for at in known if stretch.first <= at <= stretch.last]
        assert all(meets(shown, place_along(shown, axis, at)) for at in inside)
        for at, end in ((stretch.before, known[0]), (stretch.after, known[-1])):
            if at is None:
                assert end in (stretch.first, stretch.last)
            else:
                assert not meets(shown, place_along(shown, axis, at))


@settings(max_examples=40)
@given(PATTERNS, st.integers(1, WHOLE))
def test_nearest_values_meet_and_none_between_them_does(bits, most):
    shown = patterned(bits, most=most)
    if meets(shown, shown.own):
        return
    for axis in (shown.x, shown.y):
        found = nearest_that_meet(shown, axis)
        assert all(meets(shown, place_along(shown, axis, at)) for at in found)
        met = {
            at - axis.own
            for at in computed_along(shown, axis)
            if meets(shown, place_along(shown, axis, at))
        }
        nearest = {max(by for by in met if by < 0)} if min(met, default=1) < 0 else set()
        nearest |= {min(by for by in met if by > 0)} if max(met, default=-1) > 0 else set()
        assert {at - axis.own for at in found} == nearest


@settings(max_examples=40)
@given(PATTERNS, st.integers(1, WHOLE))
def test_extremes_are_those_of_the_computed_cells(bits, most):
    shown = patterned(bits, most=most)
    points = [cell for cell in shown.cells.values() if isinstance(cell, RegionPoint)]
    finite = [point.upper.quoted for point in points if point.upper.quoted is not None]
    best = most_private(shown)
    assert (best is None) == (not finite)
    if best is not None:
        assert shown.points[best].upper.quoted == min(finite)
    met = [point.noise_per_gradient for point in points if point.meets]
    quietest = least_noise(shown)
    assert (quietest is None) == (not met)
    if quietest is not None:
        assert shown.points[quietest].meets
        assert shown.points[quietest].noise_per_gradient == min(met)
