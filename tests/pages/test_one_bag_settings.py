"""What moving a setting does on the page that compares one bag of windows with series first."""

import re
from dataclasses import replace

import pytest

from dpviz.planning.one_bag import bag_size
from dpviz.scenario import PRESETS, Noise, Sampling, Training
from tests.pages.acts import act, control, press
from tests.pages.app import (
    TOY,
    assert_sound,
    captions,
    checked,
    errors,
    headline,
    link_of,
    notes,
    scenario_of,
    warnings,
)
from tests.pages.one_bag_page import KEYS, SHORT, lines


def test_bag_grows_by_series_and_the_batch_keeps_its_part(open_one_bag):
    app = open_one_bag(parts=())
    act(app, "bag_size", 20_000)
    scenario = scenario_of(checked(app))
    assert (scenario.shape.num_series, scenario.shape.start_positions) == (1000, 20)
    assert scenario.sampling.batch_size == 100
    assert "of the bag's 20,000 windows" in headline(app)
    assert control(app, "batch_share").value == 0.005
    assert not notes(app)
    act(app, "bag_size", 6400)
    assert scenario_of(app) == SHORT
    press(app, "undo")
    assert bag_size(scenario_of(checked(app)).data) == 20_000


def test_typed_bag_is_rounded_to_whole_series_and_it_is_told(open_one_bag):
    app = open_one_bag(parts=())
    act(app, "bag_size", "1e4+")
    assert "Windows in the bag N_total = '1e4+' is not allowed: it must be a whole" in warnings(app)
    act(app, "bag_size", "10,010")
    assert scenario_of(checked(app)).shape.num_series == 500
    assert "The bag has 10,000 windows: 20 windows of each of 500 series." in notes(app)


def test_ratio_changes_the_batch_and_rounding_is_told(open_one_bag):
    app = open_one_bag({"bag_chart": "curve"}, parts=())
    act(app, "batch_share", 0.01)
    assert scenario_of(checked(app)).sampling.batch_size == 64
    act(app, "batch_share", "0.0002")
    assert scenario_of(checked(app)).sampling.batch_size == 1
    assert "Λ is a whole number of windows, 1: 0.0001563 of the bag." in notes(app)
    act(app, "batch_share", "2")
    assert "Batch ratio Λ / N_total = 2.0 is not allowed" in warnings(app)


def test_batches_of_more_windows_than_series_come_from_the_bag_and_it_is_told(open_one_bag):
    app = open_one_bag({"bag_chart": "curve"}, parts=())
    act(app, "batch_share", 0.1)
    assert_sound(app, "one_bag")
    assert scenario_of(app).sampling == Sampling(batch_size=640, top_level="flat")
    assert "Batches of 640 cannot be made of 1 window of each series" in notes(app)
    assert "and series first (2 windows each)**" in headline(app)
    assert "needs at least 2 of each" in captions(app)
    press(app, "undo")
    assert scenario_of(checked(app)) == SHORT


def test_batch_for_which_there_is_no_other_side_is_told(open_one_bag):
    few = replace(TOY.data, num_series=2, series_lengths=(2000,))
    bag = Sampling(batch_size=3000, top_level="flat")
    noise = Noise(noise_multiplier=100.0)
    scenario = replace(SHORT, data=few, sampling=bag, noise=noise)
    for view, key in KEYS.items():
        app = open_one_bag({"bag_chart": view}, link_of(scenario), parts=())
        assert_sound(app, key)
        assert "such a batch needs more than 1,024 windows of each" in captions(app)
        assert not any(uid.startswith("series-3") for uid in lines(app, key))


def test_window_length_moves_the_context_and_then_the_forecast(open_one_bag):
    traffic = replace(PRESETS["traffic"].scenario, training=Training(unit="steps", count=1))
    app = open_one_bag({"bag_chart": "curve"}, link_of(traffic), parts=())

    def slide(length):
        act(app, "window_length", length)

    slide(64)
    shape = scenario_of(checked(app)).shape
    assert (shape.context_length, shape.forecast_length) == (40, 24)
    assert not notes(app)
    slide(16)
    shape = scenario_of(checked(app)).shape
    assert (shape.context_length, shape.forecast_length, shape.series_lengths) == (0, 16, (17_536,))
    assert "L_F is now 16 and L_C 0. Series of 17,536 values have as many windows" in notes(app)
    assert "in up to 16 of the bag's 15,103,102 windows" in headline(app)
    slide(120)
    assert scenario_of(checked(app)) == traffic


def test_one_window_holds_one_record(open_one_bag):
    app = open_one_bag({"context_length": "0"})
    assert_sound(app, "bag_lengths")
    assert "in 1 of the bag's 6,400 windows" in headline(app)
    assert "than was promised" not in headline(app)


def test_rates_are_refused_and_lead_back_to_the_shape(open_one_bag):
    app = open_one_bag(link=link_of(SHORT.with_rates(bottom_rate=0.5)))
    refused = "Bottom-level rate r = 0.5 is not allowed: rates alone do not determine how many"
    assert refused in errors(app)
    assert "how many windows one bag has follows from a data shape only" in notes(app)
    press(app, "bag_shape")
    assert_sound(app, "bag_lengths")
    assert scenario_of(app) == SHORT


def test_rates_without_a_shape_lead_to_the_presets(open_one_bag):
    rates = {"bottom_rate": "0.1", "top_rate": "0.1", "steps_per_epoch": "10", "batch_size": "4"}
    more = {"noise_multiplier": "1", "steps": "5", "delta": "1e-7"}
    app = open_one_bag(link=rates | more, parts=())
    assert "rates alone" in errors(app)
    assert "start from a preset or a file" in captions(app)
    act(app, "preset", "toy")
    assert not checked(app).error
    assert headline(app)


def test_own_windows_per_series_are_compared_and_one_is_offered(open_one_bag):
    app = open_one_bag({"num_subsequences": "4", "bag_chart": "curve"}, parts=())
    assert "series first (4 windows each)" in headline(app)
    assert "the 4 windows per series of your settings" in captions(app)
    press(app, "one_window")
    assert scenario_of(checked(app)) == SHORT
    assert "series first (1 window each)" in headline(app)
    assert "settings'" not in captions(app)


@pytest.mark.parametrize("length", [16, 32])
def test_settings_that_figure_13_leaves_out_are_told(open_one_bag, length):
    data = {"num_series": "1000", "series_length": "10", "batch_size": "1000", "steps": "1"}
    app = open_one_bag(data | {"context_length": str(length - 1)}, parts=())
    assert_sound(app, "bag_lengths")
    assert re.search(rf"= {length / 10:g} is above 1:", captions(app))
    assert "A series has only 10 windows" in captions(app)
