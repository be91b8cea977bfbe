"""The command line: the scenarios of the dashboard, in batch.

python -m dpviz epsilon --scenario scenario.json --delta 1e-7
python -m dpviz delta --scenario scenario.json --epsilon 1 2 4 --json
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from dpviz.scenario import Scenario, ScenarioError, from_fields, from_json
from dpviz.scenario.errors import checked_real
from dpviz.scenario.scenario import DELTA_RANGE

LARGEST_EPSILON = 1e9


def main(arguments: list[str] | None = None) -> int:
    """Run one command; return 0, or 2 after a message on what was wrong with the input."""
    options = _parser().parse_args(arguments)
    try:
        answer = _answer(options)
    except (ScenarioError, _UnreadableFileError) as problem:
        print(f"dpviz: {problem}", file=sys.stderr)
        return 2
    print(json.dumps(answer, allow_nan=False) if options.json else _table(answer, options))
    return 0


class _UnreadableFileError(Exception):
    """A file named on the command line cannot be read."""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m dpviz", description="Privacy of a training run, as upper and lower bounds."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    epsilon = commands.add_parser("epsilon", help="epsilon at given deltas")
    epsilon.add_argument("--delta", nargs="+", type=float, metavar="D")
    delta = commands.add_parser("delta", help="delta at given epsilons")
    delta.add_argument("--epsilon", nargs="+", type=float, metavar="E", required=True)
    for command in (epsilon, delta):
        command.add_argument(
            "--scenario", required=True, metavar="FILE.json", help="a saved scenario"
        )
        command.add_argument("--json", action="store_true", help="machine-readable answer")
    return parser


def _answer(options: argparse.Namespace) -> dict[str, Any]:
    # Imported here so that a wrong option is answered at once.
    from dpviz.accounting import account_for
    from dpviz.export import delta_answer, epsilon_answer

    scenario = _scenario(options.scenario)
    if options.command == "delta":
        epsilons = [checked_real("epsilon", e, 0.0, LARGEST_EPSILON) for e in options.epsilon]
        return delta_answer(account_for(scenario), epsilons)
    deltas = [checked_real("delta", d, *DELTA_RANGE) for d in options.delta or [scenario.delta]]
    return epsilon_answer(account_for(scenario), deltas)


def _scenario(path: str) -> Scenario:
    try:
        return from_json(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise _UnreadableFileError(f"--scenario {path} cannot be read: {error}") from None


def _table(answer: dict[str, Any], options: argparse.Namespace) -> str:
    from dpviz.wording.numbers import counted, rounded_down, rounded_up
    from dpviz.wording.scope import TOP_LEVEL_NAMES, protected_unit, relation_name, run_length

    scenario = from_fields(answer["scenario"])
    composition = answer["composition"]
    lines = [
        f"{run_length(scenario)} with {TOP_LEVEL_NAMES[scenario.sampling.top_level]}",
        f"protected: {protected_unit(scenario.relation, scenario.units)} "
        f"({relation_name(scenario.relation)})",
        f"composed over {counted(composition['count'], composition['unit'])}",
    ]
    for side in ("upper", "lower"):
        bound = answer[side]
        if bound is None:
            lines.append(f"{side}: none proven")
            continue
        lines.append(f"{side} bound, Theorem {bound['theorem']} ({bound['kind']})")
        # A rounded number stays on its bound's side.
        rounded = rounded_up if side == "upper" else rounded_down
        if "reason" in bound:
            lines.append(f"  not reachable: {bound['reason']}")
        for epsilon, delta, (low, high) in zip(
            bound["epsilon"], bound["delta"], bound["bracket"], strict=True
        ):
            asked_delta = options.command == "epsilon"
            shown_epsilon = "not reachable" if epsilon is None else repr(epsilon)
            shown_delta = repr(delta)
            if asked_delta and epsilon is not None:
                shown_epsilon = rounded(epsilon, 6)
            elif not asked_delta:
                shown_delta = rounded(delta, 6)
            least = "unknown" if low is None else rounded_down(low, 10)
            most = "unknown" if high is None else rounded_up(high, 10)
            lines.append(
                f"  epsilon {shown_epsilon:>14}   delta {shown_delta:>14}"
                f"   exact value from {least} to {most}"
            )
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
