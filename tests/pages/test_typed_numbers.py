"""What visitors type into the boxes of the privacy-curve page."""

import pytest

from dpviz.scenario import PRESETS
from tests.pages.app import box, checked, exact, link_of, scenario_of, warnings


@pytest.mark.parametrize(
    ("typed", "read"), [("1e4", 10_000), ("1,000", 1000), ("12 000", 12_000), (" 7 ", 7)]
)
def test_whole_numbers_are_read_as_people_type_them(open_page, typed, read):
    app = open_page()
    exact(app, "steps").set_value(typed).run()
    assert scenario_of(checked(app)).training.count == read


@pytest.mark.parametrize(
    ("name", "typed", "allowed"),
    [
        ("noise_multiplier", "0", "a number from 0.1 to 100"),
        ("noise_multiplier", "loud", "a number from 0.1 to 100"),
        ("bottom_rate", "2,5", "a number from 1e-09 to 1"),
        ("steps", "10.5", "a whole number from 1 to 10,000,000"),
        ("steps", "0", "a whole number from 1 to 10,000,000"),
        ("delta", "nan", "a number from 1e-15 to 0.999"),
    ],
)
def test_what_cannot_be_used_is_answered_with_value_and_range(open_page, name, typed, allowed):
    app = open_page()
    before = scenario_of(app)
    exact(app, name).set_value(typed).run()
    assert allowed in warnings(checked(app))
    assert scenario_of(app) == before
    assert exact(app, name).value != typed
    (toast,) = app.toast  # in sight from anywhere
    told = toast.value.replace("\\", "")
    assert allowed in told
    assert "more, at the top" not in told


def test_decimal_comma_is_one(open_page):
    app = open_page()
    exact(app, "noise_multiplier").set_value("2,5").run()
    assert scenario_of(checked(app)).noise.noise_multiplier == 2.5


def test_two_weeks_can_be_typed_once_the_time_step_is_known(open_page):
    app = open_page(link_of(PRESETS["traffic"].scenario))
    box(app, "relation_width").set_value("2 weeks").run()
    assert scenario_of(checked(app)).relation.width == 336
    box(app, "time_step").set_value("10 minutes").run()
    assert str(scenario_of(checked(app)).units.time_step) == "10 minutes"
    box(app, "time_step").set_value("").run()
    assert scenario_of(checked(app)).units.time_step is None
    box(app, "relation_width").set_value("2 weeks").run()
    assert warnings(checked(app)).startswith(
        "Time from value to value: it has to be set before How many, w can be a time such as "
        "'2 weeks'; until then How many, w must be a whole number from 1 to 1,000,000."
    )
    assert scenario_of(app).relation.width == 336  # as before
    box(app, "time_step").set_value("1 month").run()
    box(app, "relation_width").set_value("3 weeks").run()
    assert (
        "How many, w = '3 weeks' is not allowed: that is no fixed number of values that are "
        "1 month apart (Time from value to value)" in warnings(checked(app))
    )
