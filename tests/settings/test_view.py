"""What the pages show: its link form, and a named reason for each value that is not used."""

from dataclasses import replace
from urllib.parse import parse_qsl, urlencode

import pytest
from hypothesis import given

from dpviz.scenario import ScenarioError
from dpviz.settings import View
from dpviz.settings.view import VIEW_PARAMETERS, view_from_query, view_to_query
from tests.settings.view_choices import BAD, OTHERS, VIEWS


@given(VIEWS)
def test_a_link_reopens_the_view(view):
    query = view_to_query(view)
    assert set(query) <= set(VIEW_PARAMETERS)
    assert view_from_query(dict(parse_qsl(urlencode(query)))) == (view, [])


def test_a_link_leaves_out_what_is_as_at_first():
    assert view_to_query(View()) == {}
    assert view_from_query({}) == (View(), [])
    assert view_to_query(View(compared_steps=7)) == {"compared_steps": "7"}


@pytest.mark.parametrize("name", VIEW_PARAMETERS)
def test_every_choice_is_part_of_the_link(name):
    """A choice that is new must not be forgotten there."""
    other = OTHERS[name]
    view = replace(View(), **{name: other})
    assert view_from_query(view_to_query(view)) == (view, [])
    assert getattr(view_from_query(view_to_query(view))[0], name) == other


@pytest.mark.parametrize(("name", "text"), [(name, text) for name in BAD for text in BAD[name]],
                         ids=lambda text: text[:12].encode("unicode_escape").decode())  # fmt: skip
def test_every_bad_value_is_named_and_the_rest_is_used(name, text):
    good = {"chart": "training", "target_epsilon": "3", "fixed_epsilon": "0.5",
            "compared_steps": "12", "compared_length": "epoch", "noise_chart": "map",
            "bag_chart": "curve", "first_date": "2021-02-28", "figure": "13",
            "panel": "1"} | {name: str(OTHERS[name]) for name in OTHERS}  # fmt: skip
    view, problems = view_from_query(good | {name: text})
    (problem,) = problems
    assert problem.field == name
    assert str(problem).startswith(f"{name} = ")
    assert "it must be" in str(problem)
    assert str(problem).isprintable()
    assert len(str(problem)) < 300
    expected, none = view_from_query({other: good[other] for other in good if other != name})
    assert none == []
    assert view == expected


def test_all_parameters_bad_leaves_the_view_as_at_first():
    view, problems = view_from_query(dict.fromkeys(VIEW_PARAMETERS, "?"))
    assert view == View()
    assert [problem.field for problem in problems] == list(VIEW_PARAMETERS)


def test_other_parameters_of_a_link_are_not_its_own():
    assert view_from_query({"delta": "x", "pin_a": "y"}) == (View(), [])


@pytest.mark.parametrize(
    ("name", "value"),
    [("chart", 1), ("target_epsilon", "1"), ("compared_steps", True), ("fixed_epsilon", None)],
)
def test_a_view_is_never_made_of_other_types(name, value):
    with pytest.raises(ScenarioError) as refused:
        View(**{name: value})
    assert refused.value.field == name
