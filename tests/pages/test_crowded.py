"""Where visitors wait for each other an answer comes before what stands around it."""

import re

import pytest

from dpviz.ui import frame
from tests.pages.test_every_question import QUESTIONS, SHORT, STATES

# The others are drawn whole; the map of a plan takes longer than all else.
LIVE = [page for page, one in QUESTIONS.items() if one.is_live and page != "planner"]


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
    query = SHORT | STATES[page][0]
    quiet = open_page(query, page).act("noise_multiplier", "1.2")
    assert order
    assert order[:2] == ["draw_ways_back", "draw_live"]
    order.clear()
    monkeypatch.setattr(frame, "is_crowded", lambda: True)
    crowded = open_page(query, page).act("noise_multiplier", "1.2")
    assert order[::2] == ["draw_live"] * (len(order) // 2)
    assert texts_of(crowded) == texts_of(quiet)
    assert crowded.link == quiet.link


def texts_of(app):
    """Return all texts, without what names this one opening of the page, or drawing of a chart."""
    return [re.sub(r'"(opening|turn)": "?\w+"?', "", text) for text in app.texts]


def test_crowded_page_says_what_it_refuses(open_page, monkeypatch):
    monkeypatch.setattr(frame, "is_crowded", lambda: True)
    app = open_page(SHORT).act("noise_multiplier", "-3")
    assert "-3" in app.warnings
    assert app.control("noise_multiplier").text == "1"


def test_crowded_page_asks_first_where_a_file_leaves_settings_open(open_page, monkeypatch, order):
    monkeypatch.setattr(frame, "is_crowded", lambda: True)
    app = open_page().upload("upload_0", "series.csv", b"a,b\n" + b"1,2\n" * 60).press("use_file")
    assert "draw_live" not in order[-1:]
    assert app.state.unchosen
