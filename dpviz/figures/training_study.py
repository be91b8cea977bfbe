"""The chart of a question of the study: errors with their range over seeds, beside baselines."""

from collections.abc import Callable, Sequence

from dpviz.figures import parts
from dpviz.figures.parts import STYLES, Part, Spec, Style
from dpviz.settings import SETTINGS
from dpviz.training_study.findings import CellSummary, Finding
from dpviz.training_study.questions import is_private
from dpviz.wording.numbers import power_of_ten, rounded_up
from dpviz.wording.theorems import named_theorem
from dpviz.wording.training_study import budget_name, error_name, value_name

# Budgets side by side, so that their ranges can be told apart; values are one apart.
_APART = 0.12
# What is varied, and what else its axis says.
_AXES = {
    "epsilon": ("budget ε", " at δ = {delta}"),
    "num_subsequences": (SETTINGS["num_subsequences"].phrase, ", of batches of equal size"),
    "forecast_noise": (SETTINGS["forecast_noise"].phrase, ", in units of v"),
    "relation_width": ("protected values w", " of one series"),
}


def study_chart(found: Finding) -> Spec:
    """Return the chart."""
    question = found.question
    varied, more = _AXES[question.setting]
    budgets = [*dict.fromkeys(cell.epsilon for cell in found.cells)]
    if question.setting == "epsilon":
        traces = [_errors(found, found.cells, "private, within ε", STYLES[0], 0.0)]
    else:
        traces = [
            _errors(
                found,
                [cell for cell in found.cells if cell.epsilon == epsilon],
                budget_name(epsilon),
                STYLES[at],
                _APART * (at - (len(budgets) - 1) / 2),
            )
            for at, epsilon in enumerate(budgets)
        ]
    return {
        "data": [*traces, *_levels(found)],
        "layout": parts.layout(
            f"Error against {varied}",
            f"study-{question.name}-{found.data}-{found.model}",
            parts.axis(
                varied + more.format(delta=power_of_ten(found.delta or 0.0)),
                **parts.ticks(map(_tick, question.values)),
                range=[-0.5, len(question.values) - 0.5],
                zeroline=False,
            ),
            parts.axis("CRPS (smaller is better)", zeroline=False),
            legend="normal",
        ),
    }


def _errors(
    found: Finding, cells: Sequence[CellSummary], name: str, style: Style, offset: float
) -> Part:
    points: list[CellSummary | None] = []
    for cell in cells:
        # Training without privacy is no point of the same line as budgets.
        if found.question.setting == "epsilon" and not is_private(cell.epsilon):
            points.append(None)
        points.append(cell)

    def each(number: Callable[[CellSummary], float]) -> list[float | None]:
        return [None if one is None else number(one) for one in points]

    return parts.scatter(
        f"study-{style.role}",
        "lines+markers",
        each(lambda one: found.question.values.index(one.value) + offset),
        each(lambda one: one.mean),
        name=f"{name} (mean; bars: smallest to largest of {cells[0].seeds})",
        **parts.told("" if one is None else _hover(found, one) for one in points),
        error_y=parts.error_bars(
            style, each(lambda one: one.high - one.mean), each(lambda one: one.mean - one.low)
        ),
        line=parts.stroke(style, 1.5),
        marker=parts.marker(style, 9),
    )


def _levels(found: Finding) -> list[Part]:
    levels = [("seasonal naive forecast", found.baseline_crps, STYLES[2])]
    if found.untrained_crps is not None:
        levels.append(("the model before its first step", found.untrained_crps, STYLES[3]))
    count = len(found.question.values)
    places = [-0.5, *range(count), count - 0.5]
    return [
        parts.scatter(
            f"study-{style.role}",
            "lines",
            places,
            [error] * len(places),
            name=f"{name}: {error_name(error)}",
            **parts.told([f"{name}: CRPS {error_name(error)}"] * len(places)),
            line=parts.stroke(style, 2),
        )
        for name, error, style in levels
    ]


def _tick(value: float) -> str:
    return f"{value:g}" if is_private(value) else "none"


def _hover(found: Finding, cell: CellSummary) -> str:
    name = value_name(found.question, cell.value)
    if found.question.setting != "epsilon":
        name += f", {budget_name(cell.epsilon)}"
    told = (
        f"{name}: CRPS {error_name(cell.mean)}, mean of {cell.seeds}<br>"
        f"({error_name(cell.low)} to {error_name(cell.high)})"
    )
    if cell.epsilon_spent is None:
        return f"{told}<br>no noise, no bound on ε"
    return (
        f"{told}<br>ε ≤ {rounded_up(cell.epsilon_spent)} at δ = {power_of_ten(found.delta or 0.0)} "
        f"by {named_theorem(cell.theorem)}"
    )
