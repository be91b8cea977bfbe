"""Numbers in the texts of links, files, command lines and boxes: plain ones, and exactly those."""

import math
import re
from contextlib import suppress
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from functools import cache
from typing import Self

_WHOLE = re.compile(r"[+-]?[0-9]{1,20}")
_REAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,5})?")
_MOST_CHARACTERS = 1000


class WrittenReal(float):
    """A double that messages quote as it was written, and not as it was rounded.

    >>> WrittenReal("9999999.9999999999"), WrittenReal("9999999.9999999999") == 1e7
    (9999999.9999999999, True)
    """

    text: str

    def __new__(cls, text: str, value: float | None = None) -> Self:
        """Return the double nearest to a text, or another one that it stands for."""
        number = super().__new__(cls, text if value is None else value)
        number.text = text
        return number

    def __getnewargs__(self) -> tuple[str, float]:  # type: ignore[override]
        """Say how it is made again, for whoever gets it from another process."""
        return self.text, float(self)

    def __repr__(self) -> str:
        return self.text

    def is_integer(self) -> bool:
        """Return whether what was written is whole, and not just the double nearest to it."""
        with suppress(ArithmeticError):  # the text is no plain number
            return super().is_integer() and Decimal(self.text) == self
        return False


def whole_number(text: str) -> int:
    """Return a whole number of at most 20 digits.

    Python's own ``int`` would also take blanks, underscores and the digits of other scripts.

    Raises:
        ValueError: the text is no such number.

    >>> whole_number("-12")
    -12
    """
    if not _WHOLE.fullmatch(text):
        raise ValueError(f"no whole number: {text[:60]!r}")
    return int(text)


def real_number(text: str) -> WrittenReal:
    """Return the double nearest to a decimal number, which is 0 only where the number is.

    Raises:
        ValueError: the text is no number, or one too close to 0 to be told from it.

    >>> real_number("1e-7"), real_number("1e400") == float("inf")
    (1e-7, True)
    """
    if len(text) > _MOST_CHARACTERS or not _REAL.fullmatch(text):
        raise ValueError(f"no number: {text[:60]!r}")
    number = WrittenReal(text)
    if number == 0.0 and re.search("[1-9]", re.split("[eE]", text)[0]):
        raise ValueError(f"too close to 0: {text[:60]!r}")
    return number


def decimal_rounded(value: float | Decimal, digits: int, rounding: str) -> Decimal:
    """Return a number with so many significant digits; for ``rounding`` see :mod:`decimal`.

    A double stands for the shortest decimal number that no other double is nearer to, as it was
    given or would be printed. It differs from that by 10⁻¹⁶ of itself.
    """
    # To add zero takes the sign from a negative one.
    given = value if isinstance(value, Decimal) else Decimal(repr(float(value) + 0.0))
    return _context(digits, rounding).plus(given)


@cache
def _context(digits: int, rounding: str) -> Context:
    return Context(prec=digits, rounding=rounding)


def number_rounded(value: float, digits: int, *, up: bool) -> float:
    """Return the nearest number of so many significant digits that is not below, or not above.

    >>> number_rounded(1.00001, 3, up=True), number_rounded(0.00129, 2, up=False)
    (1.01, 0.0012)
    """
    return float(decimal_rounded(value, digits, ROUND_CEILING if up else ROUND_FLOOR))


def shown_number(value: float) -> str:
    """Return a number as its box shows it: with every digit, so that nothing is changed unseen.

    >>> shown_number(1000), shown_number(0.1), shown_number(1e-7), shown_number(4.0)
    ('1000', '0.1', '1e-7', '4')
    """
    text = repr(value).removesuffix(".0")
    return re.sub(r"e([+-])0*", lambda match: "e" + match[1].replace("+", ""), text)


