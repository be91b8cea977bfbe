"""Make the pictures of README and the guide from the running app: ``python -m docs.pictures``.

A picture in a page of Markdown is a link to the state that it shows:

    [![what is seen](../pictures/NAME.webp)](http://localhost:8501/PAGE?SETTINGS)

So the pages themselves are the list of pictures. The app is started on a free port; each state is
opened in Chromium, waited for until nothing is to come any more, and written as WebP. What fails is
tried once more after all others, and named in the end. With names as arguments, only these are
made. It needs Chromium and what the tests need (``make pictures``).
"""

import io
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import sync_playwright

from tests.browser.chromium import launched
from tests.browser.server import start_server
from tests.browser.visitor import ANSWER, CHART, SETTLED, Visitor, has_chart

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs" / "pictures"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
LOCAL = "http://localhost:8501/"
PICTURE = re.compile(r"\[!\[([^\]]*)\]\(([^)\s]*?[\w-]+\.webp)\)\]\((\S+?)\)")
WIDTH, HEIGHT = 1200, 820
QUALITY = 62
# A page that takes seconds takes minutes where other work keeps all processors busy.
WAIT_MILLISECONDS = 600_000
START = ".st-key-train_start button:visible"


@dataclass(frozen=True, kw_only=True)
class Picture:
    """A picture, as a page of Markdown shows it; the address follows the server's."""

    path: Path
    alt: str
    address: str

    @property
    def name(self) -> str:
        """What it is called."""
        return self.path.stem


def pictures_in(page: Path) -> list[Picture]:
    """Return the pictures that a page of Markdown shows, in its order.

    Raises:
        ValueError: a picture is not a link to a state of the app on this machine.
    """
    found = []
    for alt, file, link in PICTURE.findall(page.read_text(encoding="utf-8")):
        if not link.startswith(LOCAL):
            raise ValueError(f"{page.name}: {file} leads to {link}, not to {LOCAL}")
        path = (page.parent / file).resolve()
        address = link.removeprefix(LOCAL)
        found.append(Picture(path=path, alt=" ".join(alt.split()), address=address))
    return found


def all_pictures() -> list[Picture]:
    """Return the pictures of all pages."""
    return [picture for page in PAGES for picture in pictures_in(page)]


def show_certificate(visitor: Visitor) -> None:
    """Open the part about what the numbers rest on, and scroll to it."""
    part = visitor.unfold("What these numbers rest on")
    part.evaluate("node => node.scrollIntoView({ block: 'start' })")


def train(visitor: Visitor) -> None:
    """Start the training that the settings describe, and wait for its result.

    Nothing is left to start where another visitor of the server has done so.
    """
    start = visitor.locator(START)
    visitor.locator(f"{START}, {ANSWER}:has-text('seasonal naive')").first.wait_for()
    if start.count():
        start.first.click()
    visitor.wait_for_forecaster(WAIT_MILLISECONDS)


# What is done on a page before its picture is taken; the others are the page as it opens.
DEEDS: dict[str, Callable[[Visitor], None]] = {"certificate": show_certificate, "train": train}


@contextmanager
def running_app() -> Iterator[tuple[Any, str]]:
    """Start the app and a Chromium; yield the browser, and the app's address."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        chromium = launched(playwright)
        server = start_server(ROOT / "app.py", Path(folder) / "log.txt")
        try:
            yield chromium, server.url
        finally:
            server.stop()
            chromium.close()


def photograph(browser: Any, url: str, picture: Picture) -> tuple[bytes, str]:
    """Open a picture's state; return the picture as WebP, and all words on the page.

    Raises:
        RuntimeError: the page wrote an error to its console, threw one, or refused a setting.
    """
    context = browser.new_context(
        viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light", reduced_motion="reduce"
    )
    context.set_default_timeout(WAIT_MILLISECONDS)
    try:
        visitor = Visitor(context.new_page())
        complaints: list[str] = []
        visitor.on("pageerror", lambda error: complaints.append(str(error)))
        visitor.goto(url + picture.address)
        visitor.wait_for_selector("h1")
        if has_chart(picture.address):
            visitor.wait_for_selector(CHART)
        visitor.wait_for_function(SETTLED)
        if deed := DEEDS.get(picture.name):
            deed(visitor)
            visitor.wait_for_function(SETTLED)
        visitor.mouse.move(0, HEIGHT - 1)
        visitor.wait_for_timeout(700)  # charts draw their new lines
        # Toasts tell of settings that could not be used as given.
        for failed in ("stException", "stAlertContentError", "stToast"):
            complaints += visitor.get_by_test_id(failed).all_inner_texts()
        if complaints:
            raise RuntimeError(f"{picture.name}: " + "; ".join(complaints))
        return as_webp(visitor.screenshot()), str(visitor.locator("body").inner_text())
    finally:
        context.close()


def as_webp(png: bytes) -> bytes:
    """Return a picture small enough for a repository."""
    written = io.BytesIO()
    Image.open(io.BytesIO(png)).convert("RGB").save(written, "WEBP", quality=QUALITY, method=6)
    return written.getvalue()


def main(names: list[str]) -> None:
    """Write the pictures of these names, or all; of all, take away what no page shows any more."""
    pictures = {picture.name: picture for picture in all_pictures()}.values()
    PICTURES.mkdir(exist_ok=True)
    if not names:
        shown = {picture.name for picture in pictures}
        for path in PICTURES.glob("*.webp"):
            if path.stem not in shown:
                path.unlink()
    wanted = [picture for picture in pictures if not names or picture.name in names]
    with running_app() as (browser, url):
        failed = [picture for picture in wanted if not taken(browser, url, picture)]
        failed = [picture for picture in failed if not taken(browser, url, picture)]
    if failed:
        left = " ".join(picture.name for picture in failed)
        raise SystemExit(f"not taken: {left}; again: python -m docs.pictures {left}")


def taken(browser: Any, url: str, picture: Picture) -> bool:
    """Take and write a picture; return whether that went well, after saying why not."""
    try:
        webp, _ = photograph(browser, url, picture)
    except (RuntimeError, PlaywrightError) as problem:
        print(f"{picture.name}: {problem}", flush=True)
        return False
    (PICTURES / f"{picture.name}.webp").write_bytes(webp)
    print(f"{picture.name}.webp: {len(webp) / 1000:.0f} kB", flush=True)
    return True


if __name__ == "__main__":
    main(sys.argv[1:])
