"""How a participant takes a lesson, a teacher presents it, and what comes out on paper."""

import unicodedata
from urllib.parse import parse_qsl, urlencode, urlsplit

import numpy as np
import pypdfium2
import pytest

from dpviz.settings import View
from dpviz.settings.lessons import PAPER_SEED, order_of_choices
from dpviz.ui.chart import CHART_HEIGHT
from dpviz.ui.lesson_links import prepared_query
from dpviz.ui.state import State
from dpviz.wording.lessons import LESSONS_BY_NAME
from tests.browser.visitor import SETTLED

LESSON = LESSONS_BY_NAME["rates"]
PATH = "lessons?lesson=rates"
ON_PAGE = "page => location.pathname.endsWith(page)"
LARGE = "() => parseFloat(getComputedStyle(document.documentElement).fontSize) > 17"
HIDDEN = ("[data-testid=stHeader]", "[data-testid=stDownloadButton]", ".st-key-below")
PLACE = "() => document.querySelector('[data-testid=stMain]').scrollTop"
AXIS = "() => document.querySelector('.dpviz-chart').layout.xaxis.range"
# Notes whether the mark of a computation that goes on is seen, and nothing lies over it.
MARK = """() => {
  window.marks = [];
  const look = () => {
    const words = document.querySelector(".st-key-chart_progress [data-testid=stProgress] p");
    if (words) {
      const { x, y, width, height } = words.getBoundingClientRect();
      const top = document.elementFromPoint(x + 2, y + height / 2);
      const isSeen = width > 0 && words.closest("[data-testid=stProgress]").contains(top);
      if (window.marks.at(-1) !== isSeen) window.marks.push(isSeen);
    }
    requestAnimationFrame(look);
  };
  look();
}"""
# Over the lower edge of the screen.
TAB_AND_SENTENCE = """() => {
  const sentence = document.querySelector(".st-key-answer");
  return [parseFloat(getComputedStyle(sentence, "::before").bottom), sentence.offsetHeight];
}"""
DASHES = """() => {
  const lines = document.querySelector(".dpviz-chart").data.filter(({ mode }) => mode === "lines");
  const of = (isGhost) => lines.filter(({ uid }) => uid.startsWith("ghost") === isGhost)
    .map(({ line }) => line.dash);
  return { ghost: of(true), line: of(false) };
}"""
A4 = (595.0, 842.0)  # points


def prepared(visit, lesson, *, present=0, **look):
    link = urlencode(prepared_query(State(view=View(present=present)), lesson))
    return visit(f"{lesson.page}?{link}", **look)


def choose_answer(visitor, choice):
    of_choice = visitor.locator(f"input[type=radio][value={choice}]")
    visitor.locator(".dpviz-listed .dpviz-option").filter(has=of_choice).click()
    visitor.wait_for_link(answers=f"rates-{choice}")
    visitor.wait_for_function(SETTLED)


def follow(visitor, words, page):
    visitor.get_by_test_id("stPageLink-NavLink").filter(has_text=words).click()
    visitor.wait_for_function(ON_PAGE, arg=page)
    visitor.wait_for_function(SETTLED)


def press(visitor, key, **link):
    """Press a key of a remote control, and wait for where it leads."""
    visitor.keyboard.press(key)
    visitor.wait_for_link(**link)
    visitor.wait_for_function(SETTLED)
    visitor.wait_for_timeout(100)


@pytest.mark.slow
def test_next_lesson_begins_at_its_top(visit):
    """On a phone, where the way on stands below what fits the screen."""
    visitor = visit(PATH, width=390, height=600, touch=True)
    before = visitor.link["lesson"]
    on = visitor.get_by_test_id("stPageLink-NavLink").filter(has_text="Lesson")
    on.last.scroll_into_view_if_needed()
    assert visitor.evaluate(PLACE) > 0
    on.last.tap()
    visitor.wait_for_function("before => !location.search.includes(`lesson=${before}`)", arg=before)
    visitor.wait_for_function(SETTLED)
    assert visitor.locator("h1").inner_text() != LESSON.text.title
    visitor.wait_for_function(f"() => ({PLACE})() === 0")


@pytest.mark.parametrize(
    ("width", "height"), [(1280, 800), pytest.param(390, 844, marks=pytest.mark.slow)]
)
def test_participant_predicts_looks_comes_back_and_loses_nothing(visit, width, height):
    """The slider is moved while reading what is true; the way back keeps what was answered."""
    visitor = visit(PATH, width=width, height=height, touch=width < 640)
    choose_answer(visitor, "d")
    follow(visitor, "Open the lesson's chart", LESSON.page)
    visitor.settle()
    assert "ε ≤ 5.724" in visitor.headline
    visitor.get_by_role("button", name="Show what is true").press("Enter")
    visitor.wait_for_link(revealed="rates")
    told = visitor.locator(".st-key-lesson_ways").get_by_text("To take away.")
    told.scroll_into_view_if_needed()
    assert visitor.locator(".dpviz-chart").first.bounding_box()["y"] >= 0
    assert told.bounding_box()["y"] < height
    visitor.slide("bottom_rate", "ArrowLeft")
    assert told.is_visible()
    # The way back is drawn with the page, before what is answered on it.
    follow(visitor, "Back to lesson", "lessons")
    assert visitor.link["answers"] == "rates-d"
    assert visitor.link["revealed"] == "rates"
    told = visitor.get_by_text(LESSON.text.mistakes["d"])
    told.wait_for()
    order = visitor.locator(".dpviz-listed").inner_text()
    visitor.reload()
    told.wait_for()
    assert visitor.locator(".dpviz-listed").inner_text() == order
    assert visitor.locator("input[type=radio]:checked").input_value() == "d"


