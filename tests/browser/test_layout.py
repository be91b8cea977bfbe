"""Where things stand on a page, in sight of a room; and words as they were typed."""

from pathlib import Path

import pytest

from dpviz.scenario import to_query
from tests.browser.visitor import unasked_delta
from tests.scenario.changes import TRAFFIC
from tests.security.hostile import WORDS

pytestmark = pytest.mark.slow
# Tops of the title and the menu beside it, in pixels, the first of each row.
_ROWS = """() => [...new Set(
  [...document.querySelectorAll(".st-key-head :is(h1, button)")]
    .map(button => button.getBoundingClientRect())
    .filter(({ width }) => width > 0).map(({ top }) => Math.round(top))
)]"""
_CHART_AND_BAR = """() => [
  document.querySelector(".dpviz-chart .main-svg").getBoundingClientRect().bottom,
  document.querySelector(".st-key-presenter").getBoundingClientRect().top,
]"""
_TAB_IS_IN_SIGHT = """() => {
  const tab = document.querySelector(".st-key-tab_here").getBoundingClientRect();
  return tab.left >= 0 && tab.right <= innerWidth;
}"""
_BESIDE_PLOT = """() => [...document.querySelectorAll(".dpviz-chart .annotation-text")]
  .map(one => one.textContent).filter(words => /^[a-z ]+$/.test(words))"""

# Comparisons of which a line of a page, or of a chart's title, has but a part: "ε ≤".
_CUT = """() => {
  const texts = document.createTreeWalker(
    document.querySelector(".stMain"), NodeFilter.SHOW_TEXT
  );
  const cut = [];
  while (texts.nextNode()) {
    const { data } = texts.currentNode;
    for (const found of data.matchAll(/[≤≥]\\s\\d/g)) {
      const range = document.createRange();
      range.setStart(texts.currentNode, found.index);
      range.setEnd(texts.currentNode, found.index + found[0].length);
      const tops = [...range.getClientRects()].map(({ bottom }) => Math.round(bottom));
      if (new Set(tops).size > 1) cut.push(data);
    }
  }
  const lines = [...document.querySelectorAll(".gtitle .line")].map((line) => line.textContent);
  return [...cut, ...lines.filter((line) => /[≤≥=]\\s*$|^\\s*[≤≥=]/.test(line))];
}"""


def test_what_can_be_taken_away_stands_in_one_menu_beside_the_title(visit):
    visitor = visit("planner", width=390)
    for width in (390, 1024, 1100, 1200):
        visitor.set_viewport_size({"width": width, "height": 800})
        visitor.wait_for_timeout(300)
        tops = visitor.evaluate(_ROWS)
        assert max(tops) - min(tops) < 16
        for name in ("Copy link", "QR code", "Present", "Table", "Download CSV", "Save scenario"):
            visitor.shared(name).wait_for()


@pytest.mark.parametrize(
    ("path", "keys"),
    [
        ("planner", ["plan_adopt", "train_plan", "plan_to_ledger", "share", "undo"]),
        ("lessons", ["start_class", "download_kit"]),
    ],
)
def test_buttons_beside_each_other_are_equally_high(visit, path, keys):
    """Streamlit draws some of them, dpviz the others."""
    visitor = visit(path)
    for fold in visitor.get_by_test_id("stExpander").filter(has_text="For teachers").all():
        fold.locator("summary").click()
    buttons = [visitor.locator(f".st-key-{key} button:visible").first for key in keys]
    if path == "planner":
        buttons += [visitor.shared(name) for name in ("Copy link", "QR code", "Present")]
    assert len({round(button.bounding_box()["height"]) for button in buttons}) == 1


def test_what_explains_a_button_of_the_menu_does_not_hold_up_the_one_above(visit):
    visitor = visit("privacy_curve")
    visitor.shared("Save scenario").hover()
    visitor.get_by_test_id("stTooltipContent").wait_for()
    visitor.shared("Download CSV").click(trial=True)


def test_a_phone_shows_the_tab_it_is_on_and_no_words_over_others(visit):
    loud = "num_series=320&series_length=20&context_length=1&forecast_length=1&batch_size=32"
    visitor = visit(f"one_bag?{loud}&noise_multiplier=0.5&steps=12000", width=390, height=844)
    visitor.wait_for_function(_TAB_IS_IN_SIGHT)
    assert visitor.evaluate(_BESIDE_PLOT) == ["moderate", "hardly any"]


@pytest.mark.parametrize(
    "path", ["one_bag", "paper_figures", f"protection?{to_query(TRAFFIC)}", "sample_or_walk"]
)
def test_no_comparison_is_cut_by_the_end_of_a_line(visit, path):
    visitor = visit(path)
    for width in (1280, 1024, 390, 360):
        visitor.set_viewport_size({"width": width, "height": 800})
        visitor.wait_for_timeout(300)
        assert visitor.evaluate(_CUT) == []


