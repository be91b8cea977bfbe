"""A class in browsers: a teacher before the room, two phones, and a server that starts again."""

from itertools import pairwise

import pytest

from dpviz.classroom.store import Classes
from dpviz.settings.dashboard import CLASSES_VARIABLE
from dpviz.settings.lessons import PAPER_SEED, order_of_choices
from dpviz.wording.lessons import LESSONS_BY_NAME
from tests.browser.visitor import SETTLED, Visitor

LESSON = LESSONS_BY_NAME["bag"]
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
# What is read from the last row, in pixels.
SMALLEST_TEXT = """() => Math.min(...[...document.querySelectorAll(".dpviz-chart .main-svg text")]
  .map((text) => parseFloat(getComputedStyle(text).fontSize)))"""

# How far numbers at the ends of bars lie over each other, at most, likewise.
MOST_OVERLAP = """() => {
  const boxes = [...document.querySelectorAll(".dpviz-chart .bartext")]
    .map((text) => text.getBoundingClientRect()).sort((one, other) => one.top - other.top);
  return Math.max(...boxes.slice(1).map((box, at) => boxes[at].bottom - box.top));
}"""


@pytest.fixture
def started(tmp_path, monkeypatch):
    """Start a class in the file of classes of the servers to come."""
    monkeypatch.setenv(CLASSES_VARIABLE, str(tmp_path / "classes.sqlite"))
    return Classes(tmp_path / "classes.sqlite").start()


def choose(visitor, choice):
    """Tap one of the choices, and wait until the vote is counted."""
    of_choice = visitor.locator(f"input[type=radio][value={choice}]")
    visitor.locator(".dpviz-listed .dpviz-option").filter(has=of_choice).tap()
    visitor.wait_for_link(answers=f"bag-{choice}")
    visitor.get_by_text("your vote is counted. You can change it").wait_for()


def bars_of(visitor, choices):
    """Return the bars of one vote for each of these choices, by the words beside them."""
    rows = ", ".join(
        f"“{LESSON.text.choices[choice]}”: {int(choice in choices)}"
        for choice in order_of_choices("bag", PAPER_SEED)
    )
    return visitor.locator(f'.dpviz-chart [role=img][aria-label*="Votes: {rows}"]')


@pytest.mark.slow
def test_class_votes_talks_loses_its_server_and_votes_again(
    served, new_context, tmp_path, monkeypatch
):
    monkeypatch.setenv(CLASSES_VARIABLE, str(tmp_path / "classes.sqlite"))
    server = served()
    teacher = Visitor(new_context(viewport={"width": 1280, "height": 720}).new_page())
    teacher.goto(server.url + "lessons")
    teacher.get_by_text("For teachers: start a class").click()
    teacher.locator(".st-key-start_class button").click()
    teacher.wait_for_function("() => location.search.includes('class_code=')")
    code = teacher.link["class_code"]
    teacher.get_by_text(code, exact=True).wait_for()
    teacher.wait_for_function("() => document.querySelector('.stMain').scrollTop === 0")

    phones = [Visitor(new_context(**PHONE).new_page()) for _ in range(2)]
    phones[0].goto(f"{server.url}lessons?class={code}&lesson=bag")
    phones[1].goto(server.url + "lessons")
    typed = phones[1].locator(".st-key-class_code_typed input")
    typed.fill(code.lower())
    typed.press("Enter")
    phones[1].get_by_text("You are in class").wait_for()
    phones[1].get_by_role("link", name=LESSON.text.title).click()
    for phone in phones:
        phone.wait_for_function(SETTLED)
        choose(phone, "a")

    # Nothing but the browser knows who leads: the address bar would show a room the key.
    teacher.wait_for_function("() => document.cookie.includes('dpviz_class_')")
    teacher.goto(f"{server.url}lessons?class_code={code}&lesson=bag&present=1")
    teacher.get_by_text("2 votes.").wait_for()
    assert "class_key" not in teacher.link
    choose(phones[1], "d")
    teacher.get_by_role("button", name="Show votes").wait_for()
    teacher.keyboard.press("v")
    bars_of(teacher, "ad").wait_for()
    again = teacher.get_by_role("button", name="Vote again")

    server.kill()
    for visitor in (teacher, *phones):
        visitor.wait_until_lost()
    served(port=server.port)
    for visitor in (teacher, *phones):
        visitor.come_back()
    bars_of(teacher, "ad").wait_for()
    again.click()
    choose(phones[0], "b")
    teacher.get_by_text("1 changed").wait_for()  # found by the page itself
    teacher.get_by_role("button", name="Show votes").click()
    bars_of(teacher, "bd").wait_for()
    assert teacher.evaluate(SMALLEST_TEXT) >= 14.0
    teacher.wait_for_function(f"({MOST_OVERLAP})() <= 0")


