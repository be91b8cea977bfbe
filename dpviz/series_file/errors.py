"""The one error that an unreadable file raises, and how its messages show text."""

from dpviz.scenario.errors import cut_off


class SeriesFileError(ValueError):
    """A file cannot be read as time series; the message says what, where and why."""


def quoted(text: object) -> str:
    """Return ``text`` in quotation marks, printable, on one line, and not too long.

    >>> quoted("sensor 1")
    '"sensor 1"'
    """
    shown = cut_off(str(text))
    # A hostile cell can hold line breaks or terminal codes: the message stays one line.
    return '"' + "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in shown) + '"'


def listed(names: list[str], most: int = 5) -> str:
    """Return names in a row of at most ``most``, and how many more there are.

    >>> listed(["a", "b", "c"], most=2)
    '"a", "b" and 1 more'
    """
    shown = ", ".join(quoted(name) for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most:,} more"


def counted(number: int, one: str, several: str | None = None) -> str:
    """Return ``number`` with the noun in the right form.

    >>> counted(1, "value"), counted(1200, "value"), counted(2, "series", "series")
    ('1 value', '1,200 values', '2 series')
    """
    return f"{number:,} {one if number == 1 else several or one + 's'}"
