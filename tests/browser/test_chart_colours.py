"""The chart and the page have readable colours, in light and in dark."""

import itertools
import re
from collections.abc import Callable
from typing import Any

from tests.browser.chart_app import PALETTE
from tests.browser.chart_reading import STATE, zoom_in


def test_colours_follow_the_theme_without_a_rerun(chart_page: Callable[..., Any]) -> None:
    """Light and dark have their own colours; a switch of the system's theme redraws, and keeps."""
    page = chart_page(color_scheme="light")
    zoomed = zoom_in(page)
    assert zoomed["strokes"] == ["rgb(11, 96, 117)", "rgb(168, 72, 15)"]
    assert zoomed["text"] == "rgba(15,24,28,1)"
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(
        "document.querySelector('.dpviz-chart')._fullLayout.font.color === 'rgba(223,230,234,1)'"
    )
    dark = page.evaluate(STATE)
    assert dark["strokes"] == ["rgb(111, 198, 216)", "rgb(240, 164, 107)"]
    assert dark["xRange"] == zoomed["xRange"]


def test_the_theme_can_be_switched_in_the_menu(chart_page: Callable[..., Any]) -> None:
    """The settings leave the visitor the choice between light and dark."""
    page = chart_page(color_scheme="light")
    page.locator("[data-testid=stMainMenu] button").click()
    page.get_by_role("menuitemradio", name="Dark").click()
    page.wait_for_function(
        "document.querySelector('.dpviz-chart')._fullLayout.font.color === 'rgba(223,230,234,1)'"
    )


def test_the_settings_draw_readable_text(chart_page: Callable[..., Any]) -> None:
    """The primary colour has a contrast of 4.5 against the page and against a button's text."""
    for scheme in ("light", "dark"):
        page = chart_page(color_scheme=scheme)
        button = page.locator("[data-testid=stBaseButton-primary]")
        colors = button.evaluate(
            """(node) => [
              getComputedStyle(node).backgroundColor,
              getComputedStyle(node).color,
              getComputedStyle(document.querySelector("[data-testid=stApp]")).backgroundColor,
            ]"""
        )
        primary, text, background = (luminance(color) for color in colors)
        assert contrast(primary, text) >= 4.5, colors
        assert contrast(primary, background) >= 4.5, colors


def test_the_palettes_of_the_test_differ() -> None:
    """Otherwise the test of the colours would show nothing."""
    for light, dark in itertools.product(PALETTE["light"].values(), PALETTE["dark"].values()):
        assert light != dark


def luminance(color: str) -> float:
    """Return the relative luminance of ``rgb(...)`` by WCAG 2."""
    shares = [int(part) / 255 for part in re.findall(r"\d+", color)[:3]]
    linear = [x / 12.92 if x <= 0.03928 else ((x + 0.055) / 1.055) ** 2.4 for x in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: float, other: float) -> float:
    """Return the contrast of two luminances by WCAG 2."""
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)
