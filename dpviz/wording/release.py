"""What a release's noise means, what has to hold for it, and what Koga et al. print of theirs."""

import math
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from dpviz.accounting.buckets import FloatArray
from dpviz.release import Calibration
from dpviz.release.calibration import proposition_1_epsilon
from dpviz.release.mechanisms import ErrorSummary, Row
from dpviz.release.published import (
    FAILURE_RATES,
    FREQUENCIES,
    MECHANISMS,
    PUBLISHED,
    WAYS,
    PublishedSeries,
    failure_chances,
)
from dpviz.scenario.release_settings import KEEPING_SOME
from dpviz.settings import SETTINGS
from dpviz.settings.release import RELEASE_WAYS
from dpviz.wording.markup import markdown_table
from dpviz.wording.numbers import (
    capitalised,
    counted,
    joined,
    listed,
    power_of_ten,
    rounded,
    rounded_up,
)

SHORT_NAMES = {
    (way.rpartition("-")[0], way.rpartition("-")[2]): name for way, name in RELEASE_WAYS.items()
}
_NOISED = {
    "gaussian": "on each released value",
    "dft": "on each step, before all but the lowest frequencies are removed",
    "subsample": "on each kept value",
    "filter-subsample": "on each kept value",
}


def unit_of(calibration: Calibration) -> str:
    """Return who is protected by a release, in words."""
    settings = calibration.settings
    steps = f"at most {settings.participation:,} of the {settings.length:,} steps"
    if settings.length == 1:
        steps = "the only step"
    return f"one individual, present or not, who is counted in {steps}{times_each(calibration)}"


def times_each(calibration: Calibration) -> str:
    """Return how often somebody may be counted in a step, where it is more than once."""
    times = calibration.settings.times_per_step
    each = "" if calibration.settings.participation == 1 else " each"
    return "" if times == 1 else f", up to {times:,} times{each}"


def kind_of(calibration: Calibration) -> str:
    """Return the side of the bound, and whether less noise would do."""
    if calibration.is_tight:
        return "tight upper bound, as less noise breaks it"
    is_loose = calibration.accounting in ("classical", "paper")
    return "upper bound, not tight" if is_loose else "upper bound"


def short_kind_of(calibration: Calibration) -> str:
    """Return the same in few words."""
    return "tight" if calibration.is_tight else "upper bound"


def theorem_of(calibration: Calibration) -> str:
    """Return the theorem, and on what the filter's bound rests."""
    if not calibration.is_extension:
        return calibration.theorem
    needs = "I" if calibration.settings.times_per_step == 1 else "M² I"
    how, sign = ("free here", "≤") if calibration.is_filter_free else ("by its tangent", ">")
    return f"{calibration.theorem}, {how} ({needs} {sign} 2 ε σ²)"


def assumptions(calibration: Calibration, *, has_seed: bool = False) -> list[str]:
    """Return what has to hold for the budget, as sentences without full stops."""
    settings = calibration.settings
    often = "once" if settings.times_per_step == 1 else f"{settings.times_per_step:,} times"
    # Two persons are in no more steps than there are.
    both = min(2 * settings.participation, settings.length)
    replaced = f"to hide that one person replaces another, plan for {both:,} steps"
    if both == settings.participation:
        replaced = "that one person replaces another is hidden, too"
    kept = (
        "which steps were kept is public and drawn without a look at the data; where none was "
        "kept, zeros are released"
    )
    secret = (
        "the noise is secret, from the system's entropy, drawn and added exactly: floating point "
        "costs no further delta"
    )
    simulated = (
        "this is a simulation and not private: who knows the seed can take the noise off, and "
        "noise from a seed is drawn in floating point, which no bound here covers"
    )
    return [
        f"nobody is counted in more than {counted(settings.participation, 'step')}, nor more than "
        f"{often} in a step; {replaced}",
        "the number of steps, the mechanism and its settings are public; none was chosen by "
        "looking at these counts",
        "this is the only release of these counts: another one adds to the loss",
        *([kept] if calibration.mechanism in KEEPING_SOME else []),
        simulated if has_seed else secret,
    ]


def epsilon_text(epsilon: float, digits: int = 3) -> str:
    """Return an epsilon rounded up, or that there is none."""
    return "none" if math.isinf(epsilon) else rounded_up(epsilon, digits)


def noise_text(calibration: Calibration) -> str:
    """Return the noise, rounded up to be enough."""
    return rounded_up(calibration.noise, 3)


def noised(calibration: Calibration) -> str:
    """Return what has noise of the calibration's size: what is released may have another."""
    return _NOISED[calibration.mechanism]


def short_name(calibration: Calibration) -> str:
    """Return what a mechanism with its accounting is called."""
    return SHORT_NAMES[calibration.mechanism, calibration.accounting]


