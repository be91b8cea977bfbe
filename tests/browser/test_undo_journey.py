"""Undo by the keyboard, from page to page: what was set goes back, and a live region says what."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.visitor import go_to, headline, in_link, settle, slide, wait_for_link

JOINER = "\N{WORD JOINER}"  # keeps words from being links
PATH = "release?release_repetitions=10&synth_frequency=0.0625"
HAS_FOCUS = "key => !!document.activeElement?.closest(`.st-key-${key}`)"
# The notice that is seen is not read out: what is read out says the same.
TOLD, SEEN = "#dpviz-undone[role=status]:not(:empty)", "[data-testid=stToast]"


def press(visitor: Any, key: str, **changed: str) -> str:
    """Press a button by the keyboard; return what is said when the link has changed."""
    button = visitor.locator(f".st-key-{key} button:visible").first
    button.focus()
    visitor.keyboard.press("Enter")
    wait_for_link(visitor, **changed)
    settle(visitor)
    return str(visitor.locator(TOLD).first.text_content())


@pytest.mark.slow
def test_settings_of_two_pages_are_taken_back_told_and_reset(visit: Callable[..., Any]) -> None:
    """Also those that live on one page alone; a reload shows what was gone back to."""
    visitor = visit(PATH)
    first = headline(visitor)
    second = slide(visitor, "participation")
    assert in_link(visitor)["participation"] == "110"
    said = press(visitor, "undo", participation=None)
    assert said == "Undone: Steps that one individual is in, at most, from 110 back to 100."
    assert said in visitor.locator(SEEN).first.inner_text().replace(JOINER, "")
    assert headline(visitor) == first
    visitor.wait_for_function(HAS_FOCUS, arg="redo")  # Undo has no more to take back
    press(visitor, "redo", participation="110")
    visitor.wait_for_function(HAS_FOCUS, arg="undo")
    assert headline(visitor) == second

    go_to(visitor, "Beyond training", "Sampling in stages")
    visitor.wait_for_url("**/multistage**")
    settle(visitor)
    said = press(visitor, "undo", participation=None)
    assert said.startswith("Undone on Release one series: Steps that one")

    slide(visitor, "staged_noise")
    slide(visitor, "staged_episodes")
    press(visitor, "reset_all", staged_noise=None, staged_episodes=None)
    visitor.reload()
    settle(visitor)
    assert "staged_noise" not in in_link(visitor)
    assert in_link(visitor)["release_repetitions"] == "10"
