"""A pointer that holds a slider and moves it: numbers follow, and the last one stays."""

from collections.abc import Callable
from typing import Any

from tests.browser.visitor import box, headline, in_link, press_button, settle, slider

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
  window.seenBeforeItsLink = new Set();
  const link = location.search;
  const look = () => {
    const headline = document.querySelector(".st-key-answer")?.innerText;
    window.seen.add(headline);
    if (location.search === link) window.seenBeforeItsLink.add(headline);
  };
  new MutationObserver(look).observe(document.body, {
    subtree: true, childList: true, characterData: true,
  });
}"""


def test_numbers_follow_a_drag_and_undo_takes_it_back_whole(visit: Callable[..., Any]) -> None:
    """Slider, box, link and sentence say where the pointer let go."""
    visitor = visit()
    first, handle = headline(visitor), slider(visitor, FIELD)
    begin = int(handle.input_value())
    visitor.mouse.move(*handle.evaluate(PLACE, begin))
    visitor.mouse.down()
    visitor.evaluate(NOTE)
    for at in range(begin + 1, begin + STOPS + 1):
        visitor.mouse.move(*handle.evaluate(PLACE, at))
        assert int(handle.input_value()) == at  # no answer to what was before moves it
        visitor.wait_for_timeout(REST if at == begin + STOPS // 2 else PAUSE)
    visitor.mouse.up()
    settle(visitor)
    assert visitor.evaluate("() => window.seen.size") > 2
    assert int(handle.input_value()) == begin + STOPS
    told = box(visitor, FIELD).input_value()
    assert told == handle.get_attribute("aria-valuetext")
    assert float(in_link(visitor)[FIELD]) == float(told)
    last = headline(visitor)
    assert press_button(visitor, "undo") == first
    assert int(handle.input_value()) == begin
    assert press_button(visitor, "redo") == last


def test_answer_alone_follows_and_the_rest_comes_once_the_slider_rests(
    visit: Callable[..., Any],
) -> None:
    """Answers come before the link does, which has what the slider rests at while it is held."""
    visitor = visit()
    first, handle = headline(visitor), slider(visitor, FIELD)
    begin = int(handle.input_value())
    visitor.mouse.move(*handle.evaluate(PLACE, begin))
    visitor.mouse.down()
    visitor.evaluate(NOTE)
    for at in range(begin + 1, begin + STOPS + 1):
        visitor.mouse.move(*handle.evaluate(PLACE, at))
        visitor.wait_for_timeout(PAUSE)
    assert visitor.evaluate("() => window.seenBeforeItsLink.size") > 2
    settle(visitor)
    told = box(visitor, FIELD).input_value()
    assert float(in_link(visitor)[FIELD]) == float(told)
    assert headline(visitor) != first
    visitor.mouse.up()
    settle(visitor)
    assert float(in_link(visitor)[FIELD]) == float(told)
