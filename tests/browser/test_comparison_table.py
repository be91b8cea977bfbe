"""The table of compared runs in a browser: sorted by a click, with the digits that it was given."""

from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.browser.visitor import SETTLED
from tests.pages.app import link_of
from tests.ui.test_comparison import LARGE, ONE_BAG, QUIET, TOY, UNCOVERED, pins_of

pytestmark = pytest.mark.slow
APP = Path(__file__).parents[1] / "ui" / "comparison_app.py"
TABLE = "[data-testid=stDataFrame]"
_ROWS = "[...document.querySelectorAll('[data-testid=stDataFrame] canvas tbody tr')]"
_TEXTS = f"{_ROWS}.map(row => [...row.children].map(cell => cell.textContent))"
_ARE_MARKED = f"names => names.every((name, at) => {_ROWS}[at]?.textContent.startsWith(name))"
# Pixels from the table's left edge, inside the heading of the second column, off its menu.
_UPPER_BOUND = 80
_FOUR_COLUMNS = 350  # pixels
_BEST = 5  # the column that says what a run is the best in
_HEADINGS = """[...document.querySelectorAll(
  '[data-testid=stDataFrame] canvas thead :is(th, td)'
)].map(heading => heading.textContent)"""


def _resting_box(opened):
    """Return where the table is, once it has stayed there for a while."""
    before = None
    while True:
        box = opened.locator(f"{TABLE} canvas").first.bounding_box()
        if box == before:
            return box
        before = box
        opened.wait_for_timeout(500)


def test_click_on_a_heading_sorts_by_size_and_a_run_without_a_bound_comes_last(server, page):
    query = urlencode(link_of(TOY, pins_of(QUIET, LARGE, ONE_BAG, UNCOVERED)))
    opened = page(f"{server(APP).url}?{query}", width=1280, height=800)
    opened.wait_for_function(f"() => {_ROWS}.some(row => row.textContent.includes('★ ε'))")
    opened.wait_for_function(SETTLED)
    canvas = _resting_box(opened)
    heading = (canvas["x"] + _UPPER_BOUND, canvas["y"] + 15)
    for names in (
        ["pin A", "now", "pin C", "pin B", "pin D"],
        ["pin D", "pin B", "pin C", "now", "pin A"],
    ):
        opened.mouse.click(*heading)
        opened.wait_for_function(_ARE_MARKED, arg=names)
    rows = {cells[0]: cells for cells in opened.evaluate(_TEXTS)}
    seen = {name: [cells[at] for at in (1, 2, _BEST)] for name, cells in rows.items()}
    assert seen["pin A"] == ["2.811", "upper", "★ ε"]
    assert seen["pin B"] == ["36.34", "upper", "★ noise"]
    assert seen["pin C"] == ["21.52", "upper", ""]
    assert seen["pin D"] == ["Infinity", "no bound covers it", ""]


def test_on_a_phone_the_table_scrolls_by_itself_and_begins_with_what_is_compared(server, page):
    query = urlencode(link_of(TOY, pins_of(QUIET)))
    opened = page(f"{server(APP).url}?{query}", width=390, height=844)
    opened.wait_for_selector(f"{TABLE} canvas")
    box = opened.locator(TABLE).bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    inner = "document.querySelector('.dvn-scroller')"
    assert opened.evaluate(f"{inner}.scrollWidth > {inner}.clientWidth")
    assert opened.evaluate("document.scrollingElement.scrollWidth") <= 390
    opened.wait_for_function(f"() => {_HEADINGS}.length >= 4")
    seen = opened.evaluate(_HEADINGS)
    assert seen[:4] == ["Run", "ε at most", "Kind of bound", "Noise σ"]
    assert opened.evaluate(f"{inner}.clientWidth") >= _FOUR_COLUMNS
