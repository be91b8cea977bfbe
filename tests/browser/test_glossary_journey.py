"""A visitor who stumbles over a symbol: asks, searches, follows the link to the theorem."""

from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

import pytest


@pytest.mark.slow
def test_a_symbol_is_explained_where_it_stands_and_found_by_its_name(
    visit: Callable[..., Any],
) -> None:
    visitor = visit("privacy_curve")
    # The question mark beside a slider says what its symbol is, and links to the glossary.
    visitor.locator(".st-key-noise_multiplier .dpviz-help").click()
    tooltip = visitor.locator(".st-key-noise_multiplier .dpviz-tip")
    tooltip.get_by_text("Standard deviation of the Gaussian noise").wait_for()
    with visitor.context.expect_page() as opened:
        tooltip.get_by_role("link", name="Glossary").click()
    glossary = opened.value
    card = glossary.locator(".st-key-asked_term")
    card.get_by_role("heading", name="σ, noise multiplier").wait_for()

    box = glossary.get_by_role("textbox", name="Find a symbol or a word")
    box.fill("lambda")
    box.press("Enter")
    glossary.wait_for_function("() => new URLSearchParams(location.search).get('search')")
    assert unquote(glossary.url).endswith("/glossary?search=lambda")
    first = glossary.locator(".stMain h2").first
    first.get_by_text("λ, windows per series").wait_for()
    # What was looked for survives a reload.
    glossary.reload()
    glossary.locator(".stMain h2").first.get_by_text("λ, windows per series").wait_for()
    glossary.wait_for_function(
        "() => document.querySelector('.st-key-glossary_search input')?.value === 'lambda'"
    )

    with visitor.context.expect_page() as opened:
        glossary.get_by_role("link", name="Theorem F.1").first.click()
    theorems = opened.value
    theorems.get_by_role("heading", name="Theorem F.1").wait_for()
    assert theorems.url.endswith("/theorems#theorem-f-1")
