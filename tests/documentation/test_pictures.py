"""Every picture of the guide can be made anew, and the page still says what its words say."""

import re
import shutil

import pytest

pytest.importorskip("playwright.sync_api", reason="pictures need playwright")

from docs import pictures
from tests.documentation.pages import PAGES, ROOT

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    pytest.mark.xdist_group("browser"),
    pytest.mark.skipif(
        not (shutil.which("chromium") or shutil.which("chromium-browser")),
        reason="pictures need Chromium",
    ),
]
SHOWN = pictures.all_pictures()
NUMBER = re.compile(r"\d[\d,]*\.\d+|\d{1,3}(?:,\d{3})+")


@pytest.fixture(scope="module")
def app():
    with pictures.running_app() as running:
        yield running


def test_pages_are_searched_for_pictures():
    assert {ROOT / "README.md", *(ROOT / "docs").rglob("*.md")} == set(pictures.PAGES)
    assert set(pictures.PAGES) <= set(PAGES)
    assert set(pictures.DEEDS) <= {picture.name for picture in SHOWN}


@pytest.mark.parametrize("picture", SHOWN, ids=lambda picture: picture.name)
def test_picture_is_of_a_page_that_opens_and_says_what_it_says(app, picture):
    """Every number of the description is on the page, and nothing is refused."""
    browser, url = app
    webp, words = pictures.photograph(browser, url, picture)
    assert len(webp) <= 80_000
    words = " ".join(words.split())
    assert [number for number in NUMBER.findall(picture.alt) if number not in words] == []
