"""Small runs beside each other, simpler forecasts and the study's; and where noise was too much."""

from collections.abc import Sequence

from dpviz.planning.ways import Way, noise_per_gradient
from dpviz.scenario import Scenario
from dpviz.settings import SETTINGS
from dpviz.training.compared_runs import (
    ComparedRun,
    RefusedRun,
    Spread,
    Variant,
    of_variant,
    spread_of,
)
from dpviz.training.progress import TrainingResult
from dpviz.training.small_run import SmallRun, WithoutPrivacy
from dpviz.training_study.results import studied_cost
from dpviz.wording.hit_laws import windows_label
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
from dpviz.wording.scope import TOP_LEVEL_NAMES, caveats
from dpviz.wording.setting_values import labelled
from dpviz.wording.small_run import NOT_FINITE, distance, epsilon_text, error_text, is_finite
from dpviz.wording.theorems import brief_source


def percent(share: float) -> str:
    """Return a share of an error as a signed percentage."""
    return f"{'−' if share < 0.0 else '+'}{rounded(100.0 * abs(share), 2)} %"


def accuracy_sentence(scenario: Scenario) -> str:
    """Return what such noise has cost in accuracy, as Markdown."""
    found = studied_cost(scenario)
    if found is None:
        return (
            "**What this noise costs in accuracy depends on the data**: "
            "[What privacy costs](training_study) has no run like it."
        )
    levels = " to ".join(dict.fromkeys(map(rounded, found.noise)))
    series = "one set" if found.data == 1 else f"{found.data} sets"
    return (
        f"**Noise like this cost {percent(found.low)} to {percent(found.high)} of CRPS**, the "
        f"error of a forecast, against no privacy in {found.runs} runs of "
        f"[What privacy costs](training_study) with σ / Λ = {levels}: two models on {series} "
        "of monthly series. Yours may differ."
    )


Told = Sequence[ComparedRun | RefusedRun]
_NOISE_LABELS = {0.5: "half σ", 1.0: "σ", 2.0: "twice σ"}


def variant_label(setting: str, value: int | float | str | None) -> str:
    """Return a variant's name."""
    if value is None:
        return "without privacy"
    if isinstance(value, str):
        return TOP_LEVEL_NAMES[value]
    if setting == "noise_multiplier":
        return _NOISE_LABELS[value]
    return windows_label(int(value)) if setting == "num_subsequences" else f"σ_F = {in_full(value)}"


def comparison_title(setting: str, variants: Sequence[Variant], told: Told) -> str:
    """Return which of the private runs forecasts best, as a finding about these runs alone."""
    spreads = _private_spreads(variants, told)
    if len(spreads) < 2:
        return f"CRPS of {counted(len(told), 'run')} so far"
    if setting == "noise_multiplier" and (costs := _noise_costs(variants, told)):
        return f"CRPS against no privacy: {costs}"
    best = _best(spreads)
    label = variant_label(setting, variants[best].value)
    return f"Smallest mean CRPS of the private runs: {error_text(spreads[best].mean)}, {label}"


def _noise_costs(variants: Sequence[Variant], told: Told) -> str:
    """Return by how much each noise raises the error, mean and range over pairs of runs."""
    without = {run.repeat: run.crps for run in of_variant(told, len(variants) - 1)}
    parts = []
    for at, variant in enumerate(variants[:-1]):
        shares = [
            run.crps / without[run.repeat] - 1.0
            for run in of_variant(told, at)
            if is_finite(run.crps) and is_finite(without.get(run.repeat)) and without[run.repeat]
        ]
        if shares:
            found, epsilon = spread_of(shares), _cost(of_variant(told, at))[0]
            spent = "no finite ε" if epsilon == NOT_FINITE else f"ε ≤ {epsilon}"
            parts.append(
                f"{variant_label('noise_multiplier', variant.value)} {percent(found.mean)} "
                f"({percent(found.low)} to {percent(found.high)}) for {spent}"
            )
    return ", ".join(parts)


def overlap_sentence(setting: str, variants: Sequence[Variant], told: Told) -> str:
    """Return whose range over seeds reaches into that of the best; empty where none does."""
    spreads = _private_spreads(variants, told)
    if len(spreads) < 2 or setting == "noise_multiplier":
        return ""
    best = _best(spreads)
    close = "; ".join(
        variant_label(setting, variants[at].value)
        for at, spread in spreads.items()
        if at != best and spread.low <= spreads[best].high
    )
    return f"Its range over seeds overlaps with that of: {close}." if close else ""


def _few_steps(variants: Sequence[Variant], told: Told) -> str:
    """Return that the budget ended the best private run early; empty where it did not."""
    spreads = _private_spreads(variants, told)
    if len(spreads) < 2:
        return ""
    taken = {at: max(run.steps for run in of_variant(told, at)) for at in spreads}
    steps, most = taken[_best(spreads)], max(taken.values())
    if steps == most:
        return ""
    hardly = "" if steps >= FEWEST_STEPS else ": it is hardly trained"
    return f"⚠️ It took {counted(steps, 'step')}, others up to {most:,}{hardly}."


