"""Who is protected on the page about it: which values, by how much they change, which windows."""

from dpviz.guarantees import Bound
from dpviz.planning import ScenarioCurves
from dpviz.planning.placement import Excerpt, Placement, SeriesCalendar
from dpviz.planning.protection import Missing
from dpviz.scenario import DataShape, Relation, Scenario, Units
from dpviz.wording.findings import headline
from dpviz.wording.numbers import counted, rounded
from dpviz.wording.plain import plain
from dpviz.wording.protected_dates import protected_dates, span_words

READY_NAMES = {
    "one-value": "One value",
    "two-weeks": "Two weeks of one person",
    "four-visits": "Four visits",
    "whole-series": "The whole series",
}
LEVEL_NAMES = {"event": "values in a row", "user": "values anywhere"}
_MISSING = {
    Missing.TIME_STEP: "enter the time from value to value below first",
    Missing.CALENDAR: "months do not divide into weeks",
    Missing.TOO_WIDE: "that is more than the 1,000,000 values that w may be",
    Missing.LONGEST: "the length of the longest series is not known: enter w below",
}


def missing_words(missing: Missing) -> str:
    """Return what it takes to have a ready-made relation, or why it cannot be had."""
    return _MISSING[missing]


def which_values(scenario: Scenario) -> str:
    """Return the protected values, the time that they last first.

    >>> from dataclasses import replace
    >>> from dpviz.scenario import PRESETS
    >>> hourly = PRESETS["traffic"].scenario
    >>> which_values(replace(hourly, relation=Relation(width=336)))
    'any 2 weeks (336 values in a row) of one series'
    >>> which_values(replace(hourly, relation=Relation(level="user", width=4)))
    'any 4 values of one series, wherever they lie'
    """
    relation = scenario.relation
    if is_everything(scenario):
        return "all values of one series"
    if relation.width == 1:
        return "any single value of one series"
    if relation.level == "user":
        return f"any {relation.width:,} values of one series, wherever they lie"
    return f"any {_in_a_row(relation, scenario.units)} of one series"


def individual(scenario: Scenario, bound: Bound) -> str:
    """Return the protected values and by how much each may change, for one bound.

    Args:
        scenario: the training set-up.
        bound: one with a condition rests on v.
    """
    relation = scenario.relation
    together = ""
    if relation.num_channels > 1:
        together = f" with all their {counted(relation.num_channels, 'channel')}"
    most = f"at most {largest_change(scenario)}" if bound.condition else "any amount"
    each = "" if relation.width == 1 else "each "
    return f"{which_values(scenario)}{together}, {each}changed by {most}"


def largest_change(scenario: Scenario) -> str:
    """Return v, in the data's own unit where it is known, as Markdown.

    >>> from dataclasses import replace
    >>> from dpviz.scenario import PRESETS
    >>> toy = PRESETS["toy"].scenario
    >>> largest_change(toy)
    'v'
    >>> largest_change(replace(toy, relation=Relation(max_change=300.0),
    ...                        units=Units(value_unit="vehicles")))
    'v = 300 vehicles'
    """
    v = scenario.relation.max_change
    if v is None:
        return "v"
    unit = scenario.units.value_unit
    return f"v = {rounded(v, 6)}" + (f" {plain(unit)}" if unit else "")


def protection_headline(curves: ScenarioCurves) -> str:
    """Return epsilon for whom exactly, with theorem and steps, as Markdown.

    >>> from dpviz.planning import curves_of
    >>> from dpviz.scenario import PRESETS
    >>> text = protection_headline(curves_of(PRESETS["toy"].scenario))
    >>> "any single value of one series, changed by any amount, with **ε ≤ 19.03 at δ = 10" in text
    True
    """
    scenario, bound = curves.scenario, curves.upper.bound
    whom = individual(scenario, bound)
    said = headline(curves, whom)
    if bound.condition and scenario.relation.max_change is None:
        return f"{said} How much v is has not been set."
    return said


