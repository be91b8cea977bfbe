"""A box says what may be typed into it, and reads all that pages write."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpviz.export.parameters import exact
from dpviz.scenario import ScenarioError
from dpviz.scenario.number_text import shown_number
from dpviz.scenario.scenario import DELTA_RANGE
from dpviz.ui.number_control import typed_number
from dpviz.wording.attack_rates import percent, unbroken
from dpviz.wording.numbers import (
    in_full,
    percent_down,
    percent_up,
    power_of_ten,
    rounded,
    rounded_down,
    rounded_up,
    signed,
)
from dpviz.wording.subsequences import epsilon_text

EVERYTHING = (-math.inf, math.inf)
POSITIVE = st.floats(1e-15, 1e18)
WRITERS = {
    "exact": exact,
    "shown_number": shown_number,
    "large on sliders": lambda value: f"{float(f'{value:.4g}'):,.0f}",
    "small on sliders": lambda value: power_of_ten(float(f"{value:.4g}")),
    "on sliders": "{:.4g}".format,
    "power_of_ten": power_of_ten,
    "epsilon_text": epsilon_text,
    "in_full": in_full,
    "repr": repr,
    "general": "{:g}".format,
    "general, in groups": "{:,g}".format,
    "scientific": "{:.3e}".format,
    "plain": "{:,.3f}".format,
    "signed": signed,
    "less": lambda value: f"−{rounded(value)}",
    "percent_up": percent_up,
    "percent": lambda share: unbroken(percent(share)),
    "as KaTeX has it": lambda value: f"$10^{{{round(math.log10(value))}}}$",
}
WRITERS |= {
    f"{writer.__name__} to {digits}": lambda value, writer=writer, digits=digits: writer(
        value, digits
    )
    for writer in (rounded, rounded_up, rounded_down)
    for digits in (1, 3, 4, 6, 8)
}
DOUBLES = {"exact", "shown_number", "power_of_ten", "epsilon_text", "repr"}
SHARES = {"percent_up", "percent"}


def read(text: str, *, whole: bool = False) -> float:
    return typed_number("any", text, EVERYTHING if not whole else (-(10**30), 10**30), whole=whole)


@given(POSITIVE)
def test_what_pages_write_is_read_as_the_number_that_is_written_so(value):
    for name, write in WRITERS.items():
        shown = min(value, 1.0) if name in SHARES else value
        text = write(shown)
        number = read(text)
        assert write(-number if name == "less" else number) == text, name
        assert number == shown or name not in DOUBLES, name


@given(st.floats(1e-15, 1.0))
def test_lower_ends_of_shares_are_read_too(share):
    """As a double, such a share may be a little below its digits, and be rounded down again."""
    assert read(percent_down(share)) == pytest.approx(share, rel=1.001e-3)
    assert read(percent_down(share)) <= share * (1 + 1e-15)


@given(st.integers(-(10**20), 10**20))
def test_whole_numbers_are_read_digit_by_digit(number):
    for text in (str(number), f"{number:,}", f"{number:,}".replace("-", "−")):
        assert read(text, whole=True) == number
    for blank in " \u00a0\u2009\u202f'_":
        assert read(f"{number:,}".replace(",", blank), whole=True) == number


@given(st.floats(0.0, 700.0))
def test_powers_of_e_are_read(exponent):
    text = f"{exponent:,.4f}"
    assert read(f"e^{text}") == pytest.approx(math.exp(float(text)), rel=1e-13)


@given(st.integers(1, 10**9), st.integers(1, 10**9))
def test_quotients_are_the_nearest_double(above, below):
    """So are rates written on pages, such as 256 / 6,400."""
    assert read(f"{above:,} / {below:,}") == above / below


@pytest.mark.parametrize(
    "typed",
    ["", "loud", "1e", "٣", "inf", "1'5", "1 2", "4.000", "9999999.9999999999", "1/2", "1e-400"],
)
def test_limits_of_whole_numbers_are_written_out(typed):
    with pytest.raises(ScenarioError) as refused:
        typed_number("steps", typed, (1, 10**7), whole=True)
    assert str(refused.value) == (
        f"steps = {typed!r} is not allowed: it must be a whole number from 1 to 10,000,000."
    )


@pytest.mark.parametrize("typed", ["small", "1e-400", "1e400", "10−7", "1 2"])
def test_limits_of_other_numbers_keep_their_powers_of_ten(typed):
    with pytest.raises(ScenarioError, match=r"it must be a number from 1e-15 to 0\.999") as refused:
        typed_number("delta", typed, DELTA_RANGE, whole=False)
    assert f"delta = {typed!r} is not allowed" in str(refused.value)
