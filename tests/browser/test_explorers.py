"""What holds of every page that compares runs: numbers, chart, link and file agree, and stay."""

import re

import pytest

from tests.browser.visitor import epsilons

LEGEND = ".legendtoggle"
# Few steps, so that every answer is quick.
BAG = (
    "one_bag?num_series=320&series_length=20&context_length=1&forecast_length=1&batch_size=32"
    "&noise_multiplier=1&steps=10&delta=1e-7"
)
HOURLY = (
    "protection?schema=1&num_series=320&series_length=2000&context_length=6&forecast_length=2"
    "&batch_size=32&noise_multiplier=1&steps=20&time_step=1+hour&relation_width=24"
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
SLOW = ("sample_or_walk",)


@pytest.mark.parametrize(
    "page_name",
    [pytest.param(name, marks=pytest.mark.slow if name in SLOW else ()) for name in MOVES],
)
def test_headline_chart_and_link_follow_the_sliders(visit, page_name):
    """Whatever is moved, the sentence, the description, the curves and the address say the same."""
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
        (HOURLY, "noise_multiplier"),
    ],
)
def test_zoom_and_hidden_entries_are_kept(visit, path, field):
    """What is zoomed to and hidden in the legend outlives a slider move and a late curve."""

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
    visitor = visit(path)
    visitor.watch_for()
    noise = visitor.slider("noise_multiplier")
    noise.press("ArrowRight")
    visitor.wait_for_selector("[data-testid=stProgress]")
    noise.press("ArrowRight")
    visitor.wait_for_link(noise_multiplier="1.2")
    visitor.settle()
    assert visitor.was_seen
    assert noise.get_attribute("aria-valuetext") == "1.2"
    visitor.assert_kept()


@pytest.mark.slow
def test_windows_after_steps_of_choice_and_back(visit, tmp_path):
    """δ over training steps at an ε of choice, after steps of choice, and back; each as CSV."""
    visitor = visit("subsequences")
    first = visitor.headline
    rows = [row for row in visitor.csv(tmp_path) if row["curve"] == "1 window per series"]
    after = next(row for row in rows if float(row["epsilon"]) >= epsilons(first)[0])
    assert float(after["delta_upper"]) <= 1e-7

    visitor.choose("100 steps", compared_steps="100")
    assert "After 100 steps" in visitor.headline
    visitor.choose("δ over training steps", chart="training")
    moved = visitor.slide("fixed_epsilon")
    assert "at ε = 1.2" in moved
    quoted = float(re.search(r"1 window per series: δ ≤ ([\d.]+)", moved)[1])
    rows = [row for row in visitor.csv(tmp_path) if row["windows_per_series"] == "1"]
    (last,) = [row for row in rows if row["steps"] == "100"]
    assert quoted * 0.99 <= float(last["delta_upper"]) <= quoted
    assert visitor.drawn["series-0-upper"]["y"][-1] == pytest.approx(quoted, rel=0.01)

    visitor.choose("δ against ε", chart=None)
    visitor.choose("the run: 1,000 steps", compared_steps=None)
    assert visitor.headline == first


@pytest.mark.slow
def test_ways_of_sampling_after_a_length_of_choice_and_back(visit, tmp_path):
    """The chart, its table, its CSV and the link are those of the length chosen."""
    visitor = visit("sample_or_walk")
    first = visitor.headline
    visitor.choose("1 epoch", compared_length="epoch")
    told = epsilons(visitor.headline)
    assert epsilons(visitor.locator("tr", has_text="1 epoch").inner_text()) == told
    rows = visitor.csv(tmp_path)
    for label, epsilon in zip(("drawn at random", "walked through"), told, strict=False):
        run = [row for row in rows if row["curve"] == label]
        after = next(row for row in run if float(row["epsilon"]) >= epsilon)
        assert float(after["delta_upper"]) <= 1e-7
    link = visitor.url
    visitor.choose("1,000 training steps", compared_length=None)
    assert visitor.headline == first
    visitor.goto(link)
    visitor.settle()
    assert epsilons(visitor.headline) == told
