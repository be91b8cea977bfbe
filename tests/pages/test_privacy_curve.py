"""The privacy-curve page, by its controls and what it then says."""

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.scenario import PRESETS, to_fields
from tests.pages.app import box, checked, exact, headline, link_of, notes, scenario_of, warnings

ROOT = Path(__file__).parents[2]
WAIT_SECONDS = 60


def test_first_visit_shows_the_toy_setting_with_direction_theorem_unit_and_delta(open_page):
    sentence = headline(open_page())
    assert "ε ≤ 19.03 at δ = 10⁻⁷" in sentence
    assert "upper bound, Theorem 4.4 composed over 1,000 steps" in sentence
    assert "ε = 17.53 at this δ (attained lower bound)" in sentence
    assert "any single value of one series" in sentence


@pytest.mark.parametrize("name", list(PRESETS))
def test_every_preset_can_be_chosen_and_then_is_the_state(open_page, name):
    app = open_page()
    app.selectbox(key="preset").set_value(name).run()
    checked(app)
    assert scenario_of(app) == PRESETS[name].scenario
    assert app.selectbox(key="preset").value == name
    # What sets it apart from the paper's own runs is said beside it.
    assert any(PRESETS[name].source in caption.value for caption in app.caption)


def test_address_bar_always_holds_the_whole_state(open_page):
    app = open_page()
    app.select_slider(key="noise_multiplier_slider").set_value(2.0).run()
    fields = to_fields(scenario_of(app))
    assert set(app.query_params) == set(fields)
    assert app.query_params["noise_multiplier"] == "2.0"


def test_link_reopens_exactly_the_same_numbers(open_page):
    app = open_page()
    app.select_slider(key="noise_multiplier_slider").set_value(1.5).run()
    app.select_slider(key="steps_slider").set_value(200).run()
    again = open_page(link_of(scenario_of(app)))
    assert scenario_of(again) == scenario_of(app)
    assert headline(again) == headline(app)


def test_slider_and_exact_entry_are_views_of_one_number(open_page):
    app = open_page()
    exact(app, "noise_multiplier").set_value("1.234").run()
    assert checked(app).select_slider(key="noise_multiplier_slider").value == 1.234
    app.select_slider(key="noise_multiplier_slider").set_value(5.0).run()
    assert exact(checked(app), "noise_multiplier").value == "5"
    # The exact number stays a stop of the slider, to come back to.
    app.select_slider(key="noise_multiplier_slider").set_value(1.234).run()
    assert scenario_of(checked(app)).noise.noise_multiplier == 1.234


def test_a_late_report_of_an_exact_entry_changes_nothing(open_page):
    """A box says again what it showed, while the slider has long moved on."""
    app = open_page()
    late = exact(app, "noise_multiplier")
    app.select_slider(key="noise_multiplier_slider").set_value(5.0).run()
    late.set_value("3.0").run()
    assert scenario_of(checked(app)).noise.noise_multiplier == 5.0


def test_moving_a_rate_enters_rates_mode_says_so_and_leads_back(open_page):
    app = open_page()
    before = scenario_of(app)
    app.select_slider(key="bottom_rate_slider").set_value(0.5).run()
    checked(app)
    assert scenario_of(app).shape is None
    assert scenario_of(app).bottom_rate == 0.5
    assert "no longer follow from the data's shape" in notes(app)
    assert box(app, "num_series").disabled
    assert box(app, "relation_width").disabled
    next(button for button in app.button if "Back" in button.label).click().run()
    assert scenario_of(checked(app)) == before


def test_rates_without_a_shape_can_be_opened(open_page):
    app = open_page(
        {
            "schema": "1", "bottom_rate": "0.1", "top_rate": "0.1", "steps_per_epoch": "10",
            "batch_size": "32", "noise_multiplier": "1", "steps": "1000", "delta": "1e-7",
        }
    )  # fmt: skip
    assert not app.warning
    assert "ε ≤ 19.03" in headline(app)


def test_bad_field_of_a_link_is_named_and_the_others_are_kept(open_page):
    link = link_of(PRESETS["traffic"].scenario) | {"noise_multiplier": "loud", "extra": "1"}
    app = open_page(link)
    assert "noise_multiplier = 'loud'" in warnings(app)
    assert "extra" in warnings(app)
    assert scenario_of(app).data == PRESETS["traffic"].scenario.data


def test_refused_value_is_named_and_the_one_before_it_kept(open_page):
    app = open_page()
    box(app, "batch_size").set_value("321").run()
    checked(app)
    assert "Batch size Λ = 321 is not allowed" in warnings(app)
    assert scenario_of(app).sampling.batch_size == 32
    assert box(app, "batch_size").value == "32"


def test_fewer_series_than_a_batch_draws_lower_the_batch_and_it_is_said(open_page):
    app = open_page()
    box(app, "num_series").set_value("10").run()
    assert scenario_of(checked(app)).shape.num_series == 10
    assert scenario_of(app).sampling.batch_size == 10
    assert "Batch size lowered to 10" in notes(app)


