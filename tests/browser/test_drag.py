"""A pointer that drags a slider, or the curve: numbers follow, and the last one stays."""

import pytest

from dpviz.scenario import PRESETS, to_query

FIELD = "noise_multiplier"
STOPS = 30
PAUSE, REST = 60, 1500  # milliseconds from stop to stop, and half-way
PLACE = """(slider, at) => {
  const { left, top, width, height } = slider.getBoundingClientRect();
  const thumb = 16;
  return [left + thumb / 2 + (at / slider.max) * (width - thumb), top + height / 2];
}"""
NOTE = """() => {
  window.seen = new Set();
  const look = () => window.seen.add(document.querySelector(".st-key-answer")?.innerText);
  new MutationObserver(look).observe(document.body, {
    subtree: true, childList: true, characterData: true,
  });
}"""

# After so long a slider rests, and all else than its sentence is drawn, or is about to be.
PAUSES = range(120, 420, 20)  # milliseconds


def test_numbers_follow_a_drag_and_undo_takes_it_back_whole(visit):
    """Slider, box, link and sentence say where the pointer let go."""
    visitor = visit()
    first, handle = visitor.headline, visitor.slider(FIELD)
    begin = int(handle.input_value())
    visitor.mouse.move(*handle.evaluate(PLACE, begin))
    visitor.mouse.down()
    visitor.evaluate(NOTE)
    for at in range(begin + 1, begin + STOPS + 1):
        visitor.mouse.move(*handle.evaluate(PLACE, at))
        assert int(handle.input_value()) == at  # no answer to what was before moves it
        visitor.wait_for_timeout(REST if at == begin + STOPS // 2 else PAUSE)
    visitor.mouse.up()
    visitor.settle()
    assert visitor.evaluate("() => window.seen.size") > 2
    assert int(handle.input_value()) == begin + STOPS
    told = visitor.box(FIELD).input_value()
    assert told == handle.get_attribute("aria-valuetext")
    assert float(visitor.link[FIELD]) == float(told)
    last = visitor.headline
    assert visitor.press_button("undo") == first
    assert int(handle.input_value()) == begin
    assert visitor.press_button("redo") == last


@pytest.mark.slow
def test_what_moves_while_all_else_is_drawn_is_in_the_link(visit):
    visitor = visit()
    for pause in PAUSES:
        for key in ("ArrowRight", "ArrowLeft"):
            visitor.slider(FIELD).press(key)
            visitor.wait_for_timeout(pause)
        visitor.settle()
        assert float(visitor.link[FIELD]) == float(visitor.box(FIELD).input_value())


POINT, LEVEL = ".dpviz-handle-point", ".dpviz-handle-level"
STEPS, STEP = 12, 6  # moves of the pointer, and pixels each


def place(visitor, part):
    """Return the middle of a part of the handle, in the window."""
    around = visitor.locator(part).bounding_box()
    return around["x"] + around["width"] / 2, around["y"] + around["height"] / 2


def drag(visitor, part, pixels):
    """Drag a part of the handle down, some pixels at a time; do not let go."""
    x, y = place(visitor, part)
    visitor.mouse.move(x, y)
    visitor.mouse.down()
    for at in range(1, STEPS + 1):
        visitor.mouse.move(x, y + at * pixels)
        visitor.wait_for_timeout(PAUSE)


@pytest.mark.slow
@pytest.mark.parametrize("part", [POINT, LEVEL])
def test_delta_is_dragged_and_undo_takes_it_back_whole(visit, part):
    """Answers change while the pointer moves; link, slider and point say where it let go."""
    visitor = visit()
    first, axes = visitor.headline, visitor.ranges
    visitor.evaluate(NOTE)
    drag(visitor, part, STEP)
    assert visitor.evaluate("() => window.seen.size") > 2
    visitor.mouse.up()
    visitor.settle()
    delta = float(visitor.link["delta"])
    assert delta < 1e-8
    last = visitor.headline
    assert last != first
    assert visitor.drawn["series-0-target"]["y"] == [delta]
    assert visitor.ranges == axes
    dot, level = place(visitor, POINT), place(visitor, LEVEL)
    assert dot[1] == pytest.approx(level[1], abs=1.5)
    visitor.get_by_text("Who is protected, and at which δ").click()
    assert float(visitor.box("delta").input_value()) == delta
    assert visitor.press_button("undo") == first
    assert "delta" not in visitor.link or float(visitor.link["delta"]) == 1e-7
    assert visitor.press_button("redo") == last


NOTE_OF_PLACES = """() => {
  [window.places, window.looks] = [new Set(), true];
  const look = () => {
    const chart = document.querySelector(".dpviz-chart");
    if (chart && window.looks) window.places.add(Math.round(chart.getBoundingClientRect().y));
    requestAnimationFrame(look);
  };
  look();
}"""


@pytest.mark.slow
def test_chart_stays_in_its_place_while_the_sentence_is_a_shorter_one(visit):
    visitor = visit(f"subsequences?{to_query(PRESETS['traffic'].scenario)}")
    before = visitor.headline
    visitor.evaluate(NOTE_OF_PLACES)
    for _ in range(5):
        visitor.slider("noise_multiplier").press("ArrowLeft")
        visitor.wait_for_timeout(150)
    visitor.settle()
    visitor.wait_for_timeout(500)
    assert visitor.headline != before
    assert visitor.evaluate("() => [...window.places]") == [
        visitor.evaluate(
            "() => Math.round(document.querySelector('.dpviz-chart').getBoundingClientRect().y)"
        )
    ]
    visitor.evaluate("() => window.looks = false")
    height = "() => document.documentElement.style.getPropertyValue('--dpviz-answer-height')"
    assert visitor.evaluate(height).endswith("px")
    visitor.get_by_test_id("stPageLink-NavLink").filter(has_text="Privacy curve").click()
    visitor.wait_for_function(f"() => !({height})()")
    visitor.settle()
