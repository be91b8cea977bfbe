"""Colours that can be told apart, and the live picture, whose numbers are accounted for."""

import re
import tomllib
from itertools import combinations, pairwise, product
from pathlib import Path

import pytest

from dpviz.accounting import account_for
from dpviz.figures.parts import CONTEXT, FORECAST, PALETTE, SECRET, STYLES
from dpviz.figures.sampling_picture import (
    WINDOW_LENGTHS,
    WINDOWS_PER_SERIES,
    picture_scenario,
    picture_scenarios,
    sampling_picture,
)
from dpviz.planning.proven import proven_epsilon
from dpviz.scenario.pins import PIN_SLOTS
from dpviz.ui import static_files
from dpviz.wording.theorems import named_theorem
from tests.figures.contrast import contrast

CONFIG = Path(__file__).parents[2] / ".streamlit" / "config.toml"
THEME = tomllib.loads(CONFIG.read_text(encoding="utf-8"))["theme"]
MODES = ("light", "dark")


def backgrounds(mode):
    """Return the colours of a page that a chart may lie on."""
    return [
        THEME[mode][name]
        for name in ("backgroundColor", "secondaryBackgroundColor")
        if name in THEME[mode]
    ] or {"light": ["#ffffff"], "dark": ["#0e1117"]}[mode]


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


BROWSER = Path(static_files.__file__).parent / "browser"


@pytest.fixture(scope="module")
def told():
    return sampling_picture([proven_epsilon(one) for one in picture_scenarios()])


@pytest.fixture(scope="module")
def costs(told):
    return {(one["windowLength"], one["windowsPerSeries"]): one for one in told["costs"]}


@pytest.mark.every(2)
@pytest.mark.parametrize(
    ("length", "many"), [*zip(WINDOW_LENGTHS[::2], WINDOWS_PER_SERIES, strict=True)]
)
def test_bounds_are_those_of_the_account(costs, length, many):
    scenario, cost = picture_scenario(length, many), costs[length, many]
    account = account_for(scenario)
    upper, lower = (curve.epsilon_at(scenario.delta) for curve in (account.upper, account.lower))
    assert (cost["upper"], cost["lower"]) == (float(upper.high), float(lower.low))
    assert cost["theorem"] == named_theorem(account.upper.bound.theorem)


def test_words_are_rounded_to_their_own_side(costs):
    for cost in costs.values():
        assert cost["upper"] <= float(cost["atMost"]) < 1.01 * cost["upper"]
        assert 0.99 * cost["lower"] < float(cost["atLeast"]) <= cost["lower"]


def test_longer_windows_and_more_of_a_series_promise_less(costs):
    for many, lengths in product(WINDOWS_PER_SERIES, pairwise(WINDOW_LENGTHS)):
        assert costs[lengths[0], many]["upper"] < costs[lengths[1], many]["upper"]
    for length, each in product(WINDOW_LENGTHS, pairwise(WINDOWS_PER_SERIES)):
        assert costs[length, each[0]]["upper"] < costs[length, each[1]]["upper"]


def test_every_bound_is_on_the_gauge(costs):
    script = (BROWSER / "picture.js").read_text("utf-8")
    least = float(re.search(r"SCALE = \[([\d.]+),", script)[1])
    most = float(re.search(r"SCALE_END = ([\d.]+);", script)[1])
    for cost in costs.values():
        assert least <= cost["lower"] <= cost["upper"] <= most


def test_batches_are_of_one_size_and_whole_series():
    for scenario in picture_scenarios():
        sampling = scenario.sampling
        drawn = sampling.series_per_batch * sampling.num_subsequences
        assert drawn == sampling.batch_size <= scenario.shape.num_series * sampling.num_subsequences


def test_what_is_still_to_come_is_left_out():
    assert sampling_picture([None] * len(picture_scenarios()))["costs"] == []


def test_colours_are_those_of_the_charts():
    style = (BROWSER / "picture.css").read_text("utf-8")
    pairs = re.findall(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", style)
    drawn = (("context", CONTEXT), ("forecast-color", FORECAST), ("secret", SECRET))
    assert pairs == [(name, *(PALETTE[mode][one.role] for mode in MODES)) for name, one in drawn]
    assert style.count("light-dark(#") == len(drawn)
