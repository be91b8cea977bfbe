"""Numbers in the texts of links, files, command lines and boxes: plain ones, and exactly those."""

import re
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
    >>> real_number("1e-400")
    Traceback (most recent call last):
    ...
    ValueError: too close to 0: '1e-400'
    """
    if len(text) > _MOST_CHARACTERS or not _REAL.fullmatch(text):
        raise ValueError(f"no number: {text[:60]!r}")
    number = WrittenReal(text)
    if number == 0.0 and re.search("[1-9]", re.split("[eE]", text)[0]):
        raise ValueError(f"too close to 0: {text[:60]!r}")
    return number


def shown_number(value: float) -> str:
    """Return a number as its box shows it: with every digit, so that nothing is changed unseen.

    >>> shown_number(1000), shown_number(0.1), shown_number(1e-7), shown_number(4.0)
    ('1000', '0.1', '1e-7', '4')
    """
    text = repr(value).removesuffix(".0")
    return re.sub(r"e([+-])0*", lambda match: "e" + match[1].replace("+", ""), text)
