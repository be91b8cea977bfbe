"""A visitor edits levels by the keyboard, and takes the numbers away."""

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

pytestmark = pytest.mark.slow
PATH = "multistage?staged_levels=1:2,3:6&staged_episodes=4"


def test_levels_are_edited_by_keyboard_and_the_link_brings_them_back(
    visit: Callable[..., Any],
) -> None:
    """A number typed into a box, a level added and taken away by Enter."""
    visitor = visit(PATH)
    assert "1 of 2, then 3 of 6 in each" in headline(visitor)
    assert set(drawn(visitor)) == {"upper", "lower", "printed"}
    size = box(visitor, "staged_size_1")
    size.fill("30")
    size.press("Enter")
    wait_for_link(visitor, staged_levels="1:2,3:30")
    settle(visitor)
    assert "then 1 of 10 in each" in press_button(visitor, "staged_add")
    wait_for_link(visitor, staged_levels="1:2,3:30,1:10")
    press_button(visitor, "staged_remove_0_reset")
    wait_for_link(visitor, staged_levels="3:30,1:10")
    before = headline(visitor)
    visitor.reload()
    settle(visitor)
    assert headline(visitor) == before
    assert in_link(visitor)["staged_levels"] == "3:30,1:10"


def test_more_episodes_give_away_more_and_the_file_says_what_is_no_bound(
    visit: Callable[..., Any], tmp_path: Path
) -> None:
    visitor = visit(PATH)
    assert re.search("which is not a bound", headline(visitor))
    assert "5 episodes" in slide(visitor, "staged_episodes")
    button = shared(visitor, "Download CSV")
    rows = table_in(downloaded(visitor, button, tmp_path))
    assert all(float(row["delta_lower"]) <= float(row["delta_upper"]) for row in rows)
    assert any(float(row["delta_printed_unsound"]) < float(row["delta_lower"]) for row in rows)
