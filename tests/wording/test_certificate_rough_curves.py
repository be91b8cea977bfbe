"""Curves of which only the ends to quote are known: nothing is said of the others."""

import pytest

from dpviz.planning import curves_of
from dpviz.planning.curves import SecondEpsilon
from dpviz.wording.certificate import certificate, second_answer
from dpviz.wording.differences import _change
from dpviz.wording.findings import bounds_table, headline
from dpviz.wording.theorems import named_theorem
from tests.planning.kinds import RUNS, curves_of_kind

NAMES = sorted(set(RUNS) - {"no finite epsilon"})


def rough(name):
    return curves_of(curves_of_kind(name).scenario, tolerance=1e-2, only_quoted=True)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_said_of_how_close_the_numbers_are(name):
    curves = rough(name)
    said = headline(curves) + certificate(curves) + bounds_table([("now", curves)])
    for claim in ("wide", "bound itself is tight", "lies between", "100 %", "0 to "):
        assert claim not in said
    assert "not computed (privacy loss grid" in certificate(curves)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_quoted_is_quoted_all_the_same(name):
    curves, exact = rough(name), curves_of_kind(name)
    assert curves.epsilon_upper >= exact.upper.bracket.low
    assert "ε ≤ " in certificate(curves)
    assert named_theorem(curves.upper.bound.theorem) in certificate(curves)


def test_another_librarys_number_is_not_placed_in_a_bracket_that_is_none():
    look = SecondEpsilon(epsilon=0.5, interval=1e-3, seconds=0.1)
    assert second_answer(rough("drawn"), "upper", look).endswith("without a bracket.")


def test_whether_a_change_is_resolved_is_left_open():
    exact = curves_of_kind("drawn")
    assert "too roughly to tell" in _change(exact, rough("one step"))
    assert "too roughly to tell" in _change(rough("one step"), exact)
