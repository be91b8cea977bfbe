"""What a visitor of the real app does and sees, for the tests of the pages."""

import csv
import io
import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

ROOT = Path(__file__).parents[2]
ANSWER = ".st-key-answer"
CHART = ".dpviz-chart .main-svg"
PROGRESS = "[data-testid=stProgress]"
# What many parts are computed for takes long where other work shares the machine.
_SETTLED_MILLISECONDS = 60_000
# Nothing runs, nothing is still to come, and all that was done has been answered.
SETTLED = """() => {
  const app = document.querySelector("[data-testid=stApp]");
  return app?.dataset.testScriptState === "notRunning"
    && !document.documentElement.classList.contains("dpviz-waiting")
    && !document.querySelector("[data-testid=stProgress]");
}"""
# The answer's own chart: a page may have a second one.
_CHART = "document.querySelector('.dpviz-chart')"
_DATA = f"""() => Object.fromEntries({_CHART}.data.map(({{uid, name, x, y, visible}}) => [uid, {{
  name, visible, x: Array.from(x._inputArray ?? x), y: Array.from(y._inputArray ?? y),
}}]))"""
_FIELD = f"""([column, row]) => {{
  const {{ xaxis, yaxis }} = {_CHART}._fullLayout;
  const box = {_CHART}.getBoundingClientRect();
  return [box.x + xaxis._offset + xaxis.d2p(column), box.y + yaxis._offset + yaxis.d2p(row)];
}}"""
# Notes from now on what appears, if only for a moment.
_WATCH = """(selector) => {
  window.seen = 0;
  const look = () => { window.seen += document.querySelector(selector) !== null; };
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true });
  look();
}"""


def settle(visitor: Any) -> None:
    """Wait until the page has its whole answer."""
    visitor.wait_for_selector(CHART)
    visitor.wait_for_function(SETTLED, timeout=_SETTLED_MILLISECONDS)


def headline(visitor: Any) -> str:
    """Return the sentence with the number."""
    return str(visitor.locator(ANSWER).inner_text())


def wait_for_other_headline(visitor: Any, before: str) -> str:
    """Wait for another answer, all of it, and return its headline."""
    visitor.wait_for_function(
        "([answer, before]) => document.querySelector(answer).innerText !== before",
        arg=[ANSWER, before],
    )
    settle(visitor)
    return headline(visitor)


def slider(visitor: Any, field: str) -> Any:
    """Return the slider of a field."""
    return visitor.locator(f".st-key-{field} input[type=range]")


def box(visitor: Any, field: str) -> Any:
    """Return the box that the exact number of a field is typed into, or a text."""
    return visitor.locator(f".st-key-{field} .dpviz-box")


def menu(visitor: Any, field: str) -> Any:
    """Return the menu of a field."""
    return visitor.locator(f".st-key-{field} select")


def slide(visitor: Any, field: str = "noise_multiplier", key: str = "ArrowRight") -> str:
    """Move a slider by one stop and return the new headline."""
    before = headline(visitor)
    slider(visitor, field).press(key)
    return wait_for_other_headline(visitor, before)


def press_button(visitor: Any, key: str) -> str:
    """Press a button that changes the answer, by the keyboard, and return the new headline."""
    before = headline(visitor)
    visitor.locator(f".st-key-{key} button:visible").first.press("Enter")
    return wait_for_other_headline(visitor, before)


def segment(visitor: Any, name: str) -> Any:
    """Return one of several segments."""
    words = visitor.get_by_text(name, exact=True)
    return visitor.locator(".dpviz-option").filter(has=words)


def choose(visitor: Any, name: str, **parameters: str | None) -> None:
    """Choose one of several segments; wait for its answer and for what the link says then."""
    segment(visitor, name).click()
    wait_for_link(visitor, **parameters)
    visitor.wait_for_timeout(100)  # the address is written at the beginning of a run
    settle(visitor)


def unfold(visitor: Any, label: str) -> Any:
    """Open a folded part and return it."""
    part = visitor.get_by_test_id("stExpander").filter(has_text=label)
    part.locator("summary").click()
    part.get_by_test_id("stExpanderDetails").locator("> *").first.wait_for()
    settle(visitor)
    return part


