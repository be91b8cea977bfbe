"""Levels of a draw in stages: how many of how many units each of them takes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod

from dpviz.scenario.data import LARGEST_COUNT, SMALLEST_RATE
from dpviz.scenario.errors import ScenarioError, keep_integer
from dpviz.scenario.number_text import whole_number

MOST_LEVELS = 5
_FORM = 'it must be DRAWN:SIZE, two whole numbers, such as "5:20"'


@dataclass(frozen=True, kw_only=True)
class Level:
    """One level: so many units are drawn without replacement from each unit of the level above.

    Args:
        drawn: how many, in each unit that was itself drawn.
        size: how many there are in it; of units of several sizes, the smallest.

    Raises:
        ScenarioError: a number is not allowed, or more are drawn than there are.
    """

    drawn: int
    size: int

    def __post_init__(self) -> None:
        keep_integer(self, "size", 1, LARGEST_COUNT)
        keep_integer(self, "drawn", 1, self.size)


def levels_text(levels: Iterable[Level]) -> str:
    """Return levels as a link and the command line write them.

    >>> levels_text([Level(drawn=5, size=20), Level(drawn=1, size=10)])
    '5:20,1:10'
    """
    return ",".join(f"{level.drawn}:{level.size}" for level in levels)


def levels_in(field: str, text: str, least: int = 1) -> tuple[Level, ...]:
    """Return the levels that a text names; see :func:`levels_text`.

    Args:
        field: what the text is of, for messages.
        text: such as "5:20,1:10", the first level first.
        least: so many levels there must be.

    Raises:
        ScenarioError: a part is no level, there are too few or too many of them, or a record is
            drawn so rarely that the accountant does not resolve it.

    >>> levels_in("levels", "5:20,1:10")[1]
    Level(drawn=1, size=10)
    >>> levels_in("levels", "5:20,11:10")
    Traceback (most recent call last):
    ...
    dpviz.scenario.errors.ScenarioError: levels = '11:10' is not allowed: it must be from 1 to 10 \
units that are drawn.
    """
    if not isinstance(text, str):
        raise ScenarioError(field, text, _FORM)
    parts = text.split(",", MOST_LEVELS)
    if not least <= len(parts) <= MOST_LEVELS:
        raise ScenarioError(field, text, f"it must be {least} to {MOST_LEVELS} levels")
    return checked_levels(field, [_level(field, part) for part in parts])


def checked_levels(field: str, levels: Sequence[Level]) -> tuple[Level, ...]:
    """Return levels whose draw can be accounted for, or raise :class:`ScenarioError`."""
    check_rate(field, levels_text(levels), prod(level.drawn / level.size for level in levels))
    return tuple(levels)


def check_rate(field: str, text: str, rate: float | Fraction) -> None:
    """Refuse a draw of so few records that the accountant does not resolve it."""
    if rate < SMALLEST_RATE:
        allowed = (
            f"it must be a draw that takes a record with probability {SMALLEST_RATE:g} at least"
        )
        raise ScenarioError(field, text, allowed)


def _level(field: str, text: str) -> Level:
    words = text.split(":")
    try:
        drawn, size = map(whole_number, words)
    except ValueError:
        raise ScenarioError(field, text, _FORM) from None
    if not 1 <= size <= LARGEST_COUNT:
        allowed = f"it must be a level of a size from 1 to {LARGEST_COUNT:,}"
        raise ScenarioError(field, text, allowed)
    if not 1 <= drawn <= size:
        raise ScenarioError(field, text, f"it must be from 1 to {size:,} units that are drawn")
    return Level(drawn=drawn, size=size)
