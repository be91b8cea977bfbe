"""The one error that an unreadable file raises, and how its messages show text."""

from dpviz.scenario.errors import cut_off

_MOST_LISTED = 5


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


def listed(names: list[str]) -> str:
    """Return a few names in a row, and how many more there are.

    >>> listed(list("abcdefg"))
    '"a", "b", "c", "d", "e" and 2 more'
    """
    shown = ", ".join(map(quoted, names[:_MOST_LISTED]))
    more = len(names) - _MOST_LISTED
    return shown if more <= 0 else f"{shown} and {more:,} more"
