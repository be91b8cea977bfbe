"""What a small training run says, and simple forecasts and other runs beside it."""

import math
from collections.abc import Iterable, Sequence
from typing import TypeGuard

from dpviz.planning.budget_tracker import Spent
from dpviz.planning.protection import length_order_is_known
from dpviz.scenario import DataShape, Scenario, ScenarioError
from dpviz.settings.small_run import MODELS
from dpviz.training.budgeted_run import DivergedError
from dpviz.training.compared_runs import SmoothedBaseline
from dpviz.training.progress import Progress, TrainingResult
from dpviz.training.settings import TrainingSettings
from dpviz.training.split import EvaluationWindows
from dpviz.wording.label_noise import times_change
from dpviz.wording.markup import markdown_table, plain
from dpviz.wording.numbers import (
    capitalised,
    counted,
    in_full,
    joined,
    power_of_ten,
    rounded,
    rounded_up,
)
from dpviz.wording.protected_values import protected_change
from dpviz.wording.scope import caveats, relation_name, scheme_name
from dpviz.wording.setting_values import labelled
from dpviz.wording.subsequences import scenario_label
from dpviz.wording.theorems import brief_source, composed_source, qualifier

NOT_FINITE = "not finite"


def error_text(error: float | None, digits: int = 3) -> str:
    """Return an error of forecasts rounded, or that it is not finite; ``None`` is no number either.

    >>> error_text(0.51234), error_text(float("inf")), error_text(None)
    ('0.512', 'not finite', 'not finite')
    """
    return rounded(error, digits) if is_finite(error) else NOT_FINITE


def is_finite(error: float | None) -> TypeGuard[float]:
    """Return whether an error is a number to compare with."""
    return error is not None and math.isfinite(error)


def not_finite_note(crps: float | None, baseline_crps: float | None) -> str:
    """Return which error is not finite, and what of it follows; empty where both are numbers."""
    errors = {"of the model's own forecasts": crps, "of the seasonal naive forecast": baseline_crps}
    which = [name for name, error in errors.items() if not is_finite(error)]
    if not which:
        return ""
    return (
        f"The error {' and that '.join(which)} is not finite: values or forecasts are too large to "
        "add up, so there is nothing to compare. What was spent is spent all the same."
    )


def distance(error: float, other: float) -> str:
    """Return how far one error is from another, in percent of that.

    >>> distance(0.9, 1.0), distance(1.25, 1.0), distance(1.0, 1.0)
    ('10 % below', '25 % above', 'equal to')
    """
    if error == other or not other:
        return "equal to" if error == other else "above"
    share = rounded(100.0 * abs(error / other - 1.0), 2)
    return f"{share} % {'below' if error < other else 'above'}"


WITHOUT_PRIVACY = "without privacy: no noise, no clipping, no ε"


def result_headline(result: TrainingResult) -> str:
    """Return the error beside that of the baseline, and what it cost, for whom, as Markdown."""
    settings, note = result.settings, not_finite_note(result.crps, result.baseline_crps)
    error = f"**CRPS {error_text(result.crps)}** on the test windows"
    if settings.model == "naive":
        said = f"{error}. Nothing was trained, and no ε covers it: it repeats values as they are."
        return joined(said, note)
    beside = "against" if note else f"**{distance(result.crps, result.baseline_crps)}**"
    error += f", {beside} the seasonal naive forecast ({error_text(result.baseline_crps)})"
    if not note and result.crps > result.baseline_crps:
        error += ": **worse than repeating the last season**"
    if result.spent is None:
        after = f"after {counted(result.steps, 'training step')} **{WITHOUT_PRIVACY}**"
        return joined(f"{error}, {after}. Such a model hides nobody.", note)
    early, asked = "", settings.most_steps
    if result.last_allowed is not None and result.steps < asked:
        early = (
            f"The budget ended the training after {result.steps:,} of the {asked:,} steps asked "
            "for: one more would exceed it."
        )
    spent = _spent(settings.scenario, result.spent)
    return joined(f"{error}, {spent}.", note, early, caveats(result.spent.bound))


def _spent(scenario: Scenario, spent: Spent) -> str:
    """Return what was spent, with direction, theorem, steps and who is protected, as Markdown."""
    return (
        f"for **at most {epsilon_text(spent.epsilon)} at δ = {power_of_ten(spent.delta)}** (upper "
        f"bound, {composed_source(spent.bound)}), which hides "
        f"{protected_change(scenario, spent.bound)}"
    )


