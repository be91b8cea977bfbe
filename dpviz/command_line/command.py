"""What a command is: its name, its settings, and what it does with them."""

from argparse import Namespace
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from dpviz.scenario import ScenarioError
from dpviz.scenario.errors import cut_off
from dpviz.scenario.link import checked_address
from dpviz.scenario.scenario import EPSILON_RANGE
from dpviz.settings import Setting, option_of
from dpviz.settings.destinations import PAGE_NAMES
from dpviz.settings.scenario import OPTION_GROUPS
from dpviz.settings.setting import Option, themselves

LONGEST_PATH = 500
LARGEST_SEED = 2**63 - 1
A_FILE, A_FOLDER = "the path of a file", "the path of a folder"
ABSENT_DELTA = "1e-7 if absent, or that of the saved scenario"
Check = Callable[[str, str], str]
Group = tuple[str, Sequence[Setting]]
Told = str | tuple[dict[str, Any], str]
"""What a command has to say: a text, or an answer for programs and the same as lines to read."""


class UsageError(Exception):
    """The command line does not say what to do; the message is one sentence."""


@contextmanager
def told_of(place: str, *kinds: type[Exception]) -> Iterator[None]:
    """Refuse what is wrong with a place, such as a file, in the words of an error about it.

    Args:
        place: what stands in front of these words; nothing if empty.
        kinds: of errors whose message is a sentence, or a clause.
    """
    try:
        yield
    except kinds as problem:
        said = f"{place}: {problem}" if place else str(problem)
        raise UsageError(said.rstrip(".")) from None


@dataclass(frozen=True, kw_only=True, eq=False)
class Command:
    """One command of the command line.

    Args:
        run: returns what is told, given the options; imports what is slow to load itself, so
            that help and wrong options are answered at once. May raise :class:`UsageError`, for
            options and files, and :class:`ScenarioError`, for a value or a scenario that no bound
            covers.
        needs: those of its settings that have to be given.
        verdict: name in its answer of whether all is well, which decides the exit code, too.
        file: name, placeholder and help of a file that is given without an option.
        lacks: what to say where that is not given.
        ignores: fields of the scenario that have no effect on it: it refuses their options.
        also_called: words that mean one of its options, but another thing to other commands.
    """

    name: str
    help: str
    run: Callable[[Namespace], Told]
    settings: Sequence[Setting] = ()
    needs: Sequence[Setting] = ()
    more_settings: Mapping[str, Sequence[Setting]] = field(default_factory=dict)
    reads_scenario: bool = False
    has_json: bool = True
    verdict: str = ""
    file: tuple[str, str, str] | None = None
    lacks: str = ""
    flags: Mapping[str, str] = field(default_factory=dict)
    ignores: Collection[str] = ()
    also_called: Mapping[str, str] = field(default_factory=dict)

    @property
    def groups(self) -> list[Group]:
        """All options with a value, in groups."""
        return [*self._own_groups, *(_SCENARIO if self.reads_scenario else ())]

    @property
    def _own_groups(self) -> list[Group]:
        saved = [("a saved scenario", [_SAVED])] if self.reads_scenario else []
        return [("", self.settings), *self.more_settings.items(), *saved]

    @property
    def own(self) -> dict[str, Setting]:
        """The options, by name, that are no part of a scenario, or are given beside one."""
        return {one.name: one for _, group in self._own_groups for one in group}

    @property
    def option_names(self) -> list[str]:
        """All options as they are typed."""
        flags = [*(["--flat"] if self.reads_scenario else ()), *self.flags]
        json = ["--json"] if self.has_json else []
        return [*flags, *json, *(option_of(one.name) for _, group in self.groups for one in group)]


def number(
    name: str,
    metavar: str,
    told: str,
    limits: tuple[float, float],
    *,
    default: float | None = None,
    many: bool = False,
    allowed: str = "",
) -> Setting:
    """Declare a command's own option whose value is a number, a whole one where its limits are."""
    option = Option(metavar, told, many=many, allowed=allowed)
    return Setting(name=name, limits=limits, default=default, option=option)


def choice(
    name: str, metavar: str, told: str, choices: Sequence[str], *, default: str | None = None
) -> Setting:
    """Declare a command's own option whose value is one of a few words."""
    option = Option(metavar, told)
    return Setting(name=name, choices=themselves(*choices), default=default, option=option)


def text(
    name: str, metavar: str, told: str, allowed: str, *, many: bool = False, repeats: bool = False
) -> Setting:
    """Declare a command's own option whose value is a text, such as a path."""
    option = Option(metavar, told, many=many, repeats=repeats, allowed=allowed)
    return Setting(name=name, option=option)


def path(
    name: str, metavar: str, told: str, allowed: str = A_FILE, *, check: Check | None = None
) -> Setting:
    """Declare a command's own option that names a place; it is checked as soon as it is read."""
    must = f"it must be {allowed}"

    def checked(field: str, value: str) -> str:
        if not value.strip() or "\0" in value:
            raise ScenarioError(field, value, must)
        return value if check is None else check(field, value)

    return Setting(name=name, check=checked, option=Option(metavar, told, allowed=allowed))


def address(told: str) -> Setting:
    """Return the option for the app's address, and what that is for."""
    return path(
        "base_url",
        "URL",
        f"the app's address, {told}",
        "an address that begins with https://",
        check=lambda field, value: without_page(checked_address(field, value)),
    )


def without_page(address: str) -> str:
    """Return the app's address where a browser shows that of a page.

    >>> without_page("http://192.168.0.7:8501/lessons"), without_page("https://dp.example.org/app")
    ('http://192.168.0.7:8501/', 'https://dp.example.org/app')
    """
    parts = urlsplit(address)
    folder, _, page = parts.path.rpartition("/")
    return parts._replace(path=f"{folder}/").geturl() if page in PAGE_NAMES else address


def seed(told: str, default: int | None = None) -> Setting:
    """Return the option for what decides all that is drawn."""
    return number("seed", "S", told, (0, LARGEST_SEED), default=default)


def processes(told: str, default: int | None = None) -> Setting:
    """Return the option for how many compute at a time."""
    return number("processes", "P", told, (1, 1024), default=default)


def shown(value: object) -> str:
    """Return a value as it was typed, short and on one line."""
    text = " ".join(map(str, value)) if isinstance(value, list) else str(value)
    text = text if text.isprintable() and text.strip() else repr(text)
    return cut_off(text)


def shown_path(path: str) -> str:
    """Return a path on one line, whole unless it is longer than paths are."""
    return cut_off(path if path.isprintable() and path.strip() else repr(path), LONGEST_PATH)


EPSILONS = number("epsilon", "E", "one or more epsilons", EPSILON_RANGE, many=True)
_SAVED = path(
    "scenario",
    "FILE.json",
    "instead of all options below; this program's own --json output will do",
    "the path of a JSON file",
)
_SCENARIO: list[Group] = [
    (title, [one for one in group if one.option]) for title, group in OPTION_GROUPS.items()
]
SAMPLING_GROUP = next(title for title in OPTION_GROUPS if title.startswith("sampling"))
SCENARIO_FIELDS = tuple(one.name for _, group in _SCENARIO for one in group)
