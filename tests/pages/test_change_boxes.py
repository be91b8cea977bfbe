"""The boxes for how far a value may change, and what it counts."""

from dataclasses import replace

import pytest

from dpviz.planning.label_noise import with_noise
from dpviz.scenario import Relation
from tests.pages.acts import act, control
from tests.pages.app import TOY, checked, link_of, scenario_of, warnings

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
