"""What the chart's buttons save can be read by itself, in any program."""

import xml.etree.ElementTree
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.browser.chart_app import TITLE
from tests.browser.chart_reading import BUTTON


def test_the_saved_image_is_readable_by_itself(
    chart_page: Callable[..., Any], tmp_path: Path
) -> None:
    """The buttons save an SVG with the title, on the theme's own background, and a PNG."""
    page = chart_page(color_scheme="dark")
    with page.expect_download() as download:
        page.locator(f"{BUTTON}[aria-label^='Save as SVG']").click()
    assert download.value.suggested_filename == "noise.svg"
    download.value.save_as(tmp_path / "noise.svg")
    root = xml.etree.ElementTree.parse(tmp_path / "noise.svg").getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert TITLE in " ".join(root.itertext())
    background = root.find("{http://www.w3.org/2000/svg}rect")
    assert background is not None
    assert "fill: rgb(3, 5, 8); fill-opacity: 1" in background.attrib["style"]

    with page.expect_download() as download:
        page.locator(f"{BUTTON}[aria-label^='Save as PNG']").click()
    download.value.save_as(tmp_path / "noise.png")
    assert (tmp_path / "noise.png").read_bytes().startswith(b"\x89PNG")


def test_the_legend_of_a_saved_image_is_whole_in_any_font(
    chart_page: Callable[..., Any], tmp_path: Path
) -> None:
    """Other programs may lack the page's font: no clip cuts its names off, curves keep theirs."""
    page = chart_page()
    with page.expect_download() as download:
        page.locator(f"{BUTTON}[aria-label^='Save as SVG']").click()
    download.value.save_as(tmp_path / "noise.svg")
    root = xml.etree.ElementTree.parse(tmp_path / "noise.svg").getroot()
    elements = list(root.iter())
    clipped = [
        value
        for element in elements
        for name in ("clip-path", "style")
        if "url(" in (value := element.attrib.get(name, "")) and "clip" in f"{name}{value}"
    ]
    assert clipped
    assert not any("legend" in value for value in clipped)
    # Without that there would have been something to clip.
    assert any("legend" in element.attrib.get("class", "") for element in elements)
    words = " ".join(root.itertext())
    assert "upper bound" in words
    assert "lower bound" in words
