"""Words of a visitor look in the browser as they were typed: no link, no picture, no markup."""

from pathlib import Path

import pytest

from tests.security.hostile import WORDS

APP = Path(__file__).parent / "words_app.py"
PLACES = 11
JOINER = "\N{WORD JOINER}"
# What each place shows, and of what kinds of element it consists.
SEEN = """key => [...document.querySelectorAll(`.st-key-${key} :is(
    [data-testid=stMarkdownContainer], [data-testid=stCaptionContainer], .dpviz-label,
    .dpviz-toggle > span, .dpviz-button-words, .dpviz-tip:not(:empty), option)`)]
  .map(place => [place.textContent, [...place.querySelectorAll("*")].map(part => part.tagName)])"""


@pytest.fixture
def visitor(server, page):
    opened = page(server(APP).url)
    opened.locator(f".st-key-words_{len(WORDS) - 1} select").wait_for()
    return opened


def test_words_are_shown_as_they_are(visitor):
    for at, words in enumerate(WORDS):
        places = visitor.evaluate(SEEN, f"words_{at}")
        assert len(places) == PLACES
        for text, parts in places:
            assert text.replace(JOINER, "").strip() == f"{words} z"
            assert set(parts) <= {"P", "SPAN"}, words


def test_words_of_a_toast_are_shown_as_they_are(visitor):
    toast = visitor.locator("[data-testid=stToast] [data-testid=stMarkdownContainer]").first
    assert toast.inner_text().replace(JOINER, "").strip() == " ".join(WORDS[:12])
    assert toast.locator("a, img, b, em, strong, code").count() == 0
