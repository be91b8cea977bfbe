"""Who cannot use a mouse, see well or bear motion does the same and gets the same answers."""

import re

import pytest

from tests.browser.axe import assert_accessible
from tests.browser.keyboard import focused, is_seen, ring, tab_to
from tests.figures.contrast import as_hex, contrast

pytestmark = pytest.mark.slow
SAID = ".dpviz-said"
DIALOG = "section[role=dialog]"
SHARE = ".st-key-share"
TABLE = ".st-key-show_table"
# Of no other visitor.
TRAINED = "train?panel_series=60&trained_batch=32&trained_steps=60&trained_seed=73"
AS_IF_RUNNING = """() => document.querySelectorAll("[data-testid=stElementContainer]").forEach(
  (node) => { node.dataset.stale = "true"; })"""
BADGE = """() => {
  const { content, visibility } = getComputedStyle(
    document.querySelector(".st-key-answer"), "::after");
  return { content, visibility };
}"""
BADGE_SEEN = f"() => ({BADGE})().visibility === 'visible'"
OPACITY = "(node) => getComputedStyle(node.closest('[data-stale=true]')).opacity"
# Controls have their rings from the app's own style, which comes after the first words.
STYLED = "() => getComputedStyle(document.querySelector('.stMain')).scrollPaddingTop === '64px'"
BACKGROUND = "() => getComputedStyle(document.querySelector('.stApp')).backgroundColor"


def wait_until_said(visitor, words):
    visitor.wait_for_function(
        "([place, words]) => document.querySelector(place)?.textContent.includes(words)",
        arg=[SAID, words],
    )


def test_what_waits_for_a_long_run_can_be_read(visit):
    """Streamlit lets pale what a run has not drawn anew yet: enough to be seen, not more.

    The answer says of itself that it may be an old one.
    """
    visitor = visit("epsilon_meaning")
    visitor.evaluate(AS_IF_RUNNING)
    paled = visitor.locator("[data-stale=true] p").first
    assert 0.5 < float(paled.evaluate(OPACITY)) < 1
    visitor.wait_for_function(BADGE_SEEN)
    assert "being updated" in visitor.evaluate(BADGE)["content"]
    assert_accessible(visitor, made_so=AS_IF_RUNNING)


def test_a_run_is_set_up_and_its_epsilon_read_by_keyboard_alone(visit, tmp_path):
    visitor = visit("subsequences")
    before = visitor.headline
    tab_to(visitor, ".st-key-top_level select")
    visitor.keyboard.press("ArrowDown")
    chosen = visitor.wait_for_other_headline(before)
    tab_to(visitor, ".st-key-noise_multiplier input[type=range]")
    visitor.keyboard.press("ArrowRight")
    slid = visitor.wait_for_other_headline(chosen)
    tab_to(visitor, ".st-key-noise_multiplier .dpviz-box", "Shift+Tab")
    visitor.keyboard.press("Control+A")
    visitor.keyboard.type("3")
    visitor.keyboard.press("Enter")
    typed = visitor.wait_for_other_headline(slid)
    assert visitor.link["noise_multiplier"] == "3.0"
    wait_until_said(visitor, typed.strip()[:60])

    tab_to(visitor, f"{SHARE} button", "Shift+Tab")
    visitor.keyboard.press("Enter")
    tab_to(visitor, f"{TABLE} button")
    visitor.keyboard.press("Enter")
    visitor.locator(f"{DIALOG} table tbody tr").first.wait_for()
    assert visitor.evaluate("place => !!document.activeElement.closest(place)", DIALOG)
    assert "are upper bounds" in visitor.locator(DIALOG).inner_text()
    assert visitor.locator(f"{DIALOG} th[scope=col]").count() > 2
    visitor.keyboard.press("Escape")
    visitor.locator(DIALOG).wait_for(state="detached")
    tab_to(visitor, f"{SHARE} button", "Shift+Tab")
    visitor.keyboard.press("Enter")
    tab_to(visitor, ".st-key-copy_link")
    visitor.keyboard.press("Enter")
    visitor.wait_for_function(
        "async () => (await navigator.clipboard.readText()) === location.href"
    )
    tab_to(visitor, ".st-key-download_csv button")
    with visitor.expect_download() as download:
        visitor.keyboard.press("Enter")
    download.value.save_as(tmp_path / "numbers.csv")
    assert "delta" in (tmp_path / "numbers.csv").read_text(encoding="utf-8")


def test_a_forecaster_is_trained_and_read_of_by_keyboard_alone(visit):
    """Start, result, and the chart in words: the result is also read out when it comes."""
    visitor = visit(TRAINED)
    tab_to(visitor, ".st-key-train_start button")
    visitor.keyboard.press("Enter")
    visitor.wait_for_forecaster()
    visitor.settle()
    wait_until_said(visitor, "seasonal naive")
    assert re.search(r"\d", visitor.description)


