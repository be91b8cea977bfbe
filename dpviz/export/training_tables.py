"""Training runs as tables: their course, their forecasts, several compared, and the study's."""

from collections.abc import Iterable, Sequence

import pandas as pd

from dpviz.export.table import Table, cells_of, json_in_csv, known, plain_cell, scenario_line
from dpviz.scenario import Scenario
from dpviz.training.compared_runs import ComparedRun, RefusedRun, Variant
from dpviz.training.progress import Progress, TrainingResult
from dpviz.training.quantiles import LEVELS
from dpviz.training_study.questions import CONFIDENCE, DATA, MARGIN
from dpviz.training_study.results import COLUMNS, Results, Row, row_fields
from dpviz.wording.compared_runs import variant_label
from dpviz.wording.protected_values import protected_change
from dpviz.wording.theorems import whole_meaning

_CURVE = (
    "step", "steps_accounted", "epsilon_upper_bound", "delta", "by", "validation_crps",
    "held_out_loss",
)  # fmt: skip
_COMPARED = (
    "variant", "repeat", "seed", "test_crps", "baseline_crps", "epsilon_upper", "delta", "by",
    "steps", "noise_multiplier", "note",
)  # fmt: skip
_ERRORS = (
    "crps: mean weighted quantile loss at levels 0.1 to 0.9 (0 is perfect); validation_crps: of "
    "the held-out windows, test_crps: of the last values; neither is part of epsilon"
)
_EPSILON = (
    "epsilon_upper_bound: upper bound on the privacy loss of all steps so far, at the delta below"
)
_STUDY = (
    "crps: mean weighted quantile loss of the last months, smaller is better, no unit; computed "
    "from held-out values, which no epsilon covers",
    "epsilon: the budget that the noise was fitted to, inf without privacy; epsilon_spent: proven "
    "upper bound after all steps, at delta, by the theorem of the column of that name, for one "
    "value of one series (question width: value times)",
    "untrained_crps: of the same model before its first step",
)


def curve_cells(curve: Iterable[Progress]) -> pd.DataFrame:
    """Return a row for each evaluation. Epsilon is an upper bound after these steps.

    Cells are empty where there is no such number: no epsilon without privacy, no errors where no
    held-out windows are looked at.
    """
    rows = [
        [
            point.step,
            point.step if point.spent is None else point.spent.steps,
            point.epsilon_spent,
            known(point.spent, "delta"),
            "" if point.spent is None else whole_meaning(point.spent.bound),
            point.validation_crps,
            point.held_out_loss,
        ]
        for point in curve
    ]
    return cells_of(rows, _CURVE)


def forecast_cells(result: TrainingResult, names: tuple[str, ...]) -> pd.DataFrame:
    """Return a row for each forecast value: series, time step, what came, and the quantiles."""
    windows = result.windows
    rows = [
        [plain_cell(names[series]), start + step, truth, *quantiles]
        for series, start, truths, of_window in zip(
            windows.series.tolist(),
            windows.starts.tolist(),
            windows.truth.tolist(),
            result.quantiles.tolist(),
            strict=True,
        )
        for step, (truth, quantiles) in enumerate(zip(truths, of_window, strict=True))
    ]
    levels = (f"quantile_{level:g}" for level in LEVELS)
    return cells_of(rows, ["series", "time_step", "truth", *levels])


def run_table(result: TrainingResult, data: str, not_accounted: Sequence[str]) -> Table:
    """Return a run's course and result; ``data`` are words without commas."""
    settings = result.settings
    return Table(
        title=f"a training run of {settings.model} on {data}",
        about=[
            f"test_crps: {result.crps!r}; of the seasonal naive forecast: {result.baseline_crps!r}",
            f"steps: {result.steps} of {settings.most_steps} asked for; seed: {settings.seed}; "
            f"learning_rate: {settings.learning_rate!r}; clipping_norm: {settings.clipping_norm!r}",
            *([] if result.spent is None else [_EPSILON]),
            *_privacy_lines(result, not_accounted),
            _ERRORS,
        ],
        source=[scenario_line(result.accounted_scenario or settings.scenario)],
        cells=curve_cells(result.curve),
    )


