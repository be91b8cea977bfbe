"""The page of the privacy curve: its state, its link, its controls and its numbers."""

from dataclasses import replace

import pytest

from dpviz.scenario import PRESETS, to_fields
from tests.pages.acts import act, control, controls, message, press, send
from tests.pages.app import (
    TOY,
    chart,
    checked,
    described,
    headline,
    link_of,
    notes,
    scenario_of,
    warnings,
)


def test_first_visit_shows_the_toy_setting_with_direction_theorem_unit_and_delta(open_page):
    sentence = headline(open_page())
    assert "ε ≤ 19.03 at δ = 10⁻⁷" in sentence
    assert "upper bound, Theorem 4.4 composed over 1,000 steps" in sentence
    assert "ε = 17.59 at this δ (lower bound, attained)" in sentence
    assert "any single value of one series" in sentence


@pytest.mark.parametrize("name", list(PRESETS))
def test_every_preset_can_be_chosen_and_then_is_the_state(open_page, name):
    app = open_page()
    act(app, "preset", name)
    checked(app)
    assert scenario_of(app) == PRESETS[name].scenario
    assert control(app, "preset").value == name
    # What sets it apart from the paper's own runs is said beside it.
    assert any(PRESETS[name].source in caption.value for caption in app.caption)


def test_address_bar_always_holds_the_whole_state(open_page):
    app = open_page()
    act(app, "noise_multiplier", 2.0)
    fields = to_fields(scenario_of(app))
    assert set(app.query_params) == set(fields)
    assert app.query_params["noise_multiplier"] == "2.0"


def test_a_delta_that_promises_little_is_told(open_page):
    def told(delta):
        page = open_page(link_of(replace(TOY, delta=delta)))
        return "promises little" in control(page, "delta").spec["warning"]

    assert told(1 / 320)
    assert not told(1 / 321)


def test_slider_and_exact_entry_are_views_of_one_number(open_page):
    app = open_page()
    act(app, "noise_multiplier", "1.234")
    assert control(checked(app), "noise_multiplier").value == 1.234
    act(app, "noise_multiplier", 5.0)
    assert control(checked(app), "noise_multiplier").text == "5"
    # The exact number stays a stop of the slider, to come back to.
    act(app, "noise_multiplier", 1.234)
    assert scenario_of(checked(app)).noise.noise_multiplier == 1.234


def test_what_was_typed_and_is_sent_again_late_changes_nothing(open_page):
    """A browser sends an act again that it has no answer to, while the slider has moved on."""
    app = open_page()
    typed = message(app, [("noise_multiplier", "3.0")])
    send(app, typed)
    assert scenario_of(app).noise.noise_multiplier == 3.0
    act(app, "noise_multiplier", 5.0)
    send(app, typed)
    assert scenario_of(checked(app)).noise.noise_multiplier == 5.0


def test_moving_a_rate_enters_rates_mode_says_so_and_leads_back(open_page):
    app = open_page()
    before = scenario_of(app)
    act(app, "bottom_rate", 0.5)
    checked(app)
    assert scenario_of(app).shape is None
    assert scenario_of(app).bottom_rate == 0.5
    assert "not from the data's shape" in notes(app)
    assert control(app, "num_series").disabled
    assert control(app, "relation_width").disabled
    press(app, next(name for name, one in controls(app).items() if "Back" in one.label))
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
    act(app, "batch_size", "321")
    checked(app)
    assert "Batch size Λ = 321 is not allowed" in warnings(app)
    assert scenario_of(app).sampling.batch_size == 32
    assert control(app, "batch_size").text == "32"


def test_fewer_series_than_a_batch_draws_lower_the_batch_and_it_is_said(open_page):
    app = open_page()
    act(app, "num_series", "10")
    assert scenario_of(checked(app)).shape.num_series == 10
    assert scenario_of(app).sampling.batch_size == 10
    assert "Batch size lowered to 10" in notes(app)


def test_link_of_another_schema_is_not_read_as_this_one(open_page):
    app = open_page(link_of(PRESETS["traffic"].scenario) | {"schema": "2"})
    assert "schema" in warnings(app)
    assert "is used" not in warnings(app)
    assert scenario_of(app) == TOY


def test_chart_draws_one_run_and_its_title_quotes_the_headline(open_page):
    app = open_page()
    drawn = {trace["legendgroup"] for trace in chart(app, "privacy_curve")["data"]}
    assert drawn == {"series-0"}
    assert described(app, "privacy_curve").startswith(
        "After 1,000 training steps: ε ≤ 19.03 at δ = 10⁻⁷"
    )
    words = described(app, "privacy_curve")
    assert (
        "at delta 1e-07 epsilon is at most 19.03 (Theorem 4.4 composed over 1,000 steps)" in words
    )
    assert "and at least 17.59 (dpviz's Proposition 9 composed over 1,000 steps)" in words


def test_names_of_choices_keep_their_capitals(open_page):
    options = control(open_page(), "top_level").options
    assert "Series drawn by coins (Poisson)" in options
    assert all(name[0].isupper() for name in options)


def test_steps_and_epochs_convert_into_each_other(open_page):
    app = open_page()
    act(app, "training_unit", "epochs")
    assert scenario_of(checked(app)).training.count == 100
    assert "ε ≤ 19.03" in headline(app)


def test_wider_relation_is_stated_in_the_data_s_own_time(open_page):
    app = open_page(link_of(PRESETS["traffic"].scenario))
    act(app, "relation_width", "336")
    assert "any 336 consecutive values (2 weeks) of one series" in headline(checked(app))


def test_folded_parts_are_drawn_only_when_opened(open_page):
    app = open_page(parts=())
    assert not any("Batch size" in one.label for one in controls(app).values())
    assert not app.get("code")


def test_table_of_deltas_agrees_with_the_headline(open_page):
    app = open_page()
    table = next(text.value for text in app.markdown if "lower to upper bound" in text.value)
    assert "| 1 | 0.378 to 0.533 |" in table
    assert "[Theorem 4.4](theorems#theorem-4-4), 1,000 steps" in table


def test_delta_can_be_changed(open_page):
    app = open_page()
    act(app, "delta", 1e-5)
    assert "at δ = 10⁻⁵" in headline(checked(app))