def in_link(visitor: Any) -> dict[str, str]:
    """Return the parameters in the address bar."""
    return dict(parse_qsl(urlsplit(visitor.url).query))


def wait_for_link(visitor: Any, **parameters: str | None) -> None:
    """Wait until the address bar has these parameters; ``None`` for one that it has not."""
    visitor.wait_for_function(
        "wanted => { const now = new URLSearchParams(location.search);"
        " return Object.entries(wanted).every(([name, value]) => now.get(name) === value); }",
        arg=parameters,
    )


def epsilons(text: str) -> list[float]:
    """Return the upper bounds on epsilon that a text quotes."""
    return [float(number) for number in re.findall(r"ε ≤ ([\d.]*\d)", text)]


def drawn(visitor: Any) -> dict[str, Any]:
    """Return the lines and points of the answer's chart by their identity."""
    return dict(visitor.evaluate(_DATA))


def description(visitor: Any) -> str:
    """Return the answer's chart in words."""
    return str(visitor.locator(".dpviz-chart [role=img]").first.get_attribute("aria-label"))


def wait_for_description(visitor: Any, words: str) -> None:
    """Wait until the answer's chart has been drawn, and described with these words."""
    visitor.wait_for_function(
        "words => document.querySelector('.dpviz-chart [role=img]').ariaLabel.includes(words)",
        arg=words,
    )


def zoom_in(visitor: Any) -> list[float]:
    """Drag over a part of the answer's chart; return the range of the horizontal axis."""
    whole = ranges(visitor)
    box = visitor.locator(".dpviz-chart .nsewdrag").first.bounding_box()
    visitor.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.2 * box["height"])
    visitor.mouse.down()
    visitor.mouse.move(box["x"] + 0.9 * box["width"], box["y"] + 0.7 * box["height"], steps=8)
    visitor.mouse.up()
    visitor.wait_for_function(
        f"whole => String({_CHART}._fullLayout.xaxis.range) !== String(whole)", arg=whole
    )
    return ranges(visitor)


def ranges(visitor: Any) -> list[float]:
    """Return the range of the horizontal axis."""
    return list(visitor.evaluate(f"() => {_CHART}._fullLayout.xaxis.range"))


def place_of_field(visitor: Any, column: int, row: int) -> list[float]:
    """Return where a field of the answer's map is in the window, after scrolling to it."""
    visitor.locator(".dpviz-chart").first.scroll_into_view_if_needed()
    return list(visitor.evaluate(_FIELD, [column, row]))


def watch_for(visitor: Any, selector: str = PROGRESS) -> None:
    """Note from now on whether an element appears."""
    visitor.evaluate(_WATCH, selector)


def was_seen(visitor: Any) -> bool:
    """Return whether what is watched for has appeared."""
    return bool(visitor.evaluate("() => window.seen > 0"))


def go_to(visitor: Any, destination: str, tab: str = "") -> None:
    """Follow the menu to a destination, and there the tab."""
    visitor.get_by_test_id("stHeader").get_by_text(destination, exact=True).click()
    visitor.locator("h1", has_text=destination).wait_for()
    if tab:
        visitor.locator(".st-key-tabs").get_by_text(tab, exact=True).click()
        visitor.locator(".st-key-tab_here", has_text=tab).wait_for()


def shared(visitor: Any, name: str) -> Any:
    """Return a button of what the page hands over, in its menu, which is then open."""
    button = visitor.get_by_role("button", name=name)
    if button.count() == 0:
        visitor.get_by_test_id("stPopoverButton").click()
    return button


def downloaded(visitor: Any, button: Any, folder: Path) -> Path:
    """Press a button and return the file that arrives, under its own name."""
    with visitor.expect_download() as download:
        button.click()
    path = folder / str(download.value.suggested_filename)
    download.value.save_as(path)
    return path


def table_in(path: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV file whose comments begin with #."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    text = "".join(line for line in lines if not line.startswith("#"))
    return list(csv.DictReader(io.StringIO(text)))
