"""The sentences and tables of the page that releases one series."""

from collections.abc import Sequence

from dpviz.release import Calibration
from dpviz.release.calibration import proposition_1_epsilon
from dpviz.release.mechanisms import ErrorSummary, Row
from dpviz.wording.numbers import capitalised, counted, power_of_ten, rounded, rounded_up
from dpviz.wording.release import (
    SHORT_NAMES,
    assumptions,
    epsilon_text,
    kind_of,
    noise_text,
    short_kind_of,
    theorem_of,
    unit_of,
)


def short_name(calibration: Calibration) -> str:
    """Return what a mechanism with its accounting is called."""
    return SHORT_NAMES[calibration.mechanism, calibration.accounting]


def release_title(calibration: Calibration, error: ErrorSummary | None) -> str:
    """Return the chart's finding."""
    name = short_name(calibration)
    off = "" if error is None else f", off by {rounded(error.mean, 3)} on average"
    return f"{capitalised(name)}: noise of {noise_text(calibration)} counts{off}"


def release_headline(calibration: Calibration, error: ErrorSummary | None) -> str:
    """Return the noise with all that it means, as Markdown."""
    settings = calibration.settings
    name = short_name(calibration)
    tried = ""
    if error is not None:
        tried = (
            f" Over {counted(error.repetitions, 'repetition')} it is off by "
            f"**{error_text(error)} counts** on average."
        )
    return (
        f"**{capitalised(name)}: noise of {noise_text(calibration)} counts (standard "
        f"deviation) on each released value keeps ε ≤ {rounded_up(settings.epsilon)} at "
        f"δ = {power_of_ten(settings.delta)}** for {unit_of(calibration)}; {kind_of(calibration)} "
        f"({calibration.theorem}).{tried}"
    )


def release_description(
    calibration: Calibration, error: ErrorSummary | None, is_drawn_thin: bool
) -> str:
    """Return the chart for those who cannot see it."""
    said = release_headline(calibration, error).replace("**", "")
    thin = " Of long series only the lowest and highest of each stretch." if is_drawn_thin else ""
    return (
        f"{said} Counts over time steps: the original series and one release of it; below, "
        f"the released series minus the original.{thin}"
    )


def error_text(error: ErrorSummary) -> str:
    """Return a mean error with its 95 % interval.

    >>> error_text(ErrorSummary(repetitions=100, mean=13.02, spread=1.0))
    '13 ± 0.2'
    """
    return f"{rounded(error.mean, 3)} ± {rounded_up(error.half_width, 1)}"


def comparison_finding(rows: Sequence[Row]) -> str:
    """Return which mechanism needs the least noise, and which is closest, as Markdown."""
    least = min(rows, key=lambda row: row.weighed.calibration.noise).weighed.calibration
    said = [
        f"**The least noise: {short_name(least)}, {noise_text(least)} counts** "
        f"({theorem_of(least)})."
    ]
    known = [(row.error, row) for row in rows if row.error is not None]
    if len(known) == len(rows):
        error, closest = min(known, key=lambda pair: pair[0].mean)
        said.append(
            f"On this series the closest one is {short_name(closest.weighed.calibration)}, off by "
            f"{error_text(error)} counts. Choosing by that uses the series: choose on a public one."
        )
    return " ".join(said)


def comparison_table(rows: Sequence[Row]) -> str:
    """Return noise, error and theorem of every mechanism, as a Markdown table."""
    lines = [
        "| Mechanism | Noise, counts | Mean absolute error, counts (95 %) | From "
        "release to release | What it is | Proven by |",
        "| --- | --: | --: | --: | --- | --- |",
    ]
    for row in rows:
        one, error = row.weighed.calibration, row.error
        cells = ["…", "…"]
        if error is not None:
            cells = [error_text(error), rounded(error.spread, 2)]
        cells = [short_name(one), noise_text(one), *cells, short_kind_of(one), theorem_of(one)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def more_often_text(rows: Sequence[Row]) -> str:
    """Return what holds for somebody who takes part more often than planned, as Markdown."""
    settings, steps = rows[0].weighed.calibration.settings, rows[0].weighed.more_steps
    factor = rounded(steps / settings.participation, 4)
    delta = power_of_ten(settings.delta)
    lines = [
        f"Planned for {counted(settings.participation, 'step')}; for an individual who is counted "
        f"in {steps:,} ({factor} times as many) the same releases keep, at the same "
        f"δ = {delta}:",
        "",
        "| Mechanism | ε at most (rounded up) | Proposition 1 prints |",
        "| --- | --: | --- |",
    ]
    for row in rows:
        one = row.weighed.calibration
        printed = proposition_1_epsilon(one, steps)
        cell = "not about it"
        if printed is not None:
            cell = f"{rounded(printed, 4)}, at a larger δ"
        lines.append(f"| {short_name(one)} | {epsilon_text(row.weighed.more_epsilon)} | {cell} |")
    return "\n".join(lines) + (
        "\n\nNothing breaks off: ε grows about as the root of the factor. The values are by the "
        "accounting that dpviz knows best for each mechanism, not by the one that set its noise: "
        "where that was generous, even more steps may keep the planned ε."
    )


def certificate_text(calibration: Calibration) -> str:
    """Return what has to hold, for whom, as Markdown."""
    settings = calibration.settings
    known = rounded_up(calibration.delta_at(settings.epsilon), 3)
    lines = [
        f"**For whom**: {unit_of(calibration)}.",
        f"**What**: ε ≤ {rounded_up(settings.epsilon)} at δ = {power_of_ten(settings.delta)} for "
        "the whole released series, which steps were kept included.",
        f"**By**: {theorem_of(calibration)}: {kind_of(calibration)}. By the best accounting that "
        f"dpviz knows of this noise, δ is at most {known} at this ε.",
        "**If**:",
    ]
    held = "\n".join(f"- {one}" for one in assumptions(calibration))
    return "\n\n".join([*lines, held])
