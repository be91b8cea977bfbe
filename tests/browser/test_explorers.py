"""What holds of pages that compare runs: numbers, chart, link and file agree, and stay."""

import re

import pytest

from dpviz.planning.label_noise import NOISES
from dpviz.scenario import PRESETS, to_query
from tests.browser.visitor import epsilons, unasked_delta
from tests.scenario.changes import varied

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
NOISE, STEPS = ("noise_multiplier", "ArrowRight", "1.1"), ("steps", "ArrowRight", "1200")
# By page, the moves of its sliders, and which runs its headline quotes, in its order.
MOVES = {
    "privacy_curve": (
        (NOISE, ("bottom_rate", "ArrowLeft", "0.09"), STEPS,
         ("num_subsequences", "ArrowRight", "2")),
        ("series-0",),
    ),
    "subsequences": ((NOISE, STEPS), ("series-0", "series-5")),
    "sample_or_walk": ((NOISE, STEPS), ("series-0", "series-1")),
    "label_noise": (
        (("forecast_noise", "ArrowRight", "0.01"), ("context_noise", "ArrowRight", "0.01"),
         ("forecast_noise", "End", "100.0"), ("context_noise", "End", "100.0")),
        ("series-0",),
    ),
}  # fmt: skip
SLOW = ("sample_or_walk", "subsequences", "label_noise")


@pytest.mark.parametrize(
    "page_name",
    [pytest.param(name, marks=pytest.mark.slow if name in SLOW else ()) for name in MOVES],
)
def test_headline_chart_and_link_follow_the_sliders(visit, page_name):
    visitor = visit(page_name)
    start, (moves, runs) = visitor.headline, MOVES[page_name]
    for field, key, wanted in moves:
        before = visitor.link.get(field)
        told = [*dict.fromkeys(epsilons(visitor.slide(field, key)))]
        assert visitor.link[field] == wanted
        assert float(visitor.box(field).input_value()) == float(wanted)
        visitor.wait_for_description(f"at most {told[0]:g}")
        lines = visitor.drawn
        for epsilon, run in zip(told, runs, strict=False):
            # Rounded up to four digits.
            assert epsilon * 0.999 <= lines[f"{run}-target"]["x"][0] <= epsilon
            upper, lower = lines[f"{run}-upper"], lines[f"{run}-lower"]
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
@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("subsequences", "noise_multiplier"),
        ("sample_or_walk", "noise_multiplier"),
        (f"{BAG}&bag_chart=lengths", "noise_multiplier"),
        (f"{BAG}&bag_chart=curve", "noise_multiplier"),
        ("label_noise?forecast_noise=1", "forecast_noise"),
        (f"{HOURLY}&relation_width=24", "noise_multiplier"),
    ],
)
def test_zoom_and_hidden_entries_are_kept(visit, path, field):
    def hidden():
        return {uid for uid, line in visitor.drawn.items() if line["visible"] == "legendonly"}

    visitor = visit(path)
    entries = visitor.locator(".dpviz-chart").first.locator(LEGEND)
    if entries.count() > 1:
        entries.last.click()
        visitor.wait_for_function(
            "() => document.querySelector('.dpviz-chart').data.some("
            "line => line.visible === 'legendonly')"
        )
    before, zoomed = hidden(), visitor.zoom_in()
    visitor.slide(field)
    assert visitor.ranges == pytest.approx(zoomed)
    assert hidden() == before


@pytest.mark.slow
@pytest.mark.parametrize(
    "path",
    [
        "privacy_curve?chart=training&num_subsequences=8",
        "subsequences?chart=training&compared_steps=100",
        "sample_or_walk?num_subsequences=32",
    ],
)
def test_what_takes_long_is_filled_in_and_what_is_done_last_wins(visit, path):
    """Lines and rows come under a bar, and a slider that moves does not wait for them."""
    visitor = visit(f"{path}&delta={unasked_delta()}")
    visitor.watch_for()
    noise = visitor.slider("noise_multiplier")
    noise.press("ArrowRight")
    visitor.wait_until_seen()
    noise.press("ArrowRight")
    visitor.wait_for_link(noise_multiplier="1.2")
    visitor.settle()
    assert noise.get_attribute("aria-valuetext") == "1.2"
    visitor.assert_kept()


