"""Whatever a message of acts holds: each counts once, no page breaks, nothing else changes."""

import json
from dataclasses import replace

import pytest

from tests.pages.app import FOLDED_PARTS, TOY, Page, link_of
from tests.scenario.changes import varied

SHORT = varied(TOY, steps=10)


def opened(page="privacy_curve", query=None, parts=FOLDED_PARTS):
    app = Page(link=link_of(SHORT) if query is None else query, parts=parts)
    return app.go_to(page)


def sigma(app):
    return app.scenario.noise.noise_multiplier


def steps(app):
    return app.scenario.num_steps


def heard(app):
    return json.loads(app.keyed("bidi_component", "acts").proto.bytes)["heard"]


def everything(app):
    state = app.state
    return state.scenario, state.pins, state.view, list(state.history.past)


def test_an_act_that_was_heard_is_passed_over():
    app = opened(parts=())
    first = app.message([("noise_multiplier", 2.0)])
    app.send(first)
    app.act("noise_multiplier", 5.0)
    app.send(first)
    assert sigma(app) == 5.0
    assert len(app.state.history.past) == 2


def test_what_is_sent_again_with_something_new_is_taken_once():
    app = opened(parts=())
    app.press("pin")
    told = app.message([("pin_a_remove", ""), ("noise_multiplier", 2.0), ("pin", "")])
    told["acts"][0]["value"] = app.control("pin_a_remove").spec["means"]
    told["acts"].pop()
    app.send(told)
    assert (app.state.pins, sigma(app)) == ((), 2.0)
    app.press("undo")
    told["acts"].append({"number": 5, "name": "noise_multiplier", "value": "3", "gesture": 1})
    app.send(told)
    assert sigma(app) == 3.0
    assert heard(app) == 5


def test_acts_of_another_opening_are_void():
    app = opened(parts=())
    late = app.message([("noise_multiplier", 2.0)])
    app.open_link(link_of(TOY))
    app.send(late)
    assert app.scenario == TOY
    assert heard(app) == 0
    app.act("noise_multiplier", 3.0)
    assert sigma(app) == 3.0


def test_acts_of_one_message_are_taken_in_their_order():
    app = opened(parts=())
    app.acts([("noise_multiplier", 2.0), ("steps", 20), ("noise_multiplier", 3.0)])
    assert (sigma(app), steps(app)) == (3.0, 20)
    app.acts([("undo", ""), ("undo", ""), ("noise_multiplier", 4.0), ("undo", "")])
    assert (sigma(app), steps(app)) == (2.0, 10)
    app.acts([("steps", 30), ("noise_multiplier", "much"), ("redo", "")])
    assert (sigma(app), steps(app)) == (2.0, 30)
    assert "'much'" in app.control("noise_multiplier").spec["problem"]


def test_an_act_of_one_message_may_be_on_what_another_has_changed():
    """What counts is what was meant: two acts on parts of one thing do not undo each other."""
    app = opened()
    app.acts([("batch_size", "16"), ("num_series", "64"), ("num_subsequences", 4)])
    data, sampling = app.scenario.shape, app.scenario.sampling
    assert (data.num_series, sampling.batch_size, sampling.num_subsequences) == (64, 16, 4)


def test_steps_stay_steps_though_training_is_counted_in_epochs_by_now():
    """The slider still shows steps while the page has no answer to the choice of epochs."""
    app = opened(parts=())
    app.acts([("training_unit", "epochs"), ("steps", 200)])
    assert app.scenario.training == replace(TOY.training, unit="epochs", count=20)
    app.acts([("training_unit", "steps"), ("epochs", 3)])
    assert app.scenario.training == replace(TOY.training, unit="steps", count=30)


def drag(app, gesture, *values):
    for value in values:
        app.act("noise_multiplier", value, gesture=gesture)


def assert_undone_to(app, *values):
    """Undo one change after the other, until there is none."""
    for value in values:
        app.press("undo")
        assert sigma(app) == value
    assert app.control("undo").disabled


def test_a_drag_is_one_change_to_take_back():
    app = opened(parts=())
    drag(app, 7, 2.0, 3.0, 4.0)
    drag(app, 8, 5.0)
    assert_undone_to(app, 4.0, 1.0)
    app.press("redo")
    assert sigma(app) == 4.0
    app.press("undo")
    drag(app, 7, 3.0)  # that goes on after undo is a change of its own
    assert_undone_to(app, 1.0)


def test_a_drag_back_to_where_it_began_leaves_nothing_to_take_back():
    app = opened(parts=())
    drag(app, 6, 2.0, 3.0, 1.0)
    assert app.control("undo").disabled
    drag(app, 6, 4.0)  # still the same drag
    drag(app, 7, 2.0, 4.0, 3.0)
    assert_undone_to(app, 4.0, 1.0)


