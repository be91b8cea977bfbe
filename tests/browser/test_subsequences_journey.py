"""A visitor's way through the page about windows per series, in a real browser."""

import re
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
    unfold,
    wait_for_description,
    wait_for_link,
    was_seen,
    watch_for,
    zoom_in,
)

LEGEND = ".legendtoggle"


def test_headline_chart_and_link_follow_the_sliders(visit: Callable[..., Any]) -> None:
    """The curves, their description, the sentence and the address agree after each move."""
    visitor = visit("subsequences")
    start = headline(visitor)
    for field, wanted in (("noise_multiplier", "1.1"), ("steps", "1200")):
        one, most = epsilons(slide(visitor, field))
        assert in_link(visitor)[field] == wanted
        wait_for_description(visitor, f"at most {one:g}")
        lines = drawn(visitor)
        for epsilon, curve in ((one, "series-0-target"), (most, "series-5-target")):
            assert epsilon * 0.999 <= lines[curve]["x"][0] <= epsilon
        names = [line["name"] for uid, line in lines.items() if uid.endswith("upper")]
        assert sorted(names, key=int) == ["1", "2", "4", "8", "16", "32"]
    press_button(visitor, "undo")
    assert in_link(visitor)["steps"] == "1000"
    assert press_button(visitor, "reset_all") == start


@pytest.mark.slow
def test_zoom_and_hidden_entries_are_kept(visit: Callable[..., Any]) -> None:
    """What is zoomed to and hidden in the legend outlives a slider move and a late curve."""
    visitor = visit("subsequences")
    visitor.locator(".dpviz-chart").first.locator(LEGEND).last.click()
    visitor.wait_for_function(
        "document.querySelector('.dpviz-chart').data.some(l => l.visible === 'legendonly')"
    )
    hidden = {uid for uid, line in drawn(visitor).items() if line["visible"] == "legendonly"}
    zoomed = zoom_in(visitor)
    slide(visitor)
    assert ranges(visitor) == pytest.approx(zoomed)
    now = {uid for uid, line in drawn(visitor).items() if line["visible"] == "legendonly"}
    assert now == hidden != set()


@pytest.mark.slow
def test_charts_are_changed_and_changed_back(visit: Callable[..., Any], tmp_path: Path) -> None:
    """δ over training steps at an ε of choice, after steps of choice, and back; each as CSV."""
    visitor = visit("subsequences")
    first, csv = headline(visitor), shared(visitor, "Download CSV")
    [one, _] = epsilons(first)
    table = table_in(downloaded(visitor, csv, tmp_path))
    rows = [row for row in table if row["curve"] == "1 window per series"]
    after = next(row for row in rows if float(row["epsilon"]) >= one)
    assert float(after["delta_upper"]) <= 1e-7

    choose(visitor, "100 steps", compared_steps="100")
    assert "After 100 steps" in headline(visitor)
    choose(visitor, "δ over training steps", chart="training")
    moved = slide(visitor, "fixed_epsilon")
    assert "at ε = 1.2" in moved
    quoted = float(re.search(r"1 window per series: δ ≤ ([\d.]+)", moved)[1])
    last = [
        row
        for row in table_in(downloaded(visitor, csv, tmp_path))
        if row["windows_per_series"] == "1" and row["steps"] == "100"
    ]
    assert quoted * 0.99 <= float(last[0]["delta_upper"]) <= quoted
    assert drawn(visitor)["series-0-upper"]["y"][-1] == pytest.approx(quoted, rel=0.01)

    choose(visitor, "δ against ε", chart=None)
    choose(visitor, "the run: 1,000 steps", compared_steps=None)
    assert headline(visitor) == first


@pytest.mark.slow
def test_what_takes_long_is_filled_in_and_what_is_done_last_wins(
    visit: Callable[..., Any],
) -> None:
    """Curves come one by one under a bar, and a slider that moves does not wait for them."""
    visitor = visit("subsequences?chart=training&compared_steps=100")
    watch_for(visitor)
    noise = slider(visitor, "noise_multiplier")
    noise.press("ArrowRight")
    visitor.wait_for_selector("[data-testid=stProgress]")
    noise.press("ArrowRight")
    wait_for_link(visitor, noise_multiplier="1.2")
    settle(visitor)
    assert was_seen(visitor)
    lines = drawn(visitor)
    assert {f"series-{at}-upper" for at in range(6)} <= lines.keys()
    last = headline(visitor)
    visitor.reload()
    settle(visitor)
    assert headline(visitor) == last


@pytest.mark.slow
def test_why_is_drawn_and_can_be_downloaded(visit: Callable[..., Any], tmp_path: Path) -> None:
    """The weights in the second chart add up to one; the order of the curves is spelled out."""
    visitor = visit("subsequences")
    button = visitor.get_by_role("button", name="Download these weights as CSV")
    rows = table_in(downloaded(visitor, button, tmp_path))
    assert len(rows) > 6
    part = unfold(visitor, "Which order is proven where, and every bound")
    assert part.locator("li").count() >= 1
    assert part.locator("table tr").count() >= 12
