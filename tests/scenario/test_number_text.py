"""Numbers in links are read as they are written, or not at all."""

from dataclasses import replace
from urllib.parse import parse_qsl

import pytest

from dpviz.scenario import from_fields, scenario_from_link, to_fields, to_json, to_query
from dpviz.scenario.errors import ScenarioError
from dpviz.settings.view import view_from_query
from tests.scenario.examples import BARE, SHAPE

ODD = ["1_0", "٣", "１", " 1", "1 ", "1\u00a0", "\u200b1", "nan", "inf", "Infinity", "0x1", "1e",
       "²", "1e-400", "-1e-400", "0." + "0" * 400 + "1", "1" * 5000]  # fmt: skip


@pytest.mark.parametrize("text", ODD, ids=lambda text: ascii(text)[:12])
@pytest.mark.parametrize("field", ["context_noise", "delta", "relation_width"])
def test_numbers_in_other_spellings_are_refused_by_name(field, text):
    """Neither other scripts nor blanks are guessed at, nor is a tiny noise taken to be none."""
    opened, problems = scenario_from_link(dict(parse_qsl(to_query(SHAPE))) | {field: text}, BARE)
    assert [problem.field for problem in problems] == [field]
    assert getattr(opened.noise, field, 0.0) == 0.0


@pytest.mark.parametrize("text", ODD, ids=lambda text: ascii(text)[:12])
def test_the_same_holds_for_what_a_page_shows(text):
    assert [p.field for p in view_from_query({"fixed_epsilon": text})[1]] == ["fixed_epsilon"]


@pytest.mark.parametrize("day", ["20240131", "2024-W05-3", "2024-1-31"])
def test_a_day_has_one_spelling(day):
    """Else the link would not give back what it was given."""
    assert [p.field for p in view_from_query({"first_date": day})[1]] == ["first_date"]


def test_both_zeros_are_one():
    """Equal scenarios have the same canonical JSON, which results are kept under."""
    negative = replace(SHAPE, noise=replace(SHAPE.noise, context_noise=-0.0))
    assert negative == SHAPE
    assert to_json(negative) == to_json(SHAPE)


@pytest.mark.parametrize("unit", [" kWh", "kWh ", "kWh\u00a0"])
def test_a_unit_is_kept_as_given_or_refused(unit):
    with pytest.raises(ScenarioError, match=r"value_unit = .*no blank at either end"):
        from_fields(to_fields(SHAPE) | {"value_unit": unit})


@pytest.mark.parametrize("value", [10**5000, [[[]]]], ids=["huge", "nested"])
def test_values_that_python_cannot_write_are_refused_like_others(value):
    for _ in range(100_000 if isinstance(value, list) else 0):
        value = [value]
    with pytest.raises(
        ScenarioError, match=r"^batch_size = a .* is not allowed: it must be a whole"
    ):
        from_fields(to_fields(SHAPE) | {"batch_size": value})
