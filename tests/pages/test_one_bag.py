"""The page that compares one bag of windows with series first."""

import io
import re
from dataclasses import replace
from itertools import product

import pandas as pd
import pytest

from dpviz.planning import curves_of
from dpviz.planning.bag_changes import compared_lengths
from dpviz.planning.one_bag import bag_run, bag_size, series_first_run
from dpviz.scenario import PRESETS, Sampling, Training, View, from_fields
from dpviz.scenario.data import LARGEST_COUNT
from dpviz.scenario.link import fields_from_query
from dpviz.scenario.mechanism import (
    BOTTOM_LEVELS,
    LARGEST_BATCH,
    MOST_STEPS,
    MOST_SUBSEQUENCES,
    NOISE_MULTIPLIER_RANGE,
    TOP_LEVELS,
)
from dpviz.scenario.scenario import DELTA_RANGE
from dpviz.wording.numbers import rounded_down, rounded_up
from tests.pages.app import (
    TOY,
    assert_sound,
    chart,
    chart_title,
    checked,
    described,
    errors,
    exact,
    headline,
    keyed,
    link_in_address_bar,
    link_of,
    notes,
    scenario_of,
    warnings,
)

PAGE = "one_bag"
KEYS = {"lengths": "bag_lengths", "curve": "one_bag"}
SHORT = replace(TOY, training=Training(unit="steps", count=10))
LINK = link_of(SHORT)


@pytest.fixture
def opened(open_page):
    return lambda changes=(), link=LINK, **options: open_page(link | dict(changes), PAGE, **options)


def captions(app) -> str:
    return " ".join(caption.value for caption in app.caption)


def lines(app, key="bag_lengths"):
    return {trace["uid"]: trace for trace in chart(app, key)["data"]}


# What is told and drawn.


@pytest.mark.parametrize("view", KEYS)
def test_promise_truth_and_other_way_are_told(opened, view):
    app = opened({"bag_chart": view})
    assert_sound(app, KEYS[view])
    bag, first = curves_of(bag_run(SHORT)), curves_of(series_first_run(SHORT))
    said = headline(app)
    assert f"**ε ≤ {rounded_up(bag.epsilon_upper)} for one window** (Proposition C.1" in said
    assert f"**at least ε = {rounded_down(bag.epsilon_lower)} is true**" in said
    assert f"**guarantees the individual ε ≤ {rounded_up(first.epsilon_upper)}**" in said
    assert "in up to 2 of the bag's 6,400 windows" in said
    assert "After 10 steps with batches from one bag, at δ = 10⁻⁷" in said


def test_lengths_are_drawn_with_the_promise_as_a_level_line(opened):
    app = opened()
    drawn = lines(app)
    assert drawn["series-0-upper"]["x"] == list(compared_lengths(SHORT))
    assert len(set(drawn["series-0-upper"]["y"])) == 1
    assert drawn["series-0-lower"]["y"] == sorted(drawn["series-0-lower"]["y"])
    assert drawn["series-0-upper"]["name"] == "one bag, one window (upper bound)"
    assert drawn["series-0-lower"]["name"] == "one bag, one individual (lower bound)"
    assert drawn["series-1-upper"]["name"] == "series first (1 window each)"
    # The visitor's own length, as the headline quotes it.
    bag = curves_of(bag_run(SHORT))
    assert drawn["series-0-own"]["text"] == [f"ε ≥ {rounded_down(bag.epsilon_lower)}"]
    assert (drawn["series-0-own"]["x"], drawn["series-0-own"]["y"]) == ([2], [bag.epsilon_lower])
    assert chart_title(app, "bag_lengths").startswith("Windows of 2 to 32 values: more is true")


def test_curves_are_drawn_without_a_band_for_the_bag(opened):
    app = opened({"bag_chart": "curve"})
    drawn = lines(app, "one_bag")
    assert "fill" not in drawn["series-0-upper"]
    assert "series first wins" in str(chart(app, "one_bag")["layout"]["annotations"])
    assert "promises ε ≤ " in chart_title(app, "one_bag")
    assert "is **proven more private for one individual" in " ".join(
        text.value for text in app.markdown
    )


def test_why_is_drawn_with_both_laws(opened):
    app = opened()
    bag, first = chart(app, "bag_hits")["data"]
    assert (bag["x"], first["x"]) == ([0, 1, 2], [0, 1])
    assert "two or more 2.42·10⁻⁵" in described(app, "bag_hits")


def test_both_runs_have_a_certificate_and_their_code(opened):
    app = opened()
    labels = [keyed(app, "expander", f"open_certificate{at}").label for at in ("", "_1")]
    assert labels == [
        "What these numbers rest on: one bag",
        "What these numbers rest on: series first (1 window each)",
    ]
    words = " ".join(text.value for text in app.markdown)
    for theorem in ("[Proposition C.1]", "[Proposition C.2]", "[Theorem 4.4]"):
        assert theorem in words
    assert app.button(key="second_lower")
    assert app.button(key="second_lower_1")
    choice = app.selectbox(key="code_of")
    assert choice.options == ["one bag", "series first (1 window each)"]
    assert "--flat" in app.code[0].value
    choice.set_value(choice.options[1]).run()
    assert "--flat" not in checked(app).code[0].value


