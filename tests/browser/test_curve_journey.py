"""A visitor's way through the page about one run, in a real browser against the real server."""

import json
import re
import xml.etree.ElementTree
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dpviz.scenario import PRESETS, from_json, to_query
from tests.browser.visitor import (
    box,
    choose,
    description,
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
    wait_for_other_headline,
    zoom_in,
)

TRAFFIC = PRESETS["traffic"].scenario
# About a second of work, a third of it until there is something to show.
HEAVY = to_query(replace(TRAFFIC, sampling=replace(TRAFFIC.sampling, num_subsequences=32)))
# Every sentence that a visitor sees from now on, one after the other.
NOTE_HEADLINES = """() => {
  window.headlines = [];
  const look = () => {
    const now = document.querySelector(".st-key-answer")?.innerText;
    if (now && now !== window.headlines.at(-1)) window.headlines.push(now);
  };
  new MutationObserver(look).observe(document.body, {
    subtree: true, childList: true, characterData: true,
  });
}"""
LEGEND = ".dpviz-chart .legendtext"
PINNED = ".dpviz-toggle"
POINT, UPPER, LOWER = "series-0-target", "series-0-upper", "series-0-lower"


def test_headline_chart_and_link_follow_each_slider(visit: Callable[..., Any]) -> None:
    """Whatever is moved, the sentence, the title, the curve and the address say the same."""
    visitor = visit()
    start = headline(visitor)
    for field, key, wanted in (
        ("noise_multiplier", "ArrowRight", "1.1"),
        ("bottom_rate", "ArrowLeft", "0.09"),
        ("steps", "ArrowRight", "1200"),
        ("num_subsequences", "ArrowRight", "2"),
    ):
        sentence = slide(visitor, field, key)
        # One that protects hardly anybody is told twice.
        [epsilon] = set(epsilons(sentence))
        assert in_link(visitor)[field] == wanted
        assert box(visitor, field).input_value() == wanted
        wait_for_description(visitor, f"epsilon is at most {epsilon:g}")
        lines = drawn(visitor)
        # Rounded up to four digits.
        assert epsilon * 0.999 <= lines[POINT]["x"][0] <= epsilon
        upper, lower = lines[UPPER], lines[LOWER]
        after = next(at for at, delta in enumerate(upper["y"]) if delta is None or delta < 1e-7)
        assert upper["x"][after - 1] <= epsilon * 1.001
        assert upper["x"][after] >= epsilon * 0.999
        for above, below in zip(upper["y"], lower["y"], strict=True):
            assert below is None or above is None or below <= above
        assert epsilons(description(visitor)) == [epsilon]
    before = slide(visitor)
    assert press_button(visitor, "undo") != before
    assert in_link(visitor)["noise_multiplier"] == "1.1"
    assert press_button(visitor, "reset_all") == start
    assert visitor.get_by_role("button", name="Reset all").is_disabled()


def test_pinned_settings_are_drawn_compared_kept_opened_and_removed(
    visit: Callable[..., Any],
) -> None:
    """A pin stays in the chart and through a reload; it can be hidden, opened and removed."""
    visitor = visit()
    first = headline(visitor)
    visitor.get_by_role("button", name="Pin", exact=True).click()
    visitor.locator(PINNED).wait_for()
    second = slide(visitor)
    assert visitor.locator(LEGEND).all_text_contents() == ["now", "pin A"]
    assert {"series-0-upper", "series-1-upper"} <= drawn(visitor).keys()

    table = unfold(visitor, "What differs, and what it costs in ε").locator("table")
    row = table.locator("tr", has_text="Noise multiplier σ").inner_text()
    assert "1.1" in row
    assert epsilons(row) == [*epsilons(second)]
    assert f"{epsilons(first)[0]:g}" in row

    visitor.reload()
    settle(visitor)
    assert headline(visitor) == second
    assert visitor.locator(LEGEND).all_text_contents() == ["now", "pin A"]

    visitor.locator(PINNED).click()
    wait_for_link(visitor, pins_hidden="a")
    settle(visitor)
    assert "series-1-upper" not in drawn(visitor)
    visitor.get_by_role("button", name="Open", exact=True).last.click()
    assert wait_for_other_headline(visitor, second) == first
    visitor.get_by_role("button", name="Remove", exact=True).click()
    visitor.locator(PINNED).wait_for(state="detached")
    settle(visitor)
    assert not any(name.startswith("pin") for name in in_link(visitor))