def test_new_numbers_are_in_the_chart_s_words_and_said_once(visit):
    """What a slider passes on its way is not said."""
    visitor = visit("privacy_curve")
    before = visitor.description
    visitor.wait_for_timeout(1500)
    visitor.evaluate(
        """(place) => {
          window.said = [];
          const note = () => window.said.push(document.querySelector(place).textContent);
          new MutationObserver(note).observe(
            document.querySelector(place), { childList: true, characterData: true });
        }""",
        SAID,
    )
    for _ in range(4):
        visitor.slider("noise_multiplier").press("ArrowRight")
    visitor.wait_for_function("() => new URLSearchParams(location.search).has('noise_multiplier')")
    visitor.settle()
    visitor.wait_for_timeout(2500)
    visitor.settle()
    now = visitor.headline
    (epsilon,) = re.findall(r"ε ≤ ([\d.]*\d)", now)[:1]
    assert f"at most {epsilon}" in visitor.description or epsilon in visitor.description
    assert visitor.description != before
    wait_until_said(visitor, epsilon)
    answers = [words for words in visitor.evaluate("() => window.said") if "ε" in words]
    assert len(answers) <= 2
    assert epsilon in answers[-1]


@pytest.mark.parametrize(
    ("destination", "tab"), [("Plan", ""), ("Evidence and reference", "Glossary")]
)
def test_no_words_of_another_page_are_left_to_be_read(visit, destination, tab):
    """Neither where there are charts, nor where there are none."""
    visitor = visit("privacy_curve")
    visitor.wait_for_timeout(1500)
    wait_until_said(visitor, visitor.slide().strip()[:60])
    visitor.go_to(destination, tab)
    visitor.wait_for_function("place => !document.querySelector(place).textContent", arg=SAID)


@pytest.mark.parametrize("path", ["subsequences", "planner", "train", "lessons", "glossary"])
@pytest.mark.parametrize("color_scheme", ["light", "dark"])
def test_where_the_focus_is_can_be_seen(visit, path, color_scheme):
    """Each control has a ring (a text field an edge) with a contrast of 3 to the page."""
    visitor = visit(path, color_scheme=color_scheme)
    visitor.emulate_media(reduced_motion="reduce", color_scheme=color_scheme)
    visitor.wait_for_function(STYLED)
    background = as_hex(visitor.evaluate(BACKGROUND))
    for _ in range(70):
        visitor.keyboard.press("Tab")
        if visitor.evaluate("() => document.activeElement === document.body"):
            break
        found = ring(visitor)
        assert found["color"] is not None, found
        assert contrast(as_hex(found["color"]), background) >= 3.0, found


@pytest.mark.parametrize("path", ["subsequences", "planner", "how_to_choose"])
def test_at_200_percent_nothing_covers_what_has_the_focus(visit, path):
    visitor = visit(path, width=640, height=400)
    covered = []
    for _ in range(80):
        visitor.keyboard.press("Tab")
        if visitor.evaluate("() => document.activeElement === document.body"):
            break
        visitor.wait_for_timeout(30)
        covered += [] if is_seen(visitor) else [focused(visitor)]
    assert covered == []


def test_dialogs_menus_and_refusals_are_accessible(visit):
    visitor = visit("privacy_curve?noise_multiplier=-1")
    visitor.get_by_test_id("stAlert").first.wait_for()
    assert_accessible(visitor)
    for button in (f"{TABLE} button", ".st-key-qr_code button"):
        visitor.shared("Table")
        visitor.locator(button).first.press("Enter")
        visitor.locator(DIALOG).wait_for()
        visitor.locator(f"{DIALOG} :is(table, svg, code)").first.wait_for()
        assert_accessible(visitor)
        visitor.keyboard.press("Escape")
        visitor.locator(DIALOG).wait_for(state="detached")
    visitor.get_by_test_id("stMainMenuButton").press("Enter")
    visitor.locator("[role=menu]").first.wait_for()
    assert_accessible(visitor)


def test_navigation_of_a_phone_is_there_only_while_it_is_open(visit):
    """Closed, Tab does not lead through links that nobody sees; open, it does."""
    visitor = visit("how_to_choose", width=390, height=844)
    link = visitor.get_by_test_id("stSidebarNavLink").first
    assert not link.is_visible()
    tab_to(visitor, "[data-testid=stExpandSidebarButton]")
    visitor.keyboard.press("Enter")
    link.wait_for()
    tab_to(visitor, "[data-testid=stSidebarNavLink]", "Shift+Tab")
    assert_accessible(visitor)


def test_nothing_moves_for_who_wants_little_motion(visit):
    """Menus, spinners and buttons change at once; drawn batches do, see their own test."""
    visitor = visit("subsequences")
    longest = """() => Math.max(...[...document.querySelectorAll("*")].flatMap((node) => {
      const { animationDuration, transitionDuration } = getComputedStyle(node);
      return `${animationDuration}, ${transitionDuration}`.split(", ").map(parseFloat);
    }))"""
    assert visitor.evaluate(longest) > 0.05
    visitor.emulate_media(reduced_motion="reduce")
    assert visitor.evaluate(longest) <= 0.001
