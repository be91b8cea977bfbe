"""Every picture of the guide can be made anew, and the page still says what its words say."""

import re

import pytest

from docs import pictures
from tests.documentation.pages import PAGES, ROOT

pytestmark = pytest.mark.slow
SHOWN = pictures.all_pictures()
NUMBER = re.compile(r"\d[\d,]*\.\d+|\d{1,3}(?:,\d{3})+")


def test_pages_are_searched_for_pictures():
    assert {ROOT / "README.md", *(ROOT / "docs").rglob("*.md")} == set(pictures.PAGES)
    assert set(pictures.PAGES) <= set(PAGES)
    assert set(pictures.DEEDS) <= {picture.name for picture in SHOWN}


@pytest.mark.parametrize("picture", SHOWN, ids=lambda picture: picture.name)
def test_picture_is_of_a_page_that_opens_and_says_what_it_says(browser, server, picture):
    """Every number of the description is on the page, and nothing is refused."""
    webp, words = pictures.photograph(browser, server(ROOT / "app.py").url, picture)
    assert len(webp) <= 80_000
    words = " ".join(words.split())
    assert [number for number in NUMBER.findall(picture.alt) if number not in words] == []