def touched_sentence(scenario: Scenario, placed: Placement) -> str:
    """Return how many windows touch the protected values, and how often one is drawn."""
    k, T = placed.touched_windows, placed.start_positions
    sampling = scenario.sampling
    values = "this value" if scenario.relation.width == 1 else "any of these values"
    number = f"**{k:,} of the {counted(T, 'start position')}** of a window"
    said = f"{number} {'gives' if T == 1 else 'give'} one that holds {values}: r = k / T = "
    said += f"{k:,} / {T:,} = {rounded(k / T)}"
    if sampling.is_bag:
        return f"{said}. One bag holds the windows of all series, these {k:,} among them."
    if sampling.takes_windows_by_coins:
        chance = min(1.0, sampling.num_subsequences / T)
        return (
            f"{said}. Each window is drawn by itself with probability min(1, λ / T) = "
            f"{rounded(chance)}, so {rounded(k * chance)} of these {k:,} on average whenever the "
            "series is used."
        )
    return f"{said} is the chance that one window drawn from this series is such a window."


def place_sentence(
    scenario: Scenario, placed: Placement, part: Excerpt, series_calendar: SeriesCalendar | None
) -> str:
    """Return when the drawn protected values were taken, and what else the drawing leaves out."""
    said = [f"Drawn: {protected_dates(placed, series_calendar)}."]
    shape = scenario.shape
    if placed.others:
        said.append(
            f"These {placed.count:,} touch every window: the other {placed.others:,} may lie "
            "anywhere."
        )
    if shape is not None and len(shape.series_lengths) > 1:
        said.append(
            f"The series is the shortest one, {counted(placed.length, 'value')}: in longer ones no "
            "larger part of the windows is touched."
        )
    if not part.is_whole:
        shown = span_words(max(part.first, 0), part.last, None)
        of_runs = "" if part.runs == placed.count else f" and {part.runs} of the {placed.count:,}"
        said.append(f"An excerpt: {shown} of {placed.length:,}{of_runs}.")
    if part.cuts_zeros:
        said.append(
            f"Not all of the {placed.context_length:,} zeros before the series are drawn, which "
            "its first windows read."
        )
    return " ".join(said)


def drawing_title(scenario: Scenario, placed: Placement) -> str:
    """Return what the drawing of a series shows, as a finding."""
    relation, k, T = scenario.relation, placed.touched_windows, placed.start_positions
    if is_everything(scenario):
        values = "values of the series"
    elif relation.width == 1:
        values = "one given value"
    elif relation.level == "event":
        step = scenario.units.time_step
        duration = "" if step is None else f" ({step.duration(relation.width)})"
        values = f"any of {relation.width:,} values in a row{duration}"
    else:
        apart = "" if placed.others else " apart from each other"
        values = f"any of {relation.width:,} values{apart}"
    windows = f"{k:,} of {counted(T, 'window')}" if k < T else f"All {T:,} windows"
    if T == 1:
        windows = "The only window"
    return f"{windows} {'holds' if k == 1 else 'hold'} {values}"


def starts_heading(placed: Placement) -> str:
    """Return what the bar of start positions means."""
    return f"Starts that touch: {placed.touched_windows:,} of {placed.start_positions:,}"


def windows_heading(placed: Placement, part: Excerpt) -> str:
    """Return which windows are drawn as examples."""
    touch = [placed.touches(start) for start in part.starts]
    said = "An example window" if len(touch) == 1 else "Example windows"
    return said if all(touch) else f"{said}; those with dots hold none of them"


def drawing_description(title: str, scenario: Scenario, placed: Placement, place: str) -> str:
    """Return the drawing in words, for those who cannot see it."""
    return (
        f"{title}. A made-up series of {counted(placed.length, 'value')} with the protected ones "
        f"marked. {place} Below, a bar over the starts of all windows that touch them, and example "
        f"windows of {counted(placed.context_length, 'context value')} and "
        f"{counted(placed.forecast_length, 'forecast value')}. "
        f"{touched_sentence(scenario, placed).replace('**', '')}"
    )


def _in_a_row(relation: Relation, units: Units) -> str:
    values = f"{relation.width:,} values in a row"
    if units.time_step is None:
        return values
    return f"{units.time_step.duration(relation.width)} ({values})"


def is_everything(scenario: Scenario) -> bool:
    """Return whether all values of any one series may change."""
    shape = scenario.shape
    if not isinstance(shape, DataShape) or shape.longer_series_beyond is not None:
        return False
    return scenario.relation.width >= shape.series_lengths[-1]