def epsilon_text(epsilon: float | None) -> str:
    """Return an upper bound in words."""
    return "no finite ε" if epsilon is None else f"ε = {rounded_up(epsilon)}"


def progress_headline(settings: TrainingSettings | None, now: Progress | None) -> str:
    """Return where a run stands, as Markdown."""
    if settings is None:
        return "**Training begins:** preparing data and noise."
    if now is None:
        return "**Training begins:** finding the steps that the budget allows."
    return f"**{progress_words(now)}.** {_so_far(settings, now)}"


def cut_off_headline(settings: TrainingSettings, last: Progress) -> str:
    """Return what a run has shown that ended without a result, as Markdown."""
    steps = counted(last.step, "training step")
    return f"**Cut off after {steps}, without a result.** {_so_far(settings, last)}"


def progress_words(now: Progress) -> str:
    """Return how far a run is."""
    return f"Step {now.step:,} of {counted(steps_to_come(now), 'training step')}"


def steps_to_come(now: Progress) -> int:
    """Return at which step a run ends: where it was asked to, or with its budget."""
    allowed = now.steps_asked if now.last_allowed is None else now.last_allowed
    return min(now.steps_asked, allowed)


def not_your_settings(trained: Scenario, own: Scenario, *, fits_noise: bool) -> str:
    """Return how what is trained differs from a visitor's settings, as Markdown; empty if not."""
    here, there = (counted(one.num_steps, "step") for one in (trained, own))
    if trained.shape is not None and own.shape is not None:
        here, there = f"{_data(trained.shape)} in {here}", f"{_data(own.shape)} in {there}"
    if here == there:
        return ""
    sigma = ": σ, too, is fitted to these" if fits_noise else ""
    return f"**Here: {here}, not the {there} of your settings.** No number carries over{sigma}."


def other_file(planned: str) -> str:
    """Return that the settings are for another file than the one that is trained on."""
    return f"**Your settings are for another file, {plain(planned)}**: open that one here, too."


def less_of_each(trained: Scenario, own: Scenario, kept: int) -> str:
    """Return that the last values of a file's series are kept from training, as Markdown."""
    here, there = trained.given_shape, own.given_shape
    several = ""
    if here.num_series > there.num_series:
        several = (
            f"N is {here.num_series:,}, not {there.num_series:,}: your settings leave out series "
            f"shorter than their L_F = {there.forecast_length:,}."
        )
    anew = "So ε is computed anew, and the number of steps that a budget allows, too."
    if length_order_is_known(own) and _rates(trained) == _rates(own):
        anew = ""  # else the bound rests on more than rates
    return joined(
        f"**L = {_lengths(here)} values of each series are trained on, not the {_lengths(there)} "
        f"of your settings**: the last {kept:,} are for validation and test.",
        several,
        anew,
    )


def _rates(scenario: Scenario) -> tuple[float, float, int]:
    return scenario.bottom_rate, scenario.top_rate, scenario.steps_per_epoch


def _data(shape: DataShape) -> str:
    return f"{shape.num_series:,} series of {_lengths(shape)} values"


def _lengths(shape: DataShape) -> str:
    return f"{shape.series_lengths[0]:,}{'' if shape.is_of_one_length else ' or more'}"


def what_is_trained(settings: TrainingSettings) -> str:
    """Return the run's own scenario in a sentence, as Markdown."""
    scenario, shape = settings.scenario, settings.shape
    sampling, noise = scenario.sampling, scenario.noise
    batch = f"batches of Λ = {sampling.batch_size:,} windows, {scheme_name(sampling)}"
    if not sampling.is_bag:
        batch += f", {scenario_label(scenario)}"
    said = (
        f"**Trained here:** {MODELS[settings.model]}; N = {shape.num_series:,} series, L = "
        f"{_lengths(shape)} values of each to train on, L_C = {shape.context_length:,}, L_F = "
        f"{shape.forecast_length:,}; {batch}"
    )
    if not settings.is_private:
        return f"{said}; {WITHOUT_PRIVACY}."
    parts = [
        f"gradients clipped to C = {in_full(settings.clipping_norm)}",
        f"noise σ = {in_full(noise.noise_multiplier)}",
    ]
    change = scenario.relation.max_change
    for symbol, size in (("σ_C", noise.context_noise), ("σ_F", noise.forecast_noise)):
        if size > 0.0 and change is not None:
            parts.append(
                f"{symbol} = {in_full(size)} (a standard deviation of {times_change(size, change)} "
                "in the data's unit)"
            )
    return f"{said}; {', '.join(parts)}."


