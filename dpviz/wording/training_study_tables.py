"""What the study of privacy's cost in accuracy found, as Markdown tables."""

from collections.abc import Sequence

from dpviz.training_study.findings import CellSummary, Finding
from dpviz.wording.numbers import rounded, rounded_up
from dpviz.wording.theorems import named_theorem
from dpviz.wording.training_study import (
    DATA_NAMES,
    MODEL_NAMES,
    against_naive,
    answer_name,
    budget_name,
    error_name,
    value_name,
)

_DIGITS = 4


def overview(found: Sequence[Finding]) -> str:
    """Return the answers on all series with all models, as a Markdown table.

    Args:
        found: of one question.
    """
    heads = [f"{DATA_NAMES[one.data]}, {MODEL_NAMES[one.model]}" for one in found]
    rows = [
        [claimed.claim.text, *(answer_name(one.claims[at]) for one in found)]
        for at, claimed in enumerate(found[0].claims)
    ]
    return markdown_table(["Claim", *heads], rows)


def numbers_table(found: Finding) -> str:
    """Return every number of a question with what it is, as a Markdown table."""
    heads = [
        "Setting", "CRPS, mean", "± (standard deviation)", "smallest to largest",
        "against seasonal naive", "noise σ on gradients", "ε at most", "by",
    ]  # fmt: skip
    rows = [_numbers(found, cell) for cell in found.cells]
    rows.append(["seasonal naive forecast", error_name(found.baseline_crps), *[""] * 6])
    if (untrained := found.untrained_crps) is not None:
        told = against_naive(untrained, found.baseline_crps)
        rows.append(
            ["the model before its first step", error_name(untrained), "", "", told, *[""] * 3]
        )
    return markdown_table(heads, rows)


def _numbers(found: Finding, cell: CellSummary) -> list[str]:
    name = value_name(found.question, cell.value)
    if found.question.setting != "epsilon":
        name += f", {budget_name(cell.epsilon)}"
    is_bound = cell.epsilon_spent is not None
    return [
        name,
        error_name(cell.mean),
        "" if cell.deviation is None else rounded(cell.deviation, 2),
        f"{error_name(cell.low)} to {error_name(cell.high)}",
        against_naive(cell.mean, found.baseline_crps),
        rounded(cell.noise_multiplier or 0.0, _DIGITS) if is_bound else "none",
        rounded_up(cell.epsilon_spent or 0.0, _DIGITS) if is_bound else "no bound",
        named_theorem(cell.theorem) if is_bound else "",
    ]


def markdown_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table whose first column is text, as Markdown."""
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
