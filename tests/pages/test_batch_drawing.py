"""The page about how a batch is drawn: what it tells, its buttons, its file and its link."""

import csv
import io
from dataclasses import replace

import numpy as np
import pytest

from dpviz.planning.drawn_batches import drawn_batch, drawn_run
from dpviz.planning.step_outputs import step_outputs
from dpviz.scenario import PRESETS
from dpviz.settings import View
from dpviz.settings.attacker import MOST_DRAWN_BATCHES
from dpviz.wording.numbers import rounded_up
from tests.pages.acts import act, control, press
from tests.pages.app import (
    TOY,
    assert_sound,
    chart,
    chart_title,
    checked,
    described,
    headline,
    link_in_address_bar,
    notes,
    said,
    scenario_of,
    state_of,
    warnings,
)
from tests.pages.batch_drawing_page import KEY, LINK, OUTPUTS


def test_headline_and_chart_name_bound_unit_and_whom(open_batch_drawing):
    app = open_batch_drawing()
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
    assert "guesses right with more than " in said(app)
    assert "the lines are made up." in said(app)


def test_one_bag_says_what_one_step_tells_of_an_individual(open_batch_drawing):
    """Of a fixed size what is attained is drawn, beside the upper bound; by coins they are one."""
    app = open_batch_drawing(LINK | {"top_level": "flat"})
    assert "at least 0.02131 apart** (total variation distance, lower bound, Proposition C.2" in (
        headline(app)
    )
    assert "any single value of one series" in headline(app)
    outputs = step_outputs(scenario_of(app))
    assert (
        "By upper bound, dpviz's Proposition 4, the distance is at most "
        f"{rounded_up(outputs.upper.quoted)}, for any single value of one series"
    ) in said(app)
    assert outputs.lower.quoted <= outputs.upper.quoted
    app = open_batch_drawing(LINK | {"top_level": "flat", "bottom_level": "poisson"})
    assert "upper bound, Theorem E.8, attained by some gradients" in headline(app)


def test_next_previous_and_a_new_run_change_link_and_drawing(open_batch_drawing):
    app = open_batch_drawing(LINK | {"drawn_batch": "20"})
    for key, number in (("next_batch", 21), ("next_batch", 22), ("previous_batch", 21)):
        press(app, key)
        assert_sound(app, KEY)
        assert app.query_params["drawn_batch"] == str(number)
        assert chart_title(app, KEY).startswith(f"Batch {number}, ")
        assert control(app, "drawn_batch").value == number
    before = chart(app, KEY)["data"]
    press(app, "other_run")
    assert_sound(app, KEY)
    assert app.query_params["drawing_seed"] == "2"
    assert chart(app, KEY)["data"] != before
    press(app, "next_hit")
    found = state_of(checked(app)).view.drawn_batch
    run = drawn_run(scenario_of(app), 2, found)
    assert run.hits[-1] > 0
    assert not run.hits[21:-1].any()
    again = open_batch_drawing(link_in_address_bar(app))
    assert chart(again, KEY) == chart(app, KEY)
    assert headline(again) == headline(app)


def test_first_and_last_batch_are_the_ends(open_batch_drawing):
    assert control(open_batch_drawing(), "previous_batch").disabled
    app = open_batch_drawing(LINK | {"drawn_batch": str(MOST_DRAWN_BATCHES)})
    for key in ("next_batch", "next_hit", "play_batches"):
        assert control(app, key).disabled
    assert chart_title(app, KEY).startswith("Batch 2,000, ")


def test_no_later_hit_is_told(open_batch_drawing):
    link = LINK | {"series_length": "100000", "drawn_batch": "1999"}
    app = open_batch_drawing(link)
    press(app, "next_hit")
    assert "No later batch of this run has a sensitive window" in notes(checked(app))
    assert state_of(app).view.drawn_batch == 1999


def test_playing_sends_the_next_batches_once_and_stops_where_the_browser_says(open_batch_drawing):
    app = open_batch_drawing(LINK | {"drawn_batch": "30"})
    press(app, "play_batches")
    assert_sound(app, KEY)
    sent = chart(app, KEY)
    assert len(sent["frames"]) == 21
    assert sent["frames"][20]["alt"].startswith("Batch 50, ")
    assert control(app, "next_batch").disabled
    assert app.query_params["drawn_batch"] == "30"
    # A setting that changes meanwhile is drawn, and played on from the same batch.
    act(app, "num_subsequences", 2)
    assert_sound(app, KEY)
    assert len(chart(app, KEY)["frames"]) == 21


def test_file_has_every_window_of_the_batch_and_the_counts(open_batch_drawing, downloads):
    open_batch_drawing(LINK | {"drawn_batch": "17", "drawing_seed": "3"})
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
def test_code_prints_the_windows_of_the_batch(open_batch_drawing, capsys, scheme):
    app = open_batch_drawing(LINK | scheme | {"drawn_batch": "5"}, parts=("open_code",))
    exec(compile(app.code[0].value, "shown", "exec"), {})
    printed = capsys.readouterr().out.splitlines()
    batch = drawn_batch(scenario_of(app), 1, 5)
    assert printed[0] == f"batch 5: {len(batch)} windows"
    assert printed[1] == (
        f"series {batch.series[0] + 1}: forecast from value {batch.starts[0] + 1} on"
    )
    assert len(printed) == len(batch) + 1


def test_link_with_a_batch_that_is_not_allowed_names_it_and_keeps_the_rest(open_batch_drawing):
    app = open_batch_drawing(LINK | {"drawn_batch": "0", "drawing_seed": "7"})
    assert_sound(app, KEY)
    assert "drawn_batch = 0.0 is not allowed" in warnings(app)
    assert state_of(app).view == View(drawing_seed=7)


@pytest.mark.slow
def test_every_preset_is_drawn(open_batch_drawing):
    app = open_batch_drawing()
    for name, preset in PRESETS.items():
        act(app, "preset", name)
        assert_sound(app, KEY)
        assert scenario_of(app) == preset.scenario


def test_folded_settings_are_at_hand_and_change_the_drawing(open_batch_drawing):
    app = open_batch_drawing(parts=("open_data", "open_relation", "open_augmentation"))
    before = described(app, KEY)
    act(app, "batch_size", "8")
    assert_sound(app, KEY)
    assert described(app, KEY) != before
    assert control(app, "forecast_noise").value == 0.0
    act(app, "forecast_length", "5")
    assert_sound(app, KEY)
    assert scenario_of(app).data.forecast_length == 5
