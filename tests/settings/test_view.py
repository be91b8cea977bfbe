"""What the pages show: its link form, choices of single pages, and where classes are kept."""

import os
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

import pytest
from hypothesis import given

from dpviz.scenario import ScenarioError
from dpviz.settings import View
from dpviz.settings.dashboard import CLASSES_VARIABLE, classes_file
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


def test_every_choice_is_part_of_the_link():
    for name in VIEW_PARAMETERS:
        view = replace(View(), **{name: OTHERS[name]})
        assert view_from_query(view_to_query(view)) == (view, []), name
        assert view != View(), name


@pytest.mark.every(3)
@pytest.mark.parametrize("name", BAD)
def test_every_bad_value_is_named_and_the_rest_is_used(name):
    good = {"chart": "training", "target_epsilon": "3", "fixed_epsilon": "0.5",
            "compared_steps": "12", "compared_length": "epoch", "noise_chart": "map",
            "bag_chart": "curve", "first_date": "2021-02-28", "figure": "13",
            "panel": "1"} | {name: str(OTHERS[name]) for name in OTHERS}  # fmt: skip
    expected, none = view_from_query({other: good[other] for other in good if other != name})
    assert none == []
    for bad in BAD[name]:
        view, [problem] = view_from_query(good | {name: bad})
        assert view == expected, bad
        assert problem.field == name, bad
        assert str(problem).startswith(f"{name} = ")
        assert "it must be" in str(problem)
        assert str(problem).isprintable()
        assert len(str(problem)) < 300


def test_all_parameters_bad_leaves_the_view_as_at_first():
    view, problems = view_from_query(dict.fromkeys(VIEW_PARAMETERS, "?"))
    assert view == View()
    assert [problem.field for problem in problems] == list(VIEW_PARAMETERS)


def test_other_parameters_of_a_link_are_not_its_own():
    assert view_from_query({"delta": "x", "pin_a": "y"}) == (View(), [])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("chart", 1), ("chart", "pie"), ("target_epsilon", "1"), ("fixed_epsilon", None)),
        *(("compared_steps", value) for value in (True, -1, 1.5)),
        ("class_code", "AEIOU"),
    ],
)
def test_a_view_is_never_made_of_what_is_not_allowed(name, value):
    with pytest.raises(ScenarioError, match=rf"^{name}\b"):
        View(**{name: value})


def test_what_is_allowed_is_kept_as_its_check_returns_it():
    view = View(compared_steps=3.0, target_epsilon=1, class_code="bcdfg", chart="training")
    assert (view.compared_steps, view.target_epsilon, view.class_code) == (3, 1.0, "BCDFG")
    assert isinstance(view.compared_steps, int)
    assert view.chart == "training"


def test_the_operator_names_the_file_or_turns_classes_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "in" / "a" / "folder" / "mine.sqlite"
    monkeypatch.setenv(CLASSES_VARIABLE, str(path))
    assert classes_file() == path
    assert not path.parent.exists()  # before a class is started
    monkeypatch.setenv(CLASSES_VARIABLE, "off")
    assert classes_file() is None


@pytest.mark.skipif(os.name == "nt", reason="Windows has another folder for it")
def test_without_a_name_it_lies_where_programs_keep_what_lasts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(CLASSES_VARIABLE, raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert classes_file() == tmp_path / "dpviz" / "classes.sqlite"
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert classes_file() == tmp_path / "home" / ".local" / "state" / "dpviz" / "classes.sqlite"


def test_where_nothing_can_be_written_there_are_no_classes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(CLASSES_VARIABLE, str(tmp_path / "file" / "classes.sqlite"))
    assert classes_file() is None
