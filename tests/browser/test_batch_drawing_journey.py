"""How a visitor steps through batches: one by one, played, stopped, and drawn in another way."""

import pytest

pytestmark = pytest.mark.slow
PATH = "batch_drawing?drawn_batch=30"
STOP = ".dpviz-chart-playing button"
# Counts from now on how often the page is computed anew, and keeps the chart's node.
WATCH = """() => {
  const app = document.querySelector("[data-testid=stApp]");
  window.runs = 0;
  window.kept = document.querySelector(".dpviz-chart");
  new MutationObserver(() => {
    window.runs += app.dataset.testScriptState === "running";
  }).observe(app, { attributes: true, attributeFilter: ["data-test-script-state"] });
}"""
# The batch of the picture, then those of the slider and of the box beside it.
BATCHES = """() => {
  const words = document.querySelector(".dpviz-chart [role=img]").ariaLabel;
  const number = (text) => Number(text.replaceAll(",", ""));
  const [range, box] = ["range", "box"].map((kind) =>
    document.querySelector(`.st-key-drawn_batch .dpviz-${kind}`));
  return [/^Batch ([\\d,]+)/.exec(words)[1], range.ariaValueText, box.value].map(number);
}"""
IS_KEPT = "() => window.kept === document.querySelector('.dpviz-chart')"


def play(visitor):
    visitor.enter("play_batches")
    visitor.locator(STOP).wait_for()


def assert_stopped(visitor):
    """Wait for the end of playing; slider, box, picture and link are of one batch then."""
    visitor.wait_for_function("() => new URLSearchParams(location.search).get('drawn_batch') > 30")
    visitor.settle()
    assert visitor.locator(STOP).count() == 0
    assert visitor.evaluate(BATCHES) == [int(visitor.link["drawn_batch"])] * 3


def test_batches_are_stepped_through_played_stopped_and_changed(visit):
    """Playing costs the server nothing; the chart stays, with its zoom, and the link follows."""
    visitor = visit(PATH)
    assert visitor.description.startswith("Batch 30 (")
    visitor.enter("next_batch")
    visitor.wait_for_description("Batch 31 (")
    visitor.wait_for_link(drawn_batch="31")
    visitor.enter("previous_batch")
    visitor.wait_for_description("Batch 30 (")
    zoomed = visitor.zoom_in()
    visitor.evaluate(WATCH)
    play(visitor)
    visitor.settle()
    assert visitor.evaluate("stop => document.activeElement.matches(stop)", STOP)
    before = visitor.evaluate("() => window.runs")
    visitor.wait_for_description("Batch 32 (")
    assert len(set(visitor.evaluate(BATCHES))) == 1
    assert visitor.evaluate("() => window.runs") == before
    visitor.keyboard.press("Enter")
    assert_stopped(visitor)
    assert visitor.description.startswith(f"Batch {visitor.link['drawn_batch']} (")
    assert 32 <= int(visitor.link["drawn_batch"]) < 50
    assert visitor.ranges == zoomed
    assert visitor.evaluate(IS_KEPT)
    before_words = visitor.headline
    assert visitor.slide("num_subsequences") != before_words
    assert "twice or more: " in visitor.headline
    visitor.enter("next_hit")
    visitor.wait_for_function(
        "() => /drawn windows? hold/.test("
        "document.querySelector('.dpviz-chart [role=img]').ariaLabel)"
    )


def test_batch_that_is_set_while_batches_are_played_is_the_one_they_go_on_from(visit):
    """The slider moves from where it stands, and is not drawn away under the visitor's hand."""
    visitor = visit(PATH)
    play(visitor)
    visitor.wait_for_description("Batch 32 (")
    box = visitor.locator(".st-key-drawn_batch .dpviz-box:visible").first
    box.fill("500")
    box.press("Enter")
    visitor.wait_for_description("Batch 501 (")
    assert visitor.evaluate(BATCHES) == [501] * 3


def test_who_wants_little_motion_sees_the_last_batch_at_once(visit):
    """Nothing moves by itself then; no button to stop it is needed."""
    visitor = visit(PATH)
    visitor.emulate_media(reduced_motion="reduce")
    visitor.enter("play_batches")
    visitor.wait_for_link(drawn_batch="50")
    visitor.settle()
    visitor.wait_for_description("Batch 50 (")
    assert visitor.evaluate(BATCHES) == [50] * 3
    assert visitor.locator(STOP).count() == 0
