"""Every series can be told from its page and from the others, by more than its colour."""

import re
import tomllib
from itertools import combinations
from pathlib import Path

import plotly.graph_objects as go
import pytest

from dpviz.figures.palette import CONTEXT, FORECAST, PALETTE, SECRET, STYLES
from dpviz.scenario.pins import PIN_SLOTS
from tests.figures.contrast import contrast

CONFIG = Path(__file__).parents[2] / ".streamlit" / "config.toml"
THEME = tomllib.loads(CONFIG.read_text(encoding="utf-8"))["theme"]
PICTURE = CONFIG.parents[1] / "dpviz/ui/browser/picture.css"
MODES = ("light", "dark")


def backgrounds(mode):
    """Return the colours of a page that a chart may lie on."""
    return [
        THEME[mode][name]
        for name in ("backgroundColor", "secondaryBackgroundColor")
        if name in THEME[mode]
    ] or {"light": ["#ffffff"], "dark": ["#0e1117"]}[mode]


def test_contrast_is_that_of_the_standard():
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)
    assert contrast("#123456", "#123456") == 1.0


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("role", PALETTE["light"])
def test_every_colour_has_contrast_with_its_page(mode, role):
    for background in backgrounds(mode):
        assert contrast(PALETTE[mode][role], background) >= 4.5


def test_both_modes_have_every_role():
    assert set(PALETTE) == set(MODES)
    assert PALETTE["light"].keys() == PALETTE["dark"].keys()
    for colors in PALETTE.values():
        assert all(re.fullmatch("#[0-9a-f]{6}", color) for color in colors.values())


def test_there_is_a_style_for_the_current_run_and_each_pin():
    assert len(STYLES) >= 1 + len(PIN_SLOTS)
    assert [style.role for style in STYLES] == [f"series-{at}" for at in range(len(STYLES))]
    assert {style.role for style in STYLES} | {"target", "secret"} == set(PALETTE["light"])


def test_any_two_series_differ_in_colour_dash_and_symbol():
    for one, other in combinations(STYLES, 2):
        assert one.dash != other.dash
        assert one.symbol != other.symbol
        for mode in MODES:
            assert PALETTE[mode][one.role] != PALETTE[mode][other.role]


def test_plotly_knows_every_dash_and_symbol():
    """One that it does not know is drawn as a full line, like the first series."""
    for style in STYLES:
        go.Scatter(line={"dash": style.dash}, marker={"symbol": style.symbol})
    with pytest.raises(ValueError, match="symbol"):
        go.Scatter(marker={"symbol": "no such symbol"})


def test_the_drawing_of_start_has_the_same_colours():
    style = PICTURE.read_text(encoding="utf-8")
    for name, thing in {"context": CONTEXT, "forecast-color": FORECAST, "secret": SECRET}.items():
        light, dark = (PALETTE[mode][thing.role] for mode in MODES)
        assert f"--{name}: light-dark({light}, {dark});" in style