@pytest.mark.parametrize("passed", [(), (2.0,), (2.0, 3.0)])
def test_a_drag_that_ends_on_what_is_refused_is_back_where_it_began(passed):
    """Whatever it passed, and however much of that the server has seen."""
    app = opened(parts=())
    drag(app, 6, 4.0)
    drag(app, 7, *passed, -1.0)
    assert sigma(app) == 4.0
    assert "is not allowed" in app.control("noise_multiplier").spec["problem"]
    assert_undone_to(app, 1.0)


@pytest.mark.slow
def test_a_button_that_means_something_else_by_now_does_nothing():
    app = opened("planner", parts=())
    plan = app.control("plan_adopt").spec["means"]
    app.act("target_epsilon", 2.0)
    assert app.control("plan_adopt").spec["means"] != plan
    before = everything(app)
    app.act("plan_adopt", plan)
    assert everything(app) == before
    app.press("plan_adopt")
    assert app.scenario != TOY


def test_what_cannot_be_pressed_or_set_is_not():
    app = opened(query=link_of(SHORT.with_rates(bottom_rate=0.5)))
    before = everything(app)
    assert app.control("num_series").disabled
    assert app.control("undo").disabled
    app.acts([("num_series", "10"), ("undo", ""), ("relation", "user"), ("relation_width", "3")])
    assert everything(app) == before


def test_acts_that_come_together_with_another_page_are_taken():
    """Streamlit has forgotten then which key the message belongs to."""
    app = opened(parts=())
    told = app.message([("noise_multiplier", 2.0)])
    states = app._tree.get_widget_states()
    app.switch_page("pages/protection.py")
    app._tree.get_widget_states = lambda: states
    app.send(told)
    assert sigma(app) == 2.0
    assert app.title[0].value == "See it"


def test_an_address_that_stood_there_before_does_not_open_the_old_settings_when_it_comes_late():
    app = opened(parts=())
    old = app.link
    app.act("noise_multiplier", 2.0)
    now = app.link
    app.open_link(old)
    assert sigma(app) == 2.0
    assert app.link == now
    assert len(app.state.history.past) == 1
    # An act that came with the old address is taken on the settings as they are.
    app.query_params["noise_multiplier"] = "1.0"
    app.act("steps", 20)
    assert (sigma(app), steps(app)) == (2.0, 20)


def test_who_goes_back_in_the_browser_gets_the_old_settings(monkeypatch):
    app = opened(parts=())
    old = app.link
    app.act("noise_multiplier", 2.0)
    monkeypatch.setattr("dpviz.ui.address.goes_through_history", lambda: True)
    app.open_link(old)
    assert sigma(app) == 1.0
    monkeypatch.undo()
    app.press("undo")
    assert sigma(app) == 2.0


@pytest.mark.slow
def test_a_choice_of_something_that_was_left_meanwhile_is_none():
    """The sixth column of one table is not that of another one."""
    app = opened("paper_tables", {"reported_table": "2", "reported_column": "0"}, parts=())
    app.acts([("reported_table", "7"), ("reported_column_2", "5")])
    view = app.state.view
    assert (view.reported_table, view.reported_column) == ("7", 0)


# Streamlit itself refuses a message of more than a megabyte.
MALFORMED = [
    None, 0, "", [], {}, {"acts": []}, float("nan"), "x" * 900_000,
    {"opening": None, "acts": None}, {"opening": [], "acts": {}},
]  # fmt: skip
ACTS = [
    None, 0, "steps", [], {}, [{}], {"number": 1}, {"name": "steps"},
    *({"number": number, "name": "noise_multiplier", "value": "2", "gesture": 1}
      for number in (None, "1", 1.0, True, 0, -1, [], {}, float("nan"), 10**400, 2**53)),
    *({"number": 1, "name": name, "value": "2"}
      for name in (None, 1, [], {}, "", "nobody", "acts", "x" * 900_000, "__class__")),
]  # fmt: skip


def test_malformed_messages_do_nothing_and_raise_nothing():
    app = opened(parts=())
    before = everything(app)
    opening = app.message([])["opening"]
    for told in MALFORMED:
        app.send(told)
    for acts_told in (None, 0, "acts", {}, {"number": 1}):
        app.send({"opening": opening, "acts": acts_told})
    for one in ACTS:
        app.send({"opening": opening, "acts": [one]})
        assert everything(app) == before, one
    app.act("noise_multiplier", 2.0)
    assert sigma(app) == 2.0


def test_of_very_many_acts_in_a_message_the_first_are_taken():
    app = opened(parts=())
    opening, start, name = app.message([])["opening"], heard(app), "noise_multiplier"
    told = [
        {"number": start + at, "name": name, "value": str(1 + at / 1000), "gesture": 1}
        for at in range(1, 10_001)
    ]
    app.send({"opening": opening, "acts": told})
    assert 1.0 < sigma(app) < 2.0
    assert heard(app) - start < 1000
