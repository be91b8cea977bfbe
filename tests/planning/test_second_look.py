"""Another library's epsilon for the same bound, beside dpviz's own bracket."""

from types import SimpleNamespace

import pytest

from dpviz.accounting import second_opinion as library
from dpviz.planning import curves as module
from dpviz.planning.curves import second_look
from tests.planning.kinds import curves_of_kind

# Rounded up on the library's own grid, with noise that it does not bound.
LIBRARY = 1e-3


@pytest.mark.parametrize(
    ("name", "side"),
    [("drawn", "upper"), ("walked", "upper")]
    + [
        (name, side)
        for name in ("Poisson windows", "one bag", "one step")
        for side in ("upper", "lower")
    ],
)
def test_it_lies_inside_the_bracket_or_beside_it(name, side):
    curves = curves_of_kind(name)
    bracket = getattr(curves, side).bracket
    look = second_look(curves, side)
    assert bracket.low * (1 - 1e-6) <= look.epsilon <= bracket.high * (1 + LIBRARY)
    assert look.interval <= 1e-3
    assert look.seconds > 0.0


def test_sides_are_not_mixed_up():
    """The bag's two bounds are 6 % apart."""
    curves = curves_of_kind("one bag")
    upper, lower = (second_look(curves, side).epsilon for side in ("upper", "lower"))
    assert lower < 0.95 * upper


@pytest.mark.parametrize("name", ["drawn", "walked"])
def test_the_library_composes_no_directions_that_are_chosen_anew(name):
    with pytest.raises(ValueError, match="directions that are chosen anew"):
        second_look(curves_of_kind(name), "lower")


def test_a_grid_that_is_too_fine_for_the_library_is_made_coarser(monkeypatch):
    curves = curves_of_kind("one step")
    monkeypatch.setattr(library, "MOST_GRID_POINTS", 8_000)
    look = second_look(curves, "upper")
    assert look.interval > 1e-3
    assert look.epsilon == pytest.approx(curves.epsilon_upper, rel=1e-2)


def test_where_the_library_finds_no_epsilon_none_is_told(monkeypatch):
    opinion = SimpleNamespace(epsilon_at=lambda _: None)
    monkeypatch.setattr(module, "second_opinion", lambda *_, **__: opinion)
    assert second_look(curves_of_kind("drawn"), "upper").epsilon is None


@pytest.mark.parametrize("side", ["upper", "lower"])
def test_series_of_several_lengths_are_refused(side):
    with pytest.raises(ValueError, match="several lengths"):
        second_look(curves_of_kind("several lengths"), side)


def test_a_bound_that_is_not_proven_is_refused():
    with pytest.raises(ValueError, match="no lower bound is proven"):
        second_look(curves_of_kind("no lower bound"), "lower")


@pytest.mark.parametrize("side", ["epsilon", "Upper", "", "scenario"])
def test_a_side_that_does_not_exist_is_refused_by_name(side):
    """Also where the curves have something else of that name."""
    with pytest.raises(ValueError, match=f"side = '{side}' is not allowed: it must be 'upper' or"):
        second_look(curves_of_kind("drawn"), side)
