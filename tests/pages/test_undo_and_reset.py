"""Ways back from a change of the settings."""

import pytest

from dpviz.scenario import PRESETS
from tests.pages.acts import act, control, go_back, press
from tests.pages.app import TOY, checked, headline, link_of, scenario_of, state_of, warnings

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
    assert control(app, "undo").disabled
    assert control(app, "reset_all").disabled
    assert not any(control(app, field).can_go_back for field in SLIDERS)


def test_changes_are_taken_back_one_by_one(open_page):
    app = open_page()
    first = headline(app)
    act(app, "noise_multiplier", 2.0)
    second = headline(app)
    act(app, "top_level", "deterministic")
    act(app, "num_series", "10")
    assert scenario_of(checked(app)).sampling.batch_size == 10
    press(app, "undo")
    assert scenario_of(checked(app)).shape.num_series == 320
    assert scenario_of(app).sampling.batch_size == 32
    press(app, "undo")
    assert headline(checked(app)) == second != first
    press(app, "undo")
    assert headline(checked(app)) == first
    assert scenario_of(app) == TOY
    assert control(app, "undo").disabled


def test_undo_moves_every_control_and_the_link_back(open_page):
    app = open_page()
    act(app, "noise_multiplier", 2.0)
    act(app, "top_level", "shuffled")
    press(app, "undo")
    press(app, "undo")
    assert control(checked(app), "noise_multiplier").value == 1.0
    assert control(app, "noise_multiplier").text == "1"
    assert control(app, "top_level").value == "without-replacement"
    assert app.query_params["noise_multiplier"] == "1.0"
    assert app.query_params["top_level"] == "without-replacement"


def test_refused_value_is_no_step_to_take_back(open_page):
    app = open_page()
    act(app, "noise_multiplier", "loud")
    assert warnings(checked(app))
    assert control(app, "undo").disabled


@pytest.mark.parametrize(("field", "value"), SLIDERS.items())
def test_button_beside_a_number_takes_only_that_one_back(open_page, field, value):
    app = open_page(parts=("open_relation", "open_augmentation"))
    other = "noise_multiplier" if field != "noise_multiplier" else "steps"
    act(app, other, SLIDERS[other])
    before = control(app, field).value
    act(app, field, value)
    assert control(app, field).can_go_back
    go_back(app, field)
    assert control(app, field).value == before
    assert not control(app, field).can_go_back
    assert control(app, other).value == SLIDERS[other]


def test_numbers_go_back_to_the_preset_that_was_chosen(open_page):
    app = open_page()
    act(app, "preset", "traffic")
    act(app, "noise_multiplier", 1.0)
    go_back(app, "noise_multiplier")
    assert scenario_of(checked(app)) == PRESETS["traffic"].scenario
    assert control(app, "reset_all").disabled


def test_all_numbers_go_back_to_the_link_that_was_opened(open_page):
    link = link_of(TOY) | {"noise_multiplier": "1.7", "steps": "70"}
    app = open_page(link)
    opened = scenario_of(app)
    act(app, "noise_multiplier", 5.0)
    act(app, "bottom_level", "poisson")
    press(app, "reset_all")
    assert scenario_of(checked(app)) == opened
    assert control(app, "noise_multiplier").text == "1.7"
    assert control(app, "reset_all").disabled
    # Going back is itself a change that can be taken back.
    press(app, "undo")
    assert scenario_of(checked(app)).sampling.bottom_level == "poisson"


def test_steps_go_back_in_the_unit_that_is_counted_in(open_page):
    app = open_page()
    act(app, "training_unit", "epochs")
    act(app, "epochs", 20)
    go_back(app, "epochs")
    assert scenario_of(checked(app)).training.count == 100
    assert scenario_of(app).num_steps == TOY.num_steps


def test_budget_goes_back_to_the_first_one(open_page):
    app = open_page(link_of(TOY) | {"chart": "training", "steps": "10"})
    act(app, "target_epsilon", 5.0)
    assert state_of(checked(app)).view.target_epsilon == 5.0
    go_back(app, "target_epsilon")
    assert state_of(checked(app)).view.target_epsilon == 10.0


def test_link_over_other_settings_can_be_taken_back(open_page):
    app = open_page()
    act(app, "noise_multiplier", 2.0)
    before = scenario_of(app)
    for name, value in link_of(PRESETS["traffic"].scenario).items():
        app.query_params[name] = value
    del app.query_params["steps"]
    app.run()
    assert scenario_of(checked(app)) == PRESETS["traffic"].scenario
    press(app, "undo")
    assert scenario_of(checked(app)) == before
