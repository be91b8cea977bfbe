"""The lessons: their links, what is predicted and revealed, and the pages that they lead to."""

import re
from dataclasses import replace
from itertools import pairwise
from urllib.parse import parse_qsl

import pytest

from dpviz.scenario import Pin
from dpviz.settings import View
from dpviz.settings.destinations import PAGE_NAMES
from dpviz.settings.lessons import LESSONS, answers_by_lesson, lessons_in
from dpviz.settings.view import view_from_query
from dpviz.ui.address import FOLLOWED, KEEPS
from dpviz.ui.lesson_links import prepared_query
from dpviz.ui.page import page_file
from dpviz.ui.presenter import PAGES, stop_at
from dpviz.ui.state import State
from dpviz.wording.lessons import LESSONS_BY_NAME
from dpviz.wording.texts import wording_text
from tests.pages.acts import act, control, controls, drawn, press
from tests.pages.app import (
    ROOT,
    TOY,
    assert_sound,
    checked,
    elements_of,
    headline,
    link_in_address_bar,
    notes,
    state_of,
    texts,
    warnings,
)

ALL = [pytest.param(lesson, id=name) for name, lesson in LESSONS_BY_NAME.items()]
# What the page that a lesson leads to has as its chart, and numbers that stand there and here.
SHOWN = {
    "leak": ("batch_drawing", ["0.03158"]),
    "rates": ("privacy_curve", ["19.03"]),
    "windows": ("subsequences", ["9.502"]),
    "steps": ("over_training", ["19.03"]),
    "labels": ("label_noise", ["19.03", "14.42"]),
    "person": ("protection", ["455", "2.649"]),
    "bag": ("bag_lengths", ["11.55", "20.11", "19.03"]),
    "plan": ("plan", ["4.8195"]),
    "epsilon": ("trade_off", ["1.439"]),
}


@pytest.fixture
def opened(open_page):
    return lambda query=None: open_page(query, "lessons", parts=())


def links(app) -> dict[str, dict[str, str]]:
    """Return the parameters of the page's links by their words."""
    found = [element.proto for element in elements_of(app.main) if element.type == "page_link"]
    return {link.label: dict(parse_qsl(link.query_string)) for link in found}


def said(app) -> str:
    return " ".join([text.value for text in app.markdown] + [text.value for text in app.info])


@pytest.mark.parametrize("lesson", ALL)
def test_lesson_leads_to_its_state_and_back_with_what_was_answered(opened, open_page, lesson):
    """The prepared page opens without a refusal and shows numbers that the lesson tells."""
    app = opened({"lesson": lesson.name, "answers": f"{lesson.name}-d"})
    assert not app.warning
    query = links(app)["Open the page that is set up for this"]
    page = open_page(query, lesson.page, parts=())
    key, numbers = SHOWN[lesson.name]
    assert not page.warning
    assert_sound(page, key)
    assert state_of(page).scenario == lesson.scenario
    assert state_of(page).view == replace(
        lesson.view, lesson=lesson.name, answers=f"{lesson.name}-d"
    )
    everything = headline(page) + " ".join(texts(page))
    for number in numbers:
        assert number in everything
        assert number in wording_text(f"lessons/{lesson.name}")
    back = links(page)[f"Back to lesson {lesson.number}"]
    assert back == {FOLLOWED: KEEPS} | link_in_address_bar(page)
    again = opened(back)
    assert control(again, f"predict_{lesson.name}").value == "d"


def test_every_prepared_state_is_listed_here():
    assert set(SHOWN) == set(LESSONS)


def test_prediction_comes_before_the_truth_and_both_stay_in_the_link(opened):
    lesson = LESSONS_BY_NAME["bag"]
    app = opened({"lesson": "bag"})
    assert app.title[0].value == lesson.text.title
    assert control(app, "reveal_bag").disabled
    assert lesson.text.reveal not in said(app)
    act(app, "predict_bag", "a")
    assert checked(app).query_params["answers"] == "bag-a"
    assert lesson.text.reveal not in said(app)
    press(app, "reveal_bag")
    assert checked(app).query_params["revealed"] == "bag"
    assert lesson.text.reveal in said(app)
    assert "You predicted A. **B** is true: For one window" in said(app)
    again = opened(link_in_address_bar(app))
    assert lesson.text.reveal in said(again)
    assert control(again, "predict_bag").value == "a"
    act(again, "predict_bag", "b")
    assert "You predicted B." in checked(again).success[0].value


def test_overview_says_how_far_one_has_come_and_forgets_on_request(opened):
    app = opened({"answers": "leak-a.rates-c", "revealed": "rates"})
    told = list(links(app))
    assert sum(label.startswith("**Lesson ") for label in told) == len(LESSONS)
    assert "**Lesson 1: What leaks in a window?** (6 minutes, answered)" in told
    assert "**Lesson 2: Two rates, r and ρ** (7 minutes, looked up)" in told
    press(app, "forget_answers")
    assert state_of(checked(app)).view == View()
    assert "answers" not in app.query_params
    assert "looked up" not in " ".join(links(app))