def not_accounted_words(told: Sequence[str], *, is_private: bool) -> str:
    """Return what epsilon does not cover, as a Markdown list."""
    intro = "**What ε does not cover here**, though it was computed from the data:"
    if not is_private:
        intro = "**No ε is proven.** Computed from the data, besides the model itself:"
    return "\n".join([intro, "", *(f"- {said}" for said in told)])


def failure_words(problem: ScenarioError | DivergedError, scenario: Scenario | None) -> str:
    """Return why a run of a scenario, if any, has no result, and what it has spent nevertheless."""
    if isinstance(problem, ScenarioError):
        return f"It was not trained: {labelled(str(problem))}"
    said = (
        f"There is no result, as the training diverged: after step {problem.step:,} "
        f"{problem.what}. Lower the learning rate."
    )
    if problem.spent is None or scenario is None:
        return said
    spent = f"Its steps are spent nevertheless, {_spent(scenario, problem.spent)}."
    return joined(said, spent.replace("**", ""), caveats(problem.spent.bound))


def _so_far(settings: TrainingSettings, now: Progress) -> str:
    crps = ""
    if now.validation_crps is not None:
        crps = f"CRPS {rounded(now.validation_crps, 3)} of held-out windows so far"
    if not now.is_private:
        return f"{crps}, {WITHOUT_PRIVACY}."
    if now.spent is None:
        return f"{crps}; no ε is spent yet."
    return f"{crps}, {_spent(settings.scenario, now.spent)}."


def curve_title(curve: Sequence[Progress]) -> str:
    """Return what error and spending over training show, as a finding."""
    last, steps = curve[-1], counted(curve[-1].step, "training step")
    if last.validation_crps is None:
        return f"After {steps}"
    if not last.is_private:
        spent = "without privacy"
    elif last.spent is None:
        spent = "nothing spent yet"
    elif last.spent.epsilon is None:
        spent = "for no finite ε"
    else:
        delta = power_of_ten(last.spent.delta)
        spent = f"for ε ≤ {rounded_up(last.spent.epsilon)} at δ = {delta}"
    return f"Held-out CRPS {rounded(last.validation_crps, 3)} after {steps}, {spent}"


def curve_description(curve: Sequence[Progress]) -> str:
    """Return the chart for those who cannot see it."""
    first, began = curve[0], ""
    if first.validation_crps is not None:
        began = f"It began at {rounded(first.validation_crps, 3)}, before the first step."
    privacy = "There is no epsilon, as nothing is protected."
    if first.is_private:
        privacy = "Below it the upper bound on epsilon, which never falls."
    start = f"{curve_title(curve)}. Against the training steps: the CRPS of held-out windows"
    return joined(f"{start}, lower is better.", began, privacy)


def forecast_title(windows: EvaluationWindows, name: str, result: TrainingResult | None) -> str:
    """Return what the drawing of one series shows."""
    steps = counted(windows.truth.shape[1], "value")
    if result is None:
        return f"To be forecast: the last {steps} of {name}"
    privacy = "" if result.settings.is_private else ", without privacy"
    return f"Forecast and truth: the last {steps} of {name}{privacy}"


def forecast_description(title: str, *, has_forecast: bool) -> str:
    """Return the drawing for those who cannot see it."""
    bands = "The context that a model reads, and dots for the actual values."
    if has_forecast:
        around = "Around the median, bands meant to hold 40 % and 80 % of actual values"
        bands = f"{around}, and dots for these."
    return f"{title}. {bands}"


_KEPT_HEADS = (
    "CRPS", "seasonal naive CRPS", "ε, at most", "ε by", "ε for", "model", "λ", "σ", "σ_C", "σ_F",
    "Λ", "drawn", "steps", "seed",
)  # fmt: skip


