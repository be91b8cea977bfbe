"""Numbers of links, files and controls are read as they are written, or refused by name."""

import json
import math
from itertools import product
from urllib.parse import parse_qsl

import pytest

from dpviz.protected_forecasts.protections import protection_named
from dpviz.scenario import (
    ScenarioError,
    from_fields,
    from_json,
    scenario_from_link,
    to_fields,
    to_json,
    to_query,
)
from dpviz.scenario.fields import LONGEST_DOCUMENT
from dpviz.scenario.number_text import written_real, written_whole
from dpviz.settings.view import view_from_query
from tests.scenario.changes import varied
from tests.scenario.strategies import BARE, SHAPE

ODD = ["1_0", "٣", "１", " 1", "1 ", "1\u00a0", "\u200b1", "nan", "inf", "Infinity", "0x1", "1e",
       "²", "1e-400", "-1e-400", "0." + "0" * 400 + "1", "1" * 5000]  # fmt: skip


@pytest.mark.parametrize("field", ["context_noise", "delta", "relation_width"])
def test_numbers_in_other_spellings_are_refused_by_name(field):
    """Neither other scripts nor blanks are guessed at, nor is a tiny noise taken to be none."""
    link = dict(parse_qsl(to_query(SHAPE)))
    for text in ODD:
        opened, problems = scenario_from_link(link | {field: text}, BARE)
        assert [problem.field for problem in problems] == [field], text
        assert getattr(opened.noise, field, 0.0) == 0.0, text


def test_the_same_holds_for_what_a_page_shows():
    for text in ODD:
        _, problems = view_from_query({"fixed_epsilon": text})
        assert [problem.field for problem in problems] == ["fixed_epsilon"], text


@pytest.mark.parametrize("day", ["20240131", "2024-W05-3", "2024-1-31"])
def test_a_day_has_one_spelling(day):
    """Else the link would not give back what it was given."""
    assert [p.field for p in view_from_query({"first_date": day})[1]] == ["first_date"]


def test_both_zeros_are_one():
    """Equal scenarios have the same canonical JSON, which results are kept under."""
    negative = varied(SHAPE, context_noise=-0.0)
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


REAL = {
    "10⁻⁷": 1e-7, "2·10⁻⁷": 2e-7, "-2.5·10⁻⁷": -2.5e-7, "−10⁻⁷": -1e-7, "10⁶": 1e6,
    "10^-7": 1e-7, "10^(-7)": 1e-7, "10**-7": 1e-7, "2*10^−7": 2e-7, "1.5 × 10^-7": 1.5e-7,
    "1,5 x 10^-7": 1.5e-7, "$10^{-7}$": 1e-7, r"$2.5 \cdot 10^{-7}$": 2.5e-7,
    r"2\times10^{-7}": 2e-7, "1e-7": 1e-7, "1E−7": 1e-7, "1e+07": 1e7, "1e-15": 1e-15,
    "e^20.33": 674849323.8549203, "e^{-2}": math.exp(-2), "1/862": 1 / 862, "256 / 6,400": 0.04,
    "1/10^5": 1e-5, "5 %": 0.05, "12.5%": 0.125, "1·10⁻⁵ %": 1e-7, "99.9\u00a0%": 0.999,
    "1,000": 1000.0, "1,234,567.8": 1234567.8, "1 234,5": 1234.5, "1'234.5": 1234.5,
    "12\u202f000": 12000.0, "2,5": 2.5, "0,001": 0.001, "1234,567": 1234.567, ".5": 0.5,
    "5.": 5.0, "4.000": 4.0, "+1.7": 1.7, "−30": -30.0, "0": 0.0, "0e-400": 0.0, "0/5": 0.0,
    " 7 ": 7.0, "\u00a07": 7.0,
}  # fmt: skip
WHOLE = {
    "1000": 1000, "1,000": 1000, "12 000": 12000, "12\u00a0000": 12000, "12\u2009000": 12000,
    "12\u202f000": 12000, "12'000": 12000, "12’000": 12000, "1_000_000": 10**6, "10⁶": 10**6,
    "1e4": 10**4, "1e+07": 10**7, "2.5·10⁶": 2_500_000, "1,5e3": 1500, "10^7": 10**7,
    "$10^{7}$": 10**7, "007": 7, "-3": -3, "12345678901234567891": 12345678901234567891,
}  # fmt: skip
NEITHER = [
    "", " ", "loud", "1e", "e5", ".", "$", "1 2", "1'5", "1_0", "12 00", "1 000 00", "0 001",
    "1,00,000", "1 000,000", "1,000 000", "1,000,5", "1.234.567", "1.234,5", "1,234·10⁻⁵",
    "1,000e3", "10−7", "10-7", "1e-400", "10⁻⁴⁰⁰", "1e5e5", "2·", "·10⁵", "10^5·2", "1/0", "1/",
    "1/2/3", "1/5 %", "e^", "e^x", "e^1.2·10⁻⁵", "e^800", "e^99999999999", "e^-1000",
    "e^-99999999999",
    "nan", "inf", "∞", "0x1f", "٣", "１", "²", "--5", "- 5", "≤ 5", "5 epochs", "5 % %", "5%%", "%",
    "1" * 101, "1,000, 000", "(5)", "1 e5", "1\n000",
]  # fmt: skip


def test_each_form_is_the_nearest_double():
    assert {text: written_real(text) for text in REAL} == REAL


def test_whole_numbers_keep_every_digit():
    read = {text: written_whole(text) for text in WHOLE}
    assert read == WHOLE
    assert {type(number) for number in read.values()} == {int}
    assert {text: written_real(text) for text in WHOLE} == {
        text: float(number) for text, number in WHOLE.items()
    }


def test_what_is_not_plainly_one_number_is_refused():
    refusals = r"^(no number|no whole number|too large, or too close to 0): "
    for text, read in product(NEITHER, (written_real, written_whole)):
        with pytest.raises(ValueError, match=refusals):
            print(f"{text!r} is read as {read(text)!r}")


@pytest.mark.parametrize(
    "text",
    ["4.000", "4.0", "4.", "4,00", "2,5", "1,000.0", "9999999.9999999999", "1.5", "1.2345e3",
     "10⁻⁷", "5 %", "6/2", "e^2", "100000000000000000000.5", "1.00000000000000000000000000001e20"],
)  # fmt: skip
def test_a_decimal_fraction_is_no_whole_number(text):
    """4.000 is four thousand to some; digits beyond a double's are not rounded off."""
    with pytest.raises(ValueError, match="no whole number"):
        written_whole(text)
    assert written_real(text) > 0.0


@pytest.mark.parametrize("text", ["1e400", "10⁴⁰⁰"])
def test_more_than_a_double_holds_is_no_real_number(text):
    with pytest.raises(ValueError, match="too large"):
        written_real(text)
    assert written_whole(text) == 10**400


def test_no_number_counts_as_whole_for_being_rounded_to_a_whole_one():
    for text, number in (("3", 3), ("3.0", 3), ("0.3e1", 3), ("2.9999999999999999999", None)):
        view, problems = view_from_query({"drawn_batch": text})
        assert ([problem.field for problem in problems] == ["drawn_batch"]) == (number is None)
        assert view.drawn_batch == (number or view_from_query({})[0].drawn_batch)
    with pytest.raises(ScenarioError, match=r"2\.9999999999999999999 is not allowed"):
        protection_named("nearest-swap:2.9999999999999999999:12")
