"""What each command answers."""

import argparse
import json
import os
import re
import sys
from collections.abc import Sequence
from typing import Any

from dpviz.command_line.documents import write_document
from dpviz.command_line.options import (
    DOCUMENTS,
    EPSILON_RANGE,
    SHARE_RANGE,
    SOUGHT,
    TARGET_EPSILON_RANGE,
    option_of,
)
from dpviz.command_line.parser import UsageError, parsed, shown, shown_path
from dpviz.command_line.scenario_options import OPTION_FIELDS, given_fields, scenario_from
from dpviz.command_line.training_options import TRAIN_FIELDS
from dpviz.scenario import Scenario, ScenarioError
from dpviz.scenario.errors import checked_choice, checked_integer, checked_real
from dpviz.scenario.mechanism import MOST_STEPS
from dpviz.scenario.scenario import DELTA_RANGE

LARGEST_EPSILON = EPSILON_RANGE[1]
# Arguments of commands that are no fields of a scenario, or are given beside one.
_OWN = ("epsilon", "delta", "false_positive_rate", "target_epsilon", "target_delta", "find",
        "processes", "batches", "seed", "output", "base_url")  # fmt: skip
_UNDERSCORED = re.compile("|".join(name for name in OPTION_FIELDS if "_" in name))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return 0, or 2 after a sentence on what went wrong."""
    saved = None
    try:
        options = parsed(arguments)
        saved = getattr(options, "scenario", None)
        text = _told(options)
    except UsageError as problem:
        print(f"dpviz: {problem}.", file=sys.stderr)
        return 2
    except ScenarioError as problem:
        print(f"dpviz: {_with_option(problem, saved)}.", file=sys.stderr)
        return 2
    return _printed(text)


def _printed(text: str) -> int:
    try:
        print(text, flush=True)
    except OSError as error:  # a full disk, or a program that has stopped reading
        print(f"dpviz: the answer cannot be written: {error.strerror}.", file=sys.stderr)
        # Else Python would try again at its end, and complain once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
    return 0


def _told(options: argparse.Namespace) -> str:
    """Return what a command prints."""
    if options.command in DOCUMENTS:
        return write_document(options)
    if options.command == "sweep":
        from dpviz.command_line.sweeps import sweep

        return sweep(options)
    if options.command == "train":
        from dpviz.command_line.training import train_command

        return train_command(options)
    if options.command == "release":
        from dpviz.command_line.release_command import release_command, release_table

        found = release_command(options)
        return json.dumps(found, allow_nan=False) if options.json else release_table(found)
    if options.command == "forecast-study":
        from dpviz.command_line.forecast_study import forecast_study

        return forecast_study(options)
    if options.command == "inference-study":
        from dpviz.command_line.inference_study import inference_study

        return inference_study(options)
    if options.command == "training-study":
        from dpviz.command_line.training_study import training_study

        return training_study(options)
    if options.command == "multistage":
        from dpviz.command_line.staged import staged_command, staged_table

        staged = staged_command(options)
        return json.dumps(staged, allow_nan=False) if options.json else staged_table(staged)
    if options.command == "ledger":
        from dpviz.command_line.ledger import ledger_command, ledger_table

        found = ledger_command(options)
        return json.dumps(found, allow_nan=False) if options.json else ledger_table(found)
    answer = _ANSWERS[options.command](options)
    if options.json:
        return json.dumps(answer, allow_nan=False)
    from dpviz.command_line.table import table

    return table(answer, at_delta=options.command != "delta")


def _with_option(problem: ScenarioError, saved: str | None) -> str:
    """Return the problem with the names that the user typed."""
    if saved is not None and problem.field not in (*_OWN, *TRAIN_FIELDS):
        return f"--scenario {shown_path(saved)}: {problem}".rstrip(".")
    allowed = _UNDERSCORED.sub(lambda match: option_of(match[0]), problem.allowed)
    if problem.value is None:
        return f"{option_of(problem.field)}: {allowed}"
    if (problem.field, problem.value) == ("top_level", "flat"):
        return f"--flat is not allowed: {allowed}"
    return f"{option_of(problem.field)} {shown(problem.value)} is not allowed: {allowed}"


def _delta(options: argparse.Namespace) -> dict[str, Any]:
    if options.epsilon is None:
        raise UsageError("--epsilon is needed: one or more numbers from 0 to 1e+09")
    epsilons = [checked_real("epsilon", e, *EPSILON_RANGE) for e in options.epsilon]
    scenario = scenario_from(options)
    # Imported here so that a wrong option is answered at once.
    from dpviz.accounting import account_for
    from dpviz.export import delta_answer

    return delta_answer(account_for(scenario), epsilons) | _notes(options, scenario)


def _epsilon(options: argparse.Namespace) -> dict[str, Any]:
    deltas = [checked_real("delta", d, *DELTA_RANGE) for d in options.delta or ()]
    scenario = scenario_from(options)
    from dpviz.accounting import account_for
    from dpviz.export import epsilon_answer

    answer = epsilon_answer(account_for(scenario), deltas or [scenario.delta])
    return answer | _notes(options, scenario)


def _risk(options: argparse.Namespace) -> dict[str, Any]:
    if options.false_positive_rate is None:
        raise UsageError("--false-positive-rate is needed: one or more numbers from 0 to 1")
    rates = [
        checked_real("false_positive_rate", rate, *SHARE_RANGE)
        for rate in options.false_positive_rate
    ]
    scenario = scenario_from(options)
    from dpviz.export import risk_answer
    from dpviz.planning.attack_rates import risk_account

    return risk_answer(risk_account(scenario), rates) | _notes(options, scenario)


def _calibrate(options: argparse.Namespace) -> dict[str, Any]:
    if options.target_epsilon is None:
        raise UsageError("--target-epsilon is needed: a number from 1e-09 to 1e+09")
    checked_real("target_epsilon", options.target_epsilon, *TARGET_EPSILON_RANGE)
    if options.target_delta is not None:
        checked_real("target_delta", options.target_delta, *DELTA_RANGE)
    find = options.find or "noise-multiplier"
    quantity = SOUGHT[checked_choice("find", find, tuple(SOUGHT))]
    scenario = scenario_from(options, sought=quantity)
    delta = scenario.delta if options.target_delta is None else options.target_delta
    from dpviz.accounting import account_for
    from dpviz.export import epsilon_answer
    from dpviz.planning.calibrate import Target, calibration, value_of

    target = Target(epsilon=options.target_epsilon, delta=delta)
    found = calibration(scenario, quantity, target)
    certificate = epsilon_answer(account_for(found.scenario), [target.delta])
    notes = _notes(options, found.scenario)
    if not found.is_complete:
        notes["notes"].append(f"the search was cut: a larger {find} may meet the target, too")
    return {
        find.replace("-", "_"): value_of(found.scenario, quantity),
        "at_limit": found.at_limit,
        **certificate,
        **notes,
    }


def _simulate(options: argparse.Namespace) -> dict[str, Any]:
    if options.batches is None:
        raise UsageError("--batches is needed: how many batches to draw, 1 to 10,000,000")
    batches = checked_integer("batches", options.batches, 1, MOST_STEPS)
    scenario = scenario_from(options)
    from dpviz.command_line.simulation import check_work, simulation_answer

    check_work(scenario, batches)
    seed = 0 if options.seed is None else options.seed
    return simulation_answer(scenario, batches, seed) | _notes(options, scenario)


def _notes(options: argparse.Namespace, scenario: Scenario) -> dict[str, list[str]]:
    from dpviz.command_line.notes import notes_on

    return {"notes": notes_on(scenario, given_fields(options))}


_ANSWERS = {
    "delta": _delta,
    "epsilon": _epsilon,
    "risk": _risk,
    "calibrate": _calibrate,
    "simulate": _simulate,
}
