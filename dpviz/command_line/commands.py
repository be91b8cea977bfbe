"""All commands, and how one of them is run."""

import json
import os
import re
import sys
from argparse import Namespace
from collections.abc import Collection, Sequence

from dpviz.command_line import (
    answers,
    app,
    audit,
    documents,
    forecast_study,
    inference_study,
    ledger,
    multistage,
    rehearse,
    release,
    shape,
    sweeps,
    training_options,
    training_study,
)
from dpviz.command_line.command import SCENARIO_FIELDS, UsageError, shown_path
from dpviz.command_line.ends import FAULTY, REFUSED, STOPPED, StoppedError, end_of, tell
from dpviz.command_line.parser import HelpAsked, parsed
from dpviz.command_line.scenario_options import shown_option
from dpviz.scenario import ScenarioError
from dpviz.scenario.mechanism import ONE_BAG
from dpviz.settings import option_of

COMMANDS = {
    one.name: one
    for one in (
        app.COMMAND,
        *answers.COMMANDS[:4],
        shape.COMMAND,
        training_options.COMMAND,
        *answers.COMMANDS[4:],
        audit.COMMAND,
        *documents.COMMANDS,
        forecast_study.COMMAND,
        inference_study.COMMAND,
        training_study.COMMAND,
        multistage.COMMAND,
        release.COMMAND,
        sweeps.COMMAND,
        ledger.COMMAND,
        rehearse.COMMAND,
        documents.KIT,
    )
}
# A field that is also an ordinary word is one only where a value of it is told.
_NAMES = "|".join(name for name in SCENARIO_FIELDS if "_" in name)
_FIELDS = re.compile(rf"{_NAMES}|(?<=^even )(?:steps|epochs)")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return 0, 1 if an audit found faults, 2 if refused, 130 if stopped."""
    options = None
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    try:
        options = parsed(arguments, COMMANDS)
        return _answered(options)
    except HelpAsked as asked:
        return _printed(str(asked).rstrip("\n"))
    except StoppedError as problem:
        tell(problem.told(arguments))
        return STOPPED
    except UsageError as problem:
        tell(f"{problem}.")
    except ScenarioError as problem:
        tell(f"{_with_option(problem, options)}.")
    except (KeyboardInterrupt, ImportError, MemoryError, OSError, RuntimeError) as problem:
        code, sentence = end_of(problem)
        tell(sentence)
        return code
    return REFUSED


def _answered(options: Namespace) -> int:
    """Run a command and print what it tells, for programs or to read."""
    command, code = COMMANDS[options.command], 0
    told = command.run(options)
    if isinstance(told, tuple):
        answer, lines = told
        code = 0 if answer.get(command.verdict, True) else FAULTY
        told = json.dumps(answer, allow_nan=False) if options.json else lines
    return _printed(told) or code


def _printed(text: str) -> int:
    try:
        print(text, flush=True)
    except OSError as error:  # a full disk, or a program that has stopped reading
        tell(f"the answer cannot be written: {error.strerror}.")
        # Else Python would try again at its end, and complain once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return REFUSED
    return 0


def _with_option(problem: ScenarioError, options: Namespace | None) -> str:
    """Return the problem with the names that the user typed."""
    saved = getattr(options, "scenario", None)
    own: Collection[str] = () if options is None else COMMANDS[options.command].own
    if saved is not None and problem.field not in own:
        return f"--scenario {shown_path(saved)}: {problem}".rstrip(".")
    allowed = _FIELDS.sub(lambda match: option_of(match[0]), problem.allowed)
    if "theorem" in allowed:
        from dpviz.wording.theorems import with_names

        allowed = with_names(allowed)
    if problem.value is None:
        return f"{option_of(problem.field)}: {allowed}"
    if (problem.field, problem.value) == ("top_level", ONE_BAG):
        return f"--flat is not allowed: {allowed}"
    return f"{shown_option(problem.field, problem.value)} is not allowed: {allowed}"
