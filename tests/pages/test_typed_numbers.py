"""Numbers and words that are typed: read in many forms, refused by name, or warned of."""

from dataclasses import replace

from dpviz.planning.label_noise import with_noise
from dpviz.scenario import PRESETS, Relation
from tests.pages.app import TOY, elements_of, link_of
from tests.scenario.changes import varied


def test_what_cannot_be_used_is_answered_with_value_and_range(open_page):
    app = open_page(parts=("open_relation",))
    assert "1,000 steps = 100 epochs. A step is one batch" in app.control("steps").spec["caption"]
    before = app.scenario
    for name, typed, allowed in (
        ("noise_multiplier", "0", "a number from 0.1 to 100"),
        ("noise_multiplier", "loud", "a number from 0.1 to 100"),
        ("bottom_rate", "2,5", "a number from 1e-09 to 1"),
        ("steps", "10.5", "a whole number from 1 to 10,000,000"),
        ("steps", "0", "a whole number from 1 to 10,000,000"),
        ("delta", "nan", "a number from 1e-15 to 0.999"),
    ):
        app.act(name, typed)
        assert allowed in app.warnings
        assert app.scenario == before
        assert app.control(name).text != typed
        # In sight, where it was typed, and nowhere else.
        assert allowed in app.control(name).spec["problem"]
        assert not app.warning
        assert not app.toast
    assert app.control("undo").disabled  # what was refused is no step to take back
    app.act("steps", 500)
    assert not app.warnings


def test_two_weeks_can_be_typed_once_the_time_step_is_known(open_page):
    app = open_page(link_of(PRESETS["traffic"].scenario))
    app.act("relation_width", "2 weeks")
    assert app.scenario.relation.width == 336
    app.act("time_step", "10 minutes")
    assert str(app.scenario.units.time_step) == "10 minutes"
    app.act("time_step", "")
    assert app.scenario.units.time_step is None
    app.act("relation_width", "2 weeks")
    assert app.warnings.startswith(
        "Time from value to value: it has to be set before How many, w can be a time such as "
        "'2 weeks'; until then How many, w must be a whole number from 1 to 1,000,000."
    )
    assert app.scenario.relation.width == 336  # as before
    app.act("time_step", "1 month")
    app.act("relation_width", "3 weeks")
    assert (
        "How many, w = '3 weeks' is not allowed: that is no fixed number of values that are "
        "1 month apart (Time from value to value)" in app.warnings
    )


SHORT = varied(TOY, steps=10)
NOISY = with_noise(SHORT, context=0.5, forecast=2.0)


def test_wrong_change_or_unit_is_named_and_the_value_before_kept(open_page):
    noisy = replace(NOISY, relation=Relation(max_change=2.0))
    app = open_page(link_of(noisy), "label_noise", parts=())
    before = app.scenario
    for name, typed, told in (
        ("max_change", "0", "Largest change of a value v = 0 is not allowed: it must be a num"),
        ("max_change", "much", "Largest change of a value v = 'much' is not allowed"),
        ("value_unit", "x" * 41, "Unit of the values = "),
        ("value_unit", "a\x07b", "it must be 1 to 40 printable characters"),
        ("value_unit", "x" * 1001, "it must be at most 1,000 characters; the one before was kept"),
    ):
        app.act(name, typed)
        assert told in app.warnings
        assert app.scenario == before
    app.acts([("max_change", "1,500"), ("value_unit", "*cars*")])
    assert "with v = 1,500 *cars*, 3,000 *cars*." in app.captions
    app.acts([("max_change", ""), ("value_unit", " ")])
    assert app.scenario == NOISY


def answer_words(app) -> str:
    return " ".join(one.value for one in elements_of(app.answer) if one.type == "markdown")


def test_what_to_mind_is_told_beside_its_control_and_with_the_answer(open_page):
    app = open_page()
    assert not app.control("context_length").spec["warning"]
    app.act("context_length", 30)
    assert "longer than a series" in app.control("context_length").spec["warning"]
    app.press("undo")
    assert "hardly any protection" not in answer_words(app)
    app.act("noise_multiplier", 0.5)
    assert "hardly any protection" in answer_words(app)
    assert "ε ≤" in app.headline


def test_a_large_delta_is_told_where_its_control_is_folded_away_and_beside_it(open_page):
    for parts, is_beside in (((), False), (("open_relation",), True)):
        app = open_page({"delta": "0.5"}, parts=parts)
        assert bool("delta" in app.controls and app.control("delta").spec["warning"]) == is_beside
        assert ("⚠️" in app.captions) != is_beside
