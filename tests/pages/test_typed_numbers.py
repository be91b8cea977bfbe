"""Numbers and words that are typed on the pages: read in many forms, or refused by name."""

from dataclasses import replace

import pytest

from dpviz.planning.label_noise import with_noise
from dpviz.scenario import PRESETS, Relation
from tests.pages.acts import act, control
from tests.pages.app import TOY, checked, link_of, scenario_of, warnings


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


SHORT = replace(TOY, training=replace(TOY.training, count=10))
NOISY = with_noise(SHORT, context=0.5, forecast=2.0)


def open_noise(open_page, scenario):
    return open_page(link_of(scenario), "label_noise", parts=())


def captions(app) -> str:
    return " ".join(caption.value for caption in app.caption).replace("\\", "")


def test_noise_is_told_in_the_data_s_unit(open_page):
    app = open_noise(open_page, NOISY)
    assert "σ_F = 2 is noise of standard deviation 2 v on each label." in captions(app)
    act(app, "max_change", "1,500")
    act(app, "value_unit", "*cars*")
    assert scenario_of(checked(app)).relation.max_change == 1500.0
    assert "with v = 1,500 *cars*, 3,000 *cars*." in captions(app)
    # What somebody typed is shown as it is.
    shown = next(caption.value for caption in app.caption if "cars" in caption.value)
    assert "\\*cars\\*" in shown
    act(app, "max_change", "")
    act(app, "value_unit", " ")
    assert scenario_of(checked(app)) == NOISY


@pytest.mark.parametrize(
    ("name", "typed", "told"),
    [
        (
            "max_change",
            "0",
            "Largest change of a value v = 0.0 is not allowed: it must be a number",
        ),
        ("max_change", "much", "Largest change of a value v = 'much' is not allowed"),
        ("value_unit", "x" * 41, "Unit of the values = "),
        ("value_unit", "a\x07b", "it must be 1 to 40 printable characters"),
    ],
)
def test_wrong_change_or_unit_is_named_and_the_value_before_kept(open_page, name, typed, told):
    app = open_noise(open_page, replace(NOISY, relation=Relation(max_change=2.0)))
    before = scenario_of(app)
    act(app, name, typed)
    assert told in warnings(checked(app))
    assert scenario_of(app) == before


def test_unit_may_be_called_like_anything(open_page):
    app = open_noise(open_page, SHORT)
    for unit in ("shown", "now", "max_change"):
        act(app, "value_unit", unit)
        assert scenario_of(checked(app)).units.value_unit == unit
        assert control(app, "value_unit").value == unit
