"""The page that compares one bag of windows with series first."""

import re
from dataclasses import replace
from itertools import product

import pytest

from dpviz.planning import curves_of
from dpviz.planning.one_bag import (
    bag_run,
    bag_size,
    compared_lengths,
    promise_run,
    series_first_run,
)
from dpviz.scenario import PRESETS, Noise, Sampling, Training, from_fields
from dpviz.scenario.data import LARGEST_COUNT
from dpviz.scenario.link import fields_from_query
from dpviz.scenario.mechanism import (
    BOTTOM_LEVELS,
    COINS,
    LARGEST_BATCH,
    MOST_STEPS,
    MOST_SUBSEQUENCES,
    NOISE_MULTIPLIER_RANGE,
    TOP_LEVELS,
)
from dpviz.scenario.scenario import DELTA_RANGE
from dpviz.wording.numbers import rounded_down, rounded_up
from tests.csv_text import table_of
from tests.pages.app import TOY, link_of

PAGE = "one_bag"
KEYS = {"lengths": "bag_lengths", "curve": "one_bag"}
SHORT = replace(TOY, training=Training(unit="steps", count=10))
LINK = link_of(SHORT)


LABELS = [
    "one bag (fixed batch size)",
    "one bag (each window by a coin)",
    "series first (1 window each)",
]


@pytest.fixture
def opened(open_page):
    return lambda changes=(), link=LINK, **options: open_page(link | dict(changes), PAGE, **options)


@pytest.mark.parametrize("view", KEYS)
def test_promise_truth_and_the_loaders_are_told(opened, view):
    app = opened({"bag_chart": view})
    app.assert_sound(KEYS[view])
    runs = [bag_run(SHORT), bag_run(SHORT, COINS), series_first_run(SHORT)]
    bag, *_ = curves = [curves_of(run) for run in runs]
    promise = curves_of(promise_run(runs[0]))
    said = app.headline
    assert (
        f"**ε ≤ {rounded_up(promise.epsilon_upper)} for one replaced window** (Proposition C.1"
        in said
    )
    assert f"**ε ≤ {rounded_up(bag.epsilon_upper)}** (upper bound, dpviz's Proposition 4)" in said
    assert f"no analysis can promise less than ε = {rounded_down(bag.epsilon_lower)}**" in said
    assert "in up to 2 of the bag's 6,400 windows" in said
    assert "After 10 steps with one bag, fixed batch size, at δ = 10⁻⁷" in said
    [table] = [text.value for text in app.markdown if "| Batches, δ = " in text.value]
    for label, run in zip(LABELS, curves, strict=True):
        most, least = rounded_up(run.epsilon_upper), rounded_down(run.epsilon_lower)
        assert f"| {label} | ε ≤ {most} | ≥ {least} |" in table


def test_own_bag_by_coins_comes_first_and_can_be_changed(opened):
    app = opened({"top_level": "flat", "bottom_level": "poisson"}, parts=())
    assert "each window by a coin (Poisson, Opacus's default), at δ" in app.headline
    assert app.traces("bag_lengths")["series-0-upper"]["name"] == LABELS[1]
    app.act("bottom_level", "with-replacement")
    assert app.traces("bag_lengths")["series-0-upper"]["name"] == LABELS[0]
    assert app.scenario.sampling.bottom_level == "with-replacement"


def test_lengths_are_drawn_with_the_promise_as_a_level_line(opened):
    app = opened()
    drawn = app.traces("bag_lengths")
    assert drawn["series-3-upper"]["x"] == list(compared_lengths(SHORT))
    assert len(set(drawn["series-3-upper"]["y"])) == 1
    assert drawn["series-3-upper"]["name"] == "standard accountant, one window"
    assert "series-3-lower" not in drawn
    for at, label in enumerate(LABELS):
        assert drawn[f"series-{at}-upper"]["name"] == label
        assert drawn[f"series-{at}-lower"]["y"] == sorted(drawn[f"series-{at}-lower"]["y"])
    # The visitor's own length, as the headline quotes it.
    bag = curves_of(bag_run(SHORT))
    assert drawn["series-0-own"]["text"] == [f"ε ≤ {rounded_up(bag.epsilon_upper)}"]
    assert (drawn["series-0-own"]["x"], drawn["series-0-own"]["y"]) == ([2], [bag.epsilon_upper])
    assert app.described("bag_lengths").startswith(
        "Windows of 2 to 32 values: one individual's loss"
    )


