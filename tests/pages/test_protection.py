"""The page about who is protected: its answer, drawing, settings and file, by every scheme."""

from dataclasses import replace

from dpviz.planning import curves_of
from dpviz.planning.first_windows import FIELDS, chosen_value
from dpviz.scenario import DataShape
from dpviz.wording.numbers import rounded_up
from tests.pages.app import RATES, TOY, link_of, series_csv
from tests.scenario.changes import varied

PAGE = KEY = "protection"
WIDTHS = "protection_widths"
SHORT = varied(TOY, steps=10)
LINK = link_of(SHORT)
DAILY = LINK | {"series_length": "40", "context_length": "5", "time_step": "1 day"}


def test_headline_drawing_and_chart_agree(opened):
    app = opened()
    app.assert_sound(KEY)
    shown = app.scenario
    epsilon = rounded_up(curves_of(shown).epsilon_upper)
    assert f"**ε ≤ {epsilon} at δ = 10⁻⁷** (upper bound, Theorem 4.4 composed over 10 steps)" in (
        app.headline
    )
    assert app.chart_title(KEY) == "2 of 20 windows hold one given value"
    assert app.chart_title(WIDTHS).startswith(f"At δ = 10⁻⁷, ε ≤ {epsilon} for 1 value")
    assert app.traces(WIDTHS)["series-0-own"]["text"] == [f"ε ≤ {epsilon}"]
    # A click on a point means the relation of its line.
    upper = {uid: one for uid, one in app.traces(WIDTHS).items() if "upper" in uid}
    levels = {uid: set(one["customdata"]) for uid, one in upper.items()}
    assert levels == {"series-0-upper": {"event"}, "series-1-upper": {"user"}}


def test_two_weeks_need_a_time_step_that_can_be_set_right_there(opened):
    app = opened()
    assert app.control("ready_two-weeks").disabled
    assert "Two weeks of one person: enter the time from value to value first." in app.said
    app.act("time_step", "1 day")
    assert not app.control("ready_two-weeks").disabled
    app.press("ready_two-weeks")
    app.assert_sound(KEY)
    assert "any 2 weeks (14 values in a row) of one series, each changed" in app.headline
    app.act("time_step", "1 month")
    assert app.control("ready_two-weeks").disabled
    assert "months do not divide into weeks" in app.said


def test_slider_and_relation_change_the_drawing_and_the_answer(opened):
    app = opened()
    app.act("relation_width", 5)
    app.assert_sound(KEY)
    assert app.chart_title(KEY) == "6 of 20 windows hold any of 5 values in a row"
    app.act("relation", "user")
    app.assert_sound(KEY)
    assert app.chart_title(KEY) == "10 of 20 windows hold any of 5 values apart from each other"
    epsilon = rounded_up(curves_of(app.scenario).epsilon_upper)
    assert f"ε ≤ {epsilon}" in app.headline
    assert app.traces(WIDTHS)["series-0-upper"]["name"].startswith("anywhere")


def test_dates_follow_the_first_day(opened):
    app = opened(DAILY | {"relation_width": "14"})
    assert "Shown: from Monday 8 January 2024 to Sunday 21 January 2024." in app.said
    app.act("first_date", "2025-03-01")
    app.assert_sound(KEY)
    assert app.state.view.first_date == "2025-03-01"
    assert "Shown: from Monday 10 March 2025 to Sunday 23 March 2025." in app.said


def test_rates_fix_who_is_protected_and_the_way_back_is_offered(opened):
    app = opened(LINK | RATES)
    app.assert_sound(KEY)
    assert WIDTHS not in app.chart_keys
    assert not [name for name in app.controls if name.startswith("ready_")]
    app.press("protection_shape")
    app.assert_sound(KEY)
    assert isinstance(app.scenario.data, DataShape)
    assert app.traces(WIDTHS)


def test_rates_that_never_had_a_shape_are_not_sent_back_to_it(open_page):
    bare = replace(SHORT.with_rates(bottom_rate=0.1).data, last_shape=None)
    for page in (PAGE, "epsilon_meaning"):
        app = open_page(link_of(replace(SHORT, data=bare)), page)
        told = app.said + " ".join(one.value for one in app.info)
        assert "start from a preset, or open a file" in told
        assert "go back to" not in told


def test_widths_that_need_lengths_that_are_not_known_are_left_out(opened):
    shape = {"series_length": "20,30", "longer_series_beyond": "21", "bottom_level": "poisson"}
    app = opened(LINK | shape | {"relation_width": "2"})
    app.assert_sound(KEY)
    assert max(app.traces(WIDTHS)["series-0-upper"]["x"]) == 20


def test_relation_that_the_lengths_of_a_file_do_not_allow_is_refused_by_name(opened):
    app = opened(parts=("open_data",))
    app.open_series("mine.csv", series_csv(range(20, 241)))
    chosen = {f"first_{field}": chosen_value(app.scenario, field) for field in FIELDS}
    app.acts([*chosen.items()])
    app.assert_sound(KEY)
    app.press("ready_whole-series")
    assert "at most 200 lengths" in app.warnings
    assert app.scenario.relation.width == 1
    app.assert_sound(KEY)


def test_bands_are_told_of_where_there_are_some(opened):
    for top_level in ("bins", "without-replacement"):
        said = opened(link_of(varied(SHORT, num_subsequences=2, top_level=top_level))).captions
        assert ("Bands: down to" in said) == (top_level != "bins")
        assert ("No lower bound is proven here." in said) == (top_level == "bins")
