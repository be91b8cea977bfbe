"""The pages of explanations."""

from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.wording.choices import CHOICES
from dpviz.wording.theorems import SECTIONS, THEOREM_ANCHORS
from tests.pages.app import checked, errors, headline, scenario_of, texts, warnings

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def page() -> AppTest:
    app = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    app.switch_page("pages/theorems.py")
    return checked(app.run())


def test_every_theorem_has_a_section_to_link_to(page):
    assert page.title[0].value == "Evidence and reference"
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
    assert words.count("**Pair:**") == len(titles)


QUICK = ("many-series", "loader")
FIRST = [
    pytest.param(
        choice,
        choice.examples[0],
        id=choice.key,
        marks=() if choice.key in QUICK else pytest.mark.slow,
    )
    for choice in CHOICES
]


def test_every_advice_has_its_text_its_bounds_and_what_it_rests_on(open_page):
    app = open_page(page="how_to_choose")
    assert [heading.proto.anchor for heading in app.header] == [choice.key for choice in CHOICES]
    words = " ".join(texts(app))
    assert words.count("ε at most") == len(CHOICES)
    assert words.count("Rests on") == len(CHOICES)
    assert all(f"](#{choice.key})" in words for choice in CHOICES)  # the list of contents
    assert "proven" in words
    assert "in this example" in words


@pytest.mark.parametrize(("choice", "example"), FIRST)
def test_link_opens_the_settings_on_their_page(open_page, choice, example):
    query = dict(parse_qsl(urlsplit(choice.address(example)).query))
    app = checked(open_page(query, choice.page, parts=()))
    assert scenario_of(app) == example.scenario
    assert not warnings(app)
    assert not errors(app)
    assert headline(app)


@pytest.mark.parametrize("at", [0, 1])
def test_headline_of_a_linked_page_says_the_bound_of_the_table(open_page, at):
    choice = next(one for one in CHOICES if one.key == "batch-and-steps")
    example = choice.examples[at]
    query = dict(parse_qsl(urlsplit(choice.address(example)).query))
    assert f"ε ≤ {example.at_most}" in headline(open_page(query, choice.page, parts=()))
