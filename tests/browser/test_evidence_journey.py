"""A visitor looks the evidence up: the paper's figures and tables, simulations, the glossary."""

import pytest

from dpviz.wording.theorems import theorem_link
from tests.browser.visitor import ROOT

pytestmark = pytest.mark.slow


SCORE = ".st-key-game_score"


def wait_for_score(visitor, rounds):
    visitor.wait_for_function(
        "([score, rounds]) => document.querySelector(score).innerText.includes(` of ${rounds}`)",
        arg=[SCORE, rounds],
    )


def test_a_visitor_plays_sees_what_it_was_and_keeps_the_score(visit):
    """Answers by click, by Enter and by the keys Y and N; the link brings the game back."""
    visitor = visit("epsilon_meaning?game_seed=1")
    visitor.locator(".st-key-game_y button").click()
    wait_for_score(visitor, 1)
    visitor.locator(".st-key-game_n button").press("Enter")
    wait_for_score(visitor, 2)
    visitor.settle()
    visitor.evaluate("() => document.activeElement.blur()")
    visitor.keyboard.press("n")
    wait_for_score(visitor, 3)
    visitor.settle()
    visitor.keyboard.press("y")
    wait_for_score(visitor, 4)
    # What is typed into a box is no answer.
    noise = visitor.box("noise_multiplier")
    noise.press("n")
    noise.press("Backspace")
    assert visitor.link["game_answers"].endswith("-ynny")
    score = visitor.locator(SCORE).inner_text()
    visitor.reload()
    visitor.settle()
    assert visitor.locator(SCORE).inner_text() == score


def test_a_symbol_is_explained_where_it_stands(visit):
    visitor = visit("privacy_curve")
    # The question mark beside a slider says what its symbol is, and links to the glossary.
    visitor.locator(".st-key-noise_multiplier .dpviz-help").click()
    tooltip = visitor.locator(".st-key-noise_multiplier .dpviz-tip")
    tooltip.get_by_text("Standard deviation of the Gaussian noise").wait_for()
    with visitor.context.expect_page() as opened:
        tooltip.get_by_role("link", name="Glossary").click()
    glossary = opened.value
    card = glossary.locator(".st-key-asked_term")
    card.get_by_role("heading", name="σ, noise multiplier").wait_for()
    glossary.goto(glossary.url.partition("?")[0] + "?search=lambda")
    with visitor.context.expect_page() as opened:
        glossary.get_by_role("link", name="4.3", exact=True).first.click()
    theorems = opened.value
    theorems.get_by_role("heading", name="Theorem 4.3").wait_for()
    assert theorems.url.endswith("/theorems#theorem-4-3")


SETTLED_MILLISECONDS = 2000
# Below the navigation, in the upper quarter of the window.
NEAR_THE_TOP = range(200)


@pytest.mark.parametrize(("theorem", "width"), [("4.2", 390), ("G.1", 1280)])
def test_link_to_a_theorem_puts_it_at_the_top_and_pulls_nobody_back_who_moves_on(
    server, page, theorem, width
):
    address = theorem_link(theorem).partition("](")[2].rstrip(")")
    visitor = page(server(ROOT / "app.py").url + address, width=width)
    heading = visitor.locator("#" + address.partition("#")[2])
    visitor.wait_for_selector("#proposition-c-2", state="attached")
    visitor.wait_for_timeout(SETTLED_MILLISECONDS)
    assert int(heading.bounding_box()["y"]) in NEAR_THE_TOP
    visitor.mouse.move(200, 400)
    visitor.mouse.wheel(0, -3000)
    visitor.wait_for_timeout(SETTLED_MILLISECONDS)
    assert int(heading.bounding_box()["y"]) not in NEAR_THE_TOP


def test_a_section_that_the_address_names_later_is_open_as_if_by_hand(visit):
    """The browser unfolds it by itself, of which Streamlit knows nothing: links in it were dead."""
    visitor = visit("theorems", height=600)
    for name in ("proposition-20", "proposition-24", "proposition-21"):
        visitor.evaluate("name => { location.hash = name; }", name)
        fold = visitor.locator(f"details:has(#{name})")
        fold.locator("summary", has_text="keyboard_arrow_down").wait_for()
        assert fold.get_attribute("open") is not None
        assert not fold.locator("[inert]").count()


def test_the_list_of_a_documents_sections_is_folded_where_there_is_no_room_beside(visit, server):
    visitor = visit("theorems")
    visitor.goto(server(ROOT / "app.py").url + "app/static/docs/tighter-bounds.md")
    section = visitor.locator("nav a", has_text="Balls into bins")
    section.click()
    assert visitor.url.endswith("#proposition-24")
    assert section.is_visible()
    assert visitor.locator("#proposition-24").bounding_box()["y"] < NEAR_THE_TOP.stop
    visitor.set_viewport_size({"width": 390, "height": 844})
    assert not section.is_visible()
    visitor.locator("summary").click()
    assert section.is_visible()
