"""Undo by the keyboard, from page to page: what was set goes back, and a live region says what."""

import pytest

JOINER = "\N{WORD JOINER}"  # keeps words from being links
PATH = "release?release_repetitions=10&synth_frequency=0.0625"
HAS_FOCUS = "key => !!document.activeElement?.closest(`.st-key-${key}`)"
# The notice that is seen is not read out: what is read out says the same.
TOLD, SEEN = "#dpviz-undone[role=status]:not(:empty)", "[data-testid=stToast]"


def press(visitor, key, **changed):
    """Press a button by the keyboard; return what is said when the link has changed."""
    button = visitor.locator(f".st-key-{key} button:visible").first
    button.focus()
    visitor.keyboard.press("Enter")
    visitor.wait_for_link(**changed)
    visitor.settle()
    return str(visitor.locator(TOLD).first.text_content())


@pytest.mark.slow
def test_settings_of_two_pages_are_taken_back_told_and_reset(visit):
    """Also those that live on one page alone; a reload shows what was gone back to."""
    visitor = visit(PATH)
    first = visitor.headline
    second = visitor.slide("participation")
    assert visitor.link["participation"] == "110"
    said = press(visitor, "undo", participation=None)
    assert said == "Undone: Steps that one individual is in, at most, from 110 back to 100."
    assert said in visitor.locator(SEEN).first.inner_text().replace(JOINER, "")
    assert visitor.headline == first
    visitor.wait_for_function(HAS_FOCUS, arg="redo")  # Undo has no more to take back
    press(visitor, "redo", participation="110")
    visitor.wait_for_function(HAS_FOCUS, arg="undo")
    assert visitor.headline == second

    visitor.go_to("Beyond training", "Sampling in stages")
    visitor.wait_for_url("**/multistage**")
    visitor.settle()
    said = press(visitor, "undo", participation=None)
    assert said.startswith("Undone on Release one series: Steps that one")

    visitor.slide("staged_noise")
    visitor.slide("staged_episodes")
    press(visitor, "reset_all", staged_noise=None, staged_episodes=None)
    visitor.reload()
    visitor.settle()
    assert "staged_noise" not in visitor.link
    assert visitor.link["release_repetitions"] == "10"