@pytest.mark.parametrize("path", ["lessons", pytest.param(LESSON.page, marks=pytest.mark.slow)])
def test_copied_link_does_not_give_the_truth_away(visit, path):
    """What a teacher answered and looked up stays in their address bar; all else is copied."""
    own = "answers=leak-a.rates-c&revealed=rates&game_seed=7&game_answers=0123abcd-yn"
    visitor = visit(f"{path}?lesson=rates&{own}&prior=0.1&whole_page=1")
    visitor.shared("Copy link").click()
    visitor.get_by_text("Copied").wait_for()
    copied = urlsplit(visitor.evaluate("navigator.clipboard.readText()"))
    shown = visitor.link
    assert shown["revealed"] == "rates"
    assert dict(parse_qsl(copied.query)) == {
        name: value for name, value in shown.items() if name not in dict(parse_qsl(own))
    }
    assert copied._replace(query="").geturl() == visitor.url.partition("?")[0]


@pytest.mark.slow
def test_remote_control_leads_through_a_lesson_and_escape_leaves(visit):
    """PageDown and PageUp, or arrows: question, page, answer, next lesson; nothing is stolen."""
    visitor = visit(PATH)
    visitor.shared("Present").click()
    visitor.wait_for_link(present="1")
    visitor.wait_for_function(LARGE)
    choose_answer(visitor, "b")  # the focus is on the choice now
    visitor.keyboard.press("ArrowDown")
    order = order_of_choices("rates", PAPER_SEED)
    below = order[(order.index("b") + 1) % len(order)]
    visitor.wait_for_link(answers=f"rates-{below}", lesson="rates")
    press(visitor, "PageDown", lesson="rates")
    visitor.wait_for_function(ON_PAGE, arg=LESSON.page)
    visitor.settle()
    for selector in HIDDEN:
        assert not visitor.locator(selector).first.is_visible()
    chart = visitor.locator(".dpviz-chart").first
    assert chart.bounding_box()["height"] > CHART_HEIGHT
    press(visitor, "ArrowRight", revealed="rates")
    visitor.get_by_text("True is").wait_for()
    press(visitor, "PageUp", lesson="rates")
    visitor.wait_for_function(ON_PAGE, arg=LESSON.page)
    visitor.settle()
    press(visitor, "Escape", present=None)
    visitor.locator("[data-testid=stHeader]").wait_for()
    before = visitor.url
    visitor.slider("bottom_rate").press("ArrowLeft")
    visitor.settle()
    assert urlsplit(before).path == urlsplit(visitor.url).path
    visitor.slider("bottom_rate").press("PageDown")
    visitor.wait_for_function(SETTLED)
    assert urlsplit(before).path == urlsplit(visitor.url).path


def test_each_stop_of_a_presentation_is_one_step_back(visit):
    """Streamlit notes what a link names before what the page holds, or notes that first."""
    visitor = visit(f"{PATH}&present=1")
    visitor.wait_for_presenter()
    before = visitor.evaluate("() => history.length")
    press(visitor, "PageDown", lesson="rates", followed=None)
    visitor.wait_for_function(ON_PAGE, arg=LESSON.page)
    visitor.settle()
    visitor.wait_for_presenter()
    press(visitor, "PageDown", revealed="rates", followed=None)
    visitor.wait_for_function(ON_PAGE, arg="lessons")
    assert visitor.evaluate("() => history.length") == before + 2
    for page in (LESSON.page, "lessons"):
        visitor.go_back()
        visitor.wait_for_function(ON_PAGE, arg=page)
        visitor.wait_for_link(revealed=None, followed=None)
        visitor.wait_for_function(SETTLED)
    visitor.get_by_text("Your prediction").wait_for()


