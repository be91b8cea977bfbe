"""Numbers as text, rounded to the side on which a statement stays true, and lists of words."""

import math
from collections.abc import Callable, Collection, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal

from dpviz.scenario.number_text import counted as counted
from dpviz.scenario.number_text import decimal_rounded

# Beyond these, zeros are counted for the reader.
_SMALLEST_PLAIN, _LARGEST_PLAIN = Decimal("1e-4"), Decimal("1e15")
_FEWEST_DIGITS, _MOST_DIGITS = 4, 17  # any two floats differ in so many
_RATIO_DIGITS = 3
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def rounded_up(value: float | Decimal, digits: int = 4) -> str:
    """Return the value with this many significant digits, never below it.

    "It" is the decimal number that a double stands for, see :func:`decimal_rounded`.

    >>> rounded_up(19.02612), rounded_up(0.00012341), rounded_up(1873412.2), rounded_up(1.1)
    ('19.03', '0.0001235', '1,874,000', '1.1')
    """
    return _plain(decimal_rounded(value, digits, ROUND_CEILING))


def rounded_down(value: float, digits: int = 4) -> str:
    """Return the value with this many significant digits, never above it.

    >>> rounded_down(17.53129), rounded_down(0.0)
    ('17.53', '0')
    """
    return _plain(decimal_rounded(value, digits, ROUND_FLOOR))


def lies_between(low: float, high: float, digits: int) -> str:
    """Return where a number lies, with this many significant digits of both ends.

    >>> lies_between(0.123, 0.129, 2), lies_between(0.0, 0.0, 2)
    ('lies between 0.12 and 0.13', 'is 0')
    """
    least, most = rounded_down(low, digits), rounded_up(high, digits)
    return f"is {most}" if least == most else f"lies between {least} and {most}"


def percent_up(share: float, digits: int = 4) -> str:
    """Return a share in percent that is not below this one, and at most all.

    >>> percent_up(0.414191), percent_up(1.0), percent_up(0.01563)
    ('41.42 %', '100 %', '1.563 %')
    """
    most = min(_hundredfold(share), Decimal(100))
    return f"{_plain(decimal_rounded(most, digits, ROUND_CEILING))} %"


def percent_down(share: float, digits: int = 4) -> str:
    """Return a share in percent that is not above this one."""
    return f"{_plain(decimal_rounded(_hundredfold(share), digits, ROUND_FLOOR))} %"


def per_hundred(share: float) -> str:
    """Return a share that was given as so many of 100, with all its digits.

    >>> per_hundred(0.6), per_hundred(0.6000001), per_hundred(1e-3)
    ('60', '60.00001', '0.1')
    """
    return _plain(_hundredfold(share))


def number_rounded_up(value: float, digits: int = 4) -> float:
    """Return the value like :func:`rounded_up`, as a number whose digits are those.

    For tables that sort by it: what shows the shortest digits of a number shows these.
    """
    return float(decimal_rounded(value, digits, ROUND_CEILING))


def number_rounded_down(value: float, digits: int = 4) -> float:
    """Return the value like :func:`rounded_down`, as a number whose digits are those."""
    return float(decimal_rounded(value, digits, ROUND_FLOOR))


def rounded(value: float, digits: int = 4) -> str:
    """Return the value to the nearest with this many significant digits.

    >>> rounded(0.0068489), rounded(320.0), rounded(4.94321e100)
    ('0.006849', '320', '4.943·10¹⁰⁰')
    """
    # What looks like a tie goes to where the double lies: 0.995 is a little less than that.
    exact = Decimal(value) if digits < _MOST_DIGITS - 1 else value
    return _plain(decimal_rounded(exact, digits, ROUND_HALF_EVEN))


def times_as(ratio: float, much: str) -> str:
    """Return one amount beside another, as in "2 times as much".

    >>> times_as(1.3712, "large"), times_as(0.5, "many"), times_as(0.329, "much")
    ('1.37 times as large', 'half as many', '0.329 times as much')
    """
    times = rounded(ratio, _RATIO_DIGITS)
    return f"half as {much}" if times == "0.5" else f"{times} times as {much}"


def in_full(value: float) -> str:
    """Return a number as it was given, with all its digits: a guarantee is about no other one.

    >>> in_full(1234567), in_full(0.1), in_full(10006.25)
    ('1,234,567', '0.1', '10,006.25')
    """
    return rounded(value, _MOST_DIGITS)


