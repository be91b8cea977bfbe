"""Advice on where to start, and the settings that it leads to."""

from urllib.parse import parse_qsl, urlsplit

import pytest

from dpviz.wording.choices import CHOICES
from tests.pages.app import checked, errors, headline, scenario_of, texts, warnings

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
