"""The page about how a batch is drawn."""

import csv
import io
from dataclasses import replace

import numpy as np
import pytest

from dpviz.planning.drawn_batches import drawn_batch, drawn_run
from dpviz.planning.step_outputs import step_outputs
from dpviz.scenario import PRESETS, View
from dpviz.scenario.data import LARGEST_COUNT, LONGEST_WINDOW, SMALLEST_RATE
from dpviz.scenario.mechanism import LARGEST_BATCH, MOST_SUBSEQUENCES, NOISE_MULTIPLIER_RANGE
from dpviz.scenario.relation import WIDEST_RELATION
from dpviz.scenario.view import LARGEST_SEED, MOST_DRAWN_BATCHES
from dpviz.wording.numbers import rounded_up
from tests.pages.app import (
    TOY,
    assert_sound,
    chart,
    chart_title,
    checked,
    described,
    errors,
    headline,
    keyed,
    link_in_address_bar,
    link_of,
    notes,
    scenario_of,
    state_of,
    warnings,
)

KEY, OUTPUTS, PARTITION = "batch_drawing", "step_outputs", "epoch_partition"
LINK = link_of(TOY) | {"context_length": "4", "forecast_length": "2"}
SCHEMES = [
    {"top_level": top, "bottom_level": bottom}
    for top in ("without-replacement", "deterministic", "shuffled", "poisson")
    for bottom in ("with-replacement", "poisson")
] + [{"top_level": "flat"}]
RATES = {"bottom_rate": "0.1", "top_rate": "0.1", "steps_per_epoch": "10"}


@pytest.fixture
def opened(open_page):
    return lambda link=LINK, parts=(): open_page(link, KEY, parts)


def said(app) -> str:
    return " ".join([text.value for text in app.markdown] + [text.value for text in app.caption])


def keys(app) -> set[str]:
    return {element.key for element in app.get("bidi_component")}


def traces(app) -> dict[str, dict]:
    return {trace["uid"]: trace for trace in chart(app, KEY)["data"]}


@pytest.mark.slow
@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda scheme: " ".join(scheme.values()))
@pytest.mark.parametrize(
    ("level", "width"), [("event", 1), pytest.param("user", 3, marks=pytest.mark.slow)]
)
def test_every_scheme_is_drawn_counted_and_told_with_its_theorem(opened, scheme, level, width):
    link = LINK | scheme | {"relation": level, "relation_width": str(width), "drawn_batch": "12"}
    app = opened(link)
    assert_sound(app, KEY)
    assert not app.warning
    scenario = scenario_of(app)
    run = drawn_run(scenario, 1, 2000, shown_from=12)
    assert chart_title(app, KEY).startswith(f"Batch 12, {run.shown[0].num_windows} window")
    walks = scheme["top_level"] in ("deterministic", "shuffled")
    counts = run.counts(in_its_step=walks)
    shares = dict(zip(traces(app)["whole"]["x"], traces(app)["whole"]["y"], strict=True))
    assert shares == {h: c / counts.sum() for h, c in enumerate(counts.tolist()) if c}
    assert f"**{counts[1:].sum():,} of {counts.sum():,} " in said(app)
    drawn = step_outputs(scenario).drawn
    assert f"bound, {'Proposition' if 'C' in drawn.bound.theorem else 'Theorem'} " in headline(app)
    assert f" {drawn.bound.theorem}" in headline(app)
    assert (PARTITION in keys(app)) == walks
    assert {KEY, OUTPUTS} <= keys(app)
    no_theorem = scheme == {"top_level": "poisson", "bottom_level": "with-replacement"}
    assert ("no theorem has them as weights" in headline(app)) == no_theorem


def test_headline_and_chart_name_bound_unit_and_whom(opened):
    app = opened()
    outputs = step_outputs(scenario_of(app))
    number = rounded_up(outputs.upper.quoted)
    assert f"at most {number} apart** (total variation distance, upper bound, Theorem 4.4, " in (
        headline(app)
    )
    assert "for one step" in headline(app)
    assert "any single value of one series, changed by any amount" in headline(app)
    assert (
        chart_title(app, OUTPUTS) == f"One noisy gradient: its outputs are at most {number} apart"
    )
    assert "guesses right with probability" in said(app)
    assert "The lines are made up." in said(app)


def test_one_bag_says_what_holds_for_one_window_only(opened):
    app = opened(LINK | {"top_level": "flat"})
    assert "lower bound, Proposition C.2" in headline(app)
    assert "at least" in headline(app)
    assert "for one window of the bag, not one individual" in said(app)


