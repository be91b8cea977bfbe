"""What holds in Chromium holds in Firefox, and in the engine that is nearest to Safari's.

``firefox.py`` and ``webkit.py`` drive them; whoever lacks one is told what to install.
"""

import pytest

from tests.browser.axe import violations
from tests.browser.engine import Engine
from tests.browser.firefox import MISSING as NO_FIREFOX
from tests.browser.firefox import Firefox
from tests.browser.test_every_page import OVERFLOW, PAGES
from tests.browser.visitor import ANSWER, ROOT, Visitor, epsilons, has_chart
from tests.browser.webkit import MISSING as NO_WEBKIT
from tests.browser.webkit import WebKit
from tests.csv_text import rows_of

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    pytest.mark.xdist_group("browser"),
    pytest.mark.flaky(reruns=1),  # as those in Chromium
]
ENGINES = [
    pytest.param(engine, marks=pytest.mark.skipif(bool(missing), reason=missing))
    for engine, missing in ((Firefox, NO_FIREFOX), (WebKit, NO_WEBKIT))
]
WIDE, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
TEXT = "(selector) => document.querySelector(selector)?.innerText ?? ''"
# Of each chart: whether lines, areas or fields are in it, how wide it is, and what it is called.
CHARTS = """() => [...document.querySelectorAll(".dpviz-chart:has(.main-svg)")].filter(
  (node) => node.checkVisibility()
).map((node) => [
  node.querySelectorAll(":is(.trace, .hm, .heatmaplayer) :is(path, rect, image, text)").length,
  node.getBoundingClientRect().width,
  node.querySelector("[role=img]")?.getAttribute("aria-label") ?? "",
])"""
ERRORS = """() => [...document.querySelectorAll(
  "[data-testid=stException], [data-testid=stAlertContentError]"
)].map((node) => node.innerText)"""
DOWNLOAD = ".st-key-download_csv button"
SHARE = ".st-key-share button"
TABLE = ".st-key-show_table button"


@pytest.fixture(scope="module", params=ENGINES)
def opened(request, tmp_path_factory):
    """Return a function that returns the window of a light or a dark system, one of each."""
    windows: dict[str, Engine] = {}

    def window(color_scheme):
        if color_scheme not in windows:
            folder = tmp_path_factory.mktemp(color_scheme)
            windows[color_scheme] = request.param(folder, color_scheme)
        return windows[color_scheme]

    yield window
    for known in windows.values():
        known.close()


@pytest.fixture
def window(opened):
    return opened("light")


def visit(window, server, path):
    """Open a path of the real app, wide, and wait for its answer."""
    window.set_viewport_size(WIDE)
    window.goto(server(ROOT / "app.py").url + path)
    Visitor(window).wait_for_page(path)


@pytest.mark.parametrize("path", PAGES)
def test_every_page_opens(window, server, path):
    """It has its headline and its chart, fits a phone, and writes no error to the console.

    Nor does axe-core find there what would keep people from using it.
    """
    visit(window, server, path)
    assert window.evaluate(TEXT, "h1")
    assert window.evaluate(ERRORS) == []
    if has_chart(path):
        assert len(window.evaluate(TEXT, ANSWER)) > 20
        charts = window.evaluate(CHARTS)
        assert charts
        for marks, width, name in charts:
            assert marks > 0
            assert width > 300
            assert len(name) > 20
    window.set_viewport_size(PHONE)
    # Formulas and wide tables take a moment to find their new place.
    window.wait_for_function(f"(most) => ({OVERFLOW})() <= most", arg=PHONE["width"])
    window.set_viewport_size(WIDE)
    assert violations(window) == []
    assert window.complaints() == []


def test_an_arrow_key_moves_a_slider_and_changes_the_headline(window, server):
    visit(window, server, "privacy_curve")
    before = window.evaluate(TEXT, ANSWER)
    window.focus(".st-key-noise_multiplier input[type=range]")
    window.press("ArrowRight")
    window.wait_for_function(
        "([answer, before]) => document.querySelector(answer).innerText !== before",
        arg=[ANSWER, before],
    )
    Visitor(window).settle()
    assert epsilons(window.evaluate(TEXT, ANSWER))
    assert window.evaluate("() => location.search").count("noise_multiplier=") == 1
    assert window.complaints() == []


def test_the_numbers_are_had_as_a_table_and_as_a_file(window, server):
    """*Table* opens and closes; *Download CSV* saves the file under its name."""
    visit(window, server, "privacy_curve")
    window.press_button(SHARE)
    window.press_button(TABLE)
    window.wait_for_selector("[role=dialog] table")
    window.press_button("[role=dialog] button[aria-label=Close]")
    window.wait_for_function("() => !document.querySelector('[role=dialog]')")
    visit(window, server, "privacy_curve")  # the menu may close behind the table, or not
    # What comes after the answer draws the menu anew, and a button that goes loses its press.
    Visitor(window).settle()
    window.press_button(SHARE)
    window.press_button(DOWNLOAD)
    saved = window.download()
    assert saved.name == "dpviz-privacy-curve.csv"
    rows = rows_of(saved.read_text(encoding="utf-8"))
    assert len(rows) > 20
    assert window.complaints() == []


@pytest.mark.parametrize("path", ["privacy_curve", "planner"])
def test_pages_follow_a_dark_system(opened, server, path):
    """They are dark then, and axe-core finds contrast enough."""
    window = opened("dark")
    visit(window, server, path)
    theme = "() => getComputedStyle(document.querySelector('.stApp')).colorScheme"
    assert window.evaluate(theme) == "dark"
    assert violations(window) == []
    assert window.complaints() == []