def _private_spreads(variants: Sequence[Variant], told: Told) -> dict[int, Spread]:
    return {
        at: spread_of([run.crps for run in of_variant(told, at)])
        for at, variant in enumerate(variants)
        if variant.value is not None and of_variant(told, at)
    }


def _best(spreads: dict[int, Spread]) -> int:
    return min(spreads, key=lambda at: (not is_finite(spreads[at].mean), spreads[at].mean))


def comparison_headline(
    scenario: Scenario, setting: str, variants: Sequence[Variant], told: Told, *, wanted: int
) -> str:
    """Return the finding with its scope, as Markdown."""
    title = f"**{comparison_title(setting, variants, told)}.**"
    parts = [title, overlap_sentence(setting, variants, told), _few_steps(variants, told)]
    if len(told) < wanted:
        parts.append(f"{len(told):,} of {counted(wanted, 'run')} are done.")
    spent = [run.spent for run in told if isinstance(run, ComparedRun) and run.spent is not None]
    known = [one.epsilon for one in spent if one.epsilon is not None]
    if spent and len(known) == len(spent):
        # What holds for all of them: a change by at most v, where one of them needs that.
        bound = next((one.bound for one in spent if one.bound.condition), spent[0].bound)
        delta = power_of_ten(scenario.delta)
        spends = (
            f"Each ε is of one run, at δ = {delta}"
            if setting == "noise_multiplier"
            else f"Each private run spends at most ε = {rounded_up(max(known))} at δ = {delta}"
        )
        parts.append(
            f"{spends} (upper bounds, theorems in the table), for "
            f"{protected_change(scenario, bound)}. Who sees all learns more than one ε tells."
        )
        parts += dict.fromkeys(caveats(run.bound) for run in spent)
    return joined(*parts)


def comparison_table(setting: str, variants: Sequence[Variant], told: Told) -> str:
    """Return all variants with mean and range over seeds, as a Markdown table."""
    name = "how series are drawn" if setting == "top_level" else SETTINGS[setting].phrase
    rows = []
    for at, variant in enumerate(variants):
        label, runs = variant_label(setting, variant.value), of_variant(told, at)
        if not runs:
            rows.append((label, _reason(variant, told, at), *[""] * 5))
            continue
        crps = spread_of([run.crps for run in runs])
        error = f"{error_text(crps.mean)} ({error_text(crps.low)} to {error_text(crps.high)})"
        rows.append((label, error, str(len(runs)), *_cost(runs)))
    first = next((run for run in told if isinstance(run, ComparedRun)), None)
    if first is not None:
        naive = error_text(first.baseline_crps)
        rows.append(("seasonal naive forecast", naive, "", "none proven", "", "0", ""))
    heads = "CRPS, mean (range)", "runs", "ε, at most", "by", "steps", "σ"
    return markdown_table([capitalised(name), *heads], rows)


def comparison_note(setting: str, *, fits_noise: bool) -> str:
    """Return how these runs are made comparable, as Markdown."""
    fitted = (
        "All private runs have the same noise σ, and each trains until its budget or its steps "
        "end: they may spend different ε."
    )
    if setting == "noise_multiplier":
        least = " “σ” is the least that keeps all steps within the budget." if fits_noise else ""
        fitted = (
            "The private runs differ in their noise σ, and so in ε: each takes all of its steps, "
            f"and no budget ends it.{least}"
        )
    elif fits_noise:
        fitted = (
            "Each private run has the smallest noise σ that lasts for all steps within the same "
            "budget: what differs is the error at equal ε."
        )
    return (
        f"{fitted} Seeds draw batches and noise anew; the data stay the same, so the range says "
        "nothing of other data. CRPS is of the test windows, the lines of the held-out windows "
        "before them; neither is part of ε."
    )


def _cost(runs: Sequence[ComparedRun]) -> tuple[str, str, str, str]:
    last = runs[-1]
    steps = f"{last.steps:,}"
    if last.spent is None:
        return "none: nobody is hidden", "", steps, "none"
    worst = [run.spent.epsilon for run in runs if run.spent is not None]
    numbers = [epsilon for epsilon in worst if epsilon is not None]
    epsilon = rounded_up(max(numbers)) if len(numbers) == len(worst) else NOT_FINITE
    assert last.noise_multiplier is not None  # it is a private run
    return epsilon, brief_source(last.spent.bound), steps, in_full(last.noise_multiplier)


