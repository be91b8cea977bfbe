"""The pages of explanations, the glossary, and the start page."""

import re
import threading

import pytest

from dpviz.scenario import PRESETS
from dpviz.wording.glossary import glossary
from dpviz.wording.texts import with_formulas
from tests.pages.app import Page, elements_of

LINK = re.compile(r"\]\(([^)]+)\)")
KEYS = {term.key for term in glossary()}


def titles(app) -> list[str]:
    """Return the terms' headings: below their group's, or a level higher where they have none."""
    headings = (*app.header, *app.subheader)
    return [heading.value for heading in headings if heading.proto.anchor in KEYS]


@pytest.mark.parametrize("asked", ["lambda", "λ", "num_subsequences", "Windows per series"])
def test_link_opens_a_term_by_any_of_its_names(open_page, asked):
    app = open_page({"term": asked}, "glossary")
    (card,) = [block for block in app.elements if block.key == "asked_term"]
    assert [one.value for one in elements_of(card) if one.type == "header"] == [
        "λ, windows per series"
    ]
    assert sorted(titles(app)) == sorted(with_formulas(term.title) for term in glossary())


def test_search_shows_what_is_found_and_is_kept_in_the_link(open_page):
    app = open_page(page="glossary")
    app.act("glossary_search", "label noise")
    assert titles(app) == [r"$\sigma_{F}$, label noise (noise on the forecast)"]
    assert dict(app.query_params) == {"search": "label noise"}
    assert app.caption[0].value.startswith("1 term with")
    app.act("glossary_search", "")
    assert len(titles(app)) == len(glossary())
    assert dict(app.query_params) == {}


def test_misspelt_word_leads_to_the_terms_that_are_nearest(open_page):
    app = open_page({"search": "noise multipler"}, "glossary")
    assert "No term" in app.caption[0].value
    (told,) = [text.value for text in app.markdown if "Did you mean" in text.value]
    links = LINK.findall(told)
    assert links[0] == "glossary?term=sigma"
    assert 2 <= len(links) <= 4
    assert links[-1] == "glossary"


@pytest.mark.parametrize(
    "hostile", ["zebra", "x" * 5000, "\u202eabc\n", "[a](http://b) *c* $d$ <i>"]
)
def test_hostile_links_are_refused_or_shown_as_words(open_page, hostile):
    app = open_page({"search": hostile, "term": hostile}, "glossary")
    assert "is not in the glossary" in app.warnings
    assert all("](http" not in text.value for text in (*app.warning, *app.caption))
    assert len(app.control("glossary_search").value) <= 40


def test_a_data_set_opens_its_curve_and_is_what_the_controls_go_back_to(small_picture):
    """Nothing is computed unasked."""
    start = Page(seconds=120).run()
    assert "dpviz-warm-up" not in [thread.name for thread in threading.enumerate()]
    start.click("start_traffic")
    assert start.scenario == PRESETS["traffic"].scenario
    assert any("Theorem 4.4 composed over 12,000 steps" in text.value for text in start.markdown)
    assert start.control("reset_all").disabled
    start.act("noise_multiplier", 5.0)
    start.go_back("noise_multiplier")
    assert start.scenario == PRESETS["traffic"].scenario
    assert start.control("reset_all").disabled
