"""Fixtures of the browser tests: the real server, and a real Chromium that looks at it.

Without a Chromium on the path, these tests are skipped and one line says why.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

from tests.browser.chromium import MISSING, launched
from tests.browser.server import Server, start_server
from tests.browser.visitor import ROOT, Visitor

WAIT_MILLISECONDS = 60_000  # a loaded machine takes seconds to start a session


@pytest.hookimpl(tryfirst=True)  # before tests are handed out by group
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that open a browser, and skip them where there is none.

    Where tests run side by side, these stay one after another in the quick run: two browsers at
    once take time from each other that a visitor's one does not have to share. A machine with other
    work may keep one waiting for longer than a test does: what fails is tried once more, and the
    summary names it.
    """
    here = Path(__file__).parent
    for item in items:
        # Elsewhere a fixture of that name is another one.
        if here in item.path.parents and "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
            item.add_marker(pytest.mark.xdist_group("browser"))
            item.add_marker(pytest.mark.flaky(reruns=1))
            if MISSING:
                item.add_marker(pytest.mark.skip(reason=MISSING))


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Server]]:
    """Return a function that serves a script: ``server(script, base_path="")``, once for each."""
    running: dict[tuple[Path, str], Server] = {}

    def serve(script: Path, base_path: str = "") -> Server:
        if (script, base_path) not in running:
            log = tmp_path_factory.mktemp("server") / "log.txt"
            running[script, base_path] = start_server(script, log, base_path=base_path)
        return running[script, base_path]

    yield serve
    for started in running.values():
        started.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = launched(playwright)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def contexts(browser: Browser) -> Iterator[Callable[[bool], BrowserContext]]:
    """Return a function that returns the browser's memory for screens with or without touch.

    Pages in one memory load the app's files once: that takes most of a visit's time.
    """
    known: dict[bool, BrowserContext] = {}

    def remembered(touch: bool) -> BrowserContext:
        if touch not in known:
            known[touch] = browser.new_context(has_touch=touch, is_mobile=touch)
            known[touch].set_default_timeout(WAIT_MILLISECONDS)
            known[touch].grant_permissions(["clipboard-read", "clipboard-write"])
        return known[touch]

    yield remembered
    for context in known.values():
        context.close()


@pytest.fixture
def new_context(browser: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """Return a function that starts a browser which has never been anywhere, with such options.

    It waits for so many minutes, one by default, and ends with the test.
    """
    started: list[BrowserContext] = []

    def start(minutes: int = 1, **options: Any) -> BrowserContext:
        started.append(browser.new_context(**options))
        started[-1].set_default_timeout(minutes * WAIT_MILLISECONDS)
        return started[-1]

    yield start
    for context in started:
        context.close()


@pytest.fixture
def page(
    new_context: Callable[..., BrowserContext], contexts: Callable[[bool], BrowserContext]
) -> Iterator[Callable[..., Visitor]]:
    """Return a function that opens a page: ``page(url, width, height, color_scheme, touch, new)``.

    With ``new``, in a browser that has never been there. At the end of the test, no page may have
    written an error to its console, thrown one, or asked any other machine than this one for
    anything.
    """
    opened_pages: list[Page] = []
    complaints: list[str] = []

    def open_page(
        url: str,
        width: int = 1280,
        height: int = 800,
        color_scheme: str = "light",
        touch: bool = False,
        new: bool = False,
    ) -> Visitor:
        context = new_context(has_touch=touch, is_mobile=touch) if new else contexts(touch)
        opened = context.new_page()
        opened_pages.append(opened)
        opened.set_viewport_size({"width": width, "height": height})
        opened.emulate_media(color_scheme=color_scheme)
        opened.on("console", lambda message: is_error(message) and complaints.append(message.text))
        opened.on("pageerror", lambda error: complaints.append(str(error)))
        opened.on("request", lambda sent: is_foreign(sent.url) and complaints.append(sent.url))
        opened.goto(url)
        return Visitor(opened)

    yield open_page
    for opened in opened_pages:
        opened.evaluate("localStorage.clear()")  # a chosen theme is for that test only
        opened.close()
    assert not complaints


@pytest.fixture
def visit(server: Callable[..., Server], page: Callable[..., Visitor]) -> Callable[..., Visitor]:
    """Return a function that opens a path of the real app and waits for its answer."""

    def opened(path: str = "privacy_curve", **look: Any) -> Visitor:
        visitor = page(server(ROOT / "app.py").url + path, **look)
        visitor.wait_for_page(path)
        return visitor

    return opened


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Return a function that starts a server of this test's own; see :func:`start_server`."""
    started: list[Server] = []

    def serve(script: Path = ROOT / "app.py", port: int | None = None, changed: str = "") -> Server:
        log = tmp_path / f"log{len(started)}.txt"
        started.append(start_server(script, log, port=port, changed=changed))
        return started[-1]

    yield serve
    for server in started:
        server.process.kill()  # also one that was halted
        server.stop()


@pytest.fixture
def lasting_page(
    new_context: Callable[..., BrowserContext],
) -> Iterator[Callable[[str], Visitor]]:
    """Return a function that opens a page which may lose its server, and waits for its answer.

    Of that alone it may complain; no error may be thrown.
    """
    complaints: list[str] = []

    def opened(url: str) -> Visitor:
        context = new_context(3, viewport={"width": 1280, "height": 800})
        visitor = Visitor(context.new_page())
        visitor.on("pageerror", lambda error: complaints.append(str(error)))
        visitor.goto(url)
        visitor.settle()
        return visitor

    yield opened
    assert not complaints


def is_error(message: ConsoleMessage) -> bool:
    """Return whether a line in the console tells of an error of the app's own."""
    # On a deep link, Streamlit's page first looks for its server below the page's address.
    is_search_for_server = "/_stcore/" in message.location["url"]
    return message.type == "error" and not is_search_for_server


def is_foreign(url: str) -> bool:
    """Return whether a request leaves this machine."""
    here = ("http://127.0.0.1:", "ws://127.0.0.1:", "file:", "blob:", "data:")
    return not url.startswith(here)