@pytest.mark.parametrize("view", KEYS)
def test_table_has_the_numbers_of_the_chart(opened, downloads, view):
    app = opened({"bag_chart": view}, parts=())
    text = downloads["Download CSV"]()
    table = pd.read_csv(io.StringIO(text), comment="#")
    drawn = lines(app, KEYS[view])
    if view == "lengths":
        bag = table[table["run"] == "one bag"]
        assert bag["window_length"].tolist() == drawn["series-0-lower"]["x"]
        assert bag["epsilon_lower"].tolist() == drawn["series-0-lower"]["y"]
        assert bag["epsilon_upper"].tolist() == drawn["series-0-upper"]["y"]
        assert bag["upper_protects"].iloc[-1].startswith("one window of the bag")
    else:
        assert set(table["curve"]) == {"one bag", "series first (1 window each)"}
        assert "Proposition C.2 composed over 10 steps" in text
    hits = pd.read_csv(io.StringIO(downloads["Download these chances as CSV"]()), comment="#")
    assert set(hits["sampling"]) == {"one bag", "series first (1 window each)"}


# The settings.


def test_bag_grows_by_series_and_the_batch_keeps_its_part(opened):
    app = opened(parts=())
    slider = app.select_slider(key="bag_size_slider")
    slider.set_value(20_000).run()
    scenario = scenario_of(checked(app))
    assert (scenario.shape.num_series, scenario.shape.start_positions) == (1000, 20)
    assert scenario.sampling.batch_size == 100
    assert "of the bag's 20,000 windows" in headline(app)
    assert app.select_slider(key="batch_share_slider").value == 0.005
    assert not app.info
    app.select_slider(key="bag_size_slider").set_value(6400).run()
    assert scenario_of(app) == SHORT
    app.button(key="undo").click().run()
    assert bag_size(scenario_of(checked(app)).data) == 20_000


def test_typed_bag_is_rounded_to_whole_series_and_it_is_told(opened):
    app = opened(parts=())
    exact(app, "bag_size").set_value("1e4+").run()
    assert "Windows in the bag N_total = '1e4+' is not allowed: it must be a whole" in warnings(app)
    exact(app, "bag_size").set_value("10,010").run()
    assert scenario_of(checked(app)).shape.num_series == 500
    assert "The bag has 10,000 windows: 20 windows of each of 500 series." in notes(app)


def test_ratio_changes_the_batch_and_rounding_is_told(opened):
    app = opened({"bag_chart": "curve"}, parts=())
    app.select_slider(key="batch_share_slider").set_value(0.01).run()
    assert scenario_of(checked(app)).sampling.batch_size == 64
    exact(app, "batch_share").set_value("0.0002").run()
    assert scenario_of(checked(app)).sampling.batch_size == 1
    assert "Λ is a whole number of windows, 1: 0.0001563 of the bag." in notes(app)
    exact(app, "batch_share").set_value("2").run()
    assert "Batch ratio Λ / N_total = 2.0 is not allowed" in warnings(app)


def test_batches_of_more_windows_than_series_come_from_the_bag_and_it_is_told(opened):
    app = opened({"bag_chart": "curve"}, parts=())
    app.select_slider(key="batch_share_slider").set_value(0.1).run()
    assert_sound(app, "one_bag")
    assert scenario_of(app).sampling == Sampling(batch_size=640, top_level="flat")
    assert "Batches of 640 cannot be made of 1 window of each series" in notes(app)
    assert "Drawing series first, 2 windows each, **guarantees" in headline(app)
    assert "Theorem F.1" in headline(app)
    assert "2 each are the fewest that fit" in captions(app)
    app.button(key="undo").click().run()
    assert scenario_of(checked(app)) == SHORT


def test_batch_for_which_there_is_no_other_side_is_told(opened):
    few = replace(TOY.data, num_series=2, series_lengths=(200,))
    bag = Sampling(batch_size=200, top_level="flat")
    scenario = replace(SHORT, data=few, sampling=bag)
    for view, key in KEYS.items():
        app = opened({"bag_chart": view}, link_of(scenario), parts=())
        assert_sound(app, key)
        assert "**No structured side exists**" in headline(app)
        assert not any(uid.startswith("series-1") for uid in lines(app, key))


def test_window_length_moves_the_context_and_then_the_forecast(opened):
    traffic = replace(PRESETS["traffic"].scenario, training=Training(unit="steps", count=1))
    app = opened({"bag_chart": "curve"}, link_of(traffic), parts=())

    def slide(length):
        app.select_slider(key="window_length_slider").set_value(length).run()

    slide(64)
    shape = scenario_of(checked(app)).shape
    assert (shape.context_length, shape.forecast_length) == (40, 24)
    assert not app.info
    slide(16)
    shape = scenario_of(checked(app)).shape
    assert (shape.context_length, shape.forecast_length, shape.series_lengths) == (0, 16, (17_536,))
    assert "L_F is now 16 and L_C 0. Series of 17,536 values have as many windows" in notes(app)
    assert "in up to 16 of the bag's 15,103,102 windows" in headline(app)
    slide(120)
    assert scenario_of(checked(app)) == traffic


