"""What holds of pages that compare runs: numbers, chart and link agree, and stay."""

import pytest

from dpviz.scenario import to_query
from tests.browser.visitor import epsilons, unasked_delta
from tests.scenario.changes import TRAFFIC, varied

LEGEND = ".legendtoggle"
# Few steps, so that every answer is quick.
BAG = (
    "one_bag?num_series=320&series_length=20&context_length=1&forecast_length=1&batch_size=32"
    "&noise_multiplier=1&steps=10&delta=1e-7"
)
HOURLY = (
    "protection?schema=1&num_series=320&series_length=2000&context_length=6&forecast_length=2"
    "&batch_size=32&noise_multiplier=1&steps=20&time_step=1+hour"
)
# Moves of its sliders; those of other pages are the same, and have tests without a browser.
MOVES = (
    ("noise_multiplier", "ArrowRight", "1.1"),
    ("bottom_rate", "ArrowLeft", "0.09"),
    ("steps", "ArrowRight", "1200"),
    ("num_subsequences", "ArrowRight", "2"),
)


def test_headline_chart_and_link_follow_the_sliders(visit):
    visitor = visit("privacy_curve")
    start = visitor.headline
    for field, key, wanted in MOVES:
        before = visitor.link.get(field)
        epsilon, *_ = epsilons(visitor.slide(field, key))
        assert visitor.link[field] == wanted
        assert float(visitor.box(field).input_value()) == float(wanted)
        visitor.wait_for_description(f"at most {epsilon:g}")
        lines = visitor.drawn
        # Rounded up to four digits.
        assert epsilon * 0.999 <= lines["series-0-target"]["x"][0] <= epsilon
        upper, lower = lines["series-0-upper"], lines["series-0-lower"]
        after = next(at for at, delta in enumerate(upper["y"]) if delta is None or delta < 1e-7)
        assert upper["x"][after - 1] <= epsilon * 1.001
        assert upper["x"][after] >= epsilon * 0.999
        for above, below in zip(upper["y"], lower["y"], strict=True):
            assert below is None or above is None or below <= above
    visitor.press_button("undo")
    assert visitor.link.get(field) == before
    assert visitor.press_button("reset_all") == start
    assert visitor.get_by_role("button", name="Reset all").is_disabled()


@pytest.mark.slow
@pytest.mark.parametrize("path", ["subsequences", f"{BAG}&bag_chart=lengths"])
def test_zoom_and_hidden_entries_are_kept(visit, path):
    def hidden():
        return {uid for uid, line in visitor.drawn.items() if line["visible"] == "legendonly"}

    visitor = visit(path)
    visitor.locator(".dpviz-chart").first.locator(LEGEND).last.click()
    visitor.wait_for_function(
        "() => document.querySelector('.dpviz-chart').data.some("
        "line => line.visible === 'legendonly')"
    )
    whole, before, zoomed = visitor.ranges, hidden(), visitor.zoom_in()
    visitor.slide()
    assert visitor.ranges == pytest.approx(zoomed)
    assert hidden() == before
    visitor.locator(".dpviz-chart .nsewdrag").first.dblclick()
    visitor.slide()
    assert visitor.ranges[0] == pytest.approx(whole[0])


@pytest.mark.slow
def test_what_takes_long_is_filled_in_and_what_is_done_last_wins(visit):
    """Lines come under a bar, and a slider that moves does not wait for them."""
    visitor = visit(f"subsequences?chart=training&compared_steps=100&delta={unasked_delta()}")
    visitor.watch_for()
    noise = visitor.slider("noise_multiplier")
    noise.press("ArrowRight")
    visitor.wait_until_seen()
    noise.press("ArrowRight")
    visitor.wait_for_link(noise_multiplier="1.2")
    visitor.settle()
    assert noise.get_attribute("aria-valuetext") == "1.2"
    visitor.assert_kept()


@pytest.mark.slow
def test_point_that_is_clicked_is_protected(visit):
    """A click on either line of the second chart chooses its relation and its w."""
    visitor = visit(HOURLY)
    points = visitor.drawn_in(1)
    for line, width, level in (("series-0-upper", 168, "event"), ("series-1-upper", 10, "user")):
        quoted = points[line]["y"][points[line]["x"].index(width)]
        before = visitor.headline
        place = visitor.place_of(width, quoted, chart=1)
        visitor.mouse.move(*place)
        visitor.wait_for_timeout(150)  # a click is on what the pointer hovers over
        visitor.mouse.click(*place)
        after = visitor.wait_for_other_headline(before)
        visitor.wait_for_link(relation=level, relation_width=str(width))
        # The page's own number is found more finely than the line's points.
        assert epsilons(after)[0] == pytest.approx(quoted, rel=0.02)


# About a second of work, a third of it until there is something to show.
HEAVY = to_query(varied(TRAFFIC, num_subsequences=32))
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
LEGEND_WORDS = ".dpviz-chart .legendtext"
PINNED = ".dpviz-toggle"


@pytest.mark.slow
def test_pinned_settings_are_drawn_kept_hidden_and_opened(visit):
    visitor = visit()
    first = visitor.headline
    visitor.get_by_role("button", name="Pin", exact=True).click()
    visitor.locator(PINNED).wait_for()
    second = visitor.slide()
    assert visitor.locator(LEGEND_WORDS).all_text_contents() == ["now", "pin A"]
    visitor.assert_kept()
    assert {"series-0-upper", "series-1-upper"} <= visitor.drawn.keys()
    visitor.locator(PINNED).click()
    visitor.wait_for_link(pins_hidden="a")
    visitor.settle()
    assert "series-1-upper" not in visitor.drawn
    visitor.get_by_role("button", name="Open", exact=True).last.click()
    assert visitor.wait_for_other_headline(second) == first


@pytest.mark.slow
def test_first_answer_to_heavy_settings_promises_no_more_than_the_last(visit):
    visitor = visit(f"privacy_curve?{HEAVY}")
    visitor.evaluate(NOTE_HEADLINES)
    final = visitor.slide()
    shown = visitor.evaluate("() => window.headlines")
    assert shown[-1] == final
    assert min(epsilon for text in shown for epsilon in epsilons(text)) == epsilons(final)[0]
