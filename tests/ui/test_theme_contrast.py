"""Text, lines and edges of controls can be seen in both themes, by the contrast of WCAG 2.2."""

import re
import tomllib
from itertools import product
from pathlib import Path

import pytest
import streamlit as st

from dpviz.figures.maps import MAP_PALETTE
from dpviz.figures.parts import PALETTE
from dpviz.ui import page_style
from tests.figures.contrast import contrast

CONFIG = Path(__file__).parents[2] / ".streamlit" / "config.toml"
STYLE = CONFIG.parents[1] / "dpviz" / "ui" / "browser" / "accessible.css"
FIGURES = CONFIG.parents[1] / "dpviz" / "figures"
THEME = tomllib.loads(CONFIG.read_text(encoding="utf-8"))["theme"]
MODES = ("light", "dark")
TEXT, OBJECT = 4.5, 3.0  # success criteria 1.4.3 and 1.4.11
CAPTION = 0.6  # the part of the text's colour that Streamlit's captions and column heads have
# How figures say what lines let others through.
THIN_LINES = (
    r'"color": parts\.color\([^()]*, ([\d.]+)\), "width"',
    r"stroke\([^()]*color=parts\.color\([^()]*, ([\d.]+)\)",
)
# As in chart.js.
TICK_LABELS, AXIS_LINES = 0.8, 0.5


def over(color: str, background: str, opacity: float) -> str:
    """Return what is seen where a colour lets some of its background through."""
    pairs = zip(*(re.findall("[0-9a-f]{2}", one) for one in (color, background)), strict=True)
    mixed = (opacity * int(top, 16) + (1 - opacity) * int(under, 16) for top, under in pairs)
    return "#" + "".join(f"{round(value):02x}" for value in mixed)


@pytest.mark.parametrize("mode", MODES)
def test_words_edges_and_axes_can_be_seen(mode):
    """Also a field's edge, a slider's handle with its value, and white words on a main button."""
    theme, page = THEME[mode], THEME[mode]["backgroundColor"]
    text = theme["textColor"]
    for background in (page, theme["secondaryBackgroundColor"]):
        assert contrast(text, background) >= 7.0
        assert contrast(theme["linkColor"], background) >= TEXT
        assert contrast(over(text, background, CAPTION), background) >= TEXT
        assert contrast(theme["borderColor"], background) >= OBJECT
        assert contrast(theme["primaryColor"], background) >= OBJECT
    assert contrast(theme["primaryColor"], page) >= TEXT
    assert contrast(theme["primaryColor"], "#ffffff") >= TEXT
    assert contrast(over(text, page, TICK_LABELS), page) >= TEXT
    assert contrast(over(text, page, AXIS_LINES), page) >= OBJECT


@pytest.mark.parametrize("mode", MODES)
def test_a_line_that_lets_others_through_can_be_seen_itself(mode):
    """Whatever its role is: figures choose roles by the place of a series."""
    opacities = {
        float(opacity)
        for file in FIGURES.glob("*.py")
        for pattern in THIN_LINES
        for opacity in re.findall(pattern, file.read_text(encoding="utf-8"))
    }
    opacities.discard(0.0)  # an edge that is not to be seen
    assert opacities
    page = THEME[mode]["backgroundColor"]
    for opacity, color in product(opacities, PALETTE[mode].values()):
        assert contrast(over(color, page, opacity), page) >= OBJECT, (opacity, color)


@pytest.mark.parametrize("mode", MODES)
def test_lines_and_words_of_a_map_can_be_seen_on_each_of_its_shades(mode):
    """Lines have the colour of the words; the visitor's mark has an edge of the page's colour."""
    colors = MAP_PALETTE[mode]
    shades = [color for role, color in colors.items() if role.startswith("shade-")]
    assert len(shades) == 3
    for shade in shades:
        assert contrast(colors["ink"], shade) >= TEXT
    assert contrast(colors["series-1"], colors["paper"]) >= OBJECT
    assert colors["ink"] == THEME[mode]["textColor"]
    assert colors["paper"] == THEME[mode]["backgroundColor"]


@pytest.mark.parametrize("mode", MODES)
def test_the_secret_s_red_can_be_seen_on_the_page_and_told_from_every_series(mode):
    red, page = PALETTE[mode]["secret"], THEME[mode]["backgroundColor"]
    assert contrast(red, page) >= TEXT
    assert list(PALETTE[mode].values()).count(red) == 1


def test_what_lies_over_a_page_has_its_background():
    light, dark = (THEME[mode]["backgroundColor"] for mode in MODES)
    style = (FIGURES.parent / "ui/browser/page.css").read_text(encoding="utf-8")
    assert f"--dpviz-page: light-dark({light}, {dark});" in style


def test_words_of_a_program_have_colours_of_the_charts():
    """Those have contrast with their page, which :mod:`tests.figures.test_palette` shows."""
    pairs = re.findall(r"light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", STYLE.read_text("utf-8"))
    assert len(pairs) == 3
    series = list(zip(PALETTE["light"].values(), PALETTE["dark"].values(), strict=True))
    assert set(pairs) <= set(series)


def test_streamlit_serves_the_faces_of_symbols_under_the_names_that_the_style_has():
    """Another version may name them otherwise; symbols are then upright until the style follows."""
    names = set(re.findall(r'url\("(static/media/[^"]+)"\)', page_style._STYLE))
    assert len(names) == 2
    for name in names:
        assert (Path(st.__file__).parent / "static" / name).is_file()