def test_the_menu_of_a_phone_leaves_with_the_choice(visit):
    visitor = visit("epsilon_meaning", width=390, height=844, touch=True)
    visitor.locator("[data-testid=stExpandSidebarButton]").tap()
    menu = visitor.locator(".stSidebar")
    visitor.wait_for_function(
        "() => document.querySelector('.stSidebar').dataset.collapsed == 'false'"
    )
    menu.get_by_text("Ledger").tap()
    visitor.wait_for_function(
        "() => document.querySelector('.stSidebar').dataset.collapsed == 'true'"
    )
    assert visitor.locator("h1").inner_text() == "Ledger"


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1920, 1080)])
@pytest.mark.parametrize(
    "path",
    [
        *("privacy_curve?", "subsequences?", "planner?", "epsilon_meaning?", "one_bag?"),
        "privacy_curve?chart=training&",  # elsewhere a slider stands over it
    ],
)
def test_a_room_sees_the_whole_chart_without_scrolling(visit, path, width, height):
    """A chart is as high as the screen of a projector has room for under its headline."""
    visitor = visit(f"{path}present=1", width=width, height=height)
    chart, bar = visitor.evaluate(_CHART_AND_BAR)
    assert chart <= bar


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_the_notice_of_what_was_undone_covers_no_way_back(visit, width, height):
    visitor = visit("privacy_curve", width=width, height=height)
    visitor.slide()
    visitor.press_button("undo")
    notice = visitor.locator("[data-testid=stToast]").first
    notice.wait_for()
    row = visitor.locator(".stHorizontalBlock:has(> .st-key-undo)").bounding_box()
    box = notice.bounding_box()
    assert box["y"] > row["y"] + row["height"] or box["x"] + box["width"] < row["x"]
    assert box["x"] >= 0
    assert box["y"] + box["height"] <= height


def test_the_notice_of_what_was_undone_ends_with_its_page(visit):
    """It would lie over the next one's chart. Back leads on from it, too."""
    visitor = visit("privacy_curve")
    notice = visitor.locator("[data-testid=stToast]")
    next_page = visitor.locator(".st-key-tabs a").first
    for go_on in (next_page.click, visitor.go_back):
        visitor.slide()
        visitor.press_button("undo")
        notice.wait_for()
        go_on()
        visitor.settle()
        assert notice.count() == 0
    assert "/subsequences?" in visitor.url


# Below the chart's bottom, in pixels: where the words under it begin, at each frame; and whether
# the chart was being refined then.
_STANDS = """() => {
  const caption = document.querySelector(".stMain [data-testid=stCaptionContainer]");
  const chart = document.querySelector(".dpviz-chart");
  window.stands = [];
  const look = () => {
    const refines = document.querySelector("[data-testid=stProgress]") !== null;
    const below = caption.getBoundingClientRect().top - chart.getBoundingClientRect().bottom;
    if (caption.isConnected) window.stands.push([refines, Math.round(below)]);
    requestAnimationFrame(look);
  };
  look();
}"""


def test_words_below_a_chart_stay_in_place_while_it_is_refined(visit):
    visitor = visit(f"subsequences?chart=training&delta={unasked_delta()}")
    visitor.evaluate(_STANDS)
    visitor.slide()
    seen = visitor.evaluate("window.stands")
    assert {refines for refines, _ in seen} == {True, False}
    assert len({below for _, below in seen}) == 1


APP = Path(__file__).parent / "words_app.py"
PLACES = 11
JOINER = "\N{WORD JOINER}"
# What each place shows, and of what kinds of element it consists.
SEEN = """key => [...document.querySelectorAll(`.st-key-${key} :is(
    [data-testid=stMarkdownContainer], [data-testid=stCaptionContainer], .dpviz-label,
    .dpviz-toggle > span, .dpviz-button-words, .dpviz-tip:not(:empty), option)`)]
  .map(place => [place.textContent, [...place.querySelectorAll("*")].map(part => part.tagName)])"""


def test_words_are_shown_as_they_are(server, page):
    visitor = page(server(APP).url)
    visitor.locator(f".st-key-words_{len(WORDS) - 1} select").wait_for()
    toast = visitor.locator("[data-testid=stToast] [data-testid=stMarkdownContainer]").first
    assert toast.inner_text().replace(JOINER, "").strip() == " ".join(WORDS[:12])
    assert toast.locator("a, img, b, em, strong, code").count() == 0
    for at, words in enumerate(WORDS):
        places = visitor.evaluate(SEEN, f"words_{at}")
        assert len(places) == PLACES
        for text, parts in places:
            assert text.replace(JOINER, "").strip() == f"{words} z"
            assert set(parts) <= {"P", "SPAN", "VAR"}, words  # a letter may be a symbol
