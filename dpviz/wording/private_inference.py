"""Hidden contexts in words: what noise they need, what it promises, and the study of them."""

import math
from collections.abc import Sequence

from dpviz.private_inference import study as grid
from dpviz.private_inference.example import Errors, Example
from dpviz.private_inference.noise import AfterForecasts, NoiseAtRate
from dpviz.private_inference.plan import HidingPlan
from dpviz.private_inference.study import Found, Study
from dpviz.reported.table import ReportedTable
from dpviz.settings.small_run import MODELS
from dpviz.wording.markup import markdown_table
from dpviz.wording.numbers import (
    capitalised,
    counted,
    epsilon_at_most,
    in_full,
    joined,
    listed,
    per_hundred,
    power_of_ten,
    rounded,
    rounded_up,
)

ACCOUNTING_NAMES = {
    "exact": "exact over the kept values",
    "failure": "Theorem 2 with tight Gaussian noise",
    "paper": "as in the paper (Theorem 2, classical noise)",
}
_UPPER_BOUNDS = (
    "Each standard deviation, rounded up, keeps the guarantee above. Below r = 1 only the exact "
    "one is tight."
)
_TABLE_RATES = (0.25, 0.5, 0.75, 1.0)


def protected(plan: HidingPlan) -> str:
    """Return whose values are hidden."""
    which = ""
    if plan.width > 1:
        which = " in a row" if plan.level == "event" else ", any of them,"
    each = " each" if plan.width > 1 else ""
    return (
        f"an individual who changes {counted(plan.width, 'value')}{which} of one series by at most "
        f"v = {in_full(plan.max_change)}{each}"
    )


def _readings(plan: HidingPlan) -> str:
    """Return how often several forecasts read a changed value."""
    if plan.forecasts == 1:
        return ""
    apart = counted(plan.stride, "time step")
    step = f"contexts {apart} apart" if plan.stride > 0 else "the same context"
    return (
        f" The {plan.forecasts:,} forecasts read {step}, and changed values at most "
        f"{counted(plan.readings, 'time')} in all."
    )


def noise_headline(
    plan: HidingPlan, noise: float, epsilon: float, whole: float | None, errors: Errors | None
) -> str:
    """Return the noise with all that it means, as Markdown.

    ``whole`` is the noise that the same epsilon takes with all values kept, ``None`` for none;
    ``errors`` of the example are ``None`` while they are computed.
    """
    beside = cost = kept = ""
    if whole is not None and plan.rate < 1.0:
        beside = f" Keeping all values takes {rounded_up(whole)}."
    if errors is not None:
        if beside:
            kept = f" and {rounded(errors.whole, 3)} with all values kept at this ε"
        cost = (
            " On 100 made-up series the error (CRPS, as a share of the mean absolute value; "
            f"smaller is better) is **{rounded(errors.hidden, 3)}**, against "
            f"{rounded(errors.clear, 3)} from contexts as they are{kept}."
        )
    each = "each value that is kept" if plan.rate < 1.0 else "each value"
    which = counted(plan.forecasts, "released forecast")
    together = " together" if plan.forecasts > 1 else ""
    return (
        f"**Noise of {rounded_up(noise)} (standard deviation) on {each}: "
        f"{epsilon_at_most(epsilon, 'no finite ε')} at δ = {power_of_ten(plan.delta)} (upper "
        f"bound) for {which}{together}**, by the exact accounting (tight for the noisy values), "
        f"for {protected(plan)}.{beside}{cost}"
    )


def example_title(example: Example) -> str:
    """Return the chart's title."""
    seen = f"{int(example.kept.sum())} of {counted(len(example.context), 'value')}"
    return f"{capitalised(example.name)}: the model sees {seen}, with noise"


def example_description(plan: HidingPlan, noise: float, example: Example, model: str) -> str:
    """Return the chart in words, for those who cannot see it."""
    how = f"each value with noise of {rounded_up(noise)}"
    if plan.rate < 1.0:
        kept = (
            f"each value kept with probability {in_full(plan.rate)}, noise of {rounded_up(noise)}"
        )
        how = f"{kept}, the rest filled in with the mean of what was kept"
    seen = f"The context of {example.name} as it is, and what the model sees of it ({how})"
    if example.hidden is None or example.clear is None:
        return f"{seen}. The model is being trained."
    median = example.hidden.shape[1] // 2
    return (
        f"{seen}; the {MODELS[model]} forecast of that with bands, and actual values. The first "
        f"forecast value is {rounded(example.hidden[0, median])} (median), "
        f"{rounded(example.clear[0, median])} from the context as it is; "
        f"the actual value is {rounded(example.truth[0])}."
    )