def release_headline(calibration: Calibration, error: ErrorSummary | None) -> str:
    """Return the noise with all that it means, as Markdown."""
    settings, tried = calibration.settings, ""
    if error is not None:
        often = counted(error.repetitions, "repetition")
        tried = f" Over {often} it is off by **{error_text(error)} counts** on average."
    comma = "," if calibration.mechanism == "dft" else ""  # after a clause of its own
    return (
        f"**{capitalised(short_name(calibration))}: noise of {noise_text(calibration)} counts "
        f"(standard deviation) {noised(calibration)}{comma} keeps ε ≤ "
        f"{rounded_up(settings.epsilon)} at δ = {power_of_ten(settings.delta)}** "
        f"({kind_of(calibration)}: {calibration.theorem}), for {unit_of(calibration)}.{tried}"
    )


def release_description(
    calibration: Calibration, error: ErrorSummary | None, is_drawn_thin: bool
) -> str:
    """Return the chart for those who cannot see it."""
    thin = "Of long series only the lowest and highest of each stretch." if is_drawn_thin else ""
    return joined(
        release_headline(calibration, error).replace("**", ""),
        "Counts over time steps: the original series and one release of it; below, the released "
        "series minus the original.",
        thin,
    )


def error_text(error: ErrorSummary) -> str:
    """Return a mean error with its 95 % interval."""
    return f"{rounded(error.mean, 3)} ± {rounded_up(error.half_width, 1)}"


def release_finding(rows: Sequence[Row], chosen: Calibration, kept: int) -> str:
    """Return what stands under the chart of a release that kept some steps, as Markdown."""
    nothing = "" if kept else "**No step was kept:** the release is 0 throughout."
    return joined(nothing, comparison_finding(rows, chosen))


def comparison_finding(rows: Sequence[Row], chosen: Calibration | None = None) -> str:
    """Return which mechanism needs the least noise, and which is closest, as Markdown.

    The noise of the ``chosen`` one is in the headline.
    """
    least, closest = min(rows, key=lambda row: row.calibration.noise).calibration, ""
    known = [(row.error, row.calibration) for row in rows if row.error is not None]
    if len(known) == len(rows):
        error, best = min(known, key=lambda pair: pair[0].mean)
        closest = (
            f"Closest on this series: {short_name(best)}, off by {error_text(error)} counts. "
            "Choosing by that uses the series: choose on a public one."
        )
    noise = f"**The least noise for a step: {short_name(least)}, {noise_text(least)} counts.**"
    if chosen is not None and chosen.noise <= least.noise:
        noise = "**No other mechanism here needs less noise for a step.**"
    return joined(noise, closest)


def comparison_table(rows: Sequence[Row]) -> str:
    """Return noise, error and theorem of every mechanism, as a Markdown table."""
    heads = [
        "Mechanism", "Noise drawn for a step, counts", "Mean absolute error, counts (95 %)",
        "Standard deviation of the error between releases", "Guarantee", "Proven by",
    ]  # fmt: skip
    table = []
    for row in rows:
        one, error, cells = row.calibration, row.error, ["…", "…"]
        if error is not None:
            cells = [error_text(error), rounded(error.spread, 2)]
        proven = [short_kind_of(one), theorem_of(one)]
        table.append([short_name(one), noise_text(one), *cells, *proven])
    known = {short_name(row.calibration) for row in rows}
    lacking = [name for name in SHORT_NAMES.values() if name not in known]
    note = f"\n\nWithout an answer to these settings: {'; '.join(lacking)}." if lacking else ""
    return markdown_table(heads, table, "lrrrl") + note


def more_often_text(rows: Sequence[Row]) -> str:
    """Return what holds for somebody who takes part more often than planned, as Markdown."""
    settings, steps = rows[0].calibration.settings, rows[0].more_steps
    if settings.participation == settings.length:
        return f"Nobody can be counted in more than the {counted(steps, 'step')} of the series."
    if steps == settings.participation:
        return f"*{SETTINGS['participation_factor'].called}* is 1: nobody is in more steps."
    table, prints = [], ""
    for row in rows:
        name = short_name(row.calibration)
        table.append([name, epsilon_text(row.more_epsilon)])
        if (printed := proposition_1_epsilon(row.calibration, steps)) is not None:
            prints = (
                f" Proposition 1 of Koga et al. prints {rounded(printed, 4)} for {name}, at a "
                "larger δ."
            )
    return (
        f"An individual counted in {steps:,} instead of {counted(settings.participation, 'step')} "
        f"({rounded(steps / settings.participation, 4)} times as many) has, at the same δ = "
        f"{power_of_ten(settings.delta)}:\n\n"
        f"{markdown_table(['Mechanism', 'ε at most'], table, 'lr')}\n\n"
        "While ε is below about 1, it grows roughly with the square root of the factor; the larger "
        "ε is, the nearer its growth comes to the factor itself. Each is by the best accounting of "
        "its mechanism; where looser accounting set the noise, the planned ε may still hold."
        f"{prints}"
    )


