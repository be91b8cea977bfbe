"""How the command line is read."""

import argparse
import math
import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from difflib import get_close_matches
from typing import Any, NoReturn

from dpviz.command_line.command import SAMPLING_GROUP, Command, UsageError, shown
from dpviz.scenario.number_text import real_number, whole_number
from dpviz.settings import Setting, option_of
from dpviz.settings.setting import Option
from dpviz.wording.numbers import capitalised

_EXAMPLE = """example:
  python -m dpviz epsilon --num-series 320 --series-length 20 --context-length 1
      --forecast-length 1 --batch-size 32 --noise-multiplier 1 --steps 1000 --delta 1e-5 1e-7"""
_FLAT = "all windows in one bag instead; --bottom-level poisson: each by a coin"
# What programs, papers and people call the same: of these words the first that a command knows.
_ALIKE = [
    [f"--{word}" for word in words.split()]
    for words in (
        "noise-multiplier noise sigma",
        "num-series series n",
        "series-length length lengths",
        "context-length context lookback",
        "forecast-length forecast horizon prediction-length",
        "top-rate rho rate",
        "bottom-rate r",
        "batch-size batch",
        "subsequences lambda num-subsequences windows",
        "steps num-steps",
        "epochs num-epochs",
        "forecast-noise label-noise sigma-f",
        "context-noise sigma-c",
        "relation-width filter-width width",
        "relation level",
        "channels num-channels",
        "data scenario file",
        "scenario config",
        "target-epsilon target",
        "epsilon target-epsilon eps epsilons",
        "delta target-delta",
        "false-positive-rate false-positive-rates fpr false-alarms alpha",
        "batches num-batches",
        "out output o",
        "base-url url",
        "processes jobs workers",
        "dask cluster",
        "model forecaster",
        "learning-rate lr",
        "clipping-norm clip",
        "optimizer optimiser",
        "period season",
        "level levels",
        "episodes k",
        "length t",
        "participation i",
        "times-per-step m",
        "rate p",
        "filter-width sigma-g",
    )
]


def parsed(arguments: Sequence[str], commands: Mapping[str, Command]) -> argparse.Namespace:
    """Return the options: a command's own are checked, and have their defaults where absent.

    The fields of a scenario are as they were given, and ``None`` where absent: it checks them.

    Raises:
        UsageError: there is no such command or option, an option has no value or too many, or what
            is needed is lacking.
        ScenarioError: a value is not allowed.
        HelpAsked: instead of an answer.
    """
    _check_command(arguments, commands)
    # To declare the options of all of them takes longer than many a command runs.
    asked = {name: commands[name] for name in arguments[:1] if name in commands} or commands
    options, rest = _parser(asked).parse_known_args(arguments)
    command = commands[options.command]
    if rest:
        given, why = rest[0], "it is the value of no option"
        if given.startswith("-"):
            nearest = nearest_option(given, command)
            hint = f"; the nearest is {nearest}" if nearest else ""
            why = f"there is no such option for {command.name}{hint}"
        raise UsageError(f"{shown(given)!r} is not allowed: {why}")
    for name, setting in command.own.items():
        if getattr(options, name) is None:
            setattr(options, name, setting.default)
    if command.file is not None:
        name, metavar, _ = command.file
        given = getattr(options, name)
        if given is None:
            raise UsageError(command.lacks)
        if not given.strip() or "\0" in given:
            raise UsageError(f"{shown(given)} is not allowed: {metavar} must not be blank")
    for setting in command.needs:
        if getattr(options, setting.name) is None:
            allowed = setting.option_allows
            if setting.option is not None and setting.option.many:
                allowed = allowed.replace("a number", "one or more numbers")
            raise UsageError(f"{option_of(setting.name)} is needed: {allowed}")
    return options


def number_or_text(text: str) -> int | float | str:
    """Return a number, or the text itself for the scenario to refuse with what it allows.

    >>> [number_or_text(text) for text in ("32", "1e-7", "many", "1e400")]
    [32, 1e-7, 'many', '1e400']
    """
    try:
        return whole_number(text)
    except ValueError:
        if text.lstrip("+-").isdigit():  # too long for any field, but no infinity either
            return text
    try:
        number = real_number(text)
    except ValueError:
        return text
    return number if math.isfinite(number) else text


def whole_or_text(text: str) -> int | float | str:
    """Return a number for a setting that takes whole ones; none is made whole by rounding.

    Nor is a decimal fraction, as in boxes and links: to some 4.000 is four thousand.

    >>> whole_or_text("1e4"), whole_or_text("4.000"), whole_or_text("9999999.9999999999")
    (1e4, '4.000', '9999999.9999999999')
    """
    number = number_or_text(text)
    if not isinstance(number, float):
        return number
    is_fraction = "." in text and "e" not in text.lower()
    return text if is_fraction or Decimal(text) != number else number


