"""A visitor releases a series: moves sliders, opens a file of counts, and loses it on reload."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.visitor import (
    choose,
    downloaded,
    drawn,
    headline,
    in_link,
    segment,
    settle,
    shared,
    slide,
    table_in,
    unfold,
    wait_for_link,
)

PATH = "release?release_repetitions=10&synth_frequency=0.0625"


def choose_file(visitor: Any) -> None:
    """Choose a series of one's own; there is no chart until a file is open."""
    segment(visitor, "a file of yours").click()
    visitor.get_by_text("No link holds a file").first.wait_for()
    assert in_link(visitor)["release_source"] == "file"


@pytest.mark.slow
def test_a_visitor_compares_mechanisms_and_takes_the_numbers_home(
    visit: Callable[..., Any], tmp_path: Path
) -> None:
    """More steps of one individual need more noise; the link and the file have it."""
    visitor = visit(PATH)
    before = headline(visitor)
    assert "at most 100 of the 625 steps" in before
    assert {"truth", "released", "difference"} <= drawn(visitor).keys()
    after = slide(visitor, "participation")
    assert "at most 110 of the 625 steps" in after
    assert in_link(visitor)["participation"] == "110"
    unfold(visitor, "Another mechanism")
    choose(visitor, "filtered, exact", release_way="filter-subsample-exact")
    settle(visitor)
    assert "dpviz's own extension" in headline(visitor)
    unfold(visitor, "Repetitions, seed, more participation")
    released = drawn(visitor)["released"]["y"]
    visitor.locator(".st-key-release_anew button:visible").first.press("Enter")
    wait_for_link(visitor, release_seed="2")
    settle(visitor)
    assert drawn(visitor)["released"]["y"] != released
    button = shared(visitor, "Download CSV")
    rows = table_in(downloaded(visitor, button, tmp_path))
    assert len(rows) == 625


def test_a_file_of_counts_is_released_and_is_gone_after_a_reload(
    visit: Callable[..., Any], tmp_path: Path
) -> None:
    """The link has the settings, never the counts: whoever opens it is asked for the file."""
    visitor = visit(PATH + "&participation=9")
    before = headline(visitor)
    choose_file(visitor)
    table = tmp_path / "counts.csv"
    table.write_text("\n".join(["count", *(str(50 + at % 40) for at in range(300))]))
    visitor.locator("input[type=file]").set_input_files(table)
    visitor.wait_for_selector("text=From the file: 300 steps.")
    settle(visitor)
    assert "at most 9 of the 300 steps" in headline(visitor)
    assert headline(visitor) != before
    assert sum(len(value) for value in in_link(visitor).values()) < 500
    visitor.reload()
    visitor.wait_for_selector("text=No link holds a file")
    assert visitor.locator(".dpviz-chart").count() == 0


@pytest.mark.slow
def test_a_file_that_is_no_series_is_refused_in_words(
    visit: Callable[..., Any], tmp_path: Path
) -> None:
    """The sentence names line, value and what is allowed."""
    visitor = visit(PATH)
    choose_file(visitor)
    table = tmp_path / "counts.csv"
    table.write_text("count\n1\n<script>alert(1)</script>\n")
    visitor.locator("input[type=file]").set_input_files(table)
    warning = visitor.locator("[data-testid=stAlert]").filter(has_text="The file was not used.")
    warning.first.wait_for()
    assert "it must be a whole number from 0" in warning.first.inner_text()
