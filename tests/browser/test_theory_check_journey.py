"""A visitor simulates attacks, and plays the attacker by mouse and keyboard."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.visitor import (
    box,
    downloaded,
    drawn,
    headline,
    in_link,
    press_button,
    settle,
    shared,
    slide,
    table_in,
    wait_for_link,
)

PATH = "theory_check?simulated_runs=2000&fixed_epsilon=0.01"
SCORE = ".st-key-game_score"
REVEALED = ".st-key-game_revealed"


def wait_for_score(visitor: Any, rounds: int) -> None:
    """Wait until so many rounds are counted."""
    visitor.wait_for_function(
        "([score, rounds]) => document.querySelector(score).innerText.includes(` of ${rounds}`)",
        arg=[SCORE, rounds],
    )


@pytest.mark.slow
def test_a_visitor_plays_sees_what_it_was_and_keeps_the_score(visit: Callable[..., Any]) -> None:
    """Answers by click, by Enter and by the keys Y and N; the link brings the game back."""
    visitor = visit(PATH)
    assert re.search(r"simulated runs of 1 step contradict neither bound", headline(visitor))
    assert "Nothing is revealed yet." in visitor.locator(REVEALED).inner_text()
    visitor.locator(".st-key-game_y button").click()
    wait_for_score(visitor, 1)
    assert re.search(
        r"Round 1 revealed: it was (not )?in the data\. You said yes",
        visitor.locator(REVEALED).inner_text(),
    )
    visitor.locator(".st-key-game_n button").press("Enter")
    wait_for_score(visitor, 2)
    settle(visitor)
    visitor.evaluate("() => document.activeElement.blur()")
    visitor.keyboard.press("n")
    wait_for_score(visitor, 3)
    settle(visitor)
    visitor.keyboard.press("y")
    wait_for_score(visitor, 4)
    # What is typed into a box is no answer.
    runs = box(visitor, "simulated_runs")
    runs.press("n")
    runs.press("Backspace")
    assert in_link(visitor)["game_answers"].endswith("-ynny")
    score = visitor.locator(SCORE).inner_text()
    assert re.search(r"you\s+[0-4] of 4", score)
    assert "Theorem 4.4" in score
    visitor.reload()
    settle(visitor)
    assert visitor.locator(SCORE).inner_text() == score
    visitor.locator(".st-key-game_anew button:visible").first.click()
    wait_for_link(visitor, game_seed="2", game_answers=None)
    visitor.wait_for_function(
        "place => document.querySelector(place).innerText.includes('Nothing is revealed')",
        arg=REVEALED,
    )


@pytest.mark.slow
def test_more_runs_narrow_the_band_and_the_file_has_them(
    visit: Callable[..., Any], tmp_path: Path
) -> None:
    """Coarse first, then filled in; another seed draws other runs."""
    visitor = visit(PATH)
    coarse = drawn(visitor)
    assert "100,000 simulated runs" in slide(visitor, "simulated_runs", "End")
    fine = drawn(visitor)
    width = [trace["band-high"]["y"][0] - trace["band-low"]["y"][0] for trace in (coarse, fine)]
    assert width[1] < width[0]
    press_button(visitor, "simulate_anew")
    assert drawn(visitor)["estimate"]["y"] != fine["estimate"]["y"]
    button = shared(visitor, "Download CSV")
    rows = table_in(downloaded(visitor, button, tmp_path))
    assert len(rows) == 62
    assert all(float(row["simulated_low"]) <= float(row["delta_upper"]) for row in rows)
