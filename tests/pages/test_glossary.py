"""The glossary as a page: found by words, opened by links."""

import re

import pytest

from dpviz.wording.glossary import glossary
from dpviz.wording.texts import with_formulas
from tests.pages.acts import act, control
from tests.pages.app import checked, elements_of, warnings

LINK = re.compile(r"\]\(([^)]+)\)")


KEYS = {term.key for term in glossary()}


def titles(app) -> list[str]:
    """Return the terms' headings: below their group's, or a level higher where they have none."""
    headings = (*app.header, *app.subheader)
    return [heading.value for heading in headings if heading.proto.anchor in KEYS]


def test_every_term_has_a_heading_to_link_to(open_page):
    app = open_page(page="glossary")
    assert app.title[0].value == "Evidence and reference"
    assert [heading.proto.anchor for heading in app.subheader] == [one.key for one in glossary()]
    assert [heading.value for heading in app.header] == list(
        dict.fromkeys(term.group for term in glossary())
    )


@pytest.mark.parametrize("asked", ["lambda", "λ", "num_subsequences", "Windows per series"])
def test_link_opens_a_term_by_any_of_its_names(open_page, asked):
    app = open_page({"term": asked}, "glossary")
    (card,) = [block for block in elements_of(app.main) if block.key == "asked_term"]
    assert [one.value for one in elements_of(card) if one.type == "header"] == [
        "λ, windows per series"
    ]
    assert sorted(titles(app)) == sorted(with_formulas(term.title) for term in glossary())


def test_search_shows_what_is_found_and_is_kept_in_the_link(open_page):
    app = open_page(page="glossary")
    checked(act(app, "glossary_search", "label noise"))
    assert titles(app) == [r"$\sigma_{F}$, label noise (noise on the forecast)"]
    assert dict(app.query_params) == {"search": "label noise"}
    assert app.caption[0].value.startswith("1 term with")
    checked(act(app, "glossary_search", ""))
    assert len(titles(app)) == len(glossary())
    assert dict(app.query_params) == {}


def test_link_brings_what_is_looked_for(open_page):
    app = open_page({"search": "λ"}, "glossary")
    assert control(app, "glossary_search").value == "λ"
    assert titles(app)[0] == "λ, windows per series"


def test_what_is_not_there_is_said(open_page):
    app = open_page({"search": "zebra"}, "glossary")
    assert titles(app) == []
    assert "No term" in app.caption[0].value
    assert any("[All terms](glossary)" in text.value for text in app.markdown)
    app = open_page({"term": "zebra"}, "glossary")
    assert "term = zebra is not in the glossary" in warnings(app)
    assert len(titles(app)) == len(glossary())


def test_misspelt_word_leads_to_the_terms_that_are_nearest(open_page):
    """At most three, by links; and back to all terms."""
    app = open_page({"search": "noise multipler"}, "glossary")
    assert "No term" in app.caption[0].value
    (told,) = [text.value for text in app.markdown if "Did you mean" in text.value]
    links = LINK.findall(told)
    assert links[0] == "glossary?term=sigma"
    assert 2 <= len(links) <= 4
    assert links[-1] == "glossary"


@pytest.mark.parametrize("hostile", ["x" * 5000, "a\nb", "\u202eabc", "[a](http://b) *c* $d$ <i>"])
def test_hostile_links_are_refused_or_shown_as_words(open_page, hostile):
    app = open_page({"search": hostile, "term": hostile}, "glossary")
    assert "is not in the glossary" in warnings(app)
    assert all("](http" not in text.value for text in (*app.warning, *app.caption))
    assert len(control(app, "glossary_search").value) <= 40


def test_links_lead_to_pages_and_sections_that_there_are(open_page):
    """Every link of the glossary and of the advice is to a page of this app."""
    anchors = {heading.proto.anchor for heading in open_page(page="theorems").subheader}
    for page in ("glossary", "how_to_choose"):
        app = open_page(page=page)
        links = {
            link for text in (*app.markdown, *app.caption) for link in LINK.findall(text.value)
        }
        assert len(links) > 30
        for link in links:
            path, _, section = link.partition("#")
            if not path:  # of the page itself
                assert section in {heading.proto.anchor for heading in app.header}
                continue
            assert re.fullmatch(r"[a-z_]+(\?[^\s()|]*)?", path), link
            if path == "theorems":
                assert section in anchors