def test_next_previous_and_a_new_run_change_link_and_drawing(opened):
    app = opened(LINK | {"drawn_batch": "20"})
    for key, number in (("next_batch", 21), ("next_batch", 22), ("previous_batch", 21)):
        app.button(key=key).click().run()
        assert_sound(app, KEY)
        assert app.query_params["drawn_batch"] == str(number)
        assert chart_title(app, KEY).startswith(f"Batch {number}, ")
        assert app.select_slider(key="drawn_batch_slider").value == number
    before = chart(app, KEY)["data"]
    app.button(key="other_run").click().run()
    assert_sound(app, KEY)
    assert app.query_params["drawing_seed"] == "2"
    assert chart(app, KEY)["data"] != before
    app.button(key="next_hit").click().run()
    found = state_of(checked(app)).view.drawn_batch
    run = drawn_run(scenario_of(app), 2, found)
    assert run.hits[-1] > 0
    assert not run.hits[21:-1].any()
    again = opened(link_in_address_bar(app))
    assert chart(again, KEY) == chart(app, KEY)
    assert headline(again) == headline(app)


def test_first_and_last_batch_are_the_ends(opened):
    assert opened().button(key="previous_batch").disabled
    app = opened(LINK | {"drawn_batch": str(MOST_DRAWN_BATCHES)})
    for key in ("next_batch", "next_hit", "play_batches"):
        assert app.button(key=key).disabled
    assert chart_title(app, KEY).startswith("Batch 2,000, ")


def test_no_later_hit_is_told(opened):
    link = LINK | {"series_length": "100000", "drawn_batch": "1999"}
    app = opened(link)
    app.button(key="next_hit").click().run()
    assert "No later batch of this run has a sensitive window" in notes(checked(app))
    assert state_of(app).view.drawn_batch == 1999


def test_playing_sends_the_next_batches_once_and_stops_where_the_browser_says(opened):
    app = opened(LINK | {"drawn_batch": "30"})
    app.button(key="play_batches").click().run()
    assert_sound(app, KEY)
    sent = chart(app, KEY)
    assert len(sent["frames"]) == 21
    assert sent["frames"][20]["alt"].startswith("Batch 50, ")
    assert app.button(key="next_batch").disabled
    assert app.query_params["drawn_batch"] == "30"
    # A setting that changes meanwhile is drawn, and played on from the same batch.
    app.select_slider(key="num_subsequences_slider").set_value(2).run()
    assert_sound(app, KEY)
    assert len(chart(app, KEY)["frames"]) == 21


def test_file_has_every_window_of_the_batch_and_the_counts(opened, downloads):
    opened(LINK | {"drawn_batch": "17", "drawing_seed": "3"})
    scenario = replace(TOY, data=replace(TOY.data, context_length=4, forecast_length=2))

    def rows(name):
        text = downloads[name]()
        return list(csv.DictReader(line for line in io.StringIO(text) if line[0] != "#"))

    batch = drawn_batch(scenario, 3, 17)
    table = rows("Download CSV")
    assert [int(row["series"]) for row in table] == batch.series.tolist()
    assert [int(row["start"]) for row in table] == batch.starts.tolist()
    counted = rows("Download the counted hits as CSV")
    hits = drawn_run(scenario, 3, 2000).hits
    for name, last in (("batches 1 to 17", 17), ("batches 1 to 2000", 2000)):
        own = [row for row in counted if row["counted_over"] == name]
        assert {int(row["hits"]): int(row["counted"]) for row in own if row["counted"] != "0"} == {
            number: count for number, count in enumerate(np.bincount(hits[:last])) if count
        }
    assert float(counted[1]["probability"]) == pytest.approx(0.1 * 6 / 19)


@pytest.mark.parametrize("scheme", [{}, {"top_level": "flat"}, {"bottom_level": "poisson"}])
def test_code_prints_the_windows_of_the_batch(opened, capsys, scheme):
    app = opened(LINK | scheme | {"drawn_batch": "5"}, parts=("open_code",))
    exec(compile(app.code[0].value, "shown", "exec"), {})
    printed = capsys.readouterr().out.splitlines()
    batch = drawn_batch(scenario_of(app), 1, 5)
    assert printed[0] == f"batch 5: {len(batch)} windows"
    assert printed[1] == (
        f"series {batch.series[0] + 1}: forecast from value {batch.starts[0] + 1} on"
    )
    assert len(printed) == len(batch) + 1