def test_one_window_holds_one_record(opened):
    app = opened({"context_length": "0"})
    assert_sound(app, "bag_lengths")
    assert "It **holds for one individual" in headline(app)


def test_rates_are_refused_and_lead_back_to_the_shape(opened):
    app = opened(link=link_of(SHORT.with_rates(bottom_rate=0.5)))
    refused = "Bottom-level rate r = 0.5 is not allowed: rates alone do not determine how many"
    assert refused in errors(app)
    assert "how many windows one bag has follows from a data shape only" in notes(app)
    app.button(key="bag_shape").click().run()
    assert_sound(app, "bag_lengths")
    assert scenario_of(app) == SHORT


def test_rates_without_a_shape_lead_to_the_presets(opened):
    rates = {"bottom_rate": "0.1", "top_rate": "0.1", "steps_per_epoch": "10", "batch_size": "4"}
    more = {"noise_multiplier": "1", "steps": "5", "delta": "1e-7"}
    app = opened(link=rates | more, parts=())
    assert "rates alone" in errors(app)
    assert "start from a preset or a file" in captions(app)
    app.selectbox(key="preset").set_value("toy").run()
    assert not checked(app).error
    assert headline(app)


def test_own_windows_per_series_are_compared_and_one_is_offered(opened):
    app = opened({"num_subsequences": "4", "bag_chart": "curve"}, parts=())
    assert "Drawing series first, 4 windows each, **guarantees" in headline(app)
    assert "settings' 4 windows per series; a bag has no such choice" in captions(app)
    app.button(key="one_window").click().run()
    assert scenario_of(checked(app)) == SHORT
    assert "Drawing series first, 1 window each" in headline(app)
    assert "settings'" not in captions(app)


# Every scheme, every extreme, links.


CHANGES = ({}, {"forecast_noise": "2.0"}, {"relation": "user", "relation_width": "3"})


@pytest.mark.parametrize("top", TOP_LEVELS)
def test_every_scheme_is_compared(opened, top):
    app = opened(parts=())
    for bottom, changes in product(BOTTOM_LEVELS, CHANGES):
        if (top, bottom) == ("flat", "poisson"):
            continue
        link = LINK | {"top_level": top, "bottom_level": bottom} | changes
        view = "curve" if changes else "lengths"
        app.query_params.clear()
        for name, value in (link | {"bag_chart": view}).items():
            app.query_params[name] = value
        assert_sound(app.run(), KEYS[view])
        assert not app.warning
        assert scenario_of(app) == from_fields(fields_from_query(link))
        assert ("nothing is proven**: Proposition C.2" in headline(app)) == (
            "forecast_noise" in changes
        )


def test_series_of_several_lengths_say_what_is_missing(opened):
    several = replace(SHORT, data=replace(TOY.data, series_lengths=(20, 30)))
    for view, key in KEYS.items():
        app = opened({"bag_chart": view}, link_of(several), parts=())
        assert_sound(app, key)
        assert "the series have several lengths" in headline(app)
        assert "counted as if all had the shortest" in captions(app)


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
    assert_sound(app, KEYS[view])


@pytest.mark.parametrize("view", KEYS)
def test_link_reopens_exactly_what_was_seen(opened, open_page, view):
    app = opened({"bag_chart": view}, parts=())
    app.select_slider(key="noise_multiplier_slider").set_value(2.0).run()
    link = link_in_address_bar(checked(app))
    assert link == link_of(scenario_of(app), view=View(bag_chart=view))
    again = open_page(link, PAGE, parts=())
    assert not again.warning
    assert headline(again) == headline(app)
    assert chart(again, KEYS[view]) == chart(app, KEYS[view])


def test_chart_is_chosen_and_kept_in_the_link(opened):
    app = opened(parts=())
    keyed(app, "button_group", "bag_chart").set_value("curve").run()
    assert_sound(app, "one_bag")
    assert app.query_params["bag_chart"] == "curve"
    keyed(app, "button_group", "bag_chart").set_value("lengths").run()
    assert_sound(app, "bag_lengths")
    assert "bag_chart" not in app.query_params


@pytest.mark.parametrize("length", [16, 32])
def test_settings_that_figure_13_leaves_out_are_told(opened, length):
    data = {"num_series": "1000", "series_length": "10", "batch_size": "1000", "steps": "1"}
    app = opened(data | {"context_length": str(length - 1)}, parts=())
    assert_sound(app, "bag_lengths")
    assert re.search(rf"= {length / 10:g} is above 1\.", captions(app))
    assert "A series has only 10 windows" in captions(app)