def digits_that_tell_apart(
    values: Collection[float], rounding: Callable[[float, int], str] = rounded
) -> int:
    """Return with how many significant digits, at least four, no two of some values look alike.

    >>> digits_that_tell_apart({1.0, 1.00001}), digits_that_tell_apart({1.0, 2.0})
    (6, 4)
    """
    return _fewest_digits(
        lambda digits: len({rounding(value, digits) for value in values}) == len(values)
    )


def digits_within(goal: float | None, proven: float) -> int:
    """Return with how many digits, at least four, what is within a goal is not told as above.

    >>> digits_within(1.0005, 1.0003), digits_within(None, 1.0003)
    (5, 4)
    """
    if goal is None or proven > goal:
        return _FEWEST_DIGITS
    return _fewest_digits(lambda digits: number_rounded_up(proven, digits) <= goal)


def _fewest_digits(are_enough: Callable[[int], bool]) -> int:
    return next(filter(are_enough, range(_FEWEST_DIGITS, _MOST_DIGITS)), _MOST_DIGITS)


def power_of_ten(value: float) -> str:
    """Return a number, most often a small one, the way it is read aloud.

    With all its digits: a delta that is shown rounded would not belong to its epsilon.

    >>> power_of_ten(1e-7), power_of_ten(2.5e-6), power_of_ten(0.01), power_of_ten(1000.0)
    ('10⁻⁷', '2.5·10⁻⁶', '0.01', '1,000')
    """
    if value >= 1e-3:
        return f"{value:,}".removesuffix(".0")
    return _with_power(Decimal(repr(value))).removeprefix("1·")


def signed(value: float, digits: int = 1) -> str:
    """Return a number with its sign, and so many digits after the point.

    >>> signed(1.7), signed(-3000.0, 0)
    ('+1.7', '−3,000')
    """
    return f"{value:+,.{digits}f}".replace("-", "−")


def counted_in(number: int, units: str) -> str:
    """Return a number of units, whose name is given in the plural.

    >>> counted_in(1, "steps"), counted_in(12000, "epochs")
    ('1 step', '12,000 epochs')
    """
    return counted(number, units.removesuffix("s"))


def epsilon_at_most(epsilon: float | None, none: str = "no finite ε proven") -> str:
    """Return an upper bound on epsilon; infinity and ``None`` are none.

    >>> epsilon_at_most(19.02612), epsilon_at_most(None), epsilon_at_most(float("inf"), "none")
    ('ε ≤ 19.03', 'no finite ε proven', 'none')
    """
    return none if epsilon is None or math.isinf(epsilon) else f"ε ≤ {rounded_up(epsilon)}"


def no_less(epsilon: float) -> str:
    """Return a lower bound on epsilon in words.

    >>> no_less(17.59131)
    'no analysis can promise less than ε = 17.59'
    """
    return f"no analysis can promise less than ε = {rounded_down(epsilon)}"


def capitalised(words: str) -> str:
    """Return words that begin a sentence; all letters but the first stay, and so do symbols.

    >>> capitalised("noise on ε"), capitalised("ε ≤ 1")
    ('Noise on ε', 'ε ≤ 1')
    """
    return f"{words[:1].upper()}{words[1:]}" if words[:1].isascii() else words


def listed(parts: Sequence[str]) -> str:
    """Return parts as a list in words.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def joined(*sentences: str) -> str:
    """Return sentences one after the other; empty ones are left out.

    >>> joined("One.", "", "Two.")
    'One. Two.'
    """
    return " ".join(sentence for sentence in sentences if sentence)


def _hundredfold(share: float) -> Decimal:
    """Return 100 times the number that a double stands for: their product may be another one."""
    return Decimal(repr(float(share))).scaleb(2)


def _plain(value: Decimal) -> str:
    if value != 0 and not _SMALLEST_PLAIN <= abs(value) < _LARGEST_PLAIN:
        return _with_power(value)
    text = f"{value:,f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _with_power(value: Decimal) -> str:
    """Return mantissa and power, with every digit that there is."""
    mantissa, _, exponent = f"{value.normalize():e}".partition("e")
    return f"{mantissa}·10" + str(int(exponent)).translate(_SUPERSCRIPTS)
