"""The lessons: their links, what is predicted and revealed, and the pages that they lead to."""

from dataclasses import replace
from itertools import pairwise
from urllib.parse import parse_qsl

import pytest

from dpviz.settings import View
from dpviz.settings.destinations import PAGE_NAMES, destination_of
from dpviz.settings.lessons import (
    LESSONS,
    PAPER_SEED,
    answers_by_lesson,
    lessons_in,
    letter_of,
    order_of_choices,
)
from dpviz.settings.view import view_from_query
from dpviz.ui.address import FOLLOWED, KEEPS
from dpviz.ui.lesson_links import prepared_query
from dpviz.ui.page import page_file
from dpviz.ui.presenter import PAGES, stop_at
from dpviz.ui.state import State
from dpviz.wording.lessons import LESSONS_BY_NAME
from dpviz.wording.texts import with_formulas
from tests.pages.app import ROOT

PAGE, LINK = "lessons", {}
ALL = [pytest.param(lesson, id=name) for name, lesson in LESSONS_BY_NAME.items()]
# What the page that a lesson leads to has as its chart, and as its only controls.
PAGES_OF = {
    "guess": ("membership_game", set()),
    "epsilon": ("people", {"noise_multiplier"}),
    "leak": ("batch_drawing", {"drawn_batch"}),
    "person": ("protection", {"relation_width"}),
    "rates": ("privacy_curve", {"bottom_rate", "top_rate"}),
    "windows": ("subsequences", {"noise_multiplier"}),
    "steps": ("privacy_curve", {"steps"}),
    "labels": ("label_noise", {"forecast_noise"}),
    "bag": ("bag_lengths", {"window_length"}),
    "plan": ("region", {"epochs"}),
}


def links(app) -> dict[str, dict[str, str]]:
    """Return the parameters of the page's links by their words."""
    found = [element.proto for element in app.elements if element.type == "page_link"]
    return {link.label: dict(parse_qsl(link.query_string)) for link in found}


def said(app) -> str:
    return " ".join([text.value for text in app.markdown] + [text.value for text in app.info])


def numbers_of(page) -> set[str]:
    return {one.name for one in page.drawn if one.kind == "number"}


def test_the_chart_whose_title_may_be_the_answer_opens_to_who_has_predicted(opened):
    def waits(query):
        found = [one.proto for one in opened(query).elements if one.type == "page_link"]
        return {link.label: link for link in found}["Open the lesson's chart"].disabled

    assert waits({"lesson": "windows"})
    assert not waits({"lesson": "windows", "answers": "windows-a", "participant": "8"})
    assert not waits({"lesson": "guess"})  # which begins with its game


@pytest.mark.every(6)
@pytest.mark.parametrize("lesson", ALL)
def test_lesson_leads_to_its_state_and_back_with_what_was_answered(
    opened, open_page, made_up_map, lesson
):
    told = {"answers": f"{lesson.name}-d", "participant": 8}
    app = opened({"lesson": lesson.name} | {name: str(value) for name, value in told.items()})
    assert not app.warning
    page = open_page(links(app)["Open the lesson's chart"], lesson.page, parts=())
    assert not page.warning
    chart, sliders = PAGES_OF[lesson.name]
    assert page.chart(chart)["data"]
    assert page.state.scenario == lesson.scenario
    assert page.state.view == replace(lesson.view, lesson=lesson.name, **told)
    # Its slider alone, and all of the page on request.
    assert page.title[0].value == lesson.text.title
    assert with_formulas(lesson.text.look) in said(page)
    assert numbers_of(page) == sliders
    page.press("whole_page")
    assert page.title[0].value == destination_of(lesson.page)
    assert numbers_of(page) > sliders
    page.press("whole_page")
    assert "whole_page" not in page.query_params
    back = links(page)[f"Back to lesson {lesson.number}"]
    assert back == {FOLLOWED: f"{KEEPS},lesson"} | page.link
    again = opened(back)
    assert again.control(f"predict_{lesson.name}").value == "d"


def test_a_link_that_was_drawn_before_an_answer_keeps_it(open_page):
    """What is answered in a part that is drawn by itself leaves the links above it as they are."""
    lesson = LESSONS_BY_NAME["leak"]
    page = open_page(prepared_query(State(), lesson), lesson.page, parts=())
    back = links(page)[f"Back to lesson {lesson.number}"]
    page.act("predict_leak", "d")
    page.press("reveal_leak")
    told = {"answers": "leak-d", "revealed": "leak", "participant": page.link["participant"]}
    page.open_link(back)
    assert told.items() <= page.link.items()
    assert page.link["lesson"] == "leak"
    page.open_link(prepared_query(State(), LESSONS_BY_NAME["rates"]))
    assert told.items() <= page.link.items()
    assert page.link["lesson"] == "rates"