EXTREMES = [
    {"noise_multiplier": NOISE_MULTIPLIER_RANGE[0]},
    {"noise_multiplier": NOISE_MULTIPLIER_RANGE[1]},
    {"num_series": 32},
    {"num_series": 1, "batch_size": 1},
    {"num_series": LARGEST_COUNT},
    {"series_length": 2},
    {"series_length": LARGEST_COUNT},
    {"series_length": LARGEST_COUNT, "bottom_level": "poisson"},
    {"context_length": 0},
    {"context_length": LONGEST_WINDOW},
    {"forecast_length": LONGEST_WINDOW, "series_length": LARGEST_COUNT},
    {"batch_size": 1},
    {"batch_size": 320},
    {"num_subsequences": MOST_SUBSEQUENCES, "batch_size": MOST_SUBSEQUENCES},
    {"num_subsequences": 32, "bottom_level": "poisson"},
    {"relation_width": WIDEST_RELATION},
    {"relation": "user", "relation_width": WIDEST_RELATION},
    {"drawing_seed": LARGEST_SEED, "drawn_batch": MOST_DRAWN_BATCHES},
    {"forecast_noise": 1.0},
]


@pytest.mark.slow
@pytest.mark.parametrize("settings", EXTREMES, ids=str)
@pytest.mark.parametrize("top", ["without-replacement", "shuffled"])
def test_extremes_are_drawn(opened, settings, top):
    if top == "shuffled" and settings.get("num_series") == LARGEST_COUNT:
        return  # see below
    app = opened(LINK | {"top_level": top} | {name: str(v) for name, v in settings.items()})
    assert not app.warning
    assert_sound(app, KEY)
    assert chart_title(app, OUTPUTS)


@pytest.mark.parametrize(
    ("settings", "field", "most"),
    [
        ({"num_series": LARGEST_COUNT, "top_level": "poisson"}, "Series N", "2,000,000"),
        ({"num_series": LARGEST_COUNT, "batch_size": LARGEST_BATCH}, "Batch size Λ", "100,000"),
    ],
)
def test_what_would_take_too_long_is_refused_by_name(opened, settings, field, most, downloads):
    app = opened(LINK | {name: str(value) for name, value in settings.items()})
    assert f"{field} = 1000000000 is not allowed: it must be at most {most} to draw" in errors(app)
    assert "cannot be drawn here" in downloads["Download CSV"]()


def test_fewer_batches_of_very_many_windows_are_drawn_and_that_is_said(opened):
    app = opened(LINK | {"num_series": "100000", "batch_size": "100000", "drawn_batch": "2000"})
    assert_sound(app, KEY)
    assert "Only 30 batches are drawn here instead of 2,000" in said(app)
    assert chart_title(app, KEY).startswith("Batch 30, 100,000 windows of 100,000 series")


def test_rates_have_an_answer_without_a_drawing_and_a_way_back(opened):
    app = opened(LINK | RATES)
    checked(app)
    assert "no batch can be drawn" in notes(app)
    assert "Theorem 4.4" in headline(app)
    assert keys(app) == {OUTPUTS, "copy_link"} & keys(app)
    app.button(key="batch_shape").click().run()
    assert_sound(app, KEY)
    for rate in (SMALLEST_RATE, 1.0):
        bare = RATES | {"bottom_rate": str(rate), "top_rate": str(rate), "batch_size": "4"}
        bare |= {"noise_multiplier": "1", "steps": "5", "delta": "1e-7"}
        app = opened(bare)
        assert not checked(app).error
        assert chart_title(app, OUTPUTS)


def test_link_with_a_batch_that_is_not_allowed_names_it_and_keeps_the_rest(opened):
    app = opened(LINK | {"drawn_batch": "0", "drawing_seed": "7"})
    assert_sound(app, KEY)
    assert "drawn_batch = 0.0 is not allowed" in warnings(app)
    assert state_of(app).view == View(drawing_seed=7)


@pytest.mark.slow
def test_every_preset_is_drawn(opened):
    app = opened()
    for name, preset in PRESETS.items():
        app.selectbox(key="preset").set_value(name).run()
        assert_sound(app, KEY)
        assert scenario_of(app) == preset.scenario


def test_folded_settings_are_at_hand_and_change_the_drawing(opened):
    app = opened(parts=("open_data", "open_relation", "open_augmentation"))
    before = described(app, KEY)
    box = next(one for one in app.text_input if one.key.startswith("box_batch_size_"))
    box.set_value("8").run()
    assert_sound(app, KEY)
    assert described(app, KEY) != before
    assert keyed(app, "select_slider", "forecast_noise_slider").value == 0.0
    box = next(one for one in app.text_input if one.key.startswith("box_forecast_length_"))
    box.set_value("5").run()
    assert_sound(app, KEY)
    assert scenario_of(app).data.forecast_length == 5
