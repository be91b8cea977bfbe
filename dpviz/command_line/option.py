"""One option of the command line, and what it allows in words."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Option:
    """One option with a value.

    Args:
        field: the field of a scenario, or the argument of a command, that it gives.
        metavar: what its value is called in the help.
        help: what it means, for the help.
        allowed: what a value may be.
        many: whether it takes several values.
        is_text: whether its values are never numbers.
        repeats: whether it may be given several times, each time for more values.
    """

    field: str
    metavar: str
    help: str
    allowed: str
    many: bool = False
    is_text: bool = False
    repeats: bool = False


def whole(low: int, high: int) -> str:
    """Return what a whole number may be, in words."""
    return f"a whole number from {low:,} to {high:,}"


def real(low: float, high: float) -> str:
    """Return what a number may be, in words."""
    return f"a number from {low:g} to {high:g}"


def number(field: str, metavar: str, told: str, allowed: str, *, many: bool = False) -> Option:
    """Return an option whose values are numbers."""
    return Option(field=field, metavar=metavar, help=told, allowed=allowed, many=many)


def text(field: str, metavar: str, told: str, allowed: str) -> Option:
    """Return an option whose values are never numbers."""
    return Option(field=field, metavar=metavar, help=told, allowed=allowed, is_text=True)


Group = tuple[str, Sequence[Option]]
