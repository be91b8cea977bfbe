"""Where visitors wait for each other an answer comes before what stands around it."""

from unittest.mock import Mock

import pytest
import streamlit as st

from dpviz.ui import acts, filling, frame, turns
from dpviz.ui.acts import answer_acts
from dpviz.ui.questions import region
from dpviz.ui.results import Part
from tests.goldens.test_every_page import QUESTIONS
from tests.pages.app import SETTINGS_PARTS, TOY, link_of
from tests.pages.train_page import SMALL

PARTS = (*SETTINGS_PARTS, "open_certificate")
SHORT = link_of(TOY) | {"steps": "10", "batch_size": "8"}
# For the other pages what is quick on each.
FEW = SHORT | SMALL | {"compared_steps": "2", "simulated_runs": "2000"}
# The others are drawn whole; the map of a plan takes longer than all else.
LIVE = [
    page if page in ("label_noise", "batch_drawing") else pytest.param(page, marks=pytest.mark.slow)
    for page, one in QUESTIONS.items()
    if one.is_live and page != "planner"
]


@pytest.fixture
def order(monkeypatch):
    """Return what a page draws from now on of its answer and of its settings, in that order."""
    order = []

    def note(name):
        draw = getattr(frame, name)

        def noted(*given):
            order.append(name)
            return draw(*given)

        monkeypatch.setattr(frame, name, noted)

    note("draw_live")
    note("draw_ways_back")
    return order


@pytest.mark.parametrize("page", LIVE)
def test_crowded_page_is_the_same(open_page, monkeypatch, order, page):
    quiet = open_page(FEW, page, PARTS).act("noise_multiplier", "1.2")
    assert order
    assert order[:2] == ["draw_ways_back", "draw_live"]
    order.clear()
    monkeypatch.setattr(frame, "is_crowded", lambda: True)
    crowded = open_page(FEW, page, PARTS).act("noise_multiplier", "1.2")
    assert order[::2] == ["draw_live"] * (len(order) // 2)
    assert crowded.lasting_texts == quiet.lasting_texts
    assert crowded.link == quiet.link


def test_crowded_page_asks_first_where_a_file_leaves_settings_open(open_page, monkeypatch, order):
    monkeypatch.setattr(frame, "is_crowded", lambda: True)
    app = open_page().upload("upload_0", "series.csv", b"a,b\n" + b"1,2\n" * 60)
    order.clear()
    app.press("use_file")
    assert app.state.unchosen
    assert "draw_live" not in order


def test_crowded_page_says_first_what_of_its_link_is_not_used(open_page, monkeypatch):
    """Nothing that the visitor does before the controls are there may lose it."""
    monkeypatch.setattr(frame, "is_crowded", lambda: True)
    monkeypatch.setattr(frame, "let_answers_go_first", st.stop)
    assert "-3" in open_page(SHORT | {"noise_multiplier": "-3"}).warnings


def end_when_answered():
    answer_acts()
    st.stop()


def test_refusal_is_told_though_its_run_was_ended_before_it_was(open_page, monkeypatch):
    app = open_page(SHORT)
    monkeypatch.setattr(frame, "is_crowded", lambda: True)
    with monkeypatch.context() as ending:
        ending.setattr(frame, "let_answers_go_first", end_when_answered)
        app.act("noise_multiplier", "-3")
        app.act("delta", "1e-6")
    app.act("batch_size", "16")
    assert "-3" in app.warnings
    app.act("batch_size", "32")
    assert "-3" not in app.warnings


def test_accident_of_an_answer_takes_no_settings_away(open_page, monkeypatch):
    monkeypatch.setattr(frame, "is_crowded", lambda: True)
    app = open_page(SHORT)
    accident = RuntimeError("no process can be started")
    monkeypatch.setattr(frame, "draw_live", Mock(side_effect=accident))
    with pytest.raises(AssertionError):  # no page of these tests may raise anything
        app.act("noise_multiplier", "2")
    assert app.control("noise_multiplier").text == "2"


def test_crowded_plan_is_the_same(open_page, monkeypatch, made_up_map):
    quiet = open_page(SHORT, "planner")
    monkeypatch.setattr(frame, "is_crowded", lambda: True)
    assert open_page(SHORT, "planner").lasting_texts == quiet.lasting_texts


def test_refusal_is_told_no_longer_while_a_page_is_filled_in(open_page, monkeypatch):
    """A run that is to go on has drawn it, though it does not come to its end."""
    never_there = Part(key="never there", compute=int)
    app = open_page(SHORT)
    monkeypatch.setattr(
        frame, "draw_conditions", lambda _: filling.fill_in([never_there], only_known=True)
    )
    monkeypatch.setattr(filling, "draw_again", st.stop)
    assert "-3" in app.act("noise_multiplier", "-3").warnings
    assert "-3" not in app.act("delta", "1e-6").warnings


def test_answer_that_is_ended_forgets_none_of_its_choices(open_page, monkeypatch, made_up_map):
    """What the visitor chose while it was drawn is heard after it, by the next run."""
    app = open_page(SHORT, "planner")
    draw, parts = region.draw_region, []

    def end_once(*given, **more):
        parts.append(acts._board().part_of("region_layer"))
        if len(parts) == 1:
            turns.draw_again()
        return draw(*given, **more)

    monkeypatch.setattr(region, "draw_region", end_once)
    app.act("noise_multiplier", "2")
    assert len(parts) > 1
    assert set(parts) == {"live"}
