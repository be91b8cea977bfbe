"""How the command line is read."""

import argparse
import re
import sys
import textwrap
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any, NoReturn

from dpviz.command_line.file_options import FILE_HELP
from dpviz.command_line.nearest import nearest_option
from dpviz.command_line.option import Option
from dpviz.command_line.options import (
    COMMANDS,
    DOCUMENTS,
    FILES,
    NOT_SIMULATED,
    WITHOUT_SCENARIO,
    option_of,
    options_of,
)
from dpviz.scenario.number_text import real_number, whole_number

_EXAMPLE = """example:
  python -m dpviz epsilon --num-series 320 --series-length 20 --context-length 1
      --forecast-length 1 --batch-size 32 --noise-multiplier 1 --steps 1000 --delta 1e-5 1e-7"""
LONGEST_SHOWN = 60
LONGEST_PATH = 500


class UsageError(Exception):
    """The command line does not say what to do; the message is one sentence."""


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the options as given; numbers are not checked yet, absent ones are ``None``.

    Raises:
        UsageError: there is no such command or option, or an option has no value or too many.
    """
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    _check_command(arguments)
    options, rest = _parser().parse_known_args(arguments)
    if rest:
        raise _not_read(rest[0], options.command)
    return options


def shown(value: object) -> str:
    """Return a value as it was typed, short and on one line."""
    text = " ".join(map(str, value)) if isinstance(value, list) else str(value)
    text = text if text.isprintable() and text else repr(text)
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 3] + "..."


def shown_path(path: str) -> str:
    """Return a path on one line, whole unless it is longer than paths are."""
    text = path if path.isprintable() else repr(path)
    return text if len(text) <= LONGEST_PATH else text[: LONGEST_PATH - 3] + "..."


def number_or_text(text: str) -> int | float | str:
    """Return a number, or the text itself for the scenario to refuse with what it allows.

    >>> number_or_text("32"), number_or_text("1e-7"), number_or_text("many")
    (32, 1e-07, 'many')
    """
    try:
        return whole_number(text)
    except ValueError:
        if text.lstrip("+-").isdigit():  # too long for any field, but no infinity either
            return text
    try:
        return real_number(text)
    except ValueError:
        return text


class _Parser(argparse.ArgumentParser):
    def __init__(self, **arguments: Any) -> None:
        super().__init__(allow_abbrev=False, **arguments)
        # Values such as -1e-7 and -inf are refused as values, with what is allowed.
        self._negative_number_matcher = re.compile(r"-(\d|\.\d|inf|nan)")

    def error(self, message: str) -> NoReturn:
        raise UsageError(" ".join(message.removeprefix("argument ").split()))


class _Help(argparse.RawDescriptionHelpFormatter):
    """Shows how many values an option takes; any number is read, to be refused in a sentence."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return textwrap.wrap(text, width, break_on_hyphens=False)  # names of options stay whole

    def _format_args(self, action: argparse.Action, default_metavar: str) -> str:
        if isinstance(action, _Once):
            name = action.takes.metavar
            return f"{name} [{name} ...]" if action.takes.many else name
        return super()._format_args(action, default_metavar)


class _Once(argparse.Action):
    """Stores one value, or several where the option takes them."""

    def __init__(self, *, takes: Option, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.takes = takes

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        option = self.takes
        name = option_string or option_of(option.field)
        if not values:
            each = "one or more values, each" if option.many else "a value,"
            without = f"{name} without a value is not allowed"
            parser.error(f"{without}: it takes {each} {option.allowed}")
        given = f"{name} {shown(values)} is not allowed"
        if len(values) > 1 and not option.many:
            parser.error(f"{given}: it takes one value, {option.allowed}")
        before = getattr(namespace, self.dest, None)
        if option.repeats:
            values = [*(before or ()), *values]
        # An option given twice would silently lose the first one.
        elif before is not None:
            parser.error(f"{given}: it is given more than once")
        setattr(namespace, self.dest, values if option.many else values[0])


def _parser() -> _Parser:
    parser = _Parser(
        prog="python -m dpviz",
        description="Privacy of a training run, as upper and lower bounds.",
        epilog=_EXAMPLE,
        formatter_class=_Help,
    )
    added = parser.add_subparsers(dest="command", metavar="{" + ",".join(COMMANDS) + "}")
    for name, text in COMMANDS.items():
        described = text[0].upper() + text[1:] + "."
        command = added.add_parser(name, help=text, description=described, formatter_class=_Help)
        if name in FILES:
            field, metavar = FILES[name]
            command.add_argument(field, nargs="?", metavar=metavar, help=FILE_HELP[name])
        if name not in DOCUMENTS:
            command.add_argument("--json", action="store_true", help="machine-readable answer")
        if name == "train":
            text = "no noise and no clipping: nobody is protected"
            command.add_argument("--no-privacy", action="store_true", help=text)
        if name == "forecast-study":
            text = "compute nothing: tables of what --cache has, and a dash for the rest"
            command.add_argument("--finished", action="store_true", help=text)
        for title, options in options_of(name):
            group = command.add_argument_group(title) if title else command
            for option in options:
                _add(group, option, name)
            if title.startswith("sampling"):
                flat = "all windows in one bag instead; --bottom-level poisson: each by a coin"
                group.add_argument("--flat", action="store_true", help=flat)
    return parser


def _add(group: Any, option: Option, command: str) -> None:
    unused = command == "simulate" and option.field in NOT_SIMULATED
    group.add_argument(
        option_of(option.field),
        dest=option.field,
        action=_Once,
        takes=option,
        nargs="*",
        type=str if option.is_text else number_or_text,
        metavar=option.metavar,
        help=argparse.SUPPRESS if unused else option.help,
    )


def _check_command(arguments: Sequence[str]) -> None:
    commands = ", ".join(COMMANDS)
    if not arguments:
        raise UsageError(f"a command is needed: one of {commands}")
    first = arguments[0]
    if first in COMMANDS or first in ("-h", "--help"):
        return
    if first.startswith("-"):
        raise UsageError(f"{shown(first)} is not allowed before the command: one of {commands}")
    alike = get_close_matches(first, COMMANDS, n=1)
    nearest = f"; the nearest is {alike[0]}" if alike else ""
    raise UsageError(
        f"{shown(first)!r} is not allowed: the command must be one of {commands}{nearest}"
    )


def _not_read(given: str, command: str) -> UsageError:
    if not given.startswith("-"):
        return UsageError(f"{shown(given)!r} is not allowed: it is the value of no option")
    options = [option for _, group in options_of(command) for option in group]
    json = [] if command in DOCUMENTS else ["--json"]
    flat = [] if command in (*FILES, *WITHOUT_SCENARIO) else ["--flat"]
    flat += ["--no-privacy"] if command == "train" else []
    known = [*flat, *json, *(option_of(option.field) for option in options)]
    nearest = nearest_option(given, command, known)
    hint = f"; the nearest is {nearest}" if nearest else ""
    no_such = f"there is no such option for {command}"
    return UsageError(f"{shown(given)!r} is not allowed: {no_such}{hint}")
