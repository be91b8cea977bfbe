"""An answer as a table to read, each rounded number on its bound's side."""

from typing import Any

from dpviz.command_line.parser import SOUGHT, option_of
from dpviz.scenario import from_fields
from dpviz.wording.numbers import counted, rounded_down, rounded_up
from dpviz.wording.scope import (
    TOP_LEVEL_NAMES,
    named_theorem,
    protected_unit,
    relation_name,
    run_length,
)

_DIGITS = 6
_BRACKET_DIGITS = 10


def table(answer: dict[str, Any], *, at_delta: bool) -> str:
    """Return an answer of any command as lines of text.

    Args:
        answer: what the command answers with ``--json``.
        at_delta: whether epsilons were asked for at given deltas, or the other way round.
    """
    if "hits" in answer:
        lines = [f"{'windows hit':>12} {'batches':>12}"]
        lines += [f"{hits:>12,} {batches:>12,}" for hits, batches in enumerate(answer["hits"])]
        return "\n".join(lines)
    scenario = from_fields(answer["scenario"])
    composition = answer["composition"]
    lines = [
        f"found: {option_of(name)} {answer[name]}"
        for name in (sought.replace("-", "_") for sought in SOUGHT)
        if name in answer
    ]
    lines += [
        f"{run_length(scenario)} with {TOP_LEVEL_NAMES[scenario.sampling.top_level]}",
        f"protected{'' if 'protects' not in answer['upper'] else ' (lower bound only)'}: "
        f"{protected_unit(scenario.relation, scenario.units)} "
        f"({relation_name(scenario.relation)})",
        f"composed over {counted(composition['count'], composition['unit'])}",
    ]
    for side in ("upper", "lower"):
        if answer[side] is None:
            lines.append(f"{side} bound: none proven")
        else:
            lines += _bound_lines(side, answer[side], at_delta)
    return "\n".join(lines)


def _bound_lines(side: str, bound: dict[str, Any], at_delta: bool) -> list[str]:
    lines = [f"{side} bound, {named_theorem(bound['theorem'])} ({bound['kind']})"]
    for name, words in (
        ("extension", ""),
        ("protects", "PROTECTS: "),
        ("condition", "only if "),
        ("reason", ""),
    ):
        if name in bound:
            lines.append(f"  {words}{bound[name]}")
    rounded = rounded_up if side == "upper" else rounded_down
    for epsilon, delta, (low, high) in zip(
        bound["epsilon"], bound["delta"], bound["bracket"], strict=True
    ):
        # What was asked for is shown as given: rounded, it would not belong to the answer.
        shown_epsilon, shown_delta = repr(epsilon), repr(delta)
        if at_delta:
            shown_epsilon = "not reachable" if epsilon is None else rounded(epsilon, _DIGITS)
        else:
            shown_delta = rounded(delta, _DIGITS)
        least = "unknown" if low is None else rounded_down(low, _BRACKET_DIGITS)
        most = "unknown" if high is None else rounded_up(high, _BRACKET_DIGITS)
        lines.append(
            f"  epsilon {shown_epsilon:>14}   delta {shown_delta:>14}"
            f"   exact value from {least} to {most}"
        )
    return lines
