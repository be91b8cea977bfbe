"""The page about who is protected: its answer, drawing, settings and file."""

import csv
import io

import pytest

from dpviz.planning import curves_of
from dpviz.planning.protection import at_relation
from dpviz.scenario import PRESETS
from dpviz.wording.numbers import rounded_up
from tests.pages.acts import act, control, press
from tests.pages.app import (
    assert_sound,
    chart,
    chart_title,
    checked,
    described,
    headline,
    link_in_address_bar,
    said,
    scenario_of,
    state_of,
    warnings,
)
from tests.pages.protection_page import HOURLY, KEY, LINK, SHORT, WIDTHS, lines


def test_headline_drawing_and_chart_agree(open_protection):
    app = open_protection()
    assert_sound(app, KEY)
    shown = scenario_of(app)
    epsilon = rounded_up(curves_of(shown).epsilon_upper)
    assert "any single value of one series, changed by any amount" in headline(app)
    assert f"**ε ≤ {epsilon} at δ = 10⁻⁷** (upper bound, Theorem 4.4 composed over 10 steps)" in (
        headline(app)
    )
    assert chart_title(app, KEY) == "2 of 20 windows hold one given value"
    assert "**2 of 20 windows**" in said(app)
    assert chart_title(app, WIDTHS).startswith(f"At δ = 10⁻⁷, ε ≤ {epsilon} for 1 value")
    assert lines(app)["series-0-own"]["text"] == [f"ε ≤ {epsilon}"]
    assert "car that passes many sensors" in said(app)


def test_both_relations_are_drawn_from_one_value_to_the_whole_series(open_protection):
    app = open_protection()
    drawn = lines(app)
    for side in ("upper", "lower"):
        event, user = (drawn[f"series-{at}-{side}"] for at in (0, 1))
        assert event["x"] == [1, 2, 5, 10, 19, 20]
        assert user["x"] == [1, 10, 20]
        assert event["y"][0] == user["y"][0]
        assert event["y"][-1] == user["y"][-1]
    assert event["name"].startswith("in a row")
    assert "In a row (event), 6 points" in described(app, WIDTHS)


def test_ready_relations_can_be_chosen_taken_back_and_linked(open_protection):
    app = open_protection(HOURLY)
    for name, level, width in (
        ("two-weeks", "event", 336),
        ("four-visits", "user", 4),
        ("whole-series", "event", 2000),
        ("one-value", "event", 1),
    ):
        press(app, f"ready_{name}")
        assert_sound(app, KEY)
        relation = scenario_of(app).relation
        assert (relation.level, relation.width) == (level, width)
        assert app.query_params["relation"] == level
        assert app.query_params["relation_width"] == str(width)
    press(app, "undo")
    assert scenario_of(checked(app)).relation.width == 2000
    press(app, "reset_all")
    assert scenario_of(checked(app)).relation.width == 1


def test_two_weeks_need_a_time_step_that_can_be_set_right_there(open_protection):
    app = open_protection()
    assert control(app, "ready_two-weeks").disabled
    assert "Two weeks of one person: enter the time from value to value first." in said(app)
    act(app, "time_step", "1 day")
    assert not control(checked(app), "ready_two-weeks").disabled
    press(app, "ready_two-weeks")
    assert_sound(app, KEY)
    assert "any 2 weeks (14 values in a row) of one series, each changed" in headline(app)
    act(app, "time_step", "1 month")
    assert control(checked(app), "ready_two-weeks").disabled
    assert "months do not divide into weeks" in said(app)


def test_times_can_be_typed_for_w(open_protection):
    app = open_protection(HOURLY)
    act(app, "relation_width", "1 week")
    assert_sound(app, KEY)
    assert scenario_of(app).relation.width == 168
    assert "any 1 week (168 values in a row)" in headline(app)
    act(app, "relation_width", "much")
    assert "How many, w = 'much' is not allowed" in warnings(checked(app))
    assert scenario_of(app).relation.width == 168


def test_slider_and_relation_change_the_drawing_and_the_answer(open_protection):
    app = open_protection()
    act(app, "relation_width", 5)
    assert_sound(app, KEY)
    assert chart_title(app, KEY) == "6 of 20 windows hold any of 5 values in a row"
    act(app, "relation", "user")
    assert_sound(app, KEY)
    assert chart_title(app, KEY) == "10 of 20 windows hold any of 5 values apart from each other"
    epsilon = rounded_up(curves_of(scenario_of(app)).epsilon_upper)
    assert f"ε ≤ {epsilon}" in headline(app)
    assert lines(app)["series-0-upper"]["name"].startswith("anywhere")


def test_dates_follow_the_first_day(open_protection):
    app = open_protection(HOURLY | {"relation_width": "336"})
    assert "Drawn: from Monday 8 January 2024 to Sunday 21 January 2024." in said(app)
    assert "Monday 8 January 2024" in described(app, KEY)
    act(app, "first_date", "2025-03-01")
    assert_sound(app, KEY)
    assert state_of(app).view.first_date == "2025-03-01"
    assert "Drawn: from Monday 3 March 2025 to Sunday 16 March 2025." in said(app)
    again = open_protection(link_in_address_bar(app))
    assert said(again) == said(app)
    assert control(again, "first_date").value == "2025-03-01"


def test_four_visits_have_four_dates(open_protection):
    app = open_protection(HOURLY | {"relation": "user", "relation_width": "4"})
    assert said(app).count("January 2024, 00:00") == 4
    assert len([t for t in chart(app, KEY)["data"] if t["uid"].startswith("starts-")]) == 4


def test_points_know_which_relation_a_click_on_them_means(open_protection):
    app = open_protection()
    customdata = {
        uid: set(trace["customdata"]) for uid, trace in lines(app).items() if "upper" in uid
    }
    assert customdata == {"series-0-upper": {"event"}, "series-1-upper": {"user"}}


def test_csv_has_every_point_with_its_meaning(open_protection, downloads):
    open_protection(LINK | {"relation_width": "3"})
    text = downloads["Download CSV"]()
    rows = list(csv.DictReader(line for line in io.StringIO(text) if not line.startswith("#")))
    assert [int(row["protected_values"]) for row in rows] == [1, 2, 3, 5, 10, 19, 20, 1, 10, 20]
    own = next(row for row in rows if row["protected_values"] == "3")
    exact_value = curves_of(at_relation(SHORT, "event", 3)).epsilon_upper
    assert float(own["epsilon_upper"]) == pytest.approx(exact_value, rel=1e-9)
    assert own["upper_meaning"] == "upper bound, Theorem 4.4 composed over 10 steps"
    assert own["individual"].startswith("any 3 consecutive values of one series")
    assert rows[-1]["individual"].startswith("any 20 values of one series")
    assert "epsilon at delta = 1e-07 against protected_values" in text


@pytest.mark.slow
def test_every_preset_is_answered(open_protection):
    app = open_protection()
    act(app, "preset", "solar_10_minutes")
    assert_sound(app, KEY)
    assert scenario_of(app) == PRESETS["solar_10_minutes"].scenario
    press(app, "ready_two-weeks")
    assert "any 2 weeks (2,016 values in a row)" in headline(checked(app))
    assert "An excerpt: values " in said(app)


def test_folded_settings_are_at_hand(open_protection):
    app = open_protection(parts=("open_data", "open_sampling", "open_augmentation"))
    assert_sound(app, KEY)
    assert control(app, "num_series").text == "320"
    assert control(app, "top_level").value == "without-replacement"
    assert control(app, "context_noise").value == 0.0
    assert control(app, "delta").value == 1e-7