def counted(number: int, noun: str) -> str:
    """Return a number with its noun in the right form.

    >>> counted(1, "step"), counted(12000, "epoch")
    ('1 step', '12,000 epochs')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


_MOST_TYPED = 100
_BLANKS = " \u00a0\u2009\u202f"
# The same sign between all groups of three, and a first group without a leading zero: what else
# looks like groups, such as 1 2 or 1'5, is another number or none.
_GROUPED = rf"[1-9][0-9]{{0,2}}(?P<between>[,_'’{_BLANKS}])[0-9]{{3}}(?:(?P=between)[0-9]{{3}})*"
_PLAIN = re.compile(
    rf"(?P<sign>[+-]?)(?:(?P<grouped>{_GROUPED})|(?P<whole>[0-9]*))"
    r"(?:(?P<mark>[.,])(?P<part>[0-9]*))?"
)
_SUPERSCRIPTS = str.maketrans("⁻⁺⁰¹²³⁴⁵⁶⁷⁸⁹", "-+0123456789")
_SUPERSCRIPT_POWER = re.compile("10([⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
_TIMES = re.compile(rf"[{_BLANKS}]*(?:\\cdot|\\times|[·⋅∙×xX*])[{_BLANKS}]*")
_EXPONENT = r"(?P<exponent>[+-]?[0-9]{1,3})"
_E_POWER = re.compile(rf"(?P<mantissa>.*[0-9.,])[eE]{_EXPONENT}")
_TEN_POWER = re.compile(rf"(?:(?P<mantissa>.*)·|(?P<sign>[+-]?))10\^{_EXPONENT}")
_RAISED = re.compile(r"\^(?:\{([^{}]*)\}|\(([^()]*)\))")


def written_real(text: str) -> WrittenReal:
    """Return the double nearest to a number as it is written, which is 0 only where the number is.

    Raises:
        ValueError: the text is not plainly one number, or one that no double is near to.

    >>> [float(written_real(text)) for text in ("2.5·10⁻⁶", "$10^{-7}$", "1.5 × 10^-7")]
    [2.5e-06, 1e-07, 1.5e-07]
    >>> [float(written_real(text)) for text in ("1,000", "12 000,5", "−2,5", "5 %")]
    [1000.0, 12000.5, -2.5, 0.05]
    >>> [round(written_real(text), 4) for text in ("256 / 1,024", "e^2")]
    [0.25, 7.3891]
    >>> written_real("2,5")
    2,5
    """
    decimal = _exact(text)
    exact = _computed(text) if decimal is None else decimal
    try:
        number = float(exact)
    except OverflowError:
        number = math.inf
    if math.isinf(number) or (number == 0.0 and exact != 0):
        raise ValueError(f"too large, or too close to 0: {text[:60]!r}")
    return WrittenReal(text.strip(), number)


def written_whole(text: str) -> int:
    """Return a whole number as it is written, with every digit.

    A decimal fraction is none, not even 4.000: where a point stands between groups of three, that
    is four thousand. Beside a power of ten it is read, as in 1.5e3.

    Raises:
        ValueError: the text is not plainly one whole number.

    >>> written_whole("12,000"), written_whole("1e4"), written_whole("1.5·10⁶")
    (12000, 10000, 1500000)
    """
    exact = _exact(text)
    compact = _compact(text)
    plain = _PLAIN.fullmatch(compact)
    is_fraction = compact.endswith("%") or (plain is not None and plain["mark"] is not None)
    if exact is None or is_fraction or exact != exact.to_integral_value():
        raise ValueError(f"no whole number: {text[:60]!r}")
    return int(exact)


def _compact(text: str) -> str:
    """Return a text with one spelling of signs, products and powers."""
    if len(text) > _MOST_TYPED:
        raise ValueError(f"no number: {text[:60]!r}")
    compact = text.strip()
    if len(compact) > 1 and compact[0] == compact[-1] == "$":
        compact = compact[1:-1].strip()
    compact = _SUPERSCRIPT_POWER.sub(
        lambda found: "10^" + found[1].translate(_SUPERSCRIPTS), compact.replace("−", "-")
    )
    compact = _RAISED.sub(lambda found: f"^{found[1] or found[2] or ''}", compact)
    return _TIMES.sub("·", compact.replace("**", "^"))


def _exact(text: str) -> Decimal | None:
    """Return the number that a text without a quotient or a power of e writes, or ``None``."""
    compact = _compact(text)
    if compact.endswith("%"):
        share = _exact(compact[:-1])
        if share is None or compact.count("%") > 1:
            return None
        sign, all_digits, place = share.as_tuple()
        assert isinstance(place, int)  # neither infinite nor undefined
        return Decimal((sign, all_digits, place - 2))
    power = _E_POWER.fullmatch(compact) or _TEN_POWER.fullmatch(compact)
    if not power:
        digits = _digits(compact)
        return None if digits is None else Decimal(digits)
    mantissa = power["mantissa"]
    if mantissa is None:
        return Decimal(f"{power['sign']}1e{power['exponent']}")
    if re.search(r",[0-9]{3}(?![0-9])", mantissa):
        return None  # 1,234·10⁵ may be meant with a decimal comma, or with thousands
    digits = _digits(mantissa)
    return None if digits is None else Decimal(f"{digits}e{power['exponent']}")


def _computed(text: str) -> Decimal | Fraction:
    """Return the power of e or the quotient that a text writes."""
    compact = _compact(text)
    try:
        if compact.startswith("e^"):
            grown = Decimal(_digits(compact[2:]) or "nothing").exp()
            if grown > 0:  # else it is too small even for decimals
                return grown
        elif "%" not in compact:  # of one or of all?
            above, below = (_exact(part) for part in compact.split("/"))
            if above is not None and below is not None:
                return Fraction(above) / Fraction(below)
    except (ArithmeticError, ValueError):  # no power, not one quotient, or one of 0
        pass
    raise ValueError(f"no number: {text[:60]!r}")


def _digits(compact: str) -> str | None:
    """Return a number without powers as Python writes it, or ``None`` where it is none."""
    found = _PLAIN.fullmatch(compact)
    if not found:
        return None
    whole = re.sub(r"[^0-9]", "", found["grouped"] or found["whole"])
    part = found["part"] or ""
    if not whole and not part:
        return None
    comma_after_groups = found["grouped"] and found["mark"] == ","
    if comma_after_groups and (found["between"] == "," or len(part) == 3):
        return None  # 1,000,5 is nothing, 1 000,000 either a thousand or a million
    return f"{found['sign']}{whole or '0'}.{part or '0'}"
