"""A visitor's way through the page about one bag of windows, in a real browser."""

import re

import pytest

from tests.browser.visitor import epsilons, table_in

# Few steps, so that every answer is quick.
SHORT = "one_bag?" + "&".join((
    "num_series=320", "series_length=20", "context_length=1", "forecast_length=1",
    "batch_size=32", "noise_multiplier=1", "steps=10", "delta=1e-7",
))  # fmt: skip


BAG = "one bag (fixed batch size)"
_LENGTH_SYMBOLS = """() => [...document.querySelectorAll(
  ".st-key-window_length .dpviz-label :is(var, sub)")]
  .map(one => one.textContent)"""


def truth(text):
    """Return the lower bound on epsilon that the headline quotes."""
    return float(re.search(r"no analysis can promise less than ε = ([\d.]+)", text)[1])


def test_headline_chart_and_link_follow_the_sliders(visit):
    """Window length, ratio, bag and noise: promise, truth and the marks agree after each move."""
    visitor = visit(SHORT)
    start = visitor.headline
    # Symbols are set as in formulas; a control's name stays plain.
    assert visitor.evaluate(_LENGTH_SYMBOLS) == ["L", "C", "L", "F"]
    visitor.get_by_role("slider", name="Window length L_C + L_F").wait_for()
    assert (
        visitor.locator(".dpviz-chart .xtitle").first.inner_html().count("font-style:italic") == 2
    )
    promise, _ = epsilons(start)
    longer = visitor.slide("window_length")
    assert visitor.link["context_length"] == "2"
    assert epsilons(longer)[0] == promise  # a standard accountant does not see the length
    assert truth(longer) > truth(start) > promise
    marks = visitor.drawn
    assert marks["series-0-own"]["x"] == [3]
    assert 0.999 * epsilons(longer)[1] <= marks["series-0-own"]["y"][0] <= epsilons(longer)[1]
    larger = visitor.slide("batch_share")
    share = int(visitor.link["batch_size"]) / 320
    assert share > 0.1
    assert epsilons(larger)[0] > promise
    visitor.slide("bag_size")
    assert (series := int(visitor.link["num_series"])) > 320
    assert int(visitor.link["batch_size"]) / series == pytest.approx(share, rel=0.02)
    for _ in range(3):
        visitor.press_button("undo")
    assert visitor.headline == start


@pytest.mark.slow
def test_charts_are_changed_saved_and_reopened(visit, tmp_path):
    """ε over lengths and δ against ε, each as CSV, and the link that has the choice."""
    visitor = visit(SHORT)
    rows = visitor.csv(tmp_path)
    [own] = [row for row in rows if (row["run"], row["window_length"]) == (BAG, "2")]
    told = truth(visitor.headline)
    assert told <= float(own["epsilon_lower"]) <= 1.001 * told
    visitor.choose("δ against ε", bag_chart="curve")
    assert {"series-0-lower", "series-0-upper", "series-1-upper"} <= visitor.drawn.keys()
    rows = visitor.csv(tmp_path)
    assert {BAG, "series first (1 window each)"} <= {row["curve"] for row in rows}
    visitor.assert_kept()
    assert "series-0-target" in visitor.drawn


@pytest.mark.slow
def test_lengths_are_filled_in_under_a_bar(visit):
    """The headline is there at once; the points of the chart come one by one.

    With a noise that no other visitor of the server has asked for.
    """
    visitor = visit(
        SHORT.replace("multiplier=1", "multiplier=1.6").replace("steps=10", "steps=1000")
    )
    visitor.watch_for()
    visitor.slide()
    assert visitor.was_seen
    assert len(visitor.drawn["series-1-upper"]["x"]) == 6


@pytest.mark.slow
def test_why_what_it_rests_on_and_its_code(visit, tmp_path):
    """Chances of hits as a table, both certificates, the code of both runs."""
    visitor = visit(SHORT)
    button = visitor.get_by_role("button", name="Download these chances as CSV")
    rows = table_in(visitor.downloaded(button, tmp_path))
    bag = [row for row in rows if row["sampling"] == BAG]
    assert sum(float(row["probability"]) for row in bag) == pytest.approx(1.0)
    for name, theorem in ((BAG, "Proposition C.2"), ("series first", "Theorem 4.4")):
        part = visitor.unfold(f"What these numbers rest on: {name}")
        assert part.get_by_role("link", name=theorem).first.is_visible()
    code = visitor.unfold("Show the code")
    assert "--flat" in code.locator("code").first.inner_text()


@pytest.mark.slow
def test_rates_lead_back_to_the_shape(visit):
    """Who comes with rates set directly is told, and gets back with one press."""
    visitor = visit("privacy_curve" + SHORT.removeprefix("one_bag"))
    visitor.slide("bottom_rate")
    visitor.goto(visitor.url.replace("privacy_curve", "one_bag"))
    visitor.get_by_text("rates alone do not determine how many windows one bag has").wait_for()
    visitor.locator(".st-key-bag_shape button").press("Enter")
    visitor.settle()
    assert "of the bag's 6,400 windows" in visitor.headline
