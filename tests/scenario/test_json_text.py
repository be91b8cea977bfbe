"""Numbers in saved scenarios are used as written, or refused by the name of their field."""

import json

import pytest

from dpviz.scenario import ScenarioError, from_json, to_fields, to_json
from dpviz.scenario.json_form import LONGEST_DOCUMENT
from tests.scenario.examples import SHAPE


def saved_with(name: str, raw: str) -> str:
    fields = {field: json.dumps(value) for field, value in to_fields(SHAPE).items()}
    return (
        "{" + ",".join(f'"{field}": {text}' for field, text in (fields | {name: raw}).items()) + "}"
    )


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("context_noise", "1e-400"),
        ("delta", "1e400"),
        ("batch_size", "9" * 5000),
        ("batch_size", "NaN"),
        ("value_unit", "1e-400"),
        ("relation_width", "[" * 900 + "]" * 900),
    ],
)
def test_what_no_number_can_hold_is_refused_by_name(name, raw):
    """A tiny noise does not become none, and thousands of digits are told as such."""
    with pytest.raises(ScenarioError) as refused:
        from_json(saved_with(name, raw))
    assert refused.value.field == name
    assert str(refused.value).startswith(f"{name} = ")
    assert len(str(refused.value)) < 200


@pytest.mark.parametrize("text", ["x" * (LONGEST_DOCUMENT + 1), b"x" * (LONGEST_DOCUMENT + 1)])
def test_a_file_that_is_too_long_is_told_the_limit(text):
    with pytest.raises(ScenarioError, match=r"20,001 (bytes|char.*)' is not allowed: .* 20,000"):
        from_json(text)


def test_a_byte_order_mark_does_no_harm():
    assert from_json(to_json(SHAPE).encode("utf-8-sig")) == SHAPE
