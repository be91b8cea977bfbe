"""A part of what the pages show: the choices of one page, and their checks.

A page with settings of its own has a part in a file of its own, which
:class:`dpviz.scenario.view.View` inherits::

    @dataclass(frozen=True, kw_only=True)
    class ClockView(ViewPart):
        CHOICES = {"clock_hands": ("two", "three")}
        INTEGERS = {"clock_hours": (1, 24)}

        clock_hands: str = "two"
        clock_hours: int = 12

Its fields are then parameters of every link; a field's type is that of its default.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from dpviz.scenario.errors import checked_choice, checked_integer, checked_real


@dataclass(frozen=True, kw_only=True)
class ViewPart:
    """Choices that are checked on construction; the tables of all parts count.

    Attributes:
        CHOICES: what a field may be.
        INTEGERS: least and most of a whole number.
        RANGES: least and most of a number.
        TEXTS: for a text, what returns it as it is kept, or raises ``ScenarioError``; called with
            the field's name and the value.

    Raises:
        ScenarioError: a value is not allowed.
    """

    CHOICES: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    INTEGERS: ClassVar[Mapping[str, tuple[int, int]]] = {}
    RANGES: ClassVar[Mapping[str, tuple[float, float]]] = {}
    TEXTS: ClassVar[Mapping[str, Callable[[str, Any], str]]] = {}

    def __post_init__(self) -> None:
        for part in type(self).__mro__:
            if issubclass(part, ViewPart):
                self._check(part)

    def _check(self, part: type["ViewPart"]) -> None:
        def table(name: str) -> Mapping[str, Any]:
            found: Mapping[str, Any] = vars(part).get(name, {})
            return found

        for name, choices in table("CHOICES").items():
            checked_choice(name, getattr(self, name), choices)
        for name, limits in table("RANGES").items():
            value = checked_real(name, getattr(self, name), *limits)
            object.__setattr__(self, name, value)
        for name, limits in table("INTEGERS").items():
            object.__setattr__(self, name, checked_integer(name, getattr(self, name), *limits))
        for name, checked in table("TEXTS").items():
            object.__setattr__(self, name, checked(name, getattr(self, name)))
