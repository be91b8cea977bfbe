"""After a file of series nothing is answered before windows and batch are chosen."""

import pytest

from dpviz.wording.numbers import rounded
from dpviz.wording.setting_values import training_length
from tests.pages.acts import act, control, controls, open_series, press
from tests.pages.app import checked, headline, link_in_address_bar, scenario_of, state_of


def hours(length):
    rows = [
        f"{name},2024-01-{1 + t // 24:02d} {t % 24:02d}:00,1"
        for name in "abcdefgh"
        for t in range(length)
    ]
    return "\n".join(["series_id,t,value", *rows]).encode()


HOURS = hours(240)
ASKED = ("first_context_length", "first_forecast_length", "first_batch_size")


@pytest.fixture
def with_file(open_page):
    def opened(page: str = "privacy_curve", link=None):
        app = open_page(link, page)
        open_series(app, "hours.csv", HOURS)
        return checked(app)

    return opened


@pytest.mark.parametrize("page", ["privacy_curve", "planner", "protection", "label_noise"])
def test_a_file_asks_for_what_it_leaves_open_instead_of_answering(with_file, page):
    app = with_file(page)
    assert set(ASKED) <= set(controls(app))
    assert "ε" not in headline(app)
    assert "N = 8 series of 240 values" in headline(app)
    # Examples in the data's own time, no values.
    assert [control(app, name).value for name in ASKED] == ["", "", ""]
    assert control(app, "first_context_length").spec["placeholder"] == "such as 168 (1 week)"
    scenario = scenario_of(app)
    kept = f"{training_length(scenario)} and σ = {rounded(scenario.noise.noise_multiplier)} stay"
    assert any(kept in one.value for one in app.caption)


def test_the_answer_comes_with_the_last_of_the_three(with_file, downloads):
    app = with_file()
    link = link_in_address_bar(app)
    act(app, "first_context_length", "2 days")
    act(app, "first_batch_size", "4")
    assert "ε" not in headline(app)
    assert downloads["Download CSV"]().startswith("# Choose")
    # A link would claim that what is open was chosen.
    assert link_in_address_bar(app) == link
    act(app, "first_forecast_length", "12")
    assert "ε ≤" in headline(app)
    assert not set(ASKED) & set(controls(app))
    shape = scenario_of(app).shape
    assert (shape.context_length, shape.forecast_length) == (48, 12)
    assert scenario_of(app).sampling.batch_size == 4
    assert link_in_address_bar(app)["context_length"] == "48"


def test_what_is_usual_for_the_time_step_can_be_taken_with_one_press(with_file):
    app = with_file()
    act(app, "first_batch_size", "4")
    assert "L_C = 168, Forecast length L_F = 24, Batch size Λ = 4" in str(
        control(app, "first_keep")
    )
    press(app, "first_keep")
    assert "ε ≤" in headline(app)
    shape = scenario_of(app).shape
    assert (shape.context_length, shape.forecast_length) == (168, 24)
    assert scenario_of(app).sampling.batch_size == 4
    press(app, "undo")
    assert set(ASKED) <= set(controls(app))


def test_where_a_series_has_no_room_for_what_is_usual_nothing_is_suggested(open_page):
    app = open_page()
    open_series(app, "hours.csv", hours(96))
    assert [control(checked(app), name).spec["placeholder"] for name in ASKED] == [""] * 3
    press(app, "first_keep")
    assert scenario_of(app).shape.context_length == 1


def test_what_the_visitor_had_chosen_before_is_not_asked_again(open_page):
    app = open_page()
    for field, value in (("context_length", 5), ("forecast_length", 3), ("batch_size", 2)):
        act(app, field, value)
    open_series(app, "hours.csv", HOURS)
    assert "ε ≤" in headline(checked(app))


def test_a_refused_number_says_why_and_stays_open(with_file):
    app = with_file()
    act(app, "first_batch_size", "many")
    assert "'many'" in control(app, "first_batch_size").spec["problem"]
    assert state_of(app).unchosen


def test_a_preset_and_undo_end_the_questions(with_file):
    app = with_file()
    press(app, "undo")
    assert "ε ≤" in headline(app)
    app = with_file()
    act(app, "preset", "traffic")
    assert "ε ≤" in headline(app)


def test_undo_redo_and_reset_keep_open_what_nobody_has_chosen(with_file):
    app = with_file()
    act(app, "noise_multiplier", 2)
    press(app, "undo")
    assert "ε" not in headline(app)
    press(app, "undo")
    assert "ε ≤" in headline(app)
    press(app, "redo")
    assert "ε" not in headline(app)
    for field, value in (("context_length", 48), ("forecast_length", 12), ("batch_size", 4)):
        act(app, f"first_{field}", value)
    assert "ε ≤" in headline(app)
    press(app, "undo")
    assert "ε" not in headline(app)
    press(app, "redo")
    press(app, "reset_all")
    assert "ε" not in headline(app)


def test_rates_are_refused_while_windows_are_open(with_file):
    app = with_file()
    act(app, "bottom_rate", 0.5)
    assert "windows and batch of your file" in control(app, "bottom_rate").spec["problem"]
    assert set(ASKED) <= set(controls(app))


def test_nothing_that_is_open_can_be_saved_or_entered_into_the_ledger(with_file, downloads):
    with_file()
    assert downloads["Save scenario"]().startswith("Choose")
    assert control(with_file("ledger"), "ledger_add").disabled
