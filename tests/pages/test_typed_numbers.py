"""What visitors type into the boxes of the privacy-curve page."""

import pytest

from dpviz.scenario import PRESETS
from tests.pages.acts import act, control
from tests.pages.app import checked, link_of, scenario_of, warnings


@pytest.mark.parametrize(
    ("typed", "read"), [("1e4", 10_000), ("1,000", 1000), ("12 000", 12_000), (" 7 ", 7)]
)
def test_whole_numbers_are_read_as_people_type_them(open_page, typed, read):
    app = open_page()
    act(app, "steps", typed)
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
    act(app, name, typed)
    assert allowed in warnings(checked(app))
    assert scenario_of(app) == before
    assert control(app, name).text != typed
    # In sight, where it was typed.
    assert allowed in control(app, name).spec["problem"]
    assert not app.warning


def test_decimal_comma_is_one(open_page):
    app = open_page()
    act(app, "noise_multiplier", "2,5")
    assert scenario_of(checked(app)).noise.noise_multiplier == 2.5


def test_two_weeks_can_be_typed_once_the_time_step_is_known(open_page):
    app = open_page(link_of(PRESETS["traffic"].scenario))
    act(app, "relation_width", "2 weeks")
    assert scenario_of(checked(app)).relation.width == 336
    act(app, "time_step", "10 minutes")
    assert str(scenario_of(checked(app)).units.time_step) == "10 minutes"
    act(app, "time_step", "")
    assert scenario_of(checked(app)).units.time_step is None
    act(app, "relation_width", "2 weeks")
    assert warnings(checked(app)).startswith(
        "Time from value to value: it has to be set before How many, w can be a time such as "
        "'2 weeks'; until then How many, w must be a whole number from 1 to 1,000,000."
    )
    assert scenario_of(app).relation.width == 336  # as before
    act(app, "time_step", "1 month")
    act(app, "relation_width", "3 weeks")
    assert (
        "How many, w = '3 weeks' is not allowed: that is no fixed number of values that are "
        "1 month apart (Time from value to value)" in warnings(checked(app))
    )
