"""The command that composes several training runs on the same data."""

from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from dpviz.command_line import command
from dpviz.command_line.command import UsageError, told_of
from dpviz.command_line.files import first_bytes
from dpviz.scenario import ScenarioError, to_fields
from dpviz.scenario.ledger import LONGEST_LEDGER, NamedRun, ledger_from_json
from dpviz.scenario.scenario import DELTA_RANGE, EPSILON_RANGE, TARGET_EPSILON_RANGE

_DELTAS = command.number(
    "delta", "D", "where epsilon is quoted, one or more (1e-7 if absent)", DELTA_RANGE, many=True
)
EXTRA_EPSILONS = command.number(
    "epsilon", "E", "one or more epsilons at which delta is told, too", EPSILON_RANGE, many=True
)
_TARGET = command.number(
    "target_epsilon", "E", "what all runs together may cost, beside --next", TARGET_EPSILON_RANGE
)
_NEXT = command.text(
    "next",
    "NAME",
    "the run of the file that is still to come: its length, and its noise, are looked for",
    "the name of a run in the file",
)
_DELTA = 1e-7
_DIGITS = 6


def ledger_command(options: Namespace) -> command.Told:
    """Return what is proven about the runs of a file, and the room that a budget leaves."""
    deltas = options.delta or [_DELTA]
    runs = _runs(options.runs)
    following = None
    if options.next is not None:
        following = next((run for run in runs if run.name == options.next), None)
        if following is None:
            names = ", ".join(run.name for run in runs)
            raise UsageError(
                f"--next {command.shown(options.next)} is not allowed: it must be one of {names}"
            )
        runs = tuple(run for run in runs if run is not following)
    if (following is None) != (options.target_epsilon is None):
        both = ["--next", "--target-epsilon"]
        lacks, has = both if following is None else both[::-1]
        raise UsageError(f"{lacks} is needed beside {has}: both tell what room a budget leaves")
    if not runs:
        raise UsageError("--next is not allowed for the only run: no other was before it")
    from dpviz.accounting import composed_curve
    from dpviz.export.answers import deltas_at, ledger_answer
    from dpviz.planning.ledger import ledger, upper_bounds

    answer = ledger_answer([ledger(runs, delta) for delta in deltas])
    if options.epsilon:
        together = composed_curve(*upper_bounds(runs), at_delta=deltas[0])
        answer["delta_at"] = deltas_at(together, options.epsilon)
    if following is not None:
        answer["next"] = _room(runs, following, options.target_epsilon, deltas[0])
    return answer, ledger_table(answer)


def ledger_table(answer: dict[str, Any]) -> str:
    """Return the answer as lines of text, each rounded number on its bound's side."""
    from dpviz.wording.numbers import counted, listed, rounded, rounded_down, rounded_up
    from dpviz.wording.theorems import named_theorem

    def at_most(epsilon: float | None) -> str:
        return "not reachable" if epsilon is None else f"<= {rounded_up(epsilon, _DIGITS)}"

    lines = [f"protected: {answer['protects']}"]
    lines += [f"only if {condition}" for condition in answer["conditions"]]
    lines.append(f"adaptivity: {answer['adaptivity']}")
    are_several = len(answer["runs"]) > 1
    runs = f"all {len(answer['runs']):,} runs together" if are_several else "1 run"
    for at, delta in enumerate(answer["delta"]):
        lines.append(
            f"{runs}, upper bound: epsilon {at_most(answer['upper']['epsilon'][at])} "
            f"at delta {delta!r}"
        )
        if answer["lower"] is not None and answer["lower"]["epsilon"][at] is not None:
            least = rounded_down(answer["lower"]["epsilon"][at], _DIGITS)
            whose = ", if ".join(filter(None, map(answer["lower"].get, ("of", "only_if"))))
            by = listed([*map(named_theorem, answer["lower"]["theorems_by_delta"][at])])
            of = f", of {whose}" if are_several else ""
            lines.append(f"  lower bound by {by}{of}: epsilon >= {least}")
    # Of several deltas a run is told at the first one.
    at_first = f" (at delta {answer['delta'][0]!r})" if len(answer["delta"]) > 1 else ""
    for run in answer["runs"]:
        beside = (
            f"; alone epsilon {at_most(run['epsilon_alone'][0])}; all others "
            f"{at_most(run['epsilon_of_all_others'][0])}{at_first}; about "
            f"{rounded(100.0 * run['share_of_loss_variance'][0], 2)} % of the variance of the loss"
        )
        lines.append(
            f"run {run['name']!r}: {named_theorem(run['theorem'])}, "
            f"{counted(run['count'], run['unit'])}{beside if are_several else ''}"
        )
        if run["extension"]:
            lines.append(f"  {run['extension']}")
    if "delta_at" in answer:
        told = answer["delta_at"]
        whole = "all together" if are_several else runs
        lines += [
            f"{whole}, upper bound: delta {rounded_up(delta, _DIGITS)} at epsilon {epsilon!r}"
            for epsilon, delta in zip(told["epsilon"], told["delta"], strict=True)
        ]
    if "next" in answer:
        lines += _room_lines(answer["next"], at_most)
    return "\n".join(lines)


