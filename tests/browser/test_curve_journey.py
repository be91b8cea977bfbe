"""A visitor's way through the page about one run, in a real browser against the real server."""

import json
import re
import xml.etree.ElementTree
from dataclasses import replace

import pytest

from dpviz.scenario import PRESETS, from_json, to_query
from tests.browser.visitor import epsilons

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


def test_pinned_settings_are_drawn_compared_kept_opened_and_removed(visit):
    """A pin stays in the chart and through a reload; it can be hidden, opened and removed."""
    visitor = visit()
    first = visitor.headline
    visitor.get_by_role("button", name="Pin", exact=True).click()
    visitor.locator(PINNED).wait_for()
    second = visitor.slide()
    assert visitor.locator(LEGEND).all_text_contents() == ["now", "pin A"]
    assert {"series-0-upper", "series-1-upper"} <= visitor.drawn.keys()

    table = visitor.unfold("What differs, and what it costs in ε").locator("table")
    row = table.locator("tr", has_text="Noise multiplier σ").inner_text()
    assert "1.1" in row
    assert epsilons(row) == [*epsilons(second)]
    assert f"{epsilons(first)[0]:g}" in row

    visitor.reload()
    visitor.settle()
    assert visitor.headline == second
    assert visitor.locator(LEGEND).all_text_contents() == ["now", "pin A"]

    visitor.locator(PINNED).click()
    visitor.wait_for_link(pins_hidden="a")
    visitor.settle()
    assert "series-1-upper" not in visitor.drawn
    visitor.get_by_role("button", name="Open", exact=True).last.click()
    assert visitor.wait_for_other_headline(second) == first
    visitor.get_by_role("button", name="Remove", exact=True).click()
    visitor.locator(PINNED).wait_for(state="detached")
    visitor.settle()
    assert not any(name.startswith("pin") for name in visitor.link)


@pytest.mark.slow
def test_charts_are_changed_and_changed_back(visit, tmp_path):
    """ε over training marks the end of the budget; the way back leads to the same curve."""
    visitor = visit()
    first = visitor.headline
    visitor.choose("ε over training", chart="training")
    assert "ε ≤ 10 at δ = 10⁻⁷ is proven for up to 126 steps" in visitor.headline
    assert visitor.drawn["budget-used-up"]["x"] == [126]
    rows = visitor.csv(tmp_path)
    assert {row["steps_from"] for row in rows} >= {"1000", "1"}

    zoomed = visitor.zoom_in()
    assert "126 steps" not in visitor.slide("target_epsilon")
    assert visitor.ranges == pytest.approx(zoomed)
    assert visitor.link["target_epsilon"] == "12.0"
    visitor.choose("δ against ε", chart=None)
    assert visitor.headline == first


def test_files_hold_what_the_page_shows(visit, tmp_path):
    """The image has the headline's number in its title; the scenario is that of the page."""
    visitor = visit()
    [epsilon] = epsilons(visitor.slide())
    image = visitor.downloaded(visitor.get_by_label("Save as SVG, for print"), tmp_path)
    words = " ".join(xml.etree.ElementTree.parse(image).getroot().itertext()).split()
    assert f"ε ≤ {epsilon:g}" in " ".join(words)
    saved = visitor.downloaded(visitor.shared("Save scenario"), tmp_path)
    text = saved.read_text(encoding="utf-8")
    assert json.loads(text)["noise_multiplier"] == 1.1
    assert to_query(from_json(text)) == visitor.url.split("?")[1]


@pytest.mark.slow
def test_second_accountant_is_asked_and_answers(visit):
    """A button under the chart has dp-accounting compute the same bound."""
    visitor = visit("privacy_curve?steps=100")
    [epsilon] = epsilons(visitor.headline)
    part = visitor.unfold("What these numbers rest on")
    part.get_by_role("button", name="Check the upper bound with dp-accounting").click()
    answer = part.get_by_text("Upper bound by dp-accounting").locator("..").inner_text()
    assert float(re.search(r"ε = ([\d.]+)", answer)[1]) == pytest.approx(epsilon, rel=0.01)
    assert part.get_by_role("button", name="Check the lower bound").count() == 1


def test_first_answer_to_heavy_settings_promises_no_more_than_the_last(visit):
    """What is shown until the exact answer is there is an upper bound too."""
    visitor = visit(f"privacy_curve?{HEAVY}")
    visitor.evaluate(NOTE_HEADLINES)
    final = visitor.slide()
    shown = visitor.evaluate("() => window.headlines")
    assert shown[-1] == final
    assert min(epsilon for text in shown for epsilon in epsilons(text)) == epsilons(final)[0]