def test_game_tells_nothing_of_the_best_attacker_before_the_lesson_does(open_page):
    lesson = LESSONS_BY_NAME["guess"]
    query = prepared_query(State(), lesson)
    app = open_page(query, lesson.page, parts=())
    app.press("game_y")
    assert "the best attacker" in said(app)
    assert "69" not in app.described("membership_game") + said(app)
    told = open_page(query | {"revealed": "guess"}, lesson.page, parts=())
    assert "At most 69.15 %" in told.described("membership_game")


def test_lesson_is_predicted_and_told_beside_its_chart(open_page):
    """Nothing of the truth is there before; the way on stands below it."""
    lesson, following = LESSONS_BY_NAME["labels"], LESSONS_BY_NAME["bag"]
    text = lesson.text
    page = open_page(prepared_query(State(), lesson), lesson.page, parts=())
    assert with_formulas(text.question) in said(page)
    assert page.control("reveal_labels").disabled
    page.act("predict_labels", "a")
    assert page.query_params["answers"] == "labels-a"
    assert with_formulas(text.mistakes["a"]) not in said(page)
    assert following.label not in links(page)
    page.press("reveal_labels")
    assert page.query_params["revealed"] == "labels"
    for told in (text.mistakes["a"], text.reveal, text.take_away):
        assert with_formulas(told) in said(page)
    assert links(page)[following.label]["lesson"] == "bag"
    assert "forecast_noise" in numbers_of(page)


def test_prediction_comes_before_the_truth_and_both_stay_in_the_link(opened):
    lesson = LESSONS_BY_NAME["bag"]
    app = opened({"lesson": "bag"})
    assert app.control("reveal_bag").disabled
    app.act("predict_bag", "a")
    assert app.query_params["answers"] == "bag-a"
    assert with_formulas(lesson.text.reveal) not in said(app)
    app.press("reveal_bag")
    assert app.query_params["revealed"] == "bag"
    assert with_formulas(lesson.text.reveal) in said(app)
    again = opened(app.link)
    assert with_formulas(lesson.text.reveal) in said(again)
    assert again.control("predict_bag").value == "a"
    assert again.control("predict_bag").disabled
    again.act("predict_bag", "b")  # too late
    assert again.query_params["answers"] == "bag-a"


def test_a_right_prediction_is_told_by_its_words_whatever_its_letter(opened):
    words = LESSONS_BY_NAME["bag"].text.choices["b"]
    letters = set()
    for participant in range(1, 9):
        link = {"lesson": "bag", "answers": "bag-b", "revealed": "bag"}
        (told,) = opened(link | {"participant": str(participant)}).success
        letter = letter_of("b", order_of_choices("bag", participant))
        assert told.value == f"You predicted **{letter}. {words}**, and that is true."
        letters.add(letter)
    assert len(letters) > 2


def test_choices_stand_as_on_paper_in_front_of_a_room(opened):
    shown = opened({"lesson": "bag", "participant": "5", "present": "1"})
    (one,) = (one for one in shown.drawn if one.kind == "segments")
    assert [option for option, _ in one.spec["options"]] == [*order_of_choices("bag", PAPER_SEED)]


def test_links_from_when_lessons_had_another_order_open_the_same_lesson(opened):
    app = opened(
        {"lesson": "bag", "answers": "leak-a.rates-c.epsilon-b", "revealed": "rates.person"}
    )
    assert not app.warning
    assert app.title[0].value == LESSONS_BY_NAME["bag"].text.title
    assert answers_by_lesson(app.state.view.answers) == {
        "leak": "a", "rates": "c", "epsilon": "b",
    }  # fmt: skip


def test_overview_says_how_far_one_has_come_and_forgets_on_request(opened):
    app = opened({"answers": "leak-a.rates-c", "revealed": "rates"})
    assert sum(label.startswith("Lesson ") for label in links(app)) == len(LESSONS)
    told = " ".join(one.value for one in app.caption)
    assert (told.count("**answered**"), told.count("**done**")) == (1, 1)
    app.press("forget_answers")
    assert app.state.view == View()
    assert "answers" not in app.query_params
    assert "**done**" not in " ".join(one.value for one in app.caption)


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
        for stop in (
            *sorted(
                [("lessons", name, False), (lesson.page, name, False)],
                key=lambda stop: (stop[0] == "lessons") == lesson.begins_with_page,
            ),
            ("lessons", name, True),
        )
    ]
    ahead = walk(1, View(present=1, answers="leak-b"))
    assert ahead == [*stops, ("lessons", "none", False)]
    back = walk(-1, View(present=1, lesson="plan", revealed=".".join(LESSONS)))
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
    assert list(PAGES) == [name for name in PAGE_NAMES if "import ask\n" in sources[name]]


def test_presented_page_has_a_bar_instead_of_buttons_and_a_larger_chart(open_page):
    query = {"present": "1", "lesson": "rates"}
    app = open_page(query, "privacy_curve", parts=())
    assert {"Question", "Answer"} <= links(app).keys()
    assert "present" not in app.controls
    assert sum(button.key == "qr_code" for button in app.button) == 1
    app.press("leave_presenter")
    assert "present" not in app.query_params
    assert "Question" not in links(app)
    app.press("present")
    assert app.query_params["present"] == "1"