def _reason(variant: Variant, told: Told, at: int) -> str:
    refused = [run for run in told if isinstance(run, RefusedRun) and run.variant == at]
    reason = refused[0].reason if refused else variant.refusal
    if not reason:
        return "to come"
    said = f"not trained: {labelled(reason)}"
    if refused and (spent := refused[0].spent) is not None:
        said += (
            f" Its steps are spent: at most {epsilon_text(spent.epsilon)} at δ = "
            f"{power_of_ten(spent.delta)} (upper bound, {brief_source(spent.bound)})."
        )
    return plain(said).replace("|", "/")


# What of a run may be changed to halve its noise, by the page's setting.
SETTING_OF = {"batch_size": "trained_batch", "steps": "trained_steps"}
# Nobody is told to train less: a model would stay much as it begins.
FEWEST_STEPS = int(SETTINGS["trained_steps"].grid[0])


def can_be_next(way: Way, scenario: Scenario) -> bool:
    """Return whether the page can train so, instead of as a scenario says, and enough."""
    _, most = SETTINGS["trained_batch"].limits
    fewest = min(FEWEST_STEPS, scenario.num_steps)
    return way.scenario.sampling.batch_size <= most and way.scenario.num_steps >= fewest


def beside_words(result: TrainingResult, without: WithoutPrivacy | None) -> str:
    """Return how far a result is from that of the same model without privacy, as Markdown."""
    if without is None or not (is_finite(result.crps) and is_finite(without.crps)):
        return ""
    steps = counted(result.settings.most_steps, "step")
    return (
        f"The error is **{distance(result.crps, without.crps)}** that of the same model without "
        f"privacy after {steps} ({rounded(without.crps, 3)}), by one run each: *Compare runs* "
        "shows how far errors differ from run to run."
    )


def _rise(result: TrainingResult) -> tuple[float, float] | None:
    """Return the first and the last error of held-out windows, if it ended above where it began."""
    errors = [row.validation_crps for row in result.curve if row.validation_crps is not None]
    return (errors[0], errors[-1]) if errors and errors[-1] > errors[0] else None


def is_too_noisy(result: TrainingResult, without: WithoutPrivacy | None) -> bool:
    """Return whether the error of held-out windows rose, and would not have without noise."""
    return (
        result.settings.is_private
        and _rise(result) is not None
        and without is not None
        and without.crps is not None
        and without.crps < result.crps
    )


def risen_words(result: TrainingResult, without: WithoutPrivacy | None) -> str:
    """Return that the held-out error rose and what it means, as Markdown; empty if it did not."""
    if (rise := _rise(result)) is None:
        return ""
    first, last = (rounded(error, 3) for error in rise)
    why = ", and noise is not the reason: try a smaller learning rate, or another model"
    if result.settings.is_private and without is None:  # nothing tells why
        why = ""
    elif is_too_noisy(result, without):
        why = (
            ": too much noise for these data. It moves the model more than they do, and the "
            "untrained model forecasts better"
        )
    return f"⚠️ **The held-out error rose** from {first}, before the first step, to {last}{why}."


def next_words(way: Way | None, epsilon: float, run: SmallRun, *, is_public: bool) -> str:
    """Return the least change of a run that halves its noise within an epsilon, as Markdown."""
    within = f"ε = {in_full(epsilon)}"
    if way is None:
        less = "a larger ε or more series"
        if not run.fits_noise:  # by themselves these leave σ as it is
            less = f"{less}, with σ fitted to the budget"
            if run.target_epsilon is not None and epsilon < run.target_epsilon:
                budget = in_full(run.target_epsilon)
                less = f"a smaller σ, or σ fitted to the budget of ε = {budget}"
        return (
            f"**Try next:** {less}. Neither another batch size nor fewer steps, of at least "
            f"{FEWEST_STEPS}, halve the noise on the averaged gradient within {within}."
        )
    what = SETTINGS[SETTING_OF[way.quantity]].title
    said = (
        f"**Try next:** {what} {int(way.after):,} instead of {int(way.before):,}. Within {within} "
        "the noise on the averaged gradient then halves, to about "
        f"{rounded(noise_per_gradient(way.scenario), 2)} clipping norms."
    )
    also = "" if epsilon == run.target_epsilon else "takes that ε as the budget, and "
    also = "" if run.fits_noise else f"*Set it* also {also}fits σ to it."
    cost = "" if is_public else "A further run on your file spends a budget of its own."
    return joined(said, also, cost)


def left_words(seconds: float | None) -> str:
    """Return how long a run still takes, to follow how far it is; empty while nothing tells.

    >>> left_words(12.3), left_words(200.0), left_words(None)
    (', about 12 s left', ', about 3 min left', '')
    """
    if seconds is None:
        return ""
    left = f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
    return f", about {left} left"


def all_steps_words(steps: int, *, is_told: bool) -> str:
    """Return what is computed after the last step: the result, then, once told, another run."""
    beside = "; now the same model without privacy, to compare with" if is_told else ""
    return f"All {counted(steps, 'training step')} are done{beside}"
