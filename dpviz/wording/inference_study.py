"""The study of hidden contexts, and the paper's tables beside it, in words."""

from collections.abc import Sequence
from math import isinf

from dpviz.private_inference import study as grid
from dpviz.private_inference.study import Found
from dpviz.private_inference.study_table import Study
from dpviz.reported.table import ReportedTable
from dpviz.settings.training import MODELS
from dpviz.wording.numbers import capitalised, counted, power_of_ten, rounded

_MARKS = {grid.HELPS: " ▲", grid.HURTS: " ▽", grid.OPEN: "", "": ""}


def chosen_rows(study: Study, data: str, context_length: int, width: str) -> list[Found]:
    """Return the rows of one table: of one data set, context length and protected width."""
    values = 1 if width == "one" else context_length
    return [
        found
        for found in study.found
        if found.data == data
        and found.context_length == context_length
        and found.case.width == values
    ]


def study_table(rows: Sequence[Found]) -> str:
    """Return errors by model and rate, a column for each budget, as a Markdown table.

    The best rate of each model in a column is bold.
    """
    epsilons = list(dict.fromkeys(found.case.epsilon for found in rows))
    cells = {(found.model, found.case.rate, found.case.epsilon): found for found in rows}
    lines = [
        "| Model | " + " | ".join(map(_column, epsilons)) + " |",
        "| --- |" + " --: |" * len(epsilons),
    ]
    for model in dict.fromkeys(found.model for found in rows):
        for rate in grid.RATES:
            told = []
            for epsilon in epsilons:
                found = cells[model, rate, epsilon]
                best = min(cells[model, other, epsilon].error for other in grid.RATES)
                mean = f"{found.error:.3f}"
                mean = f"**{mean}**" if found.error == best else mean
                told.append(f"{mean} ± {found.spread:.3f}{_MARKS[found.verdict]}")
            lines.append(f"| {_model(model)} (r = {rate:g}) | {' | '.join(told)} |")
    return "\n".join(lines)


def study_finding(study: Study, rows: Sequence[Found]) -> str:
    """Return what the table says, as Markdown."""
    private = [found for found in rows if not isinf(found.case.epsilon)]
    compared = [found for found in private if found.verdict]
    counts = {word: sum(f.verdict == word for f in compared) for word in _MARKS if word}
    data = rows[0].data
    floor = study.without_context[data]
    worse = sorted({f.case.epsilon for f in private if f.case.rate == 1.0 and f.error > floor})
    said = (
        f"**Keeping only a part of each context helps in {counts[grid.HELPS]} of {len(compared)} "
        f"cases, hurts in {counts[grid.HURTS]}, and {counts[grid.OPEN]} are open** "
        f"(L_C = {rows[0].context_length}, w = {rows[0].case.width}, one released forecast, same ε "
        "on both sides)."
    )
    told = f" Forecasts that read no context at all, which give nothing away, have {floor:.3f}"
    if not worse:
        return f"{said}{told}; every model here is better than that."
    at = ", ".join(f"{epsilon:g}" for epsilon in worse)
    return f"{said}{told}: at ε = {at} some of the models with r = 1 are worse than that."


def study_note(study: Study, rows: Sequence[Found]) -> str:
    """Return how the table was made."""
    data = grid.DATA[rows[0].data]
    return (
        f"CRPS, lower is better: mean ± standard deviation over {len(grid.SEEDS)} seeds, "
        f"{grid.DRAWS} draws of noise each. {capitalised(data.words)}; models "
        "trained without privacy on every other one, for "
        f"{counted(grid.STEPS, 'step')}, and tried on the last {grid.FORECAST_LENGTH} values of "
        f"the rest. ε: upper bound by the exact accounting, at δ = {power_of_ten(grid.DELTA)}, of "
        f"one released forecast of each series, for v = {data.max_change:g}. ▲ better than r = 1 "
        "for every seed, ▽ worse for every seed: criterion and grid were fixed before. Computed "
        f"on {study.date} ({study.versions}) in {rounded(study.seconds / 60, 2)} processor minutes."
    )


def paper_table(table: ReportedTable) -> str:
    """Return a table of the paper as printed, in the same shape."""
    lines = [
        "| Model | " + " | ".join(map(_column, table.columns)) + " |",
        "| --- |" + " --: |" * len(table.columns),
    ]
    for line in table.lines:
        cells = [f"**{c.printed}**" if c.bold else c.printed for c in line.cells]
        lines.append(f"| {line.model} (r = {line.rate:g}) | {' | '.join(cells)} |")
    return "\n".join(lines)


def paper_note(table: ReportedTable) -> str:
    """Return what is known of the paper's table, and why its numbers are not ours."""
    remarks = "".join(f" {capitalised(remark)}" for remark in table.remarks)
    if any(cell.repeats_mean for line in table.lines for cell in line.cells):
        remarks += " Most spreads are printed equal to the means: a slip, most likely."
    return (
        f"As printed in {table.source}: {table.data_set}, v = {table.max_change:g}, "
        f"δ = {power_of_ten(table.delta)}. Other data, models, contexts and units of v: numbers "
        "are not to be compared with those above, only which rate is best. The paper does not "
        "print its noise, nor how many values are protected, nor what a model is given when "
        f"nothing is kept.{remarks}"
    )


def _column(epsilon: float) -> str:
    return "no noise, not private" if isinf(epsilon) else f"ε = {epsilon:g}"


def _model(name: str) -> str:
    return "seasonal naive" if name == "naive" else MODELS[name]
