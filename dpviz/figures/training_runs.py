"""Training runs: one run's error and spending, several compared, and the study's errors."""

from collections.abc import Callable, Sequence

import numpy as np

from dpviz.figures import parts
from dpviz.figures.parts import STYLES, Part, Spec, Style
from dpviz.settings import SETTINGS
from dpviz.training.compared_runs import ComparedRun, RefusedRun, Variant, of_variant, spread_of
from dpviz.training.progress import Progress
from dpviz.training_study.findings import CellSummary, Finding
from dpviz.training_study.questions import is_private
from dpviz.wording.compared_runs import variant_label
from dpviz.wording.numbers import in_full, power_of_ten, rounded, rounded_up
from dpviz.wording.training_study import budget_name, spent_label, value_name

# Parts of the height: the error above, the budget below.
_ABOVE, _BELOW = [0.5, 1.0], [0.0, 0.38]
_MOST_SINGLE_STEPS = 10  # a tick each: plotly would put some between them


def training_curve(
    curve: Sequence[Progress], *, target_epsilon: float | None, identity: str
) -> Spec:
    """Return the chart of error of held-out windows, and of what is spent, over the steps.

    Without privacy ``target_epsilon`` is ``None``.
    """
    is_private = curve[0].is_private
    errors = [
        (row.step, crps, f"after step {row.step:,}: CRPS {rounded(crps, 3)}")
        for row in curve
        if (crps := row.validation_crps) is not None
    ]
    data = [_line("error", errors, STYLES[0])]
    more: Part = {}
    if is_private:
        spent = [
            (
                row.step,
                epsilon,
                "nothing spent yet"
                if row.spent is None
                else f"after step {row.step:,}: {spent_label(row.spent)}",
            )
            for row in curve
            if (epsilon := row.epsilon_spent) is not None
        ]
        data.append(_line("spent", spent, STYLES[1]) | {"yaxis": "y2"})
        more["yaxis2"] = parts.axis("ε spent (at most)", domain=_BELOW, rangemode="tozero")
    if is_private and target_epsilon is not None:
        budget, anchor = f"budget ε = {in_full(target_epsilon)}", ("left", "top")
        note = parts.quiet_note(budget, 0, target_epsilon, anchor, xref="paper", yref="y2")
        more |= {"shapes": [parts.level(target_epsilon, yref="y2")], "annotations": [note]}
    return parts.figure(
        data,
        "Held-out error and ε spent" if is_private else "Held-out error",
        identity,
        parts.axis(
            "training steps",
            range=[0, curve[0].steps_asked],
            tickformat=",d",
            **({"dtick": 1} if curve[0].steps_asked <= _MOST_SINGLE_STEPS else {}),
            anchor="y2" if is_private else "y",
        ),
        parts.axis("CRPS, held-out", domain=_ABOVE if is_private else [0.0, 1.0]),
        hover="x",
        meta={},
        showlegend=False,
        **more,
    )


def _line(uid: str, points: Sequence[tuple[int, float, str]], style: Style) -> Part:
    x, y, texts = [x for x, *_ in points], [y for _, y, _ in points], [said for *_, said in points]
    return parts.line(uid, "", x, y, style, 2.5, texts, dots=5)


def compared_chart(
    setting: str,
    variants: Sequence[Variant],
    told: Sequence[ComparedRun | RefusedRun],
    identity: str,
) -> Spec:
    """Return the chart: each private variant's line and band, and one level without privacy."""
    data: list[Part] = []
    for at, (variant, style) in enumerate(zip(variants, STYLES, strict=False)):
        runs = of_variant(told, at)
        if runs and variant.value is not None:
            data += _spread(variant_label(setting, variant.value), runs, style)
    shapes, notes = [], []
    if (level := _level(variants, told)) is not None:
        words = f"without privacy, no ε: {rounded(level, 3)}"
        shapes.append(parts.level(level))
        notes.append(parts.quiet_note(words, 0, level, ("left", "top"), xref="paper"))
    return parts.figure(
        data,
        "Held-out error against ε spent, mean and range over runs",
        identity,
        parts.axis("ε spent so far (upper bound)", rangemode="tozero"),
        parts.axis("CRPS of held-out windows"),
        legend="normal",
        shapes=shapes,
        annotations=notes,
    )