def test_link_of_another_schema_is_not_read_as_this_one(open_page):
    app = open_page(link_of(PRESETS["traffic"].scenario) | {"schema": "2"})
    assert "schema" in warnings(app)
    assert "is used" not in warnings(app)
    assert scenario_of(app) == PRESETS["toy"].scenario


@pytest.mark.parametrize(
    ("field", "value"),
    [("top_level", "shuffled"), ("top_level", "flat"), ("forecast_noise", "2.0")],
)
def test_settings_that_are_not_drawn_are_named(open_page, field, value):
    app = open_page(link_of(PRESETS["toy"].scenario) | {field: value})
    assert f"{field} = " in app.error[0].value.replace("\\", "")


@pytest.mark.parametrize(
    ("changes", "theorem"),
    [({"num_subsequences": "4"}, "F.1"), ({"bottom_level": "poisson"}, "F.2")],
)
def test_every_row_with_a_band_is_drawn(open_page, changes, theorem):
    app = open_page(link_of(PRESETS["toy"].scenario) | changes)
    assert f"Theorem {theorem} composed over 1,000 steps" in headline(app)


def test_deterministic_headline_counts_epochs(open_page):
    app = open_page()
    app.radio(key="top_level").set_value("deterministic").run()
    assert "Theorem 4.2 composed over 100 epochs" in headline(checked(app))


def test_steps_and_epochs_convert_into_each_other(open_page):
    app = open_page()
    app.radio(key="training_unit").set_value("epochs").run()
    assert scenario_of(checked(app)).training.count == 100
    assert "ε ≤ 19.03" in headline(app)


def test_wider_relation_is_stated_in_the_data_s_own_time(open_page):
    app = open_page(link_of(PRESETS["traffic"].scenario))
    box(app, "relation_width").set_value("336").run()
    assert "any 336 consecutive values (2 weeks) of one series" in headline(checked(app))


def test_folded_parts_are_drawn_only_when_opened():
    app = AppTest.from_file(ROOT / "app.py", default_timeout=WAIT_SECONDS)
    app.switch_page("pages/privacy_curve.py")
    checked(app.run())
    assert not any("Batch size" in number.label for number in app.text_input)


def test_table_of_deltas_agrees_with_the_headline(open_page):
    app = open_page()
    table = next(text.value for text in app.markdown if "lower to upper bound" in text.value)
    assert "| 1 | 0.354 to 0.533 |" in table
    assert "Theorem 4.4, 1,000 steps" in table


def test_delta_can_be_changed(open_page):
    app = open_page()
    app.select_slider(key="delta_slider").set_value(1e-5).run()
    assert "at δ = 10⁻⁵" in headline(checked(app))


EXTREMES = [
    {"bottom_rate": 1e-9, "top_rate": 1e-9},
    {"bottom_rate": 1.0, "top_rate": 1.0},
    {"noise_multiplier": 0.1},
    {"noise_multiplier": 100.0},
    {"steps": 1},
    {"delta": 1e-15},
    {"delta": 0.999},
]


@pytest.mark.parametrize("extreme", EXTREMES, ids=json.dumps)
def test_extremes_of_every_control_give_an_answer(open_page, extreme):
    app = open_page()
    for name, value in extreme.items():
        exact(app, name).set_value(str(value)).run()
        checked(app)
    assert not app.error
    assert "at δ" in headline(app)


def test_longest_training_at_the_least_noise_gives_an_answer(open_page):
    app = open_page()
    exact(app, "noise_multiplier").set_value("0.1").run()
    exact(app, "steps").set_value("10000000").run()
    assert "at δ" in headline(checked(app))


def test_file_gives_number_and_lengths_of_the_series(open_page):
    app = open_page()
    rows = [f"{name},{t},{t}" for name in "abc" for t in range(30)]
    content = "\n".join(["series_id,t,value", *rows]).encode()
    app.file_uploader(key="upload_0").set_value(("mine.csv", content, "text/csv")).run()
    checked(app)
    assert "N = 3 series of 30 values" in notes(app)
    assert scenario_of(app).shape.num_series == 3
    # Three series cannot fill a batch of 32, and the page says what it did about it.
    assert scenario_of(app).sampling.batch_size == 3
    assert "batch" in notes(app)


def test_unreadable_file_is_refused_with_the_reason_and_nothing_is_lost(open_page):
    app = open_page()
    before = scenario_of(app)
    app.file_uploader(key="upload_0").set_value(("mine.csv", b"", "text/csv")).run()
    assert "The file was not used." in warnings(checked(app))
    assert scenario_of(app) == before


def test_saved_scenario_can_be_opened_again(open_page):
    fixture = json.dumps(to_fields(PRESETS["solar_10_minutes"].scenario)).encode()
    app = open_page()
    app.file_uploader(key="upload_0").set_value(("s.json", fixture, "application/json")).run()
    assert scenario_of(checked(app)) == PRESETS["solar_10_minutes"].scenario
