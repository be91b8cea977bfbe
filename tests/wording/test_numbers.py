"""Numbers in sentences never say more than was proven."""

from hypothesis import given
from hypothesis import strategies as st

from dpviz.wording.numbers import (
    number_rounded_down,
    number_rounded_up,
    power_of_ten,
    rounded,
    rounded_down,
    rounded_up,
)

SUPERSCRIPTS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
POSITIVE = st.floats(1e-15, 1e12)


def read_back(text: str) -> float:
    if "·10" in text:
        mantissa, power = text.split("·10")
        return float(f"{mantissa}e{power.translate(SUPERSCRIPTS)}")
    return float(text.replace(",", ""))


@given(POSITIVE, st.integers(1, 8))
def test_rounded_up_is_never_below_and_close(value, digits):
    shown = read_back(rounded_up(value, digits))
    assert value * (1 - 1e-15) <= shown <= value * (1 + 10.0 ** (1 - digits) * 1.001)


@given(POSITIVE, st.integers(1, 8))
def test_rounded_down_is_never_above_and_close(value, digits):
    shown = read_back(rounded_down(value, digits))
    assert value * (1 - 10.0 ** (1 - digits) * 1.001) <= shown <= value * (1 + 1e-15)


@given(POSITIVE, st.integers(1, 8))
def test_rounded_numbers_are_on_the_safe_side_and_show_so_many_digits(value, digits):
    """Their shortest digits, as JavaScript and Python write them, are the rounded ones."""
    up, down = number_rounded_up(value, digits), number_rounded_down(value, digits)
    assert down <= value <= up
    assert (repr(up), repr(down)) == (
        repr(float(f"{up:.{digits}g}")),
        repr(float(f"{down:.{digits}g}")),
    )


def test_zero_stays_zero():
    assert (rounded_up(0.0), rounded_down(0.0), rounded(0.0)) == ("0", "0", "0")


def test_carries_reach_the_next_digit():
    assert rounded_up(9.9991) == "10"
    assert rounded_up(99999.1) == "100,000"


def test_small_numbers_are_powers_of_ten():
    assert rounded_up(1.23456e-9, 3) == "1.24·10⁻⁹"
    assert power_of_ten(1e-12) == "10⁻¹²"
    assert power_of_ten(0.05) == "0.05"