def kept_table(rows: Iterable[list[str]]) -> str:
    """Return finished runs, each as a :func:`kept_row`, as Markdown.

    What several have in common stands below the table, which would be too wide for most screens.
    """
    columns, shared = [], []
    for head, *cells in zip(_KEPT_HEADS, *rows, strict=True):
        if len(cells) == 1 or len({*cells}) > 1 or head in ("CRPS", "ε, at most"):
            columns.append((head, *cells))
        elif cells[0]:
            shared.append(f"{head}: {cells[0]}")
    heads, *lines = zip(*columns, strict=True)
    below = f"\n\nIn all of them: {'; '.join(shared)}." if shared else ""
    return markdown_table(heads, lines) + below


def kept_row(result: TrainingResult) -> list[str]:
    """Return what is told of a finished run in the table of a visitor's runs."""
    settings, scenario = result.settings, result.settings.scenario
    sampling, noise = scenario.sampling, scenario.noise
    epsilon, by, hides, sigmas = "none: without privacy", "", "nobody", ["none"] * 3
    if settings.is_private:
        sizes = (noise.noise_multiplier, noise.context_noise, noise.forecast_noise)
        sigmas = [*map(in_full, sizes)]
        hides = relation_name(scenario.relation).partition(":")[0]
        epsilon = "nothing trained"
        if (spent := result.spent) is not None:
            number = NOT_FINITE if spent.epsilon is None else rounded_up(spent.epsilon)
            epsilon = f"{number} at δ = {power_of_ten(spent.delta)}"
            by = brief_source(spent.bound) + qualifier(spent.bound)
    errors = [error_text(result.crps), error_text(result.baseline_crps)]
    windows = "—" if sampling.is_bag else str(sampling.num_subsequences)
    seed = "fresh" if settings.seed is None else f"{settings.seed:,}"
    drawn = [f"{sampling.batch_size:,}", scheme_name(sampling), f"{result.steps:,}", seed]
    return [*errors, epsilon, by, hides, settings.model, windows, *sigmas, *drawn]


_ETS = "exponential smoothing (ETS), the best form for each series"
UNDER_WAY = (
    "Exponential smoothing (ETS) is being fitted to the same series, to compare with: about ten "
    "seconds of computing."
)
TOO_COSTLY = "Exponential smoothing (ETS) takes too long on these series to compare with it here."


def baselines_table(
    found: SmoothedBaseline, result: TrainingResult, model_crps: float | None
) -> str:
    """Return a model and two simple forecasts beside each other, as a Markdown table."""
    cost, spent = "none: nobody is hidden", result.spent
    if result.settings.model == "naive":
        cost = "none proven"
    elif spent is not None:
        cost = f"at most {epsilon_text(spent.epsilon)} at δ = {power_of_ten(spent.delta)}"
    error = "not known" if model_crps is None else error_text(model_crps)
    rows = [
        ("this model", error, cost),
        (_ETS, error_text(found.crps), "none proven"),
        ("seasonal naive: the last season again", error_text(found.naive_crps), "none proven"),
    ]
    return markdown_table(["Forecast of the last values", f"CRPS, {_series(found)}", "ε"], rows)


def baselines_note(found: SmoothedBaseline) -> str:
    """Return what the simple forecasts are, and of which series."""
    sample = f"It is fitted to {_series(found)}, to save time."
    return joined(
        "ETS is fitted to each series alone, with all of its values before the forecast, without "
        "noise: a yardstick that protects nobody.",
        "" if found.windows == found.of else sample,
    )


def compared_baselines(found: SmoothedBaseline, runs: Sequence[tuple[str, float]]) -> str:
    """Return two simple forecasts, and runs where their table is of more series, in a sentence."""
    told = "; ".join(f"{name}: {error_text(error)}" for name, error in runs)
    beside = f"; {told} (means over seeds)" if found.windows < found.of else ""
    return (
        f"**CRPS on {_series(found)}, beside simple forecasts.** {capitalised(_ETS)}: "
        f"{error_text(found.crps)}; seasonal naive: {error_text(found.naive_crps)}{beside}. No "
        "ε is proven for these two: they are made of each series' own values, without noise."
    )


def _series(found: SmoothedBaseline) -> str:
    if found.windows == found.of:
        return f"all {found.of:,} series" if found.of > 1 else "the one series"
    return f"{found.windows:,} of the {found.of:,} series"