def test_curves_are_bands_beside_the_promise(opened):
    app = opened({"bag_chart": "curve"})
    drawn = app.chart("one_bag")["data"]
    names = [trace["name"] for trace in drawn if "fill" in trace]
    assert names == LABELS[::-1]
    assert sum("standard accountant, one" in str(trace.get("name")) for trace in drawn) == 1
    assert "series first wins" in str(app.chart("one_bag")["layout"]["annotations"])
    assert "promises ε ≤ " in app.described("one_bag")
    assert "is **provably more private for one individual" in " ".join(
        text.value for text in app.markdown
    )


def test_why_is_drawn_with_all_laws(opened):
    app = opened()
    bag, coins, first = app.chart("bag_hits")["data"]
    assert (bag["x"], coins["x"], first["x"]) == ([0, 1, 2], [0, 1, 2], [0, 1])
    assert "two or more 2.42·10⁻⁵" in app.described("bag_hits")


def test_all_runs_have_a_certificate_and_their_code(opened):
    app = opened()
    labels = [app.keyed("expander", f"open_certificate{at}").label for at in ("", "_1", "_2")]
    assert labels == [f"What these numbers rest on: {label}" for label in LABELS]
    words = app.words
    for theorem in ("[dpviz's Proposition 4]", "[Proposition C.2]", "[Theorem 4.4]"):
        assert theorem in words
    choice = app.control("code_of")
    assert choice.options == LABELS
    assert "--flat" in app.code[0].value
    app.act("code_of", choice.tokens[1])
    assert "--bottom-level poisson" in app.code[0].value
    app.act("code_of", choice.tokens[2])
    assert "--flat" not in app.code[0].value


@pytest.mark.parametrize(("view", "column"), [("lengths", "run"), ("curve", "curve")])
def test_tables_have_every_run(opened, downloads, view, column):
    opened({"bag_chart": view}, parts=())
    table = table_of(downloads["Download CSV"]())
    assert {*LABELS} <= {*table[column]} <= {*LABELS, "standard accountant, one window"}
    hits = table_of(downloads["Download as CSV"]())
    assert set(hits["sampling"]) == set(LABELS)


def test_chart_is_chosen_and_kept_in_the_link(opened):
    app = opened(parts=())
    app.act("bag_chart", "curve")
    app.assert_sound("one_bag")
    assert app.query_params["bag_chart"] == "curve"
    app.act("bag_chart", "lengths")
    app.assert_sound("bag_lengths")
    assert "bag_chart" not in app.query_params


def test_rates_are_refused_once(open_page):
    rates = {"bottom_rate": "0.1", "top_rate": "0.1", "steps_per_epoch": "10", "steps": "10"}
    app = open_page(rates, "one_bag", parts=())
    assert len(app.error) == 1
    assert not any("Holds if" in one.label for one in app.expander)


def test_bag_grows_by_series_and_the_batch_keeps_its_part(opened):
    app = opened(parts=())
    app.act("bag_size", 20_000)
    scenario = app.scenario
    assert (scenario.shape.num_series, scenario.shape.start_positions) == (1000, 20)
    assert scenario.sampling.batch_size == 100
    assert "of the bag's 20,000 windows" in app.headline
    assert app.control("batch_share").value == 0.005
    assert not app.notes
    app.act("bag_size", 6400)
    assert app.scenario == SHORT
    app.press("undo")
    assert bag_size(app.scenario.data) == 20_000