@pytest.mark.slow
def test_truth_that_was_shown_closes_the_vote_on_phones_that_nobody_touches(
    started, served, new_context
):
    path = f"{served().url}lessons?class={started.code}&lesson=bag"
    phone = Visitor(new_context(**PHONE).new_page())
    phone.goto(path)
    choose(phone, "a")
    teacher, other = (Visitor(new_context().new_page()) for _ in range(2))
    teacher.goto(f"{path}&class_key={started.key}&present=1")
    other.goto(f"{path}&class_key={started.key}")
    for here, there in pairwise(("lessons", LESSON.page, "lessons")):
        teacher.wait_for_page(here)
        teacher.wait_for_presenter()
        teacher.keyboard.press("PageDown")
        teacher.wait_for_url(f"**/{there}?*")
    other.get_by_text("The vote is closed, as what is true was shown.").wait_for()
    closed = phone.get_by_text("what is true was shown, and your vote is closed")
    closed.wait_for()
    phone.get_by_role("button", name="Show what is true").tap()
    phone.wait_for_link(revealed="bag")
    phone.go_back()
    phone.wait_for_link(revealed=None)
    closed.wait_for()
    assert phone.locator("input[type=radio]:enabled").count() == 0
    for name in ("Show votes", "Vote again"):
        other.get_by_role("button", name=name).click()
    teacher.wait_for_link(revealed=None)  # by itself, as the phone
    choose(phone, "d")


@pytest.mark.slow
def test_phones_that_nobody_touches_follow_where_the_teacher_is(started, served, new_context):
    path = f"{served().url}lessons?class={started.code}"
    phones = [Visitor(new_context(**PHONE).new_page()) for _ in range(2)]
    for phone, lesson in zip(phones, ("none", "leak"), strict=True):
        phone.goto(f"{path}&lesson={lesson}")
        phone.wait_for_page("lessons")
    teacher = Visitor(new_context().new_page())
    for name in ("plan", "bag"):
        teacher.goto(f"{path}&class_key={started.key}&lesson={name}&present=1")
        teacher.wait_for_page("lessons")
        ways = [
            phone.get_by_role("link", name=f"The class is at: {LESSONS_BY_NAME[name].text.title}")
            for phone in phones
        ]
        for way in ways:
            way.wait_for()
    for phone, way in zip(phones, ways, strict=True):
        way.tap()
        phone.wait_for_link(lesson="bag")
        choose(phone, "a")
        assert way.count() == 0
    teacher.get_by_text("2 votes.").wait_for()


def test_link_is_copied_unseen_where_no_clipboard_is_offered(visit):
    """As over http, where a class is mostly taught; what leads it is for no room to see."""
    visitor = visit("lessons?lesson=rates")
    visitor.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    visitor.shared("Copy link").click()
    visitor.get_by_text("Copied").wait_for()
    assert not visitor.get_by_label("Link to copy").is_visible()
    visitor.evaluate("document.execCommand = () => false")
    visitor.shared("Copy link").click()
    visitor.get_by_text("Press Ctrl+C to copy").wait_for()
    assert "lesson=rates" in visitor.get_by_label("Link to copy").input_value()
