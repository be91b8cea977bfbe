"""What the study came to, as lines to read and as data for JSON."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from dpviz.training_study.findings import CellSummary, Finding, findings
from dpviz.training_study.questions import CONFIDENCE, MARGIN
from dpviz.training_study.results import Row, row_fields
from dpviz.wording.numbers import counted, in_full, rounded
from dpviz.wording.paper_tables import symbol_of
from dpviz.wording.scope import conditions
from dpviz.wording.theorems import whole_meaning
from dpviz.wording.training_study import answer_name, protected, spent_label

_DIGITS = 4


def study_table(rows: Sequence[Row], about: dict[str, Any]) -> str:
    """Return what rows came to as lines: errors with their spread, then the answers."""
    lines = []
    for found in findings(rows):
        lines += [
            "",
            f"{found.question.title} ({found.question.name}; {found.data}, {found.model})",
            f"  protected: {protected(found.question)}",
            *(f"  {said}" for said in _conditions(found)),
        ]
        lines += _lines(found)
    lines += [
        "",
        f"CRPS: a mean weighted quantile loss of held-out months, smaller is better; mean ± "
        f"standard deviation over seeds ({counted(len(about['seeds']), 'seed')}). ε: proven upper "
        "bound after all steps; σ: noise on gradients in units of the clipping norm.",
        f"Answers: t intervals of paired differences, {CONFIDENCE:.0%} for each claim; the margin "
        f"is {MARGIN:.0%} of the seasonal naive forecast's CRPS.",
    ]
    return "\n".join(lines[1:])


def _conditions(found: Finding) -> list[str]:
    needed = conditions([one.bound for one in found.spent])
    return [needed] if needed else []


def _lines(found: Finding) -> Iterator[str]:
    symbol = symbol_of(found.question.setting)
    for cell in found.cells:
        error = rounded(cell.mean, _DIGITS)
        if cell.deviation is not None:
            error += f" ± {rounded(cell.deviation, 2)}"
        named = "" if found.question.setting == "epsilon" else f"{symbol} = {cell.value:g}, "
        spent = "no privacy"
        if cell.spent is not None:
            spent = f"{spent_label(cell.spent)}, σ = {in_full(cell.noise_multiplier or 0.0)}"
        yield f"  {error:<20} {named}{spent}"
    yield f"  {rounded(found.baseline_crps, _DIGITS):<20} seasonal naive forecast"
    if found.untrained_crps is not None:
        yield f"  {rounded(found.untrained_crps, _DIGITS):<20} the model before its first step"
    for one in found.claims:
        yield f"  {answer_name(one)}: {one.claim.text}"


def study_answer(rows: Sequence[Row], about: dict[str, Any]) -> dict[str, Any]:
    """Return the same as data; ``inf`` stands for no budget, and null for no end of an interval."""
    return {
        "about": about,
        "answers": [
            {
                "question": found.question.name,
                "title": found.question.title,
                "data": found.data,
                "model": found.model,
                "protects": protected(found.question),
                "conditions": _conditions(found),
                "delta": found.delta,
                "baseline_crps": found.baseline_crps,
                "untrained_crps": found.untrained_crps,
                "cells": [_cell(cell) for cell in found.cells],
                "claims": [
                    {
                        "claim": one.claim.name,
                        "text": one.claim.text,
                        "true_if": str(one.claim.kind),
                        "answer": one.answer,
                        "differences": [_finite(asdict(each)) for each in one.differences],
                    }
                    for one in found.claims
                ],
            }
            for found in findings(rows)
        ],
        "rows": [row_fields(row) for row in rows],
    }


def _cell(cell: CellSummary) -> dict[str, Any]:
    told = {name: value for name, value in vars(cell).items() if name != "spent"}
    told |= {"epsilon_spent": None, "theorem": "", "by": ""}
    if (spent := cell.spent) is not None:
        told |= {"epsilon_spent": spent.epsilon, "theorem": spent.bound.theorem}
        told["by"] = whole_meaning(spent.bound)
    return _finite(told)


def _finite(fields: dict[str, Any]) -> dict[str, Any]:
    endless = {"value": "inf", "epsilon": "inf"}
    return {
        name: endless.get(name) if cell in (float("inf"), float("-inf")) else cell
        for name, cell in fields.items()
    }