@pytest.mark.slow
def test_charts_are_changed_and_changed_back(visit: Callable[..., Any], tmp_path: Path) -> None:
    """ε over training marks the end of the budget; the way back leads to the same curve."""
    visitor = visit()
    first = headline(visitor)
    choose(visitor, "ε over training", chart="training")
    assert "ε ≤ 10 at δ = 10⁻⁷ is proven for up to 126 steps" in headline(visitor)
    assert drawn(visitor)["budget-used-up"]["x"] == [126]
    rows = table_in(downloaded(visitor, shared(visitor, "Download CSV"), tmp_path))
    assert {row["steps_from"] for row in rows} >= {"1000", "1"}

    zoomed = zoom_in(visitor)
    assert "126 steps" not in slide(visitor, "target_epsilon")
    assert ranges(visitor) == pytest.approx(zoomed)
    assert in_link(visitor)["target_epsilon"] == "12.0"
    choose(visitor, "δ against ε", chart=None)
    assert headline(visitor) == first


def test_files_hold_what_the_page_shows(visit: Callable[..., Any], tmp_path: Path) -> None:
    """The image has the headline's number in its title; the scenario is that of the page."""
    visitor = visit()
    [epsilon] = epsilons(slide(visitor))
    image = downloaded(visitor, visitor.get_by_label("Save as SVG, for print"), tmp_path)
    words = " ".join(xml.etree.ElementTree.parse(image).getroot().itertext())
    assert f"ε ≤ {epsilon:g}" in words
    saved = downloaded(visitor, shared(visitor, "Save scenario"), tmp_path)
    text = saved.read_text(encoding="utf-8")
    assert json.loads(text)["noise_multiplier"] == 1.1
    assert to_query(from_json(text)) == visitor.url.split("?")[1]


@pytest.mark.slow
def test_second_accountant_is_asked_and_answers(visit: Callable[..., Any]) -> None:
    """A button under the chart has dp-accounting compute the same bound."""
    visitor = visit("privacy_curve?steps=100")
    [epsilon] = epsilons(headline(visitor))
    part = unfold(visitor, "What these numbers rest on")
    part.get_by_role("button", name="Check the upper bound with dp-accounting").click()
    answer = part.get_by_text("Upper bound by dp-accounting").locator("..").inner_text()
    assert float(re.search(r"ε = ([\d.]+)", answer)[1]) == pytest.approx(epsilon, rel=0.01)
    assert part.get_by_role("button", name="Check the lower bound").count() == 1


def test_first_answer_to_heavy_settings_promises_no_more_than_the_last(
    visit: Callable[..., Any],
) -> None:
    """What is shown until the exact answer is there is an upper bound too."""
    visitor = visit(f"privacy_curve?{HEAVY}")
    visitor.evaluate(NOTE_HEADLINES)
    final = slide(visitor)
    shown = visitor.evaluate("() => window.headlines")
    assert shown[-1] == final
    assert min(epsilon for text in shown for epsilon in epsilons(text)) == epsilons(final)[0]


@pytest.mark.slow
def test_what_is_done_last_wins(visit: Callable[..., Any]) -> None:
    """A slider that moves while points are still to come does not wait for them."""
    visitor = visit("privacy_curve?chart=training&num_subsequences=8")
    noise = slider(visitor, "noise_multiplier")
    noise.press("ArrowRight")
    visitor.wait_for_selector("[data-testid=stProgress]")
    noise.press("ArrowRight")
    wait_for_link(visitor, noise_multiplier="1.2")
    settle(visitor)
    assert noise.get_attribute("aria-valuetext") == "1.2"
    last = headline(visitor)
    visitor.reload()
    settle(visitor)
    assert headline(visitor) == last
