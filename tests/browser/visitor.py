"""What a visitor of the real app does and sees, for the tests of the pages."""

import re
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from playwright.sync_api import TimeoutError as NotInTimeError

from dpviz.planning.first_windows import FIELDS
from dpviz.wording.texts import without_formulas
from tests.csv_text import rows_of

ROOT = Path(__file__).parents[2]
ANSWER = ".st-key-answer"
# Three series of thirty values, as a browser hands over a file.
_ROWS = "".join(f"{name},{t},{t}\n" for name in "abc" for t in range(30))
FILE = {
    "name": "mine.csv",
    "mimeType": "text/csv",
    "buffer": f"series_id,t,value\n{_ROWS}".encode(),
}
# A formula's text has it twice: as MathML and as it is drawn.
_HEADLINE = """answer => [...answer.querySelectorAll(".katex")].reduce(
  (said, formula) => said.replace(
    formula.innerText, () => `$${formula.querySelector("annotation").textContent}$`
  ), answer.innerText)"""
CHART = ".dpviz-chart .main-svg"
PROGRESS = "[data-testid=stProgress]"
# What many parts are computed for takes long where other work shares the machine.
_SETTLED_MILLISECONDS = 150_000
# Nothing runs, nothing is still to come, and all that was done has been answered.
SETTLED = """() => {
  const app = document.querySelector("[data-testid=stApp]");
  return app?.dataset.testScriptState === "notRunning"
    && !document.documentElement.classList.contains("dpviz-waiting")
    && !document.querySelector("[data-testid=stProgress]");
}"""
_CONNECTION = "document.querySelector('[data-testid=stApp]').dataset.testConnectionState"
# Pages without a chart, the last of them until its runs are asked for.
_CHARTLESS = (
    *("start", "theorems", "lessons", "glossary", "how_to_choose"),
    "train?training_chart=compare",
)
# The answer's own chart: a page may have a second one.
_CHART = "document.querySelector('.dpviz-chart')"
_DATA = """at => Object.fromEntries(document.querySelectorAll(".dpviz-chart")[at].data.map(
  ({uid, name, x, y, visible}) => [uid, {
    name, visible, x: Array.from(x._inputArray ?? x), y: Array.from(y._inputArray ?? y),
  }]))"""
_PLACE = """(chart, [x, y]) => {
  const { xaxis, yaxis } = chart._fullLayout;
  const box = chart.getBoundingClientRect();
  return [box.x + xaxis._offset + xaxis.d2p(x), box.y + yaxis._offset + yaxis.d2p(y)];
}"""
# Notes from now on what appears, if only for a moment.
_WATCH = """(selector) => {
  window.seen = 0;
  const look = () => { window.seen += document.querySelector(selector) !== null; };
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true });
  look();
}"""


def has_chart(path: str) -> bool:
    """Return whether the page of a path opens with a chart."""
    return bool(path) and not path.startswith(("#", *_CHARTLESS))


def choose_first(page: Any, *values: int) -> None:
    """Type what a file leaves open: context, forecast, batch, protected values, training."""
    for field, value in zip(FIELDS, values, strict=True):
        box = page.locator(f".st-key-first_{field} .dpviz-box")
        box.fill(str(value))
        box.press("Enter")


