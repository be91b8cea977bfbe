"""Ways back from a change of the settings."""

import pytest

from dpviz.scenario import PRESETS
from tests.pages.app import (
    TOY,
    box,
    checked,
    exact,
    headline,
    link_of,
    scenario_of,
    state_of,
    warnings,
)

SLIDERS = {
    "bottom_rate": 0.5,
    "top_rate": 0.5,
    "noise_multiplier": 2.0,
    "steps": 10,
    "num_subsequences": 2,
    "delta": 1e-5,
    "context_noise": 1.0,
    "forecast_noise": 1.0,
}


def test_at_first_there_is_nothing_to_take_back(open_page):
    app = open_page()
    assert app.button(key="undo").disabled
    assert app.button(key="reset_all").disabled
    assert all(app.button(key=f"{field}_reset").disabled for field in SLIDERS)


def test_changes_are_taken_back_one_by_one(open_page):
    app = open_page()
    first = headline(app)
    app.select_slider(key="noise_multiplier_slider").set_value(2.0).run()
    second = headline(app)
    app.selectbox(key="top_level").set_value("deterministic").run()
    box(app, "num_series").set_value("10").run()
    assert scenario_of(checked(app)).sampling.batch_size == 10
    app.button(key="undo").click().run()
    assert scenario_of(checked(app)).shape.num_series == 320
    assert scenario_of(app).sampling.batch_size == 32
    app.button(key="undo").click().run()
    assert headline(checked(app)) == second != first
    app.button(key="undo").click().run()
    assert headline(checked(app)) == first
    assert scenario_of(app) == TOY
    assert app.button(key="undo").disabled


def test_undo_moves_every_control_and_the_link_back(open_page):
    app = open_page()
    app.select_slider(key="noise_multiplier_slider").set_value(2.0).run()
    app.selectbox(key="top_level").set_value("shuffled").run()
    app.button(key="undo").click().run()
    app.button(key="undo").click().run()
    assert checked(app).select_slider(key="noise_multiplier_slider").value == 1.0
    assert exact(app, "noise_multiplier").value == "1"
    assert app.selectbox(key="top_level").value == "without-replacement"
    assert app.query_params["noise_multiplier"] == "1.0"
    assert app.query_params["top_level"] == "without-replacement"


def test_refused_value_is_no_step_to_take_back(open_page):
    app = open_page()
    exact(app, "noise_multiplier").set_value("loud").run()
    assert warnings(checked(app))
    assert app.button(key="undo").disabled


@pytest.mark.parametrize(("field", "value"), SLIDERS.items())
def test_button_beside_a_number_takes_only_that_one_back(open_page, field, value):
    app = open_page(parts=("open_relation", "open_augmentation"))
    other = "noise_multiplier" if field != "noise_multiplier" else "steps"
    app.select_slider(key=f"{other}_slider").set_value(SLIDERS[other]).run()
    before = app.select_slider(key=f"{field}_slider").value
    app.select_slider(key=f"{field}_slider").set_value(value).run()
    assert not checked(app).button(key=f"{field}_reset").disabled
    app.button(key=f"{field}_reset").click().run()
    assert checked(app).select_slider(key=f"{field}_slider").value == before
    assert app.button(key=f"{field}_reset").disabled
    assert app.select_slider(key=f"{other}_slider").value == SLIDERS[other]


def test_numbers_go_back_to_the_preset_that_was_chosen(open_page):
    app = open_page()
    app.selectbox(key="preset").set_value("traffic").run()
    app.select_slider(key="noise_multiplier_slider").set_value(1.0).run()
    app.button(key="noise_multiplier_reset").click().run()
    assert scenario_of(checked(app)) == PRESETS["traffic"].scenario
    assert app.button(key="reset_all").disabled


def test_all_numbers_go_back_to_the_link_that_was_opened(open_page):
    link = link_of(TOY) | {"noise_multiplier": "1.7", "steps": "70"}
    app = open_page(link)
    opened = scenario_of(app)
    app.select_slider(key="noise_multiplier_slider").set_value(5.0).run()
    app.selectbox(key="bottom_level").set_value("poisson").run()
    app.button(key="reset_all").click().run()
    assert scenario_of(checked(app)) == opened
    assert exact(app, "noise_multiplier").value == "1.7"
    assert app.button(key="reset_all").disabled
    # Going back is itself a change that can be taken back.
    app.button(key="undo").click().run()
    assert scenario_of(checked(app)).sampling.bottom_level == "poisson"


def test_steps_go_back_in_the_unit_that_is_counted_in(open_page):
    app = open_page()
    app.radio(key="training_unit").set_value("epochs").run()
    app.select_slider(key="epochs_slider").set_value(20).run()
    app.button(key="epochs_reset").click().run()
    assert scenario_of(checked(app)).training.count == 100
    assert scenario_of(app).num_steps == TOY.num_steps


def test_budget_goes_back_to_the_first_one(open_page):
    app = open_page(link_of(TOY) | {"chart": "training", "steps": "10"})
    app.select_slider(key="target_epsilon_slider").set_value(5.0).run()
    assert state_of(checked(app)).view.target_epsilon == 5.0
    app.button(key="target_epsilon_reset").click().run()
    assert state_of(checked(app)).view.target_epsilon == 10.0


def test_link_over_other_settings_can_be_taken_back(open_page):
    app = open_page()
    app.select_slider(key="noise_multiplier_slider").set_value(2.0).run()
    before = scenario_of(app)
    for name, value in link_of(PRESETS["traffic"].scenario).items():
        app.query_params[name] = value
    del app.query_params["steps"]
    app.run()
    assert scenario_of(checked(app)) == PRESETS["traffic"].scenario
    app.button(key="undo").click().run()
    assert scenario_of(checked(app)) == before
