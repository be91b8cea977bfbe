"""Texts and values that no field means, and numbers that only just are or are not allowed."""

import re
from decimal import Decimal, InvalidOperation
from random import Random
from typing import Any

_SMALLEST_DOUBLE = Decimal("4.95e-324")
NUMBERS = (
    "0", "-0", "-0.0", "1", "2", "-1", "7", "32", "320", "0.1", "0.5", "0.999", "1.0", "1.5",
    "1e-7", "1E-7", "1e-15", "1e-16", "1e-9", "1e-10", "1e-400", "1e400", "-1e400", "5e-324",
    "1e6", "1e7", "10000000", "10000001", "1000000000", "1000000001", "1e9", "9" * 20, "9" * 21,
    "9" * 400, "9" * 5000, "1" + "0" * 400, "0." + "0" * 400 + "1", "007", "1.", ".5", "+3", "+.5",
    "nan", "-nan", "NaN", "inf", "-inf", "Infinity", "INF", "1e", "e7", "0x10", "1_000", "1_0.5",
    "1,000", "2,5", "1 000", " 1", "1 ", "1\n", "\t2", "1\x00", "１２", "٣", "٠.٥", "²", "½", "1/2",
    "1e５", "--1", "+-1", "1e1_0", "1\u200b", "\ufeff1", "1\u00a0", "0b1", "1j", "True", "None",
)  # fmt: skip
TEXTS = (
    "", " ", "\t", "\x00", "\x7f", "\u200b", "\ufeff", "\u202eevent", "event\u200b", "Event",
    "event ", " event", "event\n", "user,event", "poisson", "flat", "deterministic", "shuffled",
    "without-replacement", "with-replacement", "steps", "1 hour", "1 hours", "10 minutes",
    "EVENT", "0 hours", "1  hour", "01 hour", "1 hourss", "9999999999999999 weeks",
    "1 fortnight", "1.5 hours",
    "kWh", " kWh", "kWh ", "k\nWh", "x" * 40, "x" * 41, "x" * 100_000, "é" * 40, "😀" * 40,
    "&=?+%#",
    "<b>bold</b>", "<script>alert(1)</script>", "[link](javascript:1)", "$x$", ":red[x]", "`x`",
    "../../etc/passwd", "';--", "{}", "[]", "null", "\ud800", "\U000e0001", "a\u0301", "ﬁ", "%",
    "%zz", "%00", "%ff", "a&delta=2", "a=b", "2024-01-31", "2024-02-30", "99999-01-01", "20240131",
    "2024-W05-3", "1799-12-31", "2024-1-1", "curve", "pie", "a", "a,b", "a,,b", "g", "A",
)  # fmt: skip


def hostile_text(draw: Random) -> str:
    """Return a text for the place of a number or a word."""
    kind = draw.random()
    if kind < 0.45:
        return draw.choice(NUMBERS)
    if kind < 0.8:
        return draw.choice(TEXTS)
    if kind < 0.9:
        return repr(draw.choice((1, -1)) * 10 ** draw.uniform(-20, 20))
    if kind < 0.95:
        return str(draw.randint(-(10 ** draw.randint(0, 30)), 10 ** draw.randint(0, 30)))
    return "".join(chr(draw.randint(1, 0x2FFF)) for _ in range(draw.randint(1, 30)))


def is_plain_number(text: str) -> bool:
    """Return whether a text is a number as everybody writes it, with nothing around it."""
    return (
        text.isascii()
        and not set(text) - set("+-.0123456789eE")
        and _decimal(text) is not None
        and _decimal(text).is_finite()
    )


def same_value(given: str, used: Any) -> bool:
    """Return whether ``used`` is what a text of a link or a file says, not just like it.

    Judged by decimal arithmetic, apart from the code under test: a number may be rounded to the
    nearest double, but not to zero.
    """
    if isinstance(used, str):
        return given == used or _plain_duration(given) == used
    if isinstance(used, list):
        parts = given.split(",")
        return all(map(is_plain_number, parts)) and sorted(map(Decimal, parts)) == used
    if not is_plain_number(given):
        return False
    exact = Decimal(given)
    if isinstance(used, int):
        return exact == used
    if used == 0.0:
        return exact == 0
    error = abs(Decimal(used) - exact)
    return error < abs(exact) * Decimal("1e-15") or error < _SMALLEST_DOUBLE


def _plain_duration(text: str) -> str:
    """Return a time as the app writes it: 01 hours is 1 hour, and 2 hour is 2 hours."""
    if (match := re.fullmatch(r"0*([1-9][0-9]*) ([a-z]+?)s?", text)) is None:
        return text
    count, unit = match.groups()
    return f"{count} {unit}{'' if count == '1' else 's'}"


def _decimal(text: str) -> Decimal | None:
    try:
        return Decimal(text)
    except InvalidOperation:
        return None