def test_typed_bag_is_rounded_to_whole_series_and_it_is_told(opened):
    app = opened(parts=())
    app.act("bag_size", "1e4+")
    assert "Windows in the bag N_total = '1e4+' is not allowed: it must be a whole" in app.warnings
    app.act("bag_size", "10,010")
    assert app.scenario.shape.num_series == 500
    assert "The bag has 10,000 windows: 20 windows of each of 500 series." in app.notes


def test_ratio_changes_the_batch_and_rounding_is_told(opened):
    app = opened({"bag_chart": "curve"}, parts=())
    app.act("batch_share", 0.01)
    assert app.scenario.sampling.batch_size == 64
    app.act("batch_share", "0.0002")
    assert app.scenario.sampling.batch_size == 1
    assert "Λ is a whole number of windows, 1: 0.0001563 of the bag." in app.notes
    app.act("batch_share", "2")
    assert "Batch ratio Λ / N_total = 2.0 is not allowed" in app.warnings


def test_batches_of_more_windows_than_series_come_from_the_bag_and_it_is_told(opened):
    app = opened({"bag_chart": "curve"}, parts=())
    app.act("batch_share", 0.1)
    app.assert_sound("one_bag")
    assert app.scenario.sampling == Sampling(batch_size=640, top_level="flat")
    assert "Batches of 640 cannot be made of 1 window of each series" in app.notes
    assert "and series first (2 windows each)**" in app.headline
    assert "needs at least 2 of each" in app.captions
    app.press("undo")
    assert app.scenario == SHORT


def test_batch_for_which_there_is_no_other_side_is_told(opened):
    few = replace(TOY.data, num_series=2, series_lengths=(2000,))
    bag = Sampling(batch_size=3000, top_level="flat")
    noise = Noise(noise_multiplier=100.0)
    scenario = replace(SHORT, data=few, sampling=bag, noise=noise)
    for view, key in KEYS.items():
        app = opened({"bag_chart": view}, link_of(scenario), parts=())
        app.assert_sound(key)
        assert "such a batch needs more than 1,024 windows of each" in app.captions
        assert not any(uid.startswith("series-3") for uid in app.traces(key))


def test_window_length_moves_the_context_and_then_the_forecast(opened):
    traffic = replace(PRESETS["traffic"].scenario, training=Training(unit="steps", count=1))
    app = opened({"bag_chart": "curve"}, link_of(traffic), parts=())

    def slide(length):
        app.act("window_length", length)

    slide(64)
    shape = app.scenario.shape
    assert (shape.context_length, shape.forecast_length) == (40, 24)
    assert not app.notes
    slide(16)
    shape = app.scenario.shape
    assert (shape.context_length, shape.forecast_length, shape.series_lengths) == (0, 16, (17_536,))
    assert "L_F is now 16 and L_C 0. Series of 17,536 values have as many windows" in app.notes
    assert "in up to 16 of the bag's 15,103,102 windows" in app.headline
    slide(120)
    assert app.scenario == traffic


def test_one_window_holds_one_record(opened):
    app = opened({"context_length": "0"})
    app.assert_sound("bag_lengths")
    assert "in 1 of the bag's 6,400 windows" in app.headline
    assert "than was promised" not in app.headline


def test_rates_are_refused_and_lead_back_to_the_shape(opened):
    app = opened(link=link_of(SHORT.with_rates(bottom_rate=0.5)))
    refused = "Bottom-level rate r = 0.5 is not allowed: rates alone do not determine how many"
    assert refused in app.errors
    assert "how many windows one bag has follows from a data shape only" in app.notes
    app.press("bag_shape")
    app.assert_sound("bag_lengths")
    assert app.scenario == SHORT


def test_rates_without_a_shape_lead_to_the_presets(opened):
    rates = {"bottom_rate": "0.1", "top_rate": "0.1", "steps_per_epoch": "10", "batch_size": "4"}
    more = {"noise_multiplier": "1", "steps": "5", "delta": "1e-7"}
    app = opened(link=rates | more, parts=())
    assert "rates alone" in app.errors
    assert "start from a preset or a file" in app.captions
    app.act("preset", "toy")
    assert not app.error
    assert app.headline