class Visitor:
    """A page that is open, with what a visitor sees and does there.

    Args:
        page: the browser's, which answers for all else.
    """

    def __init__(self, page: Any) -> None:
        self.page = page

    def __getattr__(self, name: str) -> Any:
        return getattr(self.page, name)

    def wait_for_page(self, path: str) -> None:
        """Wait until the page of a path is there, with its answer."""
        self.page.wait_for_selector("h1")
        if has_chart(path):
            self.settle()
        self.page.wait_for_function(SETTLED)

    def wait_for_presenter(self) -> None:
        """Wait until its keys lead on: their script is placed last, and listens a moment later."""
        self.page.wait_for_selector(".st-key-presenter_keys", state="attached")
        self.page.wait_for_timeout(300)

    def settle(self) -> None:
        """Wait until the page has its whole answer."""
        self.page.wait_for_selector(CHART)
        self.page.wait_for_function(SETTLED, timeout=_SETTLED_MILLISECONDS)

    def wait_for_forecaster(self, milliseconds: float = _SETTLED_MILLISECONDS) -> None:
        """Wait until the answer tells of a forecaster that was trained."""
        self.page.wait_for_function(
            "answer => document.querySelector(answer)?.innerText.includes('seasonal naive')",
            arg=ANSWER,
            timeout=milliseconds,
        )

    @property
    def headline(self) -> str:
        """The sentence with the number, its symbols as they are written."""
        said = str(self.page.locator(ANSWER).evaluate(_HEADLINE))
        return without_formulas(re.sub(r"\n*(\$[^$]+\$)\n*", r"\1", said))

    def wait_for_other_headline(self, before: str) -> str:
        """Wait for another answer, all of it, and return its headline."""
        self.page.wait_for_function(
            "([answer, before]) => document.querySelector(answer).innerText !== before",
            arg=[ANSWER, before],
        )
        self.settle()
        return self.headline

    def slider(self, field: str) -> Any:
        return self.page.locator(f".st-key-{field} input[type=range]")

    def box(self, field: str) -> Any:
        """Return the box that the exact number of a field is typed into, or a text."""
        return self.page.locator(f".st-key-{field} .dpviz-box")

    def menu(self, field: str) -> Any:
        return self.page.locator(f".st-key-{field} select")

    def slide(self, field: str = "noise_multiplier", key: str = "ArrowRight") -> str:
        """Move a slider by one stop and return the new headline."""
        before = self.headline
        self.slider(field).press(key)
        return self.wait_for_other_headline(before)

    def enter(self, key: str) -> None:
        """Press a button by the keyboard."""
        self.page.locator(f".st-key-{key} button:visible").first.press("Enter")

    def press_button(self, key: str) -> str:
        """Press a button that changes the answer, by the keyboard, and return the new headline."""
        before = self.headline
        self.enter(key)
        return self.wait_for_other_headline(before)

    def segment(self, name: str) -> Any:
        words = self.page.get_by_text(name, exact=True)
        return self.page.locator(".dpviz-option").filter(has=words)

    def unfold(self, label: str) -> Any:
        """Open a folded part and return it."""
        part = self.page.get_by_test_id("stExpander").filter(has_text=label)
        part.locator("summary").click()
        part.get_by_test_id("stExpanderDetails").locator("> *").first.wait_for()
        self.settle()
        return part

    @property
    def link(self) -> dict[str, str]:
        return dict(parse_qsl(urlsplit(self.page.url).query))

    def wait_for_link(self, **parameters: str | None) -> None:
        """Wait until the address bar has these parameters; ``None`` for one that it has not."""
        try:
            self.page.wait_for_function(
                "wanted => { const now = new URLSearchParams(location.search); return "
                "Object.entries(wanted).every(([name, value]) => now.get(name) === value); }",
                arg=parameters,
            )
        except NotInTimeError as problem:
            sliders = self.page.locator("input[type=range]").evaluate_all(
                "all => all.map(one => one.ariaValueText)"
            )
            problem.add_note(f"{self.page.url} lacks {parameters}; the sliders show {sliders}")
            raise

    @property
    def drawn(self) -> dict[str, Any]:
        """The lines and points of the answer's chart by their identity."""
        return self.drawn_in(0)

    def drawn_in(self, chart: int) -> dict[str, Any]:
        """Return those of one of the page's charts, from 0."""
        return dict(self.page.evaluate(_DATA, chart))

    @property
    def description(self) -> str:
        return str(self.page.locator(".dpviz-chart [role=img]").first.get_attribute("aria-label"))

    def wait_for_description(self, words: str) -> None:
        """Wait until the answer's chart has been drawn, and described with these words."""
        self.page.wait_for_function(
            "words => document.querySelector('.dpviz-chart [role=img]').ariaLabel.includes(words)",
            arg=words,
        )

    def wait_until_lost(self) -> None:
        """Wait until the page has noticed that its server is gone."""
        self.page.wait_for_function(f"() => {_CONNECTION} !== 'CONNECTED'")

    def come_back(self) -> None:
        """Wait until the page has found the new server, and nothing is still to come."""
        self.page.bring_to_front()
        self.page.wait_for_function(f"() => {_CONNECTION} === 'CONNECTED'")
        self.page.wait_for_function(SETTLED, timeout=_SETTLED_MILLISECONDS)

    def zoom_in(self) -> list[float]:
        """Drag over a part of the answer's chart; return the range of the horizontal axis."""
        whole = self.ranges
        box = self.page.locator(".dpviz-chart .nsewdrag").first.bounding_box()
        self.page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.2 * box["height"])
        self.page.mouse.down()
        self.page.mouse.move(box["x"] + 0.9 * box["width"], box["y"] + 0.7 * box["height"], steps=8)
        self.page.mouse.up()
        self.page.wait_for_function(
            f"whole => String({_CHART}._fullLayout.xaxis.range) !== String(whole)", arg=whole
        )
        return self.ranges

    @property
    def ranges(self) -> list[float]:
        return list(self.page.evaluate(f"() => {_CHART}._fullLayout.xaxis.range"))

    def place_of(self, x: float, y: float, chart: int = 0) -> list[float]:
        """Return where a point of a chart is in the window, after scrolling to it."""
        drawing = self.page.locator(".dpviz-chart").nth(chart)
        drawing.scroll_into_view_if_needed()
        return list(drawing.evaluate(_PLACE, [x, y]))

    def watch_for(self, selector: str = PROGRESS) -> None:
        """Note from now on whether an element appears."""
        self.page.evaluate(_WATCH, selector)

    def wait_until_seen(self) -> None:
        """Wait until what is watched for has appeared, be it for less than a look takes."""
        self.page.wait_for_function("() => window.seen > 0")

    def go_to(self, destination: str, tab: str = "") -> None:
        """Follow the menu to a destination, and there the tab."""
        self.page.get_by_test_id("stHeader").get_by_text(destination, exact=True).click()
        self.page.locator("h1", has_text=destination).wait_for()
        if tab:
            self.page.locator(".st-key-tabs").get_by_text(tab, exact=True).click()
            self.page.locator(".st-key-tab_here", has_text=tab).wait_for()

    def shared(self, name: str) -> Any:
        """Return a button of what the page hands over, in its menu, which is then open."""
        button = self.page.get_by_role("button", name=name)
        if button.count() == 0:
            self.page.get_by_test_id("stPopoverButton").click()
        return button

    def assert_kept(self) -> None:
        """Check that a reload shows the same answer."""
        before = self.headline
        self.page.reload()
        self.settle()
        assert self.headline == before

    def csv(self, folder: Path) -> list[dict[str, str]]:
        """Return the rows of the page's own table, as it is downloaded."""
        path = self.downloaded(self.shared("Download CSV"), folder)
        return rows_of(path.read_text(encoding="utf-8"))

    def downloaded(self, button: Any, folder: Path) -> Path:
        """Press a button and return the file that arrives, under its own name."""
        with self.page.expect_download() as download:
            button.click()
        path = folder / str(download.value.suggested_filename)
        download.value.save_as(path)
        return path


_DELTAS = count(1)


def unasked_delta() -> str:
    """Return a delta near 1e-7 that no test of this process has asked a server for.

    What a server has computed it has at once: a second attempt would see no bar.
    """
    return repr(1e-7 * (1.0 + 1e-6 * next(_DELTAS)))


def epsilons(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"ε\s≤\s([\d.]*\d)", text)]
