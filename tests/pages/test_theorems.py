"""The page that explains the theorems."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.wording.theorems import SECTIONS, THEOREM_ANCHORS
from tests.pages.app import checked

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def page() -> AppTest:
    app = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    app.switch_page("pages/theorems.py")
    return checked(app.run())


def test_every_theorem_has_a_section_to_link_to(page):
    assert page.title[0].value == "What the theorems say"
    anchors = [heading.proto.anchor for heading in page.subheader]
    assert set(THEOREM_ANCHORS.values()) <= set(anchors)
    assert len(set(anchors)) == len(anchors)


def test_sections_are_grouped_by_scheme_with_their_texts(page):
    assert [heading.value for heading in page.header] == list(SECTIONS)
    titles = [heading.value for heading in page.subheader]
    assert titles[0] == "Theorem 4.4: one window per series"
    assert "Proposition C.2: one individual in the bag, from below" in titles
    words = " ".join(text.value for text in page.markdown)
    assert "| series are | windows | upper bound | lower bound | tight? | unit |" in words
    assert words.count("**In print:**") == len(titles)