def test_own_windows_per_series_are_compared_and_one_is_offered(opened):
    app = opened({"num_subsequences": "4", "bag_chart": "curve"}, parts=())
    assert "series first (4 windows each)" in app.headline
    assert "the 4 windows per series of your settings" in app.captions
    app.press("one_window")
    assert app.scenario == SHORT
    assert "series first (1 window each)" in app.headline
    assert "settings'" not in app.captions


@pytest.mark.parametrize("length", [16, 32])
def test_settings_that_figure_13_leaves_out_are_told(opened, length):
    data = {"num_series": "1000", "series_length": "10", "batch_size": "1000", "steps": "1"}
    app = opened(data | {"context_length": str(length - 1)}, parts=())
    app.assert_sound("bag_lengths")
    assert re.search(rf"= {length / 10:g} is above 1:", app.captions)
    assert "A series has only 10 windows" in app.captions


CHANGES = ({}, {"forecast_noise": "2.0"}, {"relation": "user", "relation_width": "3"})


@pytest.mark.parametrize("top", TOP_LEVELS)
def test_every_scheme_is_compared(opened, top):
    app = opened(parts=())
    for bottom, changes in product(BOTTOM_LEVELS, CHANGES):
        link = LINK | {"top_level": top, "bottom_level": bottom} | changes
        view = "curve" if changes else "lengths"
        app.open_link(link | {"bag_chart": view}).assert_sound(KEYS[view])
        assert not app.warning
        assert app.scenario == from_fields(fields_from_query(link))
        assert "no lower bound" not in app.headline


@pytest.mark.parametrize(
    ("lengths", "says"),
    [
        ({"series_lengths": (20, 30)}, "no analysis can promise less"),
        ({"longer_series_beyond": 2}, "no lower bound: series of several lengths leave"),
    ],
    ids=["all known", "longer ones"],
)
def test_series_of_several_lengths_say_what_is_missing(opened, lengths, says):
    several = replace(SHORT, data=replace(TOY.data, **lengths))
    for view, key in KEYS.items():
        app = opened({"bag_chart": view}, link_of(several), parts=())
        app.assert_sound(key)
        assert says in app.headline
        assert "count all series as the shortest" in app.captions


@pytest.mark.slow
@pytest.mark.parametrize(
    ("view", "changes"),
    [
        ("lengths", {"noise_multiplier": NOISE_MULTIPLIER_RANGE[0]}),
        ("lengths", {"noise_multiplier": NOISE_MULTIPLIER_RANGE[1]}),
        ("lengths", {"steps": 1}),
        ("lengths", {"delta": DELTA_RANGE[0]}),
        ("lengths", {"delta": DELTA_RANGE[1]}),
        ("lengths", {"num_series": 1, "batch_size": 1, "series_length": 1}),
        ("lengths", {"context_length": 10**6, "steps": 1}),
        ("lengths", {"top_level": "flat", "batch_size": 6400, "steps": 1}),
        ("lengths", {"relation_width": 10**6}),
        ("curve", {"delta": DELTA_RANGE[1]}),
        pytest.param("curve", {"steps": MOST_STEPS, "num_series": 1000}, marks=pytest.mark.slow),
        ("curve", {"num_series": LARGEST_COUNT}),
        ("curve", {"num_series": LARGEST_COUNT, "batch_size": LARGEST_BATCH}),
        ("curve", {"num_series": LARGEST_COUNT, "series_length": LARGEST_COUNT}),
        ("curve", {"num_subsequences": MOST_SUBSEQUENCES, "batch_size": MOST_SUBSEQUENCES}),
        ("curve", {"context_length": 10**6}),
        ("curve", {"top_level": "flat", "batch_size": 6400}),
    ],
    ids=str,
)
def test_extremes_give_an_answer(opened, view, changes):
    link = {name: str(value) for name, value in changes.items()}
    app = opened(link | {"bag_chart": view}, parts=())
    assert not app.warning
    app.assert_sound(KEYS[view])
