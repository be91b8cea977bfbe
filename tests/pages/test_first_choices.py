"""After a file of series nothing is answered before windows and batch are chosen."""

import pytest

from dpviz.wording.numbers import rounded
from dpviz.wording.setting_values import training_length


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
        app.open_series("hours.csv", HOURS)
        return app

    return opened


@pytest.mark.parametrize("page", ["privacy_curve", "planner", "protection", "label_noise"])
def test_a_file_asks_for_what_it_leaves_open_instead_of_answering(with_file, page):
    app = with_file(page)
    assert set(ASKED) <= set(app.controls)
    assert "ε" not in app.headline
    assert "N = 8 series of 240 values" in app.headline
    # Examples in the data's own time, no values.
    assert [app.control(name).value for name in ASKED] == ["", "", ""]
    assert app.control("first_context_length").spec["placeholder"] == "such as 168 (1 week)"
    scenario = app.scenario
    kept = f"{training_length(scenario)} and σ = {rounded(scenario.noise.noise_multiplier)} stay"
    assert any(kept in one.value for one in app.caption)


def test_the_answer_comes_with_the_last_of_the_three(with_file, downloads):
    app = with_file()
    link = app.link
    app.act("first_context_length", "2 days")
    app.act("first_batch_size", "4")
    assert "ε" not in app.headline
    assert downloads["Download CSV"]().partition(": ")[2].startswith("Choose")
    # A link would claim that what is open was chosen.
    assert app.link == link
    app.act("first_forecast_length", "12")
    assert "ε ≤" in app.headline
    assert not set(ASKED) & set(app.controls)
    shape = app.scenario.shape
    assert (shape.context_length, shape.forecast_length) == (48, 12)
    assert app.scenario.sampling.batch_size == 4
    assert app.link["context_length"] == "48"


def test_what_is_usual_for_the_time_step_can_be_taken_with_one_press(with_file):
    app = with_file()
    app.act("first_batch_size", "4")
    assert "L_C = 168, Forecast length L_F = 24, Batch size Λ = 4" in str(app.control("first_keep"))
    app.press("first_keep")
    assert "ε ≤" in app.headline
    shape = app.scenario.shape
    assert (shape.context_length, shape.forecast_length) == (168, 24)
    assert app.scenario.sampling.batch_size == 4
    app.press("undo")
    assert set(ASKED) <= set(app.controls)


def test_where_a_series_has_no_room_for_what_is_usual_nothing_is_suggested(open_page):
    app = open_page()
    app.open_series("hours.csv", hours(96))
    assert [app.control(name).spec["placeholder"] for name in ASKED] == [""] * 3
    app.press("first_keep")
    assert app.scenario.shape.context_length == 1


def test_what_the_visitor_had_chosen_before_is_not_asked_again(open_page):
    app = open_page()
    for field, value in (("context_length", 5), ("forecast_length", 3), ("batch_size", 2)):
        app.act(field, value)
    app.open_series("hours.csv", HOURS)
    assert "ε ≤" in app.headline


def test_a_refused_number_says_why_and_stays_open(with_file):
    app = with_file()
    app.act("first_batch_size", "many")
    assert "'many'" in app.control("first_batch_size").spec["problem"]
    assert app.state.unchosen


def test_a_preset_and_undo_end_the_questions(with_file):
    app = with_file()
    app.press("undo")
    assert "ε ≤" in app.headline
    app = with_file()
    app.act("preset", "traffic")
    assert "ε ≤" in app.headline


def test_undo_redo_and_reset_keep_open_what_nobody_has_chosen(with_file):
    app = with_file()
    app.act("noise_multiplier", 2)
    app.press("undo")
    assert "ε" not in app.headline
    app.press("undo")
    assert "ε ≤" in app.headline
    app.press("redo")
    assert "ε" not in app.headline
    for field, value in (("context_length", 48), ("forecast_length", 12), ("batch_size", 4)):
        app.act(f"first_{field}", value)
    assert "ε ≤" in app.headline
    app.press("undo")
    assert "ε" not in app.headline
    app.press("redo")
    app.press("reset_all")
    assert "ε" not in app.headline


def test_rates_are_refused_while_windows_are_open(with_file):
    app = with_file()
    app.act("bottom_rate", 0.5)
    assert "windows and batch of your file" in app.control("bottom_rate").spec["problem"]
    assert set(ASKED) <= set(app.controls)


def test_nothing_that_is_open_can_be_saved_or_entered_into_the_ledger(with_file, downloads):
    with_file()
    assert downloads["Save scenario"]().startswith("Choose")
    assert with_file("ledger").control("ledger_add").disabled