# How far the lowest thing on the page reaches beyond a line, and how far the page can be scrolled.
BEYOND = """line => {
  const parts = document.querySelectorAll(".stMain :is(p, li, h1, button, input, .dpviz-chart)");
  const seen = [...parts].filter((part) => !part.closest(".st-key-presenter"))
    .map((part) => part.getBoundingClientRect()).filter(({ width, height }) => width * height > 4);
  const page = document.querySelector(".stMain");
  const scrolled = page.scrollHeight - page.clientHeight;
  return Math.max(...seen.map(({ bottom }) => bottom - line), scrolled);
}"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["rates", "guess", "leak", "bag"])
@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1920, 1080)])
def test_presented_lesson_needs_no_scrolling(visit, name, width, height):
    """Instruction, slider and chart, and nothing under the bar."""
    lesson = LESSONS_BY_NAME[name]
    visitor = prepared(visit, lesson, present=1, width=width, height=height)
    line = visitor.locator(".st-key-presenter").bounding_box()["y"]
    visitor.wait_for_function(f"line => ({BEYOND})(line) <= 0", arg=line)
    assert lesson.text.look[-12:] in visitor.inner_text(".st-key-instruction")


@pytest.mark.every(3)
@pytest.mark.parametrize("name", ["rates", "guess", "bag"])
def test_lesson_is_one_screen_of_a_phone(visit, name):
    """Chart, what is set, and what is asked, above the sentence at the bottom."""
    lesson = LESSONS_BY_NAME[name]
    visitor = prepared(visit, lesson, width=390, height=844, touch=True)
    sentence = visitor.locator(".st-key-answer")
    line = sentence.bounding_box()["y"] if sentence.count() else 844
    asked = visitor.locator(".st-key-lesson_ways p").first
    last = asked if name != "guess" else visitor.get_by_role("button", name="No, it was not")
    box = last.bounding_box()
    assert box["y"] + box["height"] <= line


def test_tab_over_a_sentence_hides_none_of_it_and_ghosts_keep_the_dashes_of_their_lines(visit):
    """A dotted ghost looked as if it were the dotted line of the legend."""
    lesson = LESSONS_BY_NAME["labels"]
    visitor = prepared(visit, lesson, width=390, height=844, touch=True)
    tab, height = visitor.evaluate(TAB_AND_SENTENCE)
    assert tab >= height - 2.0
    visitor.slide("forecast_noise")
    dashes = visitor.evaluate(DASHES)
    assert dashes["ghost"] == dashes["line"]


@pytest.mark.parametrize(
    ("width", "key"), [(1280, "ArrowRight"), pytest.param(390, "ArrowLeft", marks=pytest.mark.slow)]
)
def test_bounds_that_may_still_tighten_are_marked(visit, width, key):
    """In sight, while the chart keeps its axis. What nobody has asked for before is not there."""
    lesson = LESSONS_BY_NAME["windows"]
    visitor = prepared(visit, lesson, width=width, height=800, touch=width < 640)
    before = visitor.evaluate(AXIS)
    visitor.evaluate(MARK)
    visitor.slide(key=key)
    assert visitor.evaluate("() => window.marks") == [True]
    assert visitor.evaluate(AXIS) == before


@pytest.mark.parametrize(
    ("width", "present"),
    [(1280, 0), *(pytest.param(*one, marks=pytest.mark.slow) for one in ((390, 0), (1280, 1)))],
)
def test_every_mark_of_two_plots_is_explained(visit, width, present):
    lesson = LESSONS_BY_NAME["leak"]
    visitor = prepared(visit, lesson, present=present, width=width, height=800, touch=width < 640)
    named = visitor.locator(".dpviz-chart .legendtext").all_text_contents()
    for words in ("protected value", "forecast", "theory", "drawn in all", "drawn so far"):
        assert any(name.startswith(words) for name in named)


def _run_together(words):
    """Return words without spaces, with italic symbols and raised figures as plain ones.

    And without any r: pdfium tells the symbol r, whose font is another one, after its paragraph.
    """
    return "".join(unicodedata.normalize("NFKC", words).replace("r", "").split())


@pytest.mark.slow
@pytest.mark.parametrize("color_scheme", ["dark", "light"])
def test_all_lessons_are_printed_whole(visit, color_scheme):
    """Every question, then every answer, nothing beyond a margin, black on white."""
    visitor = visit("lessons?lesson=all", color_scheme=color_scheme)
    paper = pypdfium2.PdfDocument(visitor.pdf(format="A4"))
    words = ""
    for page in paper:
        assert page.get_size() == pytest.approx(A4, abs=2.0)
        text = page.get_textpage()
        words += " " + text.get_text_bounded()
        left, bottom, right, top = (
            pick(text.get_charbox(at)[side] for at in range(text.count_chars()))
            for side, pick in enumerate((min, min, max, max))
        )
        margin = 40.0
        assert margin <= left < right <= A4[0] - margin
        assert margin <= bottom < top <= A4[1] - margin
        corner = np.asarray(page.render(scale=1).to_pil().convert("L"))[:20, :20]
        assert corner.min() == 255
    found = _run_together(words)
    for lesson in LESSONS_BY_NAME.values():
        text = lesson.text
        for part in (text.title, text.question, *text.choices.values(), text.look, text.take_away):
            assert _run_together(part.replace("*", "")) in found
        assert found.count(_run_together(lesson.label)) == 2
    assert "Compare sampling" not in words  # the navigation
