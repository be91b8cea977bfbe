"""A visitor's way through the page about the order of series, in a real browser."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.visitor import (
    choose,
    downloaded,
    drawn,
    epsilons,
    headline,
    in_link,
    press_button,
    ranges,
    settle,
    shared,
    slide,
    slider,
    table_in,
    wait_for_description,
    wait_for_link,
    was_seen,
    watch_for,
    zoom_in,
)

DRAWN, WALKED = "series-0-target", "series-1-target"


@pytest.mark.slow
def test_headline_chart_table_and_link_follow_the_sliders(visit: Callable[..., Any]) -> None:
    """Both ways' numbers are those of the chart and of the table's row, after each move."""
    visitor = visit("sample_or_walk")
    start = headline(visitor)
    zoomed = zoom_in(visitor)
    for field, wanted in (("noise_multiplier", "1.1"), ("steps", "1200")):
        sentence = slide(visitor, field)
        sampled, walked = epsilons(sentence)
        assert in_link(visitor)[field] == wanted
        wait_for_description(visitor, f"at most {sampled:g}")
        lines = drawn(visitor)
        assert sampled * 0.999 <= lines[DRAWN]["x"][0] <= sampled
        assert walked * 0.999 <= lines[WALKED]["x"][0] <= walked
        row = visitor.locator("tr", has_text="the whole run").inner_text()
        assert epsilons(row) == [sampled, walked]
    assert ranges(visitor) == pytest.approx(zoomed)
    press_button(visitor, "undo")
    assert in_link(visitor)["steps"] == "1000"
    assert press_button(visitor, "reset_all") == start


@pytest.mark.slow
def test_compared_after_each_length(visit: Callable[..., Any], tmp_path: Path) -> None:
    """The chart, its CSV and the link are those of the length chosen; back leads back."""
    visitor = visit("sample_or_walk")
    first = headline(visitor)
    choose(visitor, "1 epoch", compared_length="epoch")
    sampled, walked = epsilons(headline(visitor))
    assert epsilons(visitor.locator("tr", has_text="1 epoch").inner_text()) == [sampled, walked]
    rows = table_in(downloaded(visitor, shared(visitor, "Download CSV"), tmp_path))
    for label, epsilon in (("drawn at random", sampled), ("walked through", walked)):
        after = next(
            row for row in rows if row["curve"] == label and float(row["epsilon"]) >= epsilon
        )
        assert float(after["delta_upper"]) <= 1e-7
    link = visitor.url
    choose(visitor, "1,000 training steps", compared_length=None)
    assert headline(visitor) == first
    visitor.goto(link)
    settle(visitor)
    assert epsilons(headline(visitor)) == [sampled, walked]


@pytest.mark.slow
def test_what_takes_long_is_filled_in_and_what_is_done_last_wins(
    visit: Callable[..., Any],
) -> None:
    """With many windows per series the table fills under a bar; a move does not wait for it."""
    visitor = visit("sample_or_walk?num_subsequences=32")
    watch_for(visitor)
    noise = slider(visitor, "noise_multiplier")
    noise.press("ArrowRight")
    visitor.wait_for_selector("[data-testid=stProgress]")
    noise.press("ArrowRight")
    wait_for_link(visitor, noise_multiplier="1.2")
    settle(visitor)
    assert was_seen(visitor)
    last = headline(visitor)
    assert epsilons(visitor.locator("tr", has_text="the whole run").inner_text()) == epsilons(last)
    visitor.reload()
    settle(visitor)
    assert headline(visitor) == last
