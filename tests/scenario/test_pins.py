"""Kept scenarios: their slots, and a link that reopens them all."""

from dataclasses import replace

import pytest

from dpviz.scenario import ScenarioError, to_query
from dpviz.scenario.pins import (
    PIN_SLOTS,
    pinned,
    pins_from_query,
    pins_to_query,
)
from tests.scenario.changes import TOY, varied


def six():
    pins = ()
    for at in range(6):
        pins = pinned(pins, varied(TOY, noise_multiplier=2.0 + at))
    return pins


def test_a_pin_leaves_out_what_its_schema_says_anyway():
    """Six pins fit into a link; what an absent field means never changes."""
    (text,) = pins_to_query(pinned((), TOY)).values()
    assert "top_level" not in text
    assert "delta" not in text
    assert "schema=1" in text
    assert len(text) < 0.6 * len(to_query(TOY))
    other = varied(TOY, delta=0.5, top_level="deterministic")
    (text,) = pins_to_query(pinned((), other)).values()
    assert "delta=0.5" in text
    assert "top_level=deterministic" in text


def test_six_slots_are_filled_in_order_and_a_seventh_is_refused():
    pins = six()
    assert [pin.name for pin in pins] == ["A", "B", "C", "D", "E", "F"]
    with pytest.raises(ScenarioError, match="at most 6") as refused:
        pinned(pins, replace(TOY, delta=0.25))
    assert refused.value.field == "pins"


def test_four_are_shown_and_later_ones_wait():
    assert [pin.shown for pin in six()] == [True] * 4 + [False] * 2


def test_a_hidden_pin_leaves_room_for_a_new_one_in_the_chart():
    first, *rest = six()[:4]
    pins = pinned((replace(first, shown=False), *rest), replace(TOY, delta=0.25))
    assert [pin.slot for pin in pins if pin.shown] == ["b", "c", "d", "e"]


def test_a_removed_slot_is_filled_again_and_the_others_keep_their_letters():
    pins = tuple(pin for pin in six() if pin.slot != "b")
    new = replace(TOY, delta=0.25)
    again = pinned(pins, new)
    assert [pin.slot for pin in again] == list(PIN_SLOTS)
    assert again[1].scenario == new
    assert {pin.slot: pin.scenario for pin in pins}.items() <= {
        pin.slot: pin.scenario for pin in again
    }.items()


def test_the_same_settings_are_not_pinned_twice():
    """The message names the pin that has them."""
    pins = six()[:3]
    with pytest.raises(ScenarioError, match="already, as B") as refused:
        pinned(pins, replace(pins[1].scenario, delta=0.25))  # at which all are compared then
    assert refused.value.field == "pins"
    # Also where all slots are taken: that they are there says more than that nothing fits.
    with pytest.raises(ScenarioError, match="already, as F"):
        pinned(six(), six()[5].scenario)


@pytest.mark.parametrize("slot", PIN_SLOTS)
@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "schema"),
        ("schema=1", "steps"),
        ("schema=2", "schema"),
        ("nonsense", "nonsense"),
        ("schema=1&bach_size=3", "bach_size"),
        (to_query(TOY) + "&delta=2", "delta"),
        (to_query(TOY).replace("num_series=320", "num_series=0"), "num_series"),
        (to_query(TOY).replace("batch_size=32", "batch_size=x"), "batch_size"),
    ],
)
def test_a_bad_pin_is_named_with_its_field_and_the_others_are_kept(slot, text, named):
    pins = six()
    query = pins_to_query(pins) | {f"pin_{slot}": text}
    kept, problems = pins_from_query(query)
    assert [pin.slot for pin in kept] == [other for other in PIN_SLOTS if other != slot]
    assert [pin.scenario for pin in kept] == [pin.scenario for pin in pins if pin.slot != slot]
    assert problems[0].startswith(f"Pin {slot.upper()} was left out: {named}")
    # e and f are hidden in this link: whoever hid a pin that is not there is told.
    assert len(problems) == (2 if slot in "ef" else 1)


@pytest.mark.parametrize("hidden", ["g", "A", "a,,z", "a;b", "pin_a", " a"])
def test_hidden_letters_are_checked(hidden):
    pins = six()[:2]
    kept, problems = pins_from_query(pins_to_query(pins) | {"pins_hidden": hidden})
    assert [pin.scenario for pin in kept] == [pin.scenario for pin in pins]
    (problem,) = problems
    assert problem.startswith(f"pins_hidden = {hidden!r} is not allowed: it must be letters")


def test_hidden_letters_without_pins_are_named():
    assert pins_from_query({"pins_hidden": "a"})[0] == ()
    assert len(pins_from_query({"pins_hidden": "a"})[1]) == 1
    assert pins_from_query({"pins_hidden": ""}) == ((), [])
    assert pins_from_query({}) == ((), [])


def test_more_shown_pins_than_a_chart_holds_are_hidden_and_that_is_said():
    query = {name: text for name, text in pins_to_query(six()).items() if name != "pins_hidden"}
    kept, problems = pins_from_query(query)
    assert [pin.shown for pin in kept] == [True] * 4 + [False] * 2
    assert problems == ["Only 4 pins can be shown: the others are hidden."]
