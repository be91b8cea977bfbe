"""What a number rests on, and what another library says, for every kind of answer."""

import re
from dataclasses import replace

import pytest

from dpviz.guarantees import Kind
from dpviz.planning import curves_of
from dpviz.planning.curves import SecondEpsilon, second_look
from dpviz.wording.certificate import certificate, second_answer
from dpviz.wording.differences import _change
from dpviz.wording.findings import bounds_table, headline
from dpviz.wording.theorems import composed_units, named_theorem
from tests.planning.brackets import with_bracket
from tests.planning.kinds import RUNS, curves_of_kind
from tests.wording.reading import is_between, jargon_in, numbers_after

PARTS = re.compile(r"\*\*(Upper|Lower) bound[:.]\*\*")


def part_of(curves, side):
    """Return the lines about one bound."""
    text = certificate(curves)
    start = text.index(f"**{side} bound")
    end = text.index("**Lower bound") if side == "Upper" else len(text)
    return text[start:end]


def sides_of(curves):
    yield "Upper", curves.upper
    if curves.lower is not None:
        yield "Lower", curves.lower


@pytest.mark.parametrize("name", RUNS)
def test_each_bound_is_told_with_theorem_unit_bracket_and_what_its_kind_allows(name):
    curves = curves_of_kind(name)
    assert PARTS.findall(certificate(curves)) == ["Upper", "Lower"]
    for side, curve in sides_of(curves):
        text, bound = part_of(curves, side), curve.bound
        kind, low, high = bound.kind_after_composition, curve.bracket.low, curve.bracket.high
        assert f"{named_theorem(bound.theorem)}](theorems#" in text
        assert f"for one {bound.unit.value}, composed over {composed_units(bound)}" in text
        assert ("tight for one" in text) == (bound.kind is Kind.TIGHT)
        if high is None:
            assert numbers_after("value is above ", text)[0] <= low
        else:
            (first,), (last,) = numbers_after("between ", text), numbers_after(" and ", text)
            assert is_between(low, first, last, high)
        assert ("ome gradients attain it" in text) == (kind is not Kind.UPPER)
        assert ("no analysis can promise less" in text) == (kind is Kind.LOWER)
        assert ("Exact: some" in text) == (kind is Kind.TIGHT)


def test_what_is_not_resolved_has_no_number():
    curves = curves_of_kind("drawn")
    text = certificate(replace(curves, lower=with_bracket(curves.lower, None, None)))
    assert "**Lower bound:** beyond what is resolved at δ" in text
    assert "No bracket: the value lies beyond what is resolved" in text


# What another library says.


def look(epsilon):
    return SecondEpsilon(epsilon=epsilon, interval=1e-3, seconds=0.123)


@pytest.mark.parametrize(
    ("low", "high", "theirs", "ending"),
    [
        (19.0, 19.5, 19.2, "It lies inside dpviz's bracket."),
        (19.0, 19.5, 19.0, "It lies inside dpviz's bracket."),
        (19.0, 19.5, 19.5, "It lies inside dpviz's bracket."),
        (19.0, 19.5, 19.500014, "It agrees with the upper end of dpviz's bracket."),
        (
            10.0,
            20.0,
            22.0,
            "10 % above dpviz's bracket: the library rounds up, on a grid that does not adapt.",
        ),
        (10.0, 20.0, 9.0, "bracket: the library does not bound its own rounding errors."),
        (0.0, 0.0, 0.0, "It lies inside dpviz's bracket."),
        (0.0, 0.0, 0.5, "dpviz finds 0: the library's grid is too coarse for this."),
        (19.0, None, 19.2, "rounded up and without a bracket."),
        (None, None, 19.2, "rounded up and without a bracket."),
        (19.0, 19.5, None, "rounded up and without a bracket."),
    ],
)
def test_the_other_librarys_number_is_placed_beside_the_bracket(low, high, theirs, ending):
    curves = curves_of_kind("drawn")
    curves = replace(curves, upper=with_bracket(curves.upper, low, high))
    text = second_answer(curves, "upper", look(theirs))
    assert text.endswith(ending)
    assert text.startswith("**Upper bound by dp-accounting:** ")
    assert theirs is None or numbers_after("ε = ", text)[0] >= theirs
    assert "at δ = 10⁻⁷ (grid 0.001, 0.12 s), rounded up and without a bracket." in text
    assert ("no finite ε" in text) == (theirs is None)
    assert ("10 % below" in text) == (theirs == 9.0)
    assert jargon_in(text) == []


@pytest.mark.parametrize("side", ["upper", "lower"])
@pytest.mark.parametrize("name", ["drawn", "one step", "walked", "one bag", "noise on labels"])
def test_real_second_answers_agree(name, side):
    curves = curves_of_kind(name)
    if getattr(curves, side) is None:
        return
    if side == "lower" and curves.lower.bound.theorem == "dpviz 9":
        with pytest.raises(ValueError, match="chosen anew are not expressed"):
            second_look(curves, side)
        return
    text = second_answer(curves, side, second_look(curves, side))
    assert text.startswith(f"**{side.capitalize()} bound by dp-accounting:** ε = ")
    assert "It lies inside" in text or "It agrees" in text


def test_each_side_is_compared_with_its_own_bracket():
    curves = curves_of_kind("drawn")
    inside_lower = look(curves.lower.bracket.high)
    assert second_answer(curves, "lower", inside_lower).endswith("inside dpviz's bracket.")
    assert "below dpviz's bracket" in second_answer(curves, "upper", inside_lower)


def rough(name):
    return curves_of(RUNS[name], tolerance=1e-2, only_quoted=True)


@pytest.mark.parametrize("name", sorted(set(RUNS) - {"no finite epsilon"}))
def test_what_is_quoted_alone_is_told_without_how_close_it_is(name):
    curves = rough(name)
    rests_on = certificate(curves)
    said = headline(curves) + rests_on + bounds_table([("now", curves)])
    for claim in ("roughly", "bound is tight", "lies between", "100 %", "0 to "):
        assert claim not in said
    assert "not computed (privacy loss grid" in rests_on
    assert curves.epsilon_upper >= curves_of_kind(name).upper.bracket.low
    assert "ε ≤ " in rests_on
    assert named_theorem(curves.upper.bound.theorem) in rests_on


def test_another_librarys_number_is_not_placed_in_a_bracket_that_is_none():
    assert second_answer(rough("drawn"), "upper", look(0.5)).endswith("without a bracket.")


def test_whether_a_change_is_resolved_is_left_open():
    exact = curves_of_kind("drawn")
    assert "too roughly to tell" in _change(exact, rough("one step"))
    assert "too roughly to tell" in _change(rough("one step"), exact)