@pytest.mark.parametrize(
    "query", [{"lesson": "ten"}, {"answers": "leak-z"}, {"revealed": "x"}, {"present": "2"}]
)
def test_a_link_with_what_is_not_allowed_is_named_and_the_rest_is_kept(opened, query):
    app = opened({"lesson": "steps", "answers": "rates-a"} | query)
    (name,) = query
    assert f"{name} = " in warnings(app)
    assert state_of(app).scenario == TOY
    if name != "lesson":
        assert app.title[0].value == LESSONS_BY_NAME["steps"].text.title


def test_lesson_is_left_on_the_page_and_answers_stay(open_page):
    state = State(view=View(answers="rates-b"))
    app = open_page(prepared_query(state, LESSONS_BY_NAME["rates"]), "privacy_curve", parts=())
    press(app, "leave_lesson")
    assert state_of(checked(app)).view == View(answers="rates-b")
    assert not any(label.startswith("Back to lesson") for label in links(app))


def test_pins_are_kept_and_hidden_in_a_prepared_state():
    state = State(pins=(Pin(slot="b", scenario=TOY),))
    query = prepared_query(state, LESSONS_BY_NAME["plan"])
    assert query["pins_hidden"] == "b"
    assert "pin_b" in query


def test_all_lessons_are_on_one_page_with_the_answers_at_the_end(opened):
    app = opened({"lesson": "all"})
    words = [text.value for text in elements_of(app.main) if hasattr(text, "value")]
    order = [place for place, word in enumerate(words) if word == "Answers"]
    assert len(order) == 1
    for lesson in LESSONS_BY_NAME.values():
        text = lesson.text
        assert words.index(text.question) < order[0] < words.index(text.reveal)
        choices = next(word for word in words if isinstance(word, str) and text.choices[3] in word)
        assert choices.count("☐") == 4
    assert not any(one.kind == "segments" for one in drawn(app))


def walk(places: int, view: View) -> list[tuple[str, str, bool]]:
    """Return pages, lessons and whether they are revealed, from key to key."""
    state, page, found = State(view=view), "lessons", []
    while (stop := stop_at(state, page, places)) is not None and len(found) < 100:
        shown, problems = view_from_query(stop.query)
        assert problems == []
        state, page = replace(state, view=shown), stop.page[len("pages/") : -len(".py")]
        found.append((page, shown.lesson, shown.lesson in lessons_in(shown.revealed)))
        if shown.lesson == "none":
            break
    return found


def test_keys_lead_from_question_to_page_to_answer_through_all_lessons_and_back():
    stops = [
        stop
        for name, lesson in LESSONS_BY_NAME.items()
        for stop in (("lessons", name, False), (lesson.page, name, False), ("lessons", name, True))
    ]
    ahead = walk(1, View(present=1, answers="leak-b"))
    assert ahead == [*stops, ("lessons", "none", False)]
    back = walk(-1, View(present=1, lesson="epsilon", revealed=".".join(LESSONS)))
    told = [(page, name) for page, name, _ in reversed(back)]
    assert told == [("lessons", "none"), *((page, name) for page, name, _ in stops[:-1])]


def test_keys_lead_from_page_to_page_outside_of_lessons():
    state = State(view=View(present=1, prior=0.1))
    for before, after in pairwise(PAGES):
        assert stop_at(state, before, 1).page == f"pages/{after}.py"
        assert stop_at(state, after, -1).page == f"pages/{before}.py"
        assert stop_at(state, after, -1).query["prior"] == "0.1"
    assert stop_at(state, PAGES[0], -1) is stop_at(state, PAGES[-1], 1) is None
    assert stop_at(state, "start", 1) is stop_at(state, "lessons", -1) is None


def test_keys_come_by_every_page_that_can_be_presented_in_the_order_of_the_navigation():
    sources = {name: (ROOT / page_file(name)).read_text("utf-8") for name in PAGE_NAMES}
    assert list(PAGES) == [name for name in PAGE_NAMES if "ask(QUESTION)" in sources[name]]


def test_presented_page_has_a_bar_instead_of_buttons_and_a_larger_chart(open_page):
    query = {"present": "1", "lesson": "rates"}
    app = open_page(query, "privacy_curve", parts=())
    assert {"Question", "Answer"} <= links(app).keys()
    assert "present" not in controls(app)
    assert sum(button.key == "qr_code" for button in app.button) == 1
    press(app, "leave_presenter")
    assert "present" not in checked(app).query_params
    assert "Question" not in links(app)
    press(app, "present")
    assert checked(app).query_params["present"] == "1"


def test_presented_answer_is_a_screen_of_its_own(opened):
    lesson = LESSONS_BY_NAME["person"]
    query = {"lesson": "person", "present": "1", "revealed": "person", "answers": "person-a"}
    app = opened(query)
    assert lesson.text.reveal in said(app)
    assert lesson.text.look not in said(app)
    assert "You predicted" not in said(app)
    assert not any(one.kind == "segments" for one in drawn(app))


def test_page_says_where_no_browser_has_told_its_address(opened):
    app = opened()
    app.button(key="qr_code").click().run()
    assert "copy the link instead" in notes(checked(app))


def test_every_lesson_can_be_answered_by_every_choice():
    for name in LESSONS:
        assert answers_by_lesson(f"{name}-d") == {name: "d"}
    assert not re.search("[^a-z]", "".join(LESSONS))
