"""A pointer that takes hold of the curve: delta moves, answers follow, undo takes it back."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.visitor import box, drawn, headline, in_link, press_button, ranges, settle

POINT, LEVEL = ".dpviz-handle-point", ".dpviz-handle-level"
STEPS, STEP, PAUSE = 12, 6, 60  # moves of the pointer, pixels and milliseconds each
NOTE = """() => {
  window.seen = new Set();
  const look = () => window.seen.add(document.querySelector(".st-key-answer")?.innerText);
  new MutationObserver(look).observe(document.body, {
    subtree: true, childList: true, characterData: true,
  });
}"""


def place(visitor: Any, part: str) -> tuple[float, float]:
    """Return the middle of a part of the handle, in the window."""
    around = visitor.locator(part).bounding_box()
    return around["x"] + around["width"] / 2, around["y"] + around["height"] / 2


def drag(visitor: Any, part: str, pixels: int) -> None:
    """Drag a part of the handle down, and let go."""
    x, y = place(visitor, part)
    visitor.mouse.move(x, y)
    visitor.mouse.down()
    for at in range(1, STEPS + 1):
        visitor.mouse.move(x, y + at * pixels)
        visitor.wait_for_timeout(PAUSE)


@pytest.mark.parametrize("part", [POINT, LEVEL])
def test_delta_is_dragged_and_undo_takes_it_back_whole(
    visit: Callable[..., Any], part: str
) -> None:
    """Answers change while the pointer moves; link, slider and point say where it let go."""
    visitor = visit()
    first, axes = headline(visitor), ranges(visitor)
    visitor.evaluate(NOTE)
    drag(visitor, part, STEP)
    assert visitor.evaluate("() => window.seen.size") > 2
    visitor.mouse.up()
    settle(visitor)
    delta = float(in_link(visitor)["delta"])
    assert delta < 1e-8
    last = headline(visitor)
    assert last != first
    assert drawn(visitor)["series-0-target"]["y"] == [delta]
    assert ranges(visitor) == axes
    dot, level = place(visitor, POINT), place(visitor, LEVEL)
    assert dot[1] == pytest.approx(level[1], abs=1.5)
    visitor.get_by_text("Who is protected, and at which δ").click()
    assert float(box(visitor, "delta").input_value()) == delta
    assert press_button(visitor, "undo") == first
    assert "delta" not in in_link(visitor) or float(in_link(visitor)["delta"]) == 1e-7
    assert press_button(visitor, "redo") == last


def test_what_is_no_stop_of_delta_is_not_taken(visit: Callable[..., Any]) -> None:
    """A pointer that leaves the chart leaves delta at the end of its slider."""
    visitor = visit()
    drag(visitor, POINT, -60)
    visitor.mouse.up()
    settle(visitor)
    assert float(in_link(visitor)["delta"]) == 1e-3