def nearest_option(given: str, command: Command) -> str | None:
    """Return the option of a command that is most like what was typed, if any is."""
    known = command.option_names
    word = "--" + given.split("=")[0].lstrip("-").lower().replace("_", "-")
    alike = [one for words in _ALIKE if word in words for one in words]
    for also in (command.also_called.get(word), *alike):
        if also in known:
            return also
    begun = [option for option in known if option.startswith(word) and len(word) > len("--x")]
    return next(iter(begun or get_close_matches(word, known, n=1)), None)


class HelpAsked(Exception):  # noqa: N818 - no error
    """The help was asked for, which is the message."""


class _Parser(argparse.ArgumentParser):
    def __init__(self, **arguments: Any) -> None:
        super().__init__(allow_abbrev=False, **arguments)
        # Values such as -1e-7 and -inf are refused as values, with what is allowed.
        self._negative_number_matcher = re.compile(r"-(\d|\.\d|inf|nan)")

    def print_help(self, file: object = None) -> NoReturn:  # noqa: ARG002
        # Else what cannot be written is lost without a word.
        raise HelpAsked(self.format_help())

    def error(self, message: str) -> NoReturn:
        raise UsageError(" ".join(message.removeprefix("argument ").split()))


class _Help(argparse.RawDescriptionHelpFormatter):
    """Shows how many values an option takes; any number is read, to be refused in a sentence."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return textwrap.wrap(text, width, break_on_hyphens=False)  # names of options stay whole

    def _format_args(self, action: argparse.Action, default_metavar: str) -> str:
        if isinstance(action, _Once):
            name = str(action.metavar)
            return f"{name} [{name} ...]" if action.many else name
        return super()._format_args(action, default_metavar)


class _Once(argparse.Action):
    """Stores one value, or several where the option takes them."""

    def __init__(self, *, takes: Setting, checks: bool, **arguments: Any) -> None:
        super().__init__(**arguments)
        self._takes, self._checks = takes, checks
        option = takes.option or Option("", "")
        self._repeats, self.many = option.repeats, option.many

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        name = option_string or option_of(self._takes.name)
        allowed = self._takes.option_allows
        if not values:
            each = "one or more values, each" if self.many else "a value,"
            parser.error(f"{name} without a value is not allowed: it takes {each} {allowed}")
        given = f"{name} {shown(values)} is not allowed"
        if len(values) > 1 and not self.many:
            parser.error(f"{given}: it takes one value, {allowed}")
        if self._checks:
            values = [self._takes.checked(one) for one in values]
        before = getattr(namespace, self.dest, None)
        if self._repeats:
            values = [*(before or ()), *values]
        # An option given twice would silently lose the first one.
        elif before is not None:
            parser.error(f"{given}: it is given more than once")
        setattr(namespace, self.dest, values if self.many else values[0])


def _parser(commands: Mapping[str, Command]) -> _Parser:
    parser = _Parser(
        prog="python -m dpviz",
        description="Privacy of a training run, as upper and lower bounds.",
        epilog=_EXAMPLE,
        formatter_class=_Help,
    )
    added = parser.add_subparsers(dest="command", metavar="{" + ",".join(commands) + "}")
    for name, command in commands.items():
        told, described = command.help, f"{capitalised(command.help)}."
        one = added.add_parser(name, help=told, description=described, formatter_class=_Help)
        if command.file is not None:
            field, metavar, told = command.file
            one.add_argument(field, nargs="?", metavar=metavar, help=told)
        if command.has_json:
            one.add_argument("--json", action="store_true", help="machine-readable answer")
        for flag, told in command.flags.items():
            one.add_argument(flag, action="store_true", help=told)
        for title, settings in command.groups:
            group = one.add_argument_group(title) if title else one
            for setting in settings:
                _add(group, setting, command)
            if title == SAMPLING_GROUP:
                group.add_argument("--flat", action="store_true", help=_FLAT)
    return parser


def _add(group: Any, setting: Setting, command: Command) -> None:
    option = setting.option
    if option is None:
        return
    group.add_argument(
        option_of(setting.name),
        dest=setting.name,
        action=_Once,
        takes=setting,
        checks=setting.name in command.own,
        nargs="*",
        type=_reader(setting),
        metavar=option.metavar,
        help=argparse.SUPPRESS if setting.name in command.ignores else option.help,
    )


def _reader(setting: Setting) -> Callable[[str], object]:
    if not setting.is_number:
        return str
    return whole_or_text if isinstance(setting.limits[0], int) else number_or_text


def _check_command(arguments: Sequence[str], commands: Mapping[str, Command]) -> None:
    listed = ", ".join(commands)
    if not arguments:
        raise UsageError(f"a command is needed: one of {listed}")
    first = arguments[0]
    if first in commands or first in ("-h", "--help"):
        return
    if first.startswith("-"):
        raise UsageError(f"{shown(first)} is not allowed before the command: one of {listed}")
    alike = get_close_matches(first, commands, n=1)
    nearest = f"; the nearest is {alike[0]}" if alike else ""
    raise UsageError(
        f"{shown(first)!r} is not allowed: the command must be one of {listed}{nearest}"
    )
