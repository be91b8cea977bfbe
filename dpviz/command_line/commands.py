"""What each command answers."""

import argparse
import json
import re
import sys
from collections.abc import Sequence
from typing import Any

from dpviz.command_line.parser import SOUGHT, UsageError, option_of, parsed
from dpviz.command_line.scenario_options import OPTION_FIELDS, scenario_from
from dpviz.scenario import ScenarioError
from dpviz.scenario.errors import checked_choice, checked_real
from dpviz.scenario.scenario import DELTA_RANGE

LARGEST_EPSILON = 1e9
# Arguments of commands that are no fields of a scenario, or are given beside one.
_OWN = ("epsilon", "delta", "target_epsilon", "target_delta", "find", "batches", "seed")
_UNDERSCORED = re.compile("|".join(name for name in OPTION_FIELDS if "_" in name))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return 0, or 2 after a sentence on what was wrong with the input."""
    saved = None
    try:
        options = parsed(arguments)
        saved = options.scenario
        answer = _ANSWERS[options.command](options)
    except UsageError as problem:
        print(f"dpviz: {problem}.", file=sys.stderr)
        return 2
    except ScenarioError as problem:
        print(f"dpviz: {_with_option(problem, saved)}.", file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps(answer, allow_nan=False))
    else:
        from dpviz.command_line.table import table

        print(table(answer, at_delta=options.command != "delta"))
    return 0


def _with_option(problem: ScenarioError, saved: str | None) -> str:
    """Return the problem with the names that the user typed."""
    if saved is not None and problem.field not in _OWN:
        return f"--scenario {saved} is not allowed: {problem}".rstrip(".")
    allowed = _UNDERSCORED.sub(lambda match: option_of(match[0]), problem.allowed)
    if problem.value is None:
        return f"{option_of(problem.field)}: {allowed}"
    option, shown = option_of(problem.field), str(problem.value)
    if (option, shown) == ("--top-level", "flat"):
        return f"--flat is not allowed: {allowed}"
    # One line, also for a value that is none.
    shown = shown if shown.isprintable() and shown else repr(shown)
    return f"{option} {shown if len(shown) <= 60 else shown[:57] + '...'} is not allowed: {allowed}"


def _delta(options: argparse.Namespace) -> dict[str, Any]:
    if options.epsilon is None:
        raise UsageError("--epsilon is needed: one or more numbers from 0 to 1e+09")
    epsilons = [checked_real("epsilon", e, 0.0, LARGEST_EPSILON) for e in options.epsilon]
    scenario = scenario_from(options)
    # Imported here so that a wrong option is answered at once.
    from dpviz.accounting import account_for
    from dpviz.export import delta_answer

    return delta_answer(account_for(scenario), epsilons)


def _epsilon(options: argparse.Namespace) -> dict[str, Any]:
    deltas = [checked_real("delta", d, *DELTA_RANGE) for d in options.delta or ()]
    scenario = scenario_from(options)
    from dpviz.accounting import account_for
    from dpviz.export import epsilon_answer

    return epsilon_answer(account_for(scenario), deltas or [scenario.delta])


def _calibrate(options: argparse.Namespace) -> dict[str, Any]:
    if options.target_epsilon is None:
        raise UsageError("--target-epsilon is needed: a number from 1e-09 to 1e+09")
    checked_real("target_epsilon", options.target_epsilon, 1e-9, LARGEST_EPSILON)
    if options.target_delta is not None:
        checked_real("target_delta", options.target_delta, *DELTA_RANGE)
    find = options.find or "noise-multiplier"
    quantity = SOUGHT[checked_choice("find", find, tuple(SOUGHT))]
    scenario = scenario_from(options, sought=quantity)
    delta = scenario.delta if options.target_delta is None else options.target_delta
    from dpviz.accounting import account_for
    from dpviz.export import epsilon_answer
    from dpviz.planning.calibrate import Target, calibrated, value_of

    target = Target(epsilon=options.target_epsilon, delta=delta)
    found = calibrated(scenario, quantity, target)
    certificate = epsilon_answer(account_for(found), [target.delta])
    return {find.replace("-", "_"): value_of(found, quantity), **certificate}


def _simulate(options: argparse.Namespace) -> dict[str, Any]:
    if options.batches is None:
        raise UsageError("--batches is needed: how many batches to draw, 1 to 10,000,000")
    scenario = scenario_from(options)
    from dpviz.sampling import simulate_hits

    seed = 0 if options.seed is None else options.seed
    return {"hits": simulate_hits(scenario, options.batches, seed).tolist()}


_ANSWERS = {
    "delta": _delta,
    "epsilon": _epsilon,
    "calibrate": _calibrate,
    "simulate": _simulate,
}
