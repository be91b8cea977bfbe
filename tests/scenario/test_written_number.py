"""Numbers are read as they are written where that is plain, and refused where it is not."""

import math

import pytest

from dpviz.scenario.written_number import written_real, written_whole

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


@pytest.mark.parametrize("text", REAL)
def test_each_form_is_the_nearest_double(text):
    assert written_real(text) == REAL[text]


@pytest.mark.parametrize("text", WHOLE)
def test_whole_numbers_keep_every_digit(text):
    read = written_whole(text)
    assert isinstance(read, int)
    assert read == WHOLE[text]
    assert written_real(text) == float(WHOLE[text])


@pytest.mark.parametrize("text", NEITHER, ids=ascii)
def test_what_is_not_plainly_one_number_is_refused(text):
    for read in (written_real, written_whole):
        with pytest.raises(
            ValueError, match=r"^(no number|no whole number|too large, or too close to 0): "
        ):
            read(text)


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
