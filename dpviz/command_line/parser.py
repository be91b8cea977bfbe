"""Which commands and options there are, and how they are read."""

import argparse
import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any, NoReturn

from dpviz.scenario.mechanism import BOTTOM_LEVELS

SOUGHT = {
    "noise-multiplier": "noise_multiplier",
    "steps": "steps",
    "epochs": "epochs",
    "batch-size": "batch_size",
    "subsequences": "num_subsequences",
}
# Fields of a scenario whose options have other names.
SHORT_NAMES = {"num_subsequences": "--subsequences", "num_channels": "--channels"}
_COMMANDS = {
    "delta": "delta at given epsilons",
    "epsilon": "epsilon at given deltas",
    "calibrate": "the noise, or another quantity, that just meets a target",
    "simulate": "draw batches and count the windows that contain one individual's values",
}
_EXAMPLE = """example:
  python -m dpviz epsilon --num-series 320 --series-length 20 --context-length 1
      --forecast-length 1 --batch-size 32 --noise-multiplier 1 --steps 1000 --delta 1e-5 1e-7"""


class UsageError(Exception):
    """The command line does not say what to do; the message is one sentence."""


def option_of(field: str) -> str:
    """Return the option for a field of a scenario or a command's own argument."""
    return SHORT_NAMES.get(field, "--" + field.replace("_", "-"))


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the options as given; numbers are not checked yet, absent ones are ``None``.

    Raises:
        UsageError: there is no such command or option, or an option has no value.
    """
    parser, commands = _parsers()
    options, rest = parser.parse_known_args(arguments)
    if options.command is None:
        raise UsageError(f"a command is needed: one of {', '.join(_COMMANDS)}")
    if rest:
        raise _no_such_option(rest[0], commands[options.command])
    return options


class _Parser(argparse.ArgumentParser):
    def __init__(self, **arguments: Any) -> None:
        super().__init__(allow_abbrev=False, **arguments)
        # Values such as -1e-7 and -inf are refused as values, with what is allowed.
        self._negative_number_matcher = re.compile(r"-(\d|\.\d|inf|nan)")

    def error(self, message: str) -> NoReturn:
        raise UsageError(" ".join(message.removeprefix("argument ").split()))


class _Once(argparse.Action):
    """Stores a value; an option given twice would silently lose the first one."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        if getattr(namespace, self.dest, None) is not None:
            parser.error(f"{option_string} {values} is not allowed: it is given more than once")
        setattr(namespace, self.dest, values)


def number_or_text(text: str) -> int | float | str:
    """Return a number, or the text itself for the scenario to refuse with what it allows.

    >>> number_or_text("32"), number_or_text("1e-7"), number_or_text("many")
    (32, 1e-07, 'many')
    """
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _parsers() -> tuple[argparse.ArgumentParser, dict[str, "_Parser"]]:
    parser = _Parser(
        prog="python -m dpviz",
        description="Privacy of a training run, as upper and lower bounds.",
        epilog=_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    added = parser.add_subparsers(dest="command", metavar="{" + ",".join(_COMMANDS) + "}")
    commands = {
        name: added.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        for name, text in _COMMANDS.items()
    }
    for command in commands.values():
        _add_scenario(command)
        command.add_argument("--json", action="store_true", help="machine-readable answer")
    _add(commands["delta"], "--epsilon", "E", "one or more epsilons", nargs="+")
    _add(commands["epsilon"], "--delta", "D", "one or more deltas (the scenario's)", nargs="+")
    calibrate = commands["calibrate"]
    _add(calibrate, "--target-epsilon", "E", "epsilon to meet")
    _add(calibrate, "--target-delta", "D", "delta to meet it at (the scenario's)")
    sought = ", ".join(SOUGHT)
    _add(calibrate, "--find", "WHAT", f"what to leave open: {sought} (noise-multiplier)", type=str)
    _add(commands["simulate"], "--batches", "B", "how many batches to draw")
    _add(commands["simulate"], "--seed", "S", "the same seed gives the same counts (0)")
    return parser, commands


def _add_scenario(command: argparse.ArgumentParser) -> None:
    saved = command.add_argument_group("a saved scenario")
    _add(saved, "--scenario", "FILE.json", "instead of all options below", type=str)
    data = command.add_argument_group("data: a shape, or two rates")
    _add(data, "--num-series", "N", "number of series")
    _add(data, "--series-length", "L", "their length, or all their lengths", nargs="+")
    _add(data, "--context-length", "L_C", "past values that one window reads")
    _add(data, "--forecast-length", "L_F", "values that one window predicts")
    _add(data, "--top-rate", "RHO", "probability that a series is in a batch")
    _add(data, "--bottom-rate", "R", "probability that its window touches the individual")
    _add(data, "--steps-per-epoch", "S", "beside rates (the most there can be)")
    _add(data, "--forecast-share", "PHI", "beside rates: L_F / (L_C + L_F)")
    sampling = command.add_argument_group("sampling, noise and training")
    top_levels = "without-replacement (if absent), deterministic, shuffled or poisson"
    _add(sampling, "--batch-size", "LAMBDA", "windows in a batch")
    _add(sampling, "--subsequences", "n", "windows from each drawn series (1)", "num_subsequences")
    _add(sampling, "--top-level", "HOW", top_levels, type=str)
    _add(sampling, "--bottom-level", "HOW", " (if absent) or ".join(BOTTOM_LEVELS), type=str)
    sampling.add_argument("--flat", action="store_true", help="windows from one bag instead")
    _add(sampling, "--noise-multiplier", "SIGMA", "noise on gradients, in clipping norms")
    _add(sampling, "--context-noise", "SIGMA_C", "noise on contexts (0)")
    _add(sampling, "--forecast-noise", "SIGMA_F", "noise on forecasts (0)")
    _add(sampling, "--steps", "COUNT", "training steps")
    _add(sampling, "--epochs", "COUNT", "or passes over all series")
    relation = command.add_argument_group("who is protected")
    _add(relation, "--relation", "LEVEL", "event (if absent) or user", type=str)
    _add(relation, "--relation-width", "w", "values that may change (1)")
    _add(relation, "--channels", "D", "values per time step (1)", "num_channels")
    _add(relation, "--max-change", "v", "largest change of one value (no limit)")


def _add(
    group: Any,
    option: str,
    metavar: str,
    text: str,
    dest: str | None = None,
    **arguments: Any,
) -> None:
    arguments.setdefault("type", number_or_text)
    # argparse makes the name from the option where none is given.
    named = {} if dest is None else {"dest": dest}
    group.add_argument(option, action=_Once, metavar=metavar, help=text, **named, **arguments)


def _no_such_option(given: str, command: argparse.ArgumentParser) -> UsageError:
    known = [option for action in command._actions for option in action.option_strings]
    alike = get_close_matches(given.split("=")[0], known, n=1)
    nearest = f"; the nearest is {alike[0]}" if alike else ""
    return UsageError(f"{given[:60]!r} is not allowed: there is no such option{nearest}")