def certificate_text(calibration: Calibration) -> str:
    """Return what has to hold, as Markdown; the headline says for whom."""
    settings, best = calibration.settings, ""
    known = rounded_up(calibration.delta_at(settings.epsilon), 3)
    if known != rounded_up(settings.delta, 3):
        best = f"; the best accounting of this noise gives δ ≤ {known} at this ε"
    held = "\n".join(f"- {one}" for one in assumptions(calibration))
    return (
        f"ε ≤ {rounded_up(settings.epsilon)} at δ = {power_of_ten(settings.delta)} holds for the "
        f"whole released series, by {theorem_of(calibration)}{best}, **if**:\n\n{held}"
    )


def each_description(truth: FloatArray, releases: Mapping[str, FloatArray]) -> str:
    """Return one release by each mechanism in words."""
    told = "; ".join(
        f"{name}: off by {rounded(float(np.abs(values - truth).mean()), 3)} counts on average"
        for name, values in releases.items()
    )
    return f"One release of the series by each mechanism, with the original. {told}."


def frequencies_description(
    errors: Mapping[float, Sequence[ErrorSummary]], noise: float, left_out: Collection[float] = ()
) -> str:
    """Return Figure 2 of Koga et al. in words: its ends, and which frequencies it lacks and why."""
    about = f"Mean absolute errors on Synth with observation noise {noise:g}"
    if errors:
        ends = sorted({min(errors), max(errors)})
        told = "; ".join(
            f"{SHORT_NAMES[way]} "
            + ", ".join(f"{error_text(errors[f][at])} at f = {frequency_text(f)}" for f in ends)
            for at, way in enumerate(WAYS)
        )
        about += f", in counts: {told}"
    pending = {*FREQUENCIES} - {*errors, *left_out}
    lacking = [
        f"{why}: f = {', '.join(map(frequency_text, sorted(frequencies)))}."
        for why, frequencies in (("Being computed", pending), ("Left out for their cost", left_out))
        if frequencies
    ]
    return joined(f"{about}.", *lacking)


def frequency_text(frequency: float) -> str:
    """Return a relative sampling frequency, one of 1/2 to some power."""
    return f"1/{1.0 / frequency:.0f}" if frequency < 1.0 else "1"


def frequencies_caption(repetitions: int) -> str:
    """Return what stands under Figure 2."""
    return (
        f"T = 10,000 f steps, I = 100 for every f, (ε, δ) = (0.5, 10⁻⁴); "
        "p = 0.1 (1 − log₂(f) / 4) and σ_g = 10 / (1 − log₂(f) / 4); the print has a logarithm "
        f"without a base. {counted(repetitions, 'release')} each, against the series without "
        "observation noise."
    )


def failure_description() -> str:
    """Return Figure 2 of the appendix in words."""
    told = []
    for rate in FAILURE_RATES:
        alphas, chances = failure_chances(rate, 1e-4)
        told.append(
            f"p = {rate:g}: at most {rounded_up(chances[-1], 2)} at α = {rounded_up(alphas[-1], 3)}"
        )
    return (
        "Chance δ' that kept steps of a filtered series have a larger sensitivity than α√I, "
        f"T = 10,000, σ_g = 10, against α. {'; '.join(told)}."
    )


def published_text() -> str:
    """Return Tables 1 and 2 of the paper, as Markdown."""
    errors = [
        [name, *(f"{one.errors[at]:.1f}" for one in PUBLISHED)]
        for at, name in enumerate(MECHANISMS)
    ]
    errors.insert(1, ["Gaussian, computed", *(f"{one.gaussian_error:.1f}" for one in PUBLISHED)])
    heads = ["Mean absolute error, counts", *(one.name for one in PUBLISHED)]
    asked = [one for one in PUBLISHED if one.most_often]
    often = zip(*(one.most_often for one in asked), strict=True)
    venues = [[str(at), *map(str, numbers)] for at, numbers in enumerate(often, 1)]
    means = listed([f"{rounded(one.clipped_mean, 2)} or more ({one.name})" for one in asked])
    return "\n\n".join(
        [
            "**Table 2** as printed, at (ε, δ) = (0.5, 10⁻⁴) and I = ⌈T / 10⌉; computed: √(2/π) "
            "times the standard deviation of the noise, whatever the counts.",
            markdown_table(heads, errors, "lr"),
            f"If values below 0 became 0, which the paper does not say, means of {means} counts "
            "per step would explain the difference. The other rows need the series, which dpviz "
            "lacks.",
            "**Table 1**: in how many steps the most frequent individual is. "
            f"{listed([*map(_exceeded, asked)])}, though not at the first, which Table 2 is about.",
            markdown_table(["Venue", *(one.name for one in asked)], venues, "r"),
        ]
    )


def _exceeded(one: PublishedSeries) -> str:
    assumed = one.settings.participation
    more = sum(number > assumed for number in one.most_often)
    return f"I = {assumed} is exceeded at {more} of {len(one.most_often)} venues of {one.name}"
