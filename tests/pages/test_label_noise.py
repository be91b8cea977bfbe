"""The page about noise on context and labels."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from dpviz.planning import curves_of
from dpviz.planning.label_noise import NOISES, with_noise, without_noise
from dpviz.scenario import Relation
from dpviz.scenario.mechanism import BOTTOM_LEVELS, LARGEST_AUGMENTATION, TOP_LEVELS
from dpviz.settings import View
from dpviz.wording.numbers import rounded_up
from tests.csv_text import table_of
from tests.pages.app import FOLDED_PARTS, TOY, link_of

CURVES, MAP = "label_noise", "noise_map"
SHORT = replace(TOY, training=replace(TOY.training, count=10))
NOISY = with_noise(SHORT, context=0.5, forecast=2.0)
RATES = {"bottom_rate": "0.1", "top_rate": "0.1", "steps_per_epoch": "10", "batch_size": "4"}
BARE = RATES | {"noise_multiplier": "1", "steps": "5", "delta": "1e-7"}


@pytest.fixture
def opened(open_page):
    def open_noise(scenario=SHORT, view=None, parts=(), **changes):
        link = link_of(scenario) | ({} if view is None else {"noise_chart": view}) | changes
        return open_page(link, "label_noise", parts=parts)

    return open_noise


def test_epsilon_with_noise_is_told_against_epsilon_without(opened):
    app = opened(NOISY, parts=FOLDED_PARTS)
    app.assert_sound(CURVES)
    said = app.headline
    own, plain = (curves_of(run).epsilon_upper for run in (NOISY, without_noise(NOISY)))
    assert f"**ε ≤ {rounded_up(own)} at δ = 10⁻⁷** (upper bound, Theorem G.1 composed over" in said
    assert f"against **ε ≤ {rounded_up(plain)}** without noise on windows" in said
    assert app.described(CURVES).startswith(
        "With noise of σ_C = 0.5 on context and σ_F = 2 on labels: "
        f"ε ≤ {rounded_up(own)} instead of {rounded_up(plain)} at δ = 10⁻⁷, after 10 steps"
    )
    assert "Theorem G.1" in app.words  # the certificate


def test_curves_for_every_noise_on_labels_have_a_style_of_their_own(opened):
    app = opened(NOISY)
    lines = [line for line in app.chart(CURVES)["data"] if line["uid"].endswith("upper")]
    names = {line["name"]: line["line"] for line in lines}
    assert names.keys() == {"0", "0.5", "1", "2 (now)", "5", "10⁶"}
    assert len({(line["color"], line["dash"]) for line in names.values()}) == 6
    # Each has a lower bound, by what is clean or by guesses.
    lower = {line["uid"] for line in app.chart(CURVES)["data"] if line["uid"].endswith("lower")}
    assert lower == {line["uid"].replace("upper", "lower") for line in lines}
    plain = {line["uid"] for line in opened().chart(CURVES)["data"]}
    assert "series-0-lower" in plain


def test_settings_are_changed_and_taken_back(opened):
    app = opened()
    first = app.headline
    app.act("forecast_noise", 2.0)
    second = app.headline
    app.act("context_noise", 0.5)
    assert app.scenario.noise == NOISY.noise
    assert app.headline == opened(NOISY).headline
    app.press("undo")
    assert app.headline == second != first
    app.press("reset_all")
    assert app.headline == first
    assert app.scenario == SHORT


def test_link_round_trip_keeps_noise_unit_and_chart(opened, open_page):
    app = opened(NOISY)
    app.act("noise_view", "map")
    app.act("max_change", "300")
    app.act("value_unit", "vehicles")
    link = app.link
    assert (link["noise_chart"], link["max_change"], link["value_unit"]) == (
        "map", "300.0", "vehicles",
    )  # fmt: skip
    again = open_page(link, "label_noise", parts=())
    assert not again.warning
    assert again.state.view == View(noise_chart="map")
    assert again.scenario == app.scenario
    assert again.headline == app.headline
    again.assert_sound(MAP)


def test_map_has_a_field_for_each_pair_of_noises_and_marks_the_current_one(opened):
    app = opened(NOISY, "map")
    app.assert_sound(MAP)
    heat, *_, mark = app.chart(MAP)["data"]
    assert np.shape(heat["z"]) == (len(NOISES), len(NOISES))
    own = 10 ** heat["z"][NOISES.index(2.0)][NOISES.index(0.5)]
    epsilon = curves_of(NOISY).epsilon_upper
    assert epsilon <= own * (1 + 1e-12) <= 1.02 * epsilon
    assert (mark["x"], mark["y"]) == ([NOISES.index(0.5)], [NOISES.index(2.0)])
    assert app.described(MAP).endswith("Marked is σ_C = 0.5, σ_F = 2.")
    assert "No number on the map is below the bound's own value, nor above it" in app.captions
    before = heat["z"]
    app.act("forecast_noise", 5.0)
    heat, *_, mark = app.chart(MAP)["data"]
    assert heat["z"] == before  # the same map for every noise of the scenario
    assert mark["y"] == [NOISES.index(5.0)]


def test_tables_of_both_charts_have_every_noise(opened, downloads):
    app = opened(NOISY)
    frame = table_of(downloads["Download CSV"]())
    assert set(frame["curve"]) == {
        "now: labels with σ_F = 2", "labels with σ_F = 0", "labels with σ_F = 0.5",
        "labels with σ_F = 1", "labels with σ_F = 5", "labels with σ_F = 10⁶",
    }  # fmt: skip
    app.act("noise_view", "map")
    text = downloads["Download CSV"]()
    frame = table_of(text)
    z = np.log10(frame["epsilon_upper"].to_numpy()).reshape(len(NOISES), len(NOISES))
    np.testing.assert_allclose(app.chart(MAP)["data"][0]["z"], z)
    assert "Theorem G.1" in text


@pytest.mark.slow
@pytest.mark.parametrize("view", ["curve", "map"])
def test_every_scheme_answers_or_says_that_nothing_is_proven(opened, view):
    app = opened()
    for top, bottom, windows in product(
        TOP_LEVELS, BOTTOM_LEVELS, (1, 2) if view == "curve" else (1,)
    ):
        if top == "flat" and (bottom == "poisson" or windows > 1):
            continue
        sampling = replace(
            SHORT.sampling, batch_size=4, top_level=top, bottom_level=bottom,
            num_subsequences=windows,
        )  # fmt: skip
        scenario = replace(NOISY, sampling=sampling)
        app.open_link(link_of(scenario, view=View(noise_chart=view)))
        case = (top, bottom, windows)
        assert app.scenario == scenario, case
        app.assert_sound(CURVES if view == "curve" else MAP)
        covered = bottom == "with-replacement" and windows == 1 and top != "flat"
        assert ("does not count" in app.headline) != covered, case
        assert ("Theorem G.1" in app.headline) == covered, case


def test_scheme_that_is_covered_can_be_chosen_on_the_page(opened):
    several = replace(NOISY, sampling=replace(NOISY.sampling, num_subsequences=2))
    app = opened(several, parts=("open_sampling",))
    assert "does not count" in app.headline
    assert len({str(line["y"]) for line in app.chart(CURVES)["data"] if len(line["x"]) > 1}) <= 3
    app.act("num_subsequences", 1)
    assert "Theorem G.1" in app.headline


def test_wider_relation_is_labelled_in_headline_and_map(opened):
    wide = replace(NOISY, relation=Relation(width=3))
    assert "dpviz's extension" in opened(wide).headline
    app = opened(wide, "map")
    assert "dpviz's extension" in app.captions
    texts = app.chart(MAP)["data"][0]["text"]
    assert "extension" not in texts[0][0]
    assert "dpviz's extension" in texts[0][1]


@pytest.mark.slow
@pytest.mark.parametrize(
    "settings",
    [
        {"forecast_noise": LARGEST_AUGMENTATION, "context_noise": LARGEST_AUGMENTATION},
        {"forecast_noise": 1e-300},
        {"num_channels": 10**6, "forecast_noise": 1},
        {"delta": 1e-15, "noise_multiplier": 30},
        {"delta": 0.999, "noise_multiplier": 0.3},
        {"noise_multiplier": 0.1},
        {"context_length": 0, "forecast_noise": 2},
        {"series_length": 1, "forecast_noise": 2},
        {"relation": "user", "relation_width": 10**6, "forecast_noise": 2},
        RATES | {"bottom_rate": 1e-9, "top_rate": 1e-9, "forecast_share": 0.5},
        RATES | {"bottom_rate": 1, "top_rate": 1, "forecast_share": 1, "forecast_noise": 2},
    ],
    ids=str,
)
@pytest.mark.parametrize("view", ["curve", "map"])
def test_extremes_are_answered(open_page, settings, view):
    link = link_of(SHORT) | {"noise_chart": view}
    link |= {name: str(value) for name, value in settings.items()}
    app = open_page(link, "label_noise", parts=())
    assert not app.warning
    app.assert_sound(CURVES if view == "curve" else MAP)


def test_rates_alone_answer_for_themselves_and_say_what_is_missing(open_page):
    app = open_page(BARE, "label_noise", parts=())
    app.assert_sound(CURVES)
    assert "Rates alone do not tell what noise buys" in app.headline
    app.act("noise_view", "map")
    assert "Forecast share φ: rates alone do not tell what noise buys" in app.errors
    noisy = open_page(BARE | {"forecast_noise": "2"}, "label_noise", parts=())
    assert "Noise on labels σ_F = 2.0 is not allowed" in noisy.errors


def test_drawings_show_both_parts_of_a_window(opened):
    app = opened(NOISY)
    assert app.chart_title("overlap_context") == "Context with σ_C = 0.5: TV = 0.683"
    assert app.chart_title("overlap_forecast") == "Labels with σ_F = 2: TV = 0.198"
    assert "1 label with this noise reveals as much as 0.198 labels" in app.words
    plain = opened()
    assert "two spikes" in plain.described("overlap_context")
    none = opened(NOISY, context_length="0")
    assert "These windows read no context." in none.words
    assert none.chart_title("overlap_forecast") == "Labels with σ_F = 2: TV = 0.198"


def test_part_about_noise_is_not_there_twice(opened):
    app = opened(parts=FOLDED_PARTS)
    numbers = [one.name for one in app.drawn if one.kind == "number"]
    assert len(numbers) == len(set(numbers))
    assert numbers.index("context_noise") == 0