def example_finding(example: Example) -> str:
    """Return what stands under the chart, as Markdown."""
    nothing = (
        "**Nothing of this context was kept.** The model reads a public value instead: the mean of "
        "its training series."
    )
    budgets = "This budget is for what the forecast **reads**. **Training** has its own."
    return joined("" if example.kept.any() else nothing, budgets)


def noise_title(plan: HidingPlan, at_rates: Sequence[NoiseAtRate]) -> str:
    """Return the finding of the chart of noise over rates."""
    exact = {one.rate: one.by("exact") for one in at_rates}
    own, whole = exact.get(plan.rate), exact[1.0]
    if own is None or whole is None or plan.rate == 1.0:
        return "The noise that each rate needs, at the same budget"
    less, said = 1.0 - own / whole, "about as much noise as keeping all"
    if less >= 0.001:
        said = f"{math.floor(1000.0 * less) / 10.0:.1f} % less noise"
    return f"Keeping {per_hundred(plan.rate)} % of the values takes {said}"


def noise_table(plan: HidingPlan, at_rates: Sequence[NoiseAtRate]) -> str:
    """Return the noise by each accounting at some rates, as a Markdown table."""
    heads = ["Share kept r", *ACCOUNTING_NAMES.values()]
    rows = [
        [in_full(one.rate), *(_noise_text(one.by(name)) for name in ACCOUNTING_NAMES)]
        for one in at_rates
        if one.rate in _TABLE_RATES or one.rate == plan.rate
    ]
    reasons = {
        noise.reason for one in at_rates for noise in one.noises.values() if noise.reason
    }  # the same at each rate
    notes = [f"The paper's own bound is not there: {reason}." for reason in sorted(reasons)]
    if any(not one.noises for one in at_rates):
        notes.append(
            "Some rates have no answer: δ exceeds the chance that a changed value is kept, so "
            "values could be published without noise."
        )
    table = markdown_table(heads, rows, "lr")
    return f"{table}\n\n{joined(*notes, _UPPER_BOUNDS)}"


def no_rates(epsilon: float) -> str:
    """Return why the noise of other rates is not shown for this epsilon."""
    not_computed = "other rates are not computed"
    if epsilon > 1.0:
        return f"With this noise no useful ε is proven; {not_computed}. Raise the noise, or δ."
    return f"With so much noise ε is next to 0; {not_computed}. Less noise will do."


def forecasts_table(
    plan: HidingPlan, noise: float, after: Sequence[AfterForecasts], *, has_epsilon: bool
) -> str:
    """Return what more forecasts cost, as a Markdown table.

    Args:
        has_epsilon: whether the plan's epsilon is what the page is about; else it is nobody's
            choice, and no noise is told for it.
    """
    at_most = f"ε with noise of {rounded_up(noise)}, at most"
    for_epsilon = [f"Noise for ε ≤ {rounded_up(plan.epsilon)}"] if has_epsilon else []
    heads = ["Forecasts released K", at_most, *for_epsilon, "Changed values read, at most"]
    rows = []
    for one in after:
        epsilon = "none is finite" if math.isinf(one.epsilon) else rounded_up(one.epsilon)
        needed = [_noise_text(one.noise)] if has_epsilon else []
        rows.append([f"{one.forecasts:,}", epsilon, *needed, f"{one.readings:,}"])
    step = f"{counted(plan.stride, 'time step')} apart" if plan.stride else "of the same context"
    return markdown_table(heads, rows, "r") + (
        f"\n\nUpper bounds at δ = {power_of_ten(plan.delta)}, by the exact accounting over all "
        f"forecasts together, {step}."
    )


