"""A visitor's way through the page about one bag of windows, in a real browser."""

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
    table_in,
    unfold,
    was_seen,
    watch_for,
    zoom_in,
)

# Few steps, so that every answer is quick.
SHORT = "one_bag?" + "&".join((
    "num_series=320", "series_length=20", "context_length=1", "forecast_length=1",
    "batch_size=32", "noise_multiplier=1", "steps=10", "delta=1e-7",
))  # fmt: skip


BAG = "one bag (fixed batch size)"
_LENGTH_SYMBOLS = """() => [...document.querySelectorAll(
  ".st-key-window_length .dpviz-label :is(var, sub)")]
  .map(one => one.textContent)"""


def truth(text: str) -> float:
    """Return the lower bound on epsilon that the headline quotes."""
    return float(re.search(r"no analysis can promise less than ε = ([\d.]+)", text)[1])


def test_headline_chart_and_link_follow_the_sliders(visit: Callable[..., Any]) -> None:
    """Window length, ratio, bag and noise: promise, truth and the marks agree after each move."""
    visitor = visit(SHORT)
    start = headline(visitor)
    # Symbols are set as in formulas; a control's name stays plain.
    assert visitor.evaluate(_LENGTH_SYMBOLS) == ["L", "C", "L", "F"]
    visitor.get_by_role("slider", name="Window length L_C + L_F").wait_for()
    assert visitor.locator(".dpviz-chart .xtitle").inner_html().count("font-style: italic") == 2
    promise, _ = epsilons(start)
    longer = slide(visitor, "window_length")
    assert in_link(visitor)["context_length"] == "2"
    assert epsilons(longer)[0] == promise  # a standard accountant does not see the length
    assert truth(longer) > truth(start) > promise
    marks = drawn(visitor)
    assert marks["series-0-own"]["x"] == [3]
    assert 0.999 * epsilons(longer)[1] <= marks["series-0-own"]["y"][0] <= epsilons(longer)[1]
    larger = slide(visitor, "batch_share")
    share = int(in_link(visitor)["batch_size"]) / 320
    assert share > 0.1
    assert epsilons(larger)[0] > promise
    slide(visitor, "bag_size")
    assert (series := int(in_link(visitor)["num_series"])) > 320
    assert int(in_link(visitor)["batch_size"]) / series == pytest.approx(share, rel=0.02)
    for _ in range(3):
        press_button(visitor, "undo")
    assert headline(visitor) == start


@pytest.mark.slow
def test_charts_are_changed_saved_and_reopened(visit: Callable[..., Any], tmp_path: Path) -> None:
    """ε over lengths and δ against ε, each as CSV, and the link that has the choice."""
    visitor = visit(SHORT)
    csv = shared(visitor, "Download CSV")
    rows = table_in(downloaded(visitor, csv, tmp_path))
    [own] = [row for row in rows if (row["run"], row["window_length"]) == (BAG, "2")]
    told = truth(headline(visitor))
    assert told <= float(own["epsilon_lower"]) <= 1.001 * told
    choose(visitor, "δ against ε", bag_chart="curve")
    assert {"series-0-lower", "series-0-upper", "series-1-upper"} <= drawn(visitor).keys()
    rows = table_in(downloaded(visitor, csv, tmp_path))
    assert {BAG, "series first (1 window each)"} <= {row["curve"] for row in rows}
    before = headline(visitor)
    visitor.reload()
    settle(visitor)
    assert headline(visitor) == before
    assert "series-0-target" in drawn(visitor)


@pytest.mark.slow
@pytest.mark.parametrize("view", ["lengths", "curve"])
def test_zoom_is_kept(visit: Callable[..., Any], view: str) -> None:
    """What is zoomed to outlives a slider move."""
    visitor = visit(f"{SHORT}&bag_chart={view}")
    zoomed = zoom_in(visitor)
    slide(visitor)
    assert ranges(visitor) == pytest.approx(zoomed)


@pytest.mark.slow
def test_lengths_are_filled_in_under_a_bar(visit: Callable[..., Any]) -> None:
    """The headline is there at once; the points of the chart come one by one.

    With a noise that no other visitor of the server has asked for.
    """
    visitor = visit(
        SHORT.replace("multiplier=1", "multiplier=1.6").replace("steps=10", "steps=1000")
    )
    watch_for(visitor)
    slide(visitor)
    assert was_seen(visitor)
    assert len(drawn(visitor)["series-1-upper"]["x"]) == 6


@pytest.mark.slow
def test_why_what_it_rests_on_and_its_code(visit: Callable[..., Any], tmp_path: Path) -> None:
    """Chances of hits as a table, both certificates, the code of both runs."""
    visitor = visit(SHORT)
    button = visitor.get_by_role("button", name="Download these chances as CSV")
    rows = table_in(downloaded(visitor, button, tmp_path))
    bag = [row for row in rows if row["sampling"] == BAG]
    assert sum(float(row["probability"]) for row in bag) == pytest.approx(1.0)
    for name, theorem in ((BAG, "Proposition C.2"), ("series first", "Theorem 4.4")):
        part = unfold(visitor, f"What these numbers rest on: {name}")
        assert part.get_by_role("link", name=theorem).first.is_visible()
    code = unfold(visitor, "Show the code")
    assert "--flat" in code.locator("code").first.inner_text()


@pytest.mark.slow
def test_rates_lead_back_to_the_shape(visit: Callable[..., Any]) -> None:
    """Who comes with rates set directly is told, and gets back with one press."""
    visitor = visit("privacy_curve" + SHORT.removeprefix("one_bag"))
    slide(visitor, "bottom_rate")
    visitor.goto(visitor.url.replace("privacy_curve", "one_bag"))
    visitor.get_by_text("rates alone do not determine how many windows one bag has").wait_for()
    visitor.locator(".st-key-bag_shape button").press("Enter")
    settle(visitor)
    assert "of the bag's 6,400 windows" in headline(visitor)