def _spread(label: str, runs: Sequence[ComparedRun], style: Style) -> list[Part]:
    """Return the mean over seeds at each evaluation, between the smallest and the largest."""
    points = min(len(run.curve) for run in runs)
    x = [max(run.curve[at][0] for run in runs) for at in range(points)]
    spreads = [spread_of([run.curve[at][1] for run in runs]) for at in range(points)]
    every = max(1, points // 8)
    marked = [at for at in range(points) if at % every == 0 or at == points - 1]
    texts = [
        f"{label}: CRPS {rounded(spread.mean, 3)} ({rounded(spread.low, 3)} to "
        f"{rounded(spread.high, 3)} over {len(runs)} seeds) at ε ≤ {rounded_up(at, 3)}"
        for at, spread in zip(x, spreads, strict=True)
    ]

    role, means = style.role, [spread.mean for spread in spreads]
    low, high = [spread.low for spread in spreads], [spread.high for spread in spreads]
    edge, fill = parts.stroke(style, 0.5), parts.filled_to(role, 0.15)
    area = parts.area((f"{role}-low", f"{role}-high"), "", x, low, high, edge, fill)
    mean = parts.line(f"{role}-mean", label, x, means, style, 2.5, texts)
    at_marks = [x[at] for at in marked], [means[at] for at in marked]
    marks = parts.points(f"{role}-marks", "", *at_marks, parts.marker(style, 7), line=edge)
    drawn = [
        *area,
        mean | {"hoverinfo": "all", "showlegend": True},
        marks | {"hoverinfo": "skip", "showlegend": False},
    ]
    return [trace | {"legendgroup": role} for trace in drawn]


def _level(variants: Sequence[Variant], told: Sequence[ComparedRun | RefusedRun]) -> float | None:
    at = next((at for at, variant in enumerate(variants) if variant.value is None), None)
    runs = [] if at is None else of_variant(told, at)
    return float(np.mean([run.last_held_out for run in runs])) if runs else None


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
        traces = []
        for at, epsilon in enumerate(budgets):
            cells = [cell for cell in found.cells if cell.epsilon == epsilon]
            offset = _APART * (at - (len(budgets) - 1) / 2)
            traces.append(_errors(found, cells, budget_name(epsilon), STYLES[at], offset))
    return parts.figure(
        [*traces, *_levels(found)],
        f"Error against {varied}",
        f"study-{question.name}-{found.data}-{found.model}",
        parts.axis(
            varied + more.format(delta=power_of_ten(found.delta or 0.0)),
            **parts.ticks(f"{one:g}" if is_private(one) else "none" for one in question.values),
            range=[-0.5, len(question.values) - 0.5],
            zeroline=False,
        ),
        parts.axis("CRPS (smaller is better)", zeroline=False),
        legend="normal",
    )


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

    return parts.line(
        f"study-{style.role}",
        f"{name} (mean; bars: smallest to largest of {cells[0].seeds})",
        each(lambda one: found.question.values.index(one.value) + offset),
        each(lambda one: one.mean),
        style,
        1.5,
        ("" if one is None else _hover(found, one) for one in points),
        dots=9,
        error_y=parts.error_bars(
            style, each(lambda one: one.high - one.mean), each(lambda one: one.mean - one.low)
        ),
    )


def _levels(found: Finding) -> list[Part]:
    levels = [("seasonal naive forecast", found.baseline_crps, STYLES[2])]
    if found.untrained_crps is not None:
        levels.append(("the model before its first step", found.untrained_crps, STYLES[3]))
    count = len(found.question.values)
    x, traces = [-0.5, *range(count), count - 0.5], []
    for name, error, style in levels:
        legend = f"{name}: {rounded(error)}"
        told = [f"{name}: CRPS {rounded(error)}"] * len(x)
        y = [error] * len(x)
        traces.append(parts.line(f"study-{style.role}", legend, x, y, style, 2, told))
    return traces


def _hover(found: Finding, cell: CellSummary) -> str:
    name = value_name(found.question, cell.value)
    if found.question.setting != "epsilon":
        name += f", {budget_name(cell.epsilon)}"
    told = (
        f"{name}: CRPS {rounded(cell.mean)}, mean of {cell.seeds}<br>"
        f"({rounded(cell.low)} to {rounded(cell.high)})"
    )
    if cell.spent is None:
        return f"{told}<br>no noise, no bound on ε"
    return f"{told}<br>{spent_label(cell.spent)}"
