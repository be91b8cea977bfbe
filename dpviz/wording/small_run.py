"""What a small training run says, as sentences that stay true."""

from collections.abc import Sequence

from dpviz.planning.budget_tracker import Spent
from dpviz.scenario import Scenario, ScenarioError
from dpviz.settings.training import MODELS
from dpviz.training.progress import Progress, TrainingResult
from dpviz.training.session import DivergedError
from dpviz.training.settings import TrainingSettings
from dpviz.wording.forecast_error import error_text, not_finite_note
from dpviz.wording.labels import labelled
from dpviz.wording.numbers import counted, power_of_ten, rounded, rounded_up
from dpviz.wording.protected_values import individual
from dpviz.wording.protection import caveats
from dpviz.wording.scope import scheme_name
from dpviz.wording.subsequences import windows_label
from dpviz.wording.theorems import composed_source

WITHOUT_PRIVACY = "without privacy: no noise, no clipping, no ε"


def result_headline(result: TrainingResult) -> str:
    """Return the error beside that of the baseline, and what it cost, for whom, as Markdown."""
    error = f"**CRPS {error_text(result.crps)}** on the test windows, against "
    error += f"{error_text(result.baseline_crps)} of the seasonal naive forecast"
    note = not_finite_note(result.crps, result.baseline_crps)
    settings = result.settings
    if settings.model == "naive":
        said = f"{error}. Nothing was trained, and no ε covers it: it repeats values as they are."
        return " ".join(filter(None, (said, note)))
    if not note and result.crps > result.baseline_crps:
        error += " (smaller is better: **worse than repeating the last season**)"
    steps = counted(result.steps, "training step")
    if not settings.is_private:
        said = f"{error}, after {steps} **{WITHOUT_PRIVACY}**. Such a model hides nobody."
        return " ".join(filter(None, (said, note)))
    if result.spent is None:
        return f"{error}; no training step was taken, so no ε was spent."
    return " ".join(
        part
        for part in (
            f"{error}, {spent_words(settings.scenario, result.spent)}.",
            note,
            _ended_early(result),
            caveats(result.spent.bound),
        )
        if part
    )


def spent_words(scenario: Scenario, spent: Spent) -> str:
    """Return what was spent, with direction, theorem, steps and who is protected, as Markdown."""
    return (
        f"for **at most {epsilon_text(spent.epsilon)} at δ = {power_of_ten(spent.delta)}** (upper "
        f"bound, {composed_source(spent.bound)}), which hides {individual(scenario, spent.bound)}"
    )


def epsilon_text(epsilon: float | None) -> str:
    """Return an upper bound in words.

    >>> epsilon_text(4.99991), epsilon_text(None)
    ('ε = 5', 'no finite ε')
    """
    return "no finite ε" if epsilon is None else f"ε = {rounded_up(epsilon)}"


def progress_headline(settings: TrainingSettings | None, now: Progress | None) -> str:
    """Return where a run stands, as Markdown.

    Args:
        settings: of the run; ``None`` before it has told them.
        now: what it has told last, if anything.
    """
    if settings is None:
        return "**Training begins:** a process of its own is started, and the noise is looked for."
    if now is None:
        return "**Training begins:** which steps the budget allows is looked up."
    return f"**{progress_words(now)}.** {_so_far(settings, now)}"


def progress_words(now: Progress) -> str:
    """Return how far a run is."""
    return f"Step {now.step:,} of {counted(steps_to_come(now), 'training step')}"


def steps_to_come(now: Progress) -> int:
    """Return at which step a run ends: where it was asked to, or with its budget."""
    allowed = now.steps_asked if now.last_allowed is None else now.last_allowed
    return min(now.steps_asked, allowed)


def what_is_trained(settings: TrainingSettings) -> str:
    """Return the run's own scenario in a sentence, as Markdown."""
    scenario, shape = settings.scenario, settings.shape
    sampling, noise = scenario.sampling, scenario.noise
    lengths = shape.series_lengths
    some = f"{lengths[0]:,}" if len(lengths) == 1 else f"{lengths[0]:,} or more"
    batch = (
        f"batches of Λ = {sampling.batch_size:,} windows, {scheme_name(sampling)}, "
        f"{windows_label(sampling.num_subsequences)}"
    )
    said = (
        f"**Trained here:** {MODELS[settings.model]}; N = {shape.num_series:,} series, L = "
        f"{some} values of each to train on, L_C = {shape.context_length:,}, L_F = "
        f"{shape.forecast_length:,}; {batch}"
    )
    if not settings.is_private:
        return f"{said}; {WITHOUT_PRIVACY}."
    parts = [f"gradients clipped to C = {rounded(settings.clipping_norm)}"]
    parts.append(f"noise σ = {rounded(noise.noise_multiplier)}")
    change = scenario.relation.max_change
    for symbol, size in (("σ_C", noise.context_noise), ("σ_F", noise.forecast_noise)):
        if size > 0.0 and change is not None:
            parts.append(
                f"{symbol} = {rounded(size)} (a standard deviation of {rounded(size * change)} in "
                "the data's unit)"
            )
    return f"{said}; {', '.join(parts)}."


def not_accounted_words(told: Sequence[str], *, is_private: bool) -> str:
    """Return what epsilon does not cover, as a Markdown list.

    Args:
        told: sentences on it.
        is_private: whether there is an epsilon.
    """
    intro = "**What ε does not cover here**, though it was computed from the data:"
    if not is_private:
        intro = "**No ε is proven.** Computed from the data, besides the model itself:"
    return "\n".join([intro, "", *(f"- {said}" for said in told)])


def failure_words(problem: ScenarioError | DivergedError) -> str:
    """Return why a run ended without a result, and what it has spent nevertheless."""
    if isinstance(problem, ScenarioError):
        return f"It was not trained: {labelled(str(problem))}"
    said = (
        f"There is no result, as the training diverged: after step {problem.step:,} "
        f"{problem.what}. Lower the learning rate."
    )
    if problem.spent is None:
        return said
    return (
        f"{said} Its steps are spent nevertheless: at most {epsilon_text(problem.spent.epsilon)} "
        f"at δ = {power_of_ten(problem.spent.delta)} (upper bound, "
        f"{composed_source(problem.spent.bound)})."
    )


def _ended_early(result: TrainingResult) -> str:
    asked = result.settings.most_steps
    if result.last_allowed is None or result.steps >= asked:
        return ""
    return (
        f"The budget ended the training after {result.steps:,} of the {asked:,} steps asked for: "
        "one more would exceed it."
    )


def _so_far(settings: TrainingSettings, now: Progress) -> str:
    crps = ""
    if now.validation_crps is not None:
        crps = f"CRPS {rounded(now.validation_crps, 3)} of held-out windows so far"
    if not now.is_private:
        return f"{crps}, {WITHOUT_PRIVACY}."
    if now.spent is None:
        return f"{crps}; no ε is spent yet."
    return f"{crps}, {spent_words(settings.scenario, now.spent)}."