def what_has_to_hold(plan: HidingPlan) -> str:
    """Return the assumptions of the numbers, as Markdown."""
    return "\n".join(
        (
            "- **Less hidden:** larger changes than above, more values, several series.",
            "- **What is covered:** everything computed from the noisy values. Which values were "
            "kept may be seen: the draw ignores the data.",
            "- **How exact:** noise and ε are upper ends of brackets whose lower ends are at most "
            "0.001 % below, rounded up to four digits.",
            f"- **{counted(plan.forecasts, 'forecast').capitalize()} and no more:** each with a "
            f"mask and noise of its own, number and times fixed beforehand.{_readings(plan)} "
            "Any further forecast, even of the same context, adds to the loss.",
            "- **Two budgets:** for somebody in both data sets, training's adds to this one.",
            "- **Only forecasts are published:** no errors against actual values, no context.",
            "- **Public beforehand:** r, the noise, L_C, v, w, the length of the series, the value "
            "that replaces an empty context, and that no value is below 0.",
            "- **The noise is secret:** drawn and added exactly, from the system's entropy.",
        )
    )


def _noise_text(noise: float | None) -> str:
    return "–" if noise is None else rounded_up(noise)


_MARKS = {grid.HELPS: " ▲", grid.HURTS: " ▽", grid.OPEN: "", "": ""}


def chosen_rows(study: Study, data: str, context_length: int, width: str) -> list[Found]:
    """Return the rows of one table: of one data set, context length and protected width."""
    wanted = data, context_length, 1 if width == "one" else context_length
    return [one for one in study.found if (one.data, one.context_length, one.case.width) == wanted]


def study_table(rows: Sequence[Found]) -> str:
    """Return errors by model, rate and budget as a Markdown table; each model's best are bold."""
    epsilons = list(dict.fromkeys(found.case.epsilon for found in rows))
    cells = {(found.model, found.case.rate, found.case.epsilon): found for found in rows}
    lines = []
    for model in dict.fromkeys(found.model for found in rows):
        name = "seasonal naive" if model == "naive" else MODELS[model]
        for rate in grid.RATES:
            told = []
            for epsilon in epsilons:
                found = cells[model, rate, epsilon]
                best = min(cells[model, other, epsilon].error for other in grid.RATES)
                bold = "**" if found.error == best else ""
                mean = f"{bold}{found.error:.3f}{bold}"
                told.append(f"{mean} ± {found.spread:.3f}{_MARKS[found.verdict]}")
            lines.append([f"{name} (r = {rate:g})", *told])
    return markdown_table(["Model", *map(_column, epsilons)], lines, "lr")


def study_finding(study: Study, rows: Sequence[Found]) -> str:
    """Return what the table says, as Markdown."""
    private = [found for found in rows if not math.isinf(found.case.epsilon)]
    compared = [found for found in private if found.verdict]
    counts = {word: sum(f.verdict == word for f in compared) for word in _MARKS if word}
    floor = study.without_context[rows[0].data]
    worse = sorted({f.case.epsilon for f in private if f.case.rate == 1.0 and f.error > floor})
    at = listed([f"{epsilon:g}" for epsilon in worse])
    better = f"at ε = {at} some models with r = 1 are worse"
    return (
        f"**Keeping only a part of each context helps in {counts[grid.HELPS]} of {len(compared)} "
        f"cases, hurts in {counts[grid.HURTS]}, and leaves {counts[grid.OPEN]} open** (same ε on "
        "both sides). Forecasts without any context, which reveal nothing, have an error of "
        f"{floor:.3f}; {better if worse else 'every model with r = 1 is better'}."
    )


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
        f"on {study.date} ({study.versions})."
    )


def paper_table(table: ReportedTable) -> str:
    """Return a table of the paper as printed, in the same shape."""
    rows = [
        [
            f"{line.model} (r = {line.rate:g})",
            *(f"**{c.printed}**" if c.bold else c.printed for c in line.cells),
        ]
        for line in table.lines
    ]
    return markdown_table(["Model", *map(_column, table.columns)], rows, "lr")


def paper_note(table: ReportedTable) -> str:
    """Return what is known of the paper's table, and why its numbers are not ours."""
    remarks = "".join(f" {capitalised(remark)}: a slip, most likely." for remark in table.remarks)
    return (
        f"Printed in {table.source}: {table.data_name}, v = {table.max_change:g}, "
        f"δ = {power_of_ten(table.delta)}. Contexts and units of v differ, too: compare only which "
        "rate is best. The paper does not print its noise, how many values are protected, or what "
        f"a model is given when nothing is kept.{remarks}"
    )


def _column(epsilon: float) -> str:
    return "no noise, not private" if math.isinf(epsilon) else f"ε = {epsilon:g}"