def forecasts_table(
    result: TrainingResult, names: tuple[str, ...], not_accounted: Sequence[str]
) -> Table:
    """Return the forecasts of the test windows, and what then came."""
    return Table(
        title="forecasts of the last values of each series",
        about=[
            "time_step: from 0 where the chart counts values from 1; truth: actual values, kept "
            "from training; quantile_0.1: below it in 1 of 10 cases by the model's own claim",
            *_privacy_lines(result, not_accounted),
        ],
        cells=forecast_cells(result, names),
    )


def compared_runs_table(
    scenario: Scenario,
    setting: str,
    variants: Sequence[Variant],
    told: Sequence[ComparedRun | RefusedRun],
    not_accounted: Sequence[str],
) -> Table:
    """Return compared runs, a row each."""
    rows = []
    for one in told:
        label = variant_label(setting, variants[one.variant].value)
        row: dict[str, object] = {"variant": label, "repeat": one.repeat + 1}
        row["note"] = "without privacy: no epsilon is proven"
        if (spent := one.spent) is not None:
            row |= {"epsilon_upper": spent.epsilon, "delta": spent.delta}
            row["by"] = whole_meaning(spent.bound)
            row["note"] = f"the change: {protected_change(scenario, spent.bound)}"
        if isinstance(one, RefusedRun):
            row["note"] = _not_trained(one.reason)
        else:
            row |= {"seed": one.seed, "test_crps": one.crps, "baseline_crps": one.baseline_crps}
            row |= {"steps": one.steps, "noise_multiplier": one.noise_multiplier}
        rows.append(row)
    rows += [
        {"variant": variant_label(setting, one.value), "note": _not_trained(one.refusal)}
        for one in variants
        if one.run is None
    ]
    return Table(
        title=f"training runs that differ in {setting}",
        about=[
            _ERRORS,
            "epsilon_upper: proven upper bound of each run alone; several runs on the same data "
            "add up",
        ],
        source=[
            *_not_accounted_lines(not_accounted),
            f"scenario that they share: {json_in_csv(scenario)}",
        ],
        cells=cells_of(rows, _COMPARED),
    )


def _not_trained(reason: str) -> str:
    return f"not trained: {reason}".replace(",", ";")


def training_study_table(results: Results, rows: Sequence[Row]) -> Table:
    """Return rows of the study with all their digits."""
    bounds = [(row.data, row.spent.bound) for row in rows if row.spent is not None]
    theorems = (f"theorem {bound.theorem}: {whole_meaning(bound)}" for _, bound in bounds)
    limited = (f"v of {data}: {DATA[data].max_change:g}" for data, one in bounds if one.condition)
    return Table(
        title="runs of python -m dpviz training-study",
        about=[
            *results.made,
            f"margin: {MARGIN:g} of baseline_crps; confidence of a claim: {CONFIDENCE:g}",
            *_STUDY,
            *dict.fromkeys((*theorems, *limited)),
        ],
        cells=cells_of(map(row_fields, rows), COLUMNS),
    )


def _privacy_lines(result: TrainingResult, not_accounted: Sequence[str]) -> list[str]:
    settings, spent, others = result.settings, result.spent, _not_accounted_lines(not_accounted)
    if not settings.is_private:
        return ["without privacy: no noise; no clipping; no epsilon", *others]
    if spent is None:
        return ["no step was taken: nothing is spent", *others]
    epsilon = "no finite one" if spent.epsilon is None else repr(spent.epsilon)
    return [
        f"epsilon_upper at the end: {epsilon} at delta {spent.delta!r}: "
        f"{whole_meaning(spent.bound)}",
        f"the change: {protected_change(settings.scenario, spent.bound)}",
        *others,
    ]


def _not_accounted_lines(told: Sequence[str]) -> list[str]:
    return [f"not accounted for: {sentence}" for sentence in told]
