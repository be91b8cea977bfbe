"""``python -m dpviz audit``: does somebody's own sampler draw as was accounted for?"""

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpviz.command_line import command
from dpviz.command_line.command import UsageError, told_of
from dpviz.command_line.scenario_options import NOT_SIMULATED, scenario_from
from dpviz.scenario import to_fields

if TYPE_CHECKING:
    from dpviz.loaders.audit import Audit

_BATCHES = command.number(
    "batches", "B", "how many batches to look at (1,000 if absent)", (1, 10**6), default=1000
)
_SEED = command.seed("the seed that the function gets (0 if absent)", default=0)
_VERDICTS = {True: "as accounted for", False: "FAULT", None: "not known"}


def audit_answer(found: "Audit") -> dict[str, Any]:
    """Return what was found as an answer, all observed shares included."""
    from dpviz.loaders.audit_laws import error_of_each

    error = error_of_each(found.shares)
    return {
        "passed": found.passed,
        "batches": found.batches,
        "checks": [
            {"name": one.name, "verdict": _VERDICTS[one.passed], "found": one.found}
            for one in found.checks
        ],
        "shares": [asdict(one) | {"limits": [*one.limits(error)]} for one in found.shares],
    }


def audit_table(answer: dict[str, Any]) -> str:
    """Return the answer as lines to read."""
    faults = sum(one["verdict"] == _VERDICTS[False] for one in answer["checks"])
    batches = f"{answer['batches']:,} batch{'' if answer['batches'] == 1 else 'es'}"
    lines = [f"{batches}, {len(answer['checks'])} checks; faults: {faults}"]
    for one in answer["checks"]:
        lines += [f"{one['verdict']}: {one['name']}", f"  {one['found']}"]
    lines.append(
        "shares with the probabilities that fit them, in brackets; a right sampler fails any of "
        "the checks with probability 1/1000 at most. No fault found is no proof."
    )
    return "\n".join(lines)


@contextmanager
def _modules_of_this_folder() -> Iterator[None]:
    """Let modules of the working folder be imported, also by what a sampler does when it runs."""
    here = str(Path.cwd())
    sys.path.insert(0, here)
    try:
        yield
    finally:
        with suppress(ValueError):  # somebody's code may have changed the list, too
            sys.path.remove(here)


def _function(name: str) -> Callable[..., Any]:
    """Return the function that ``module:function`` names."""
    module, colon, function = name.partition(":")
    if not (module and colon and function) or module.startswith("."):
        raise UsageError(f"{command.shown(name)} is not allowed: it must be MODULE:FUNCTION")
    try:
        found = getattr(import_module(module), function, None)
    except Exception as problem:  # whatever somebody's code raises
        own = (module, module.split(".")[0])
        if isinstance(problem, ModuleNotFoundError) and problem.name in own:
            raise UsageError(f"there is no module {command.shown(module)} here") from None
        from dpviz.loaders.audit import error_words

        said = f"module {command.shown(module)} cannot be imported: {error_words(problem)}"
        raise UsageError(said.rstrip(".")) from None
    if not callable(found):
        said = f"module {command.shown(module)} has no function {command.shown(function)}"
        raise UsageError(said)
    return found  # type: ignore[no-any-return]


def _run(options: Namespace) -> command.Told:
    scenario = scenario_from(options)
    with _modules_of_this_folder():
        function = _function(options.sampler)
    from dpviz.loaders import LoaderError
    from dpviz.loaders.audit import audit

    with _modules_of_this_folder(), told_of("", LoaderError):
        found = audit(scenario, function, options.batches, options.seed)
    answer = audit_answer(found) | {"scenario": to_fields(scenario)}
    return answer, audit_table(answer)


COMMAND = command.Command(
    name="audit",
    help="whether a sampler of your own draws its batches as was accounted for",
    run=_run,
    verdict="passed",
    settings=(_BATCHES, _SEED),
    reads_scenario=True,
    ignores=NOT_SIMULATED,
    file=(
        "sampler",
        "MODULE:FUNCTION",
        "called with a list of series and a seed; yields batches, rows of L_C + L_F values",
    ),
    lacks="a function is needed: that of your sampler, as MODULE:FUNCTION",
    also_called={"--steps": "--batches"},
)
