"""Small training runs as CSV, with a header that explains the columns."""

from collections.abc import Sequence

import pandas as pd

import dpviz
from dpviz.export.json_in_csv import json_in_csv
from dpviz.export.training_csv import curve_csv, forecasts_csv
from dpviz.scenario import Scenario
from dpviz.training.compared_runs import ComparedRun, RefusedRun, Variant
from dpviz.training.progress import TrainingResult
from dpviz.wording.compared_runs import variant_label
from dpviz.wording.protected_values import individual
from dpviz.wording.theorems import bound_meaning

_ERRORS = (
    "crps: mean weighted quantile loss at levels 0.1 to 0.9 (0 is perfect); validation_crps: of "
    "the held-out windows, test_crps: of the last values; neither is part of epsilon"
)
_EPSILON = (
    "epsilon_upper_bound: proven upper bound on what all steps so far give away, at the delta below"
)


def run_csv(result: TrainingResult, data: str, not_accounted: Sequence[str]) -> str:
    """Return a run's course and result as CSV text; lines that begin with # describe it.

    Args:
        result: of the run.
        data: what it was trained on, in words without commas.
        not_accounted: what epsilon does not cover, as sentences.
    """
    settings = result.settings
    lines = [
        f"dpviz {dpviz.__version__}: a training run of {settings.model} on {data}",
        f"test_crps: {result.crps!r}; of the seasonal naive forecast: {result.baseline_crps!r}",
        f"steps: {result.steps} of {settings.most_steps} asked for; seed: {settings.seed}; "
        f"learning_rate: {settings.learning_rate!r}; clipping_norm: {settings.clipping_norm!r}",
        *_privacy_lines(result),
        *_not_accounted_lines(not_accounted),
        _ERRORS,
        f"scenario: {json_in_csv(settings.scenario)}",
    ]
    return _commented(lines, curve_csv(result.curve))


def forecasts_text(
    result: TrainingResult, names: tuple[str, ...], not_accounted: Sequence[str]
) -> str:
    """Return the forecasts of the test windows, and what then came, as CSV text.

    Args:
        result: of the run.
        names: of all series.
        not_accounted: what epsilon does not cover, as sentences.
    """
    lines = [
        f"dpviz {dpviz.__version__}: forecasts of the last values of each series",
        "time_step: from 0; truth: what came and was kept from training; quantile_0.1: below it in "
        "1 of 10 cases by the model's own claim",
        *_privacy_lines(result),
        *_not_accounted_lines(not_accounted),
    ]
    return _commented(lines, forecasts_csv(result.forecasts, names))


def comparison_csv(
    scenario: Scenario,
    setting: str,
    variants: Sequence[Variant],
    told: Sequence[ComparedRun | RefusedRun],
    not_accounted: Sequence[str],
) -> str:
    """Return compared runs as CSV text, a row each.

    Args:
        scenario: that they share but for what differs.
        setting: what differs.
        variants: what is compared.
        told: what is known.
        not_accounted: what epsilon does not cover, as sentences.
    """
    rows = []
    for one in told:
        label = variant_label(setting, variants[one.variant].value)
        row = {"variant": label, "repeat": one.repeat + 1}
        if isinstance(one, RefusedRun):
            rows.append(row | {"note": f"not trained: {one.reason}".replace(",", ";")})
            continue
        row |= {"seed": one.seed, "test_crps": one.crps, "baseline_crps": one.baseline_crps}
        row |= {"steps": one.steps, "noise_multiplier": one.noise_multiplier}
        if one.spent is not None:
            meaning = bound_meaning(one.spent.bound)
            row |= {"epsilon_upper": one.spent.epsilon, "delta": one.spent.delta, "by": meaning}
            row |= {"note": f"the change: {individual(scenario, one.spent.bound)}"}
        else:
            row |= {"note": "without privacy: no epsilon is proven"}
        rows.append(row)
    lines = [
        f"dpviz {dpviz.__version__}: training runs that differ in {setting}",
        _ERRORS,
        "epsilon_upper: proven upper bound of each run alone; several runs on the same data add up",
        *_not_accounted_lines(not_accounted),
        f"scenario that they share: {json_in_csv(scenario)}",
    ]
    table = pd.DataFrame(rows, columns=_COMPARED).to_csv(index=False, lineterminator="\n")
    return _commented(lines, table)


_COMPARED = [
    "variant", "repeat", "seed", "test_crps", "baseline_crps", "epsilon_upper", "delta", "by",
    "steps", "noise_multiplier", "note",
]  # fmt: skip


def _privacy_lines(result: TrainingResult) -> list[str]:
    settings = result.settings
    if not settings.is_private:
        return ["without privacy: no noise; no clipping; no epsilon"]
    if result.spent is None:
        return ["no step was taken: nothing is spent"]
    spent = result.spent
    return [
        _EPSILON,
        f"epsilon_upper at the end: {spent.epsilon!r} at delta {spent.delta!r}: "
        f"{bound_meaning(spent.bound)}; {spent.bound.extension or 'as proven in the paper'}",
        f"the change: {individual(settings.scenario, spent.bound)}",
    ]


def _not_accounted_lines(told: Sequence[str]) -> list[str]:
    return [f"not accounted for: {said}" for said in told]


def _commented(lines: Sequence[str], table: str) -> str:
    return "".join(f"# {line}\n" for line in lines) + table