# Few steps, so that every answer is quick.
_LENGTH_SYMBOLS = """() => [...document.querySelectorAll(
  ".st-key-window_length .dpviz-label :is(var, sub)")]
  .map(one => one.textContent)"""


def truth(text):
    """Return the lower bound on epsilon that the headline quotes."""
    return float(re.search(r"no analysis can promise less than ε = ([\d.]+)", text)[1])


@pytest.mark.slow
def test_promise_and_truth_follow_the_sliders(visit):
    """Window length, ratio, bag and noise: promise, truth and the marks agree after each move."""
    visitor = visit(BAG)
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


# Milliseconds after which another press of a key is a change of its own.
GESTURE = 1100


def place_of_noises(visitor, context, labels):
    """Return where the field of two noises is in the window."""
    return visitor.place_of(NOISES.index(context), NOISES.index(labels))


@pytest.mark.slow
def test_a_click_on_the_map_adopts_its_noise_and_the_keyboard_does_the_same(visit, tmp_path):
    visitor = visit("label_noise")
    visitor.choose("map of ε over both noises", noise_chart="map")
    before = visitor.headline
    visitor.mouse.click(*place_of_noises(visitor, 0.5, 2.0))
    visitor.wait_for_link(context_noise="0.5", forecast_noise="2.0")
    said = visitor.wait_for_other_headline(before)
    assert "σ_C = 0.5 on context and σ_F = 2 on labels" in said
    visitor.wait_for_description("Marked is σ_C = 0.5, σ_F = 2.")
    mark = visitor.drawn["now"]
    assert (mark["x"], mark["y"]) == ([NOISES.index(0.5)], [NOISES.index(2.0)])

    rows = visitor.csv(tmp_path)
    assert len(rows) == len(NOISES) ** 2
    row = next(row for row in rows if (row["sigma_C"], row["sigma_F"]) == ("0.5", "2.0"))
    own = epsilons(said)[0]
    assert own * 0.999 <= float(row["epsilon_upper"]) <= own * 1.02

    # By the keyboard: one stop to the right, and back.
    assert "σ_F = 2.5" in visitor.slide("forecast_noise")
    visitor.wait_for_description("Marked is σ_C = 0.5, σ_F = 2.5.")
    visitor.wait_for_timeout(GESTURE)
    assert visitor.slide("forecast_noise", "ArrowLeft") == said
    visitor.press_button("undo")
    assert visitor.link["forecast_noise"] == "2.5"


TRAFFIC = PRESETS["traffic"].scenario
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
def test_pinned_settings_are_drawn_compared_kept_opened_and_removed(visit):
    visitor = visit()
    first = visitor.headline
    visitor.get_by_role("button", name="Pin", exact=True).click()
    visitor.locator(PINNED).wait_for()
    second = visitor.slide()
    assert visitor.locator(LEGEND_WORDS).all_text_contents() == ["now", "pin A"]
    assert {"series-0-upper", "series-1-upper"} <= visitor.drawn.keys()

    table = visitor.unfold("What differs, and what it costs in ε").locator("table")
    row = table.locator("tr", has_text="Noise multiplier σ").inner_text()
    assert "1.1" in row
    assert epsilons(row) == [*epsilons(second)]
    assert f"{epsilons(first)[0]:g}" in row

    visitor.reload()
    visitor.settle()
    assert visitor.headline == second
    assert visitor.locator(LEGEND_WORDS).all_text_contents() == ["now", "pin A"]

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
def test_first_answer_to_heavy_settings_promises_no_more_than_the_last(visit):
    visitor = visit(f"privacy_curve?{HEAVY}")
    visitor.evaluate(NOTE_HEADLINES)
    final = visitor.slide()
    shown = visitor.evaluate("() => window.headlines")
    assert shown[-1] == final
    assert min(epsilon for text in shown for epsilon in epsilons(text)) == epsilons(final)[0]
