"""What is said of a quantity or choice that visitors set: all of it, once.

A page's settings are fields of a dataclass, each with its declaration as the default::

    @dataclass(frozen=True, kw_only=True)
    class ClockView(ViewPart):
        clock_hands: str = choice("two", {"two": "as usual", "three": "with seconds"}, "Hands")
        clock_hours: int = number(
            12, (1, 24), "Hours", **slider(range(1, 25), "short", "long")
        )

Control, hover help, check, link, undo, messages and documentation follow from it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from typing import Any

from dpviz.scenario.errors import checked_choice, checked_integer, checked_real

_KEY = "setting"
NO_LIMITS = (0, 0)
SEEDS = (0, 10**9)


@dataclass(frozen=True)
class Option:
    """How the command line reads a setting.

    Args:
        name: the option, where it is not the setting's name.
        repeats: whether it may be given several times, each time for more values.
        allowed: what a value may be, where limits and choices do not say it.
        without: choices that are given in another way.
    """

    metavar: str
    help: str
    name: str = ""
    many: bool = False
    repeats: bool = False
    allowed: str = ""
    without: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, eq=False)
class Setting:
    """A quantity, a choice between words, or a text.

    Args:
        name: in code, JSON and links.
        label: what its control is called, without its symbol.
        symbol: of the paper, if it has one.
        shows_symbol: whether its control is called by the symbol, too.
        noun: one word for it, where there is no room for more than that and the symbol.
        unit: what it is counted in, where its name does not say so.
        named: what messages and undo call it, where the label needs its page around it.
        default: what it is at first; its type is the setting's.
        limits: least and most of a number; of a whole one, whole numbers.
        grid: where its slider stops.
        ends: what the left and the right end of the slider mean.
        choices: what it may be, each with the words for it; of a text without a check.
        check: returns a text as it is kept, or raises ``ScenarioError``; called with the name and
            the value.
        help: what hovering tells, as Markdown without formulas. Without it, and for more, there is
            the glossary's term.
        term: key of the glossary's term that it is about.
        option: of the command line.
        instead: the setting whose value it has in links that do not name it.
        is_looked_at: whether it only chooses what is drawn of what is there anyway: undo and reset
            leave it as it is.
    """

    name: str = ""
    label: str = ""
    symbol: str = ""
    shows_symbol: bool = True
    noun: str = ""
    unit: str = ""
    named: str = ""
    default: Any = None
    limits: tuple[float, float] = NO_LIMITS
    grid: Sequence[float] = ()
    ends: tuple[str, str] = ("", "")
    choices: Mapping[str, str] = field(default_factory=dict)
    check: Callable[[str, Any], str] | None = None
    help: str = ""
    term: str = ""
    option: Option | None = None
    instead: str = ""
    is_looked_at: bool = False

    @property
    def title(self) -> str:
        """What its control is called."""
        return f"{self.label} {self.symbol}".strip() if self.shows_symbol else self.label

    @property
    def short_name(self) -> str:
        """Its symbol or, where it has none, as few words as it takes."""
        return self.symbol or self.noun or self.phrase

    @property
    def phrase(self) -> str:
        """The title within a sentence: "windows per series λ"."""
        return self.title[0].lower() + self.title[1:]

    @property
    def called(self) -> str:
        """What messages and undo call it, on any page."""
        return self.named or self.title

    @property
    def is_number(self) -> bool:
        """Whether it is a number; else it is a text."""
        return self.limits != NO_LIMITS

    @property
    def option_name(self) -> str:
        """Its option of the command line."""
        short = self.option.name if self.option is not None else ""
        return short or "--" + self.name.replace("_", "-")

    @property
    def option_allows(self) -> str:
        """What a value of its option may be, in words."""
        option = self.option or Option("", "")
        if option.allowed:
            return option.allowed
        if self.choices:
            return "one of " + ", ".join(one for one in self.choices if one not in option.without)
        low, high = self.limits
        if isinstance(low, int):
            return f"a whole number from {low:,} to {high:,}"
        return f"a number from {low:g} to {high:g}"

    def checked(self, value: Any) -> Any:
        """Return a value as it is kept.

        Raises:
            ScenarioError: it is not allowed.
        """
        if self.choices:
            return checked_choice(self.name, value, tuple(self.choices))
        if self.check is not None:
            return self.check(self.name, value)
        if not self.is_number:
            return value
        low, high = self.limits
        if isinstance(low, int) and isinstance(high, int):
            return checked_integer(self.name, value, low, high)
        return checked_real(self.name, value, low, high)


def number(default: float, limits: tuple[float, float], label: str, **about: Any) -> Any:
    """Declare a number: a whole one where its limits are; see :class:`Setting` for the rest."""
    return _declared(default=default, limits=limits, label=label, **about)


def slider(grid: Sequence[float], left: str, right: str) -> dict[str, Any]:
    """Return where a setting's slider stops, and what its ends mean."""
    return {"grid": grid, "ends": (left, right)}


def seed(label: str, explained: str = "", *, default: int = 1, **about: Any) -> Any:
    """Declare a seed, with the help on it; see :class:`Setting` for the rest."""
    return number(default, SEEDS, label, help=explained, **about)


def choice(default: str, choices: Mapping[str, str], label: str, **about: Any) -> Any:
    """Declare a choice between words; see :class:`Setting` for the rest."""
    return _declared(default=default, choices=choices, label=label, **about)


def text(default: str, check: Callable[[str, Any], str], label: str, **about: Any) -> Any:
    """Declare a text with a form of its own; see :class:`Setting` for the rest."""
    return _declared(default=default, check=check, label=label, **about)


def refused_by(read: Callable[[str], object]) -> Callable[[str, Any], str]:
    """Return the check of a text that is kept as it is, unless ``read`` refuses it."""

    def check(_: str, value: Any) -> str:
        read(value)
        return str(value)

    return check


def themselves(*names: str) -> dict[str, str]:
    """Return choices whose words are their names."""
    return {name: name for name in names}


def _declared(**about: Any) -> Any:
    one = Setting(**about)
    return field(default=one.default, metadata={_KEY: one})


@dataclass(frozen=True, kw_only=True)
class ViewPart:
    """Settings of a page, checked on construction.

    Raises:
        ScenarioError: a value is not allowed.
    """

    def __post_init__(self) -> None:
        for one in settings_of(type(self)):
            object.__setattr__(self, one.name, one.checked(getattr(self, one.name)))


def settings_of(part: Any) -> tuple[Setting, ...]:
    """Return the settings that a part of the view, a class, declares, with their names."""
    return _settings_of(part)


@cache  # every change of a setting checks all of them
def _settings_of(part: Any) -> tuple[Setting, ...]:
    return tuple(replace(one.metadata[_KEY], name=one.name) for one in fields(part))