def _room_lines(room: dict[str, Any], at_most: Any) -> list[str]:
    from dpviz.wording.theorems import named_theorem

    target = f"epsilon {room['target_epsilon']!r} at delta {room['target_delta']!r}"
    lines = [f"room for the next run within {target} for all together:"]
    for quantity, found in room["found"].items():
        if "refused" in found:
            lines.append(f"  {quantity}: {found['refused']}")
            continue
        limit = " (the limit of what is searched)" if found["at_limit"] else ""
        epsilon = at_most(found["epsilon"])
        lines += [
            f"  {found['field']} {found['value']}{limit}: epsilon {epsilon}",
            f"    its bound: {named_theorem(found['theorem'])}",
            *([f"    {found['extension']}"] if found["extension"] else []),
            *(f"    only if {condition}" for condition in found["conditions"]),
        ]
    return lines


def _room(
    runs: Sequence[NamedRun], following: NamedRun, epsilon: float, delta: float
) -> dict[str, Any]:
    from dpviz.planning.ledger import ROOM, room_for
    from dpviz.planning.target import Target

    target = Target(epsilon=epsilon, delta=delta)
    found: dict[str, Any] = {}
    for quantity in ROOM:
        try:
            room = room_for(runs, following, quantity, target)
        except ScenarioError as problem:
            if problem.field != "target_epsilon":
                raise
            found[quantity] = {"refused": problem.allowed}
            continue
        scenario, is_length = room.scenario, quantity == "training"
        training, sigma = scenario.training, scenario.noise.noise_multiplier
        found[quantity] = {
            "field": training.unit if is_length else quantity,
            "value": training.count if is_length else sigma,
            "epsilon": room.epsilon,
            "at_limit": room.at_limit,
            "theorem": room.bound.theorem,
            "extension": room.bound.extension,
            "conditions": list(room.conditions),
            "scenario": to_fields(scenario),
        }
    told = int(epsilon) if epsilon.is_integer() else epsilon  # 15, as it is usually typed
    return {"target_epsilon": told, "target_delta": delta, "found": found}


def _runs(path: str) -> tuple[NamedRun, ...]:
    content = first_bytes(path, LONGEST_LEDGER)
    with told_of(command.shown_path(path), ScenarioError):
        return ledger_from_json(content.removeprefix(b"\xef\xbb\xbf"))


COMMAND = command.Command(
    name="ledger",
    help="the privacy loss of several training runs on the same data",
    run=ledger_command,
    settings=(_DELTAS, EXTRA_EPSILONS, _TARGET, _NEXT),
    file=(
        "runs",
        "RUNS.json",
        'a file with a list of runs: {"runs": [{"name": ..., "scenario": {...}}, ...]}',
    ),
    lacks="a file is needed: the runs of the ledger in JSON",
)
