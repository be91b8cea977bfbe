"""Who is protected on the page about it: which values, when taken, and who is not covered."""

import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, time, timedelta

from dpviz.guarantees import Bound
from dpviz.planning import ScenarioCurves
from dpviz.planning.comparison import refusal
from dpviz.planning.placement import Excerpt, Placement, SeriesCalendar
from dpviz.planning.protection import Missing, hides_all_values, length_order_is_known
from dpviz.planning.proven import SweepPoint
from dpviz.scenario import Relation, Scenario, TimeStep, Units
from dpviz.wording.findings import band_words, headline
from dpviz.wording.markup import plain
from dpviz.wording.numbers import (
    counted,
    epsilon_at_most,
    in_full,
    joined,
    listed,
    power_of_ten,
    rounded,
)
from dpviz.wording.scope import PLACES, is_everything, of_series

# strftime's names would be those of the server's language.
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_MIDNIGHT = time()
_DAY = timedelta(days=1)
_MOST_DATES = 4  # of protected values


def span_words(first: int, last: int, series_calendar: SeriesCalendar | None) -> str:
    """Return which values of a series these are: dates where all have one, else numbers."""
    if series_calendar is None or not series_calendar.covers(first, last):
        return f"value {first + 1:,}" if first == last else f"values {first + 1:,} to {last + 1:,}"
    start, end = series_calendar.moment(first), series_calendar.moment(last + 1)
    assert start is not None  # the calendar covers them
    assert end is not None
    if series_calendar.step_months == 1 and start.day == 1:
        one, other = _month(start), _month(end - _DAY)
    elif start.time() == end.time() == _MIDNIGHT:
        one, other = _day(start), _day(end - _DAY)
    elif first == last:
        return _instant(start)
    else:
        return f"from {_instant(start)} until {_instant(end)}"
    return one if one == other else f"from {one} to {other}"


def protected_dates(placed: Placement, series_calendar: SeriesCalendar | None) -> str:
    """Return when the placed protected values were taken."""
    told = min(placed.count, _MOST_DATES)
    spans = [span_words(*placed.values(at), series_calendar) for at in range(told)]
    if more := placed.count - told:
        return f"{', '.join(spans)} and {more:,} more, evenly spaced"
    return listed(spans)


def _day(moment: datetime) -> str:
    return f"{WEEKDAYS[moment.weekday()]} {moment.day} {_month(moment)}"


def _month(moment: datetime) -> str:
    return f"{MONTHS[moment.month - 1]} {moment.year}"


def _instant(moment: datetime) -> str:
    clock = f"{moment:%H:%M}" + (f":{moment.second:02}" if moment.second else "")
    return f"{_day(moment)}, {clock}"


READY_NAMES = {
    "one-value": "One value",
    "two-weeks": "Two weeks of one person",
    "four-visits": "Four visits",
    "whole-series": "The whole series",
}
# What it takes to have a ready-made relation, or why it cannot be had.
MISSING = {
    Missing.TIME_STEP: "enter the time from value to value first",
    Missing.CALENDAR: "months do not divide into weeks",
    Missing.TOO_WIDE: "that is more than the 1,000,000 values that w may be",
    Missing.LONGEST: "the length of the longest series is not known: enter w below",
}


def which_values(scenario: Scenario) -> str:
    """Return the protected values, the time that they last first."""
    relation = scenario.relation
    where = of_series(relation)
    if is_everything(scenario):
        return f"all values {where}"
    if relation.width == 1:
        return f"any single value {where}"
    if relation.level == "user":
        return f"any {relation.width:,} values anywhere {where.replace('of', 'in', 1)}"
    values, step = f"{relation.width:,} values in a row", scenario.units.time_step
    told = values if step is None else f"{step.duration(relation.width)} ({values})"
    return f"any {told} {where}"


def protected_change(scenario: Scenario, bound: Bound) -> str:
    """Return the protected values and by how much each may change, for one bound."""
    channels = scenario.relation.num_channels
    together = f" in all {channels:,} channels" if channels > 1 else ""
    most = f"at most {largest_change(scenario)}" if bound.condition else "any amount"
    return f"{which_values(scenario)}{together}, {_changed_by(scenario, most)}"


def limited_change(scenario: Scenario, bound: Bound) -> str:
    """Return by how much each value may change, as the end of a clause; empty for any amount."""
    if not bound.condition:
        return ""
    is_open = scenario.relation.max_change is None
    most = f"at most {largest_change(scenario)}{', which is not set' if is_open else ''}"
    return f", {_changed_by(scenario, most)}"


def _changed_by(scenario: Scenario, most: str) -> str:
    return f"{'' if scenario.relation.width == 1 else 'each '}changed by {most}"


def largest_change(scenario: Scenario) -> str:
    """Return v, in the data's own unit where it is known, as Markdown."""
    v = scenario.relation.max_change
    if v is None:
        return "v"
    unit = scenario.units.value_unit
    return f"v = {in_full(v)}" + (f" {plain(unit)}" if unit else "")


def protection_headline(curves: ScenarioCurves) -> str:
    """Return epsilon for whom exactly, with theorem and steps, as Markdown."""
    scenario, bound = curves.scenario, curves.upper.bound
    is_open = bound.condition and scenario.relation.max_change is None
    said = headline(curves, protected_change(scenario, bound))
    return joined(said, "v is not set." if is_open else "")


def touched_sentence(scenario: Scenario, placed: Placement) -> str:
    """Return how often a window is drawn of those that touch the protected values."""
    k, T = placed.touched_windows, placed.start_positions
    sampling, many = scenario.sampling, scenario.relation.series_per_person
    in_each = "" if many == 1 else f" So it is in each of up to {many:,} series."
    rate = f"r = k / T = {k:,} / {T:,} = {rounded(k / T)}"
    if sampling.is_bag:
        said = f"{rate}. One bag holds the windows of all series, these {k:,} among them."
        return said if many == 1 else f"{said} A person in {many:,} series has up to {many * k:,}."
    if sampling.takes_windows_by_coins:
        chance = min(1.0, sampling.num_subsequences / T)
        return (
            f"{rate}. Each window is drawn by itself with probability min(1, λ / T) = "
            f"{rounded(chance)}: {rounded(k * chance)} of these {k:,} on average when the series "
            f"is used.{in_each}"
        )
    return f"A drawn window touches them with probability {rate}.{in_each}"


def place_sentence(
    scenario: Scenario, placed: Placement, part: Excerpt, series_calendar: SeriesCalendar | None
) -> str:
    """Return when the drawn protected values were taken, and what else the drawing leaves out."""
    said = [f"Shown: {protected_dates(placed, series_calendar)}."]
    shape = scenario.shape
    if placed.others:
        touch = "This one touches" if placed.count == 1 else f"These {placed.count:,} touch"
        lie = "other lies" if placed.others == 1 else f"other {placed.others:,} lie"
        said.append(f"{touch} every window; the {lie} anywhere.")
    if shape is not None and not shape.is_of_one_length:
        worst = ": the worst case" if length_order_is_known(scenario) else ""
        said.append(f"The series is the shortest, {counted(placed.length, 'value')}{worst}.")
    if not part.is_whole:
        shown = span_words(max(part.first, 0), part.last, None)
        of_runs = "" if part.runs == placed.count else f" and {part.runs} of the {placed.count:,}"
        said.append(f"An excerpt: {shown} of {placed.length:,}{of_runs}.")
    if part.cuts_zeros:
        said.append(f"Some of the {placed.context_length:,} zeros before the series are not drawn.")
    return " ".join(said)


def drawing_title(scenario: Scenario, placed: Placement) -> str:
    """Return what the drawing of a series shows, as a finding."""
    relation, k, T = scenario.relation, placed.touched_windows, placed.start_positions
    values, step = f"any of {relation.width:,} values", scenario.units.time_step
    if is_everything(scenario):
        values = "values of the series"
    elif relation.width == 1:
        values = "one given value"
    elif relation.level == "event":
        values += " in a row" + ("" if step is None else f" ({step.duration(relation.width)})")
    elif not placed.others:
        values += " apart from each other"
    windows = f"{k:,} of {counted(T, 'window')}" if k < T else f"All {T:,} windows"
    return f"{'The only window' if T == 1 else windows} {'holds' if k == 1 else 'hold'} {values}"


def starts_heading(placed: Placement) -> str:
    """Return what the bar of start positions means."""
    many = f"{placed.touched_windows:,} of {placed.start_positions:,}"
    return f"Forecast starts of windows that touch: {many}"


def windows_heading(placed: Placement, part: Excerpt) -> str:
    """Return which windows are drawn as examples."""
    touch = [placed.touches(start) for start in part.starts]
    said = "An example window" if len(touch) == 1 else "Example windows"
    return said if all(touch) else f"{said}; dashed windows hold no protected value"


def drawing_description(title: str, scenario: Scenario, placed: Placement, place: str) -> str:
    """Return the drawing in words, for those who cannot see it."""
    return (
        f"{title}. A made-up series of {counted(placed.length, 'value')} with the protected ones "
        f"marked. {place} Below, a bar over the forecast starts of all windows that touch them, "
        f"and example windows of {counted(placed.context_length, 'context value')} and "
        f"{counted(placed.forecast_length, 'forecast value')}. "
        f"{touched_sentence(scenario, placed)}"
    )


# Each is a text of its own; those between are said only where they can happen.
_BY_ANY = ("whole_data", "population")
_LAST = ("presence", "forecasting", *_BY_ANY)
NOT_COVERED_BY_EPSILON_ALONE = ("not_promised", *_BY_ANY)


def not_covered(scenario: Scenario, bound: Bound) -> list[tuple[str, dict[str, str]]]:
    """Return the names of the sentences that apply, and the words to fill them in with."""
    relation, step, shape = scenario.relation, scenario.units.time_step, scenario.shape
    values, many = counted(relation.width, "value"), relation.series_per_person
    is_in_more, advice = shape is None or many < shape.num_series, ""
    if shape is not None and is_in_more:
        more = replace(scenario, relation=replace(relation, series_per_person=many + 1))
        advice = "" if refusal(more) else ": set more series per person"
    words = {
        "values": values if relation.width > 1 else "one value",
        "more": f"{relation.width + 1:,}",
        "series": "one series" if many == 1 else f"{many:,} series",
        "advice": advice,
        "change": largest_change(scenario),
        "duration": values if step is None else step.duration(relation.width),
    }
    # Where all values are hidden there is no promise to exceed.
    is_part = not (is_everything(scenario) or hides_all_values(scenario))
    in_a_row = is_part and relation.level == "event"
    applies = {
        "several_series": is_in_more,
        "more_values": is_part,
        "spread": in_a_row and relation.width > 1,
        "part_of_value": in_a_row and step is not None,
        "larger_change": bool(bound.condition),
    } | dict.fromkeys(_LAST, True)
    return [(name, words) for name in applies if applies[name]]


RUN_NAMES = {level: f"{place} ({level})" for level, place in PLACES.items()}
# Labels nearer than this part of a decade would lie on each other on a phone.
_TICK_ROOM = 0.75
_SPOKEN = ("1 day", "1 week", "4 weeks", "1 year")


def widths_note(*lines: Sequence[SweepPoint]) -> str:
    """Return how to read the chart of epsilon against w."""
    bands = "Bands: down to lower bounds, attained by some model."
    bands = band_words(*(point.proven for line in lines for point in line), drawn=bands)
    return f"Lines: upper bounds. {bands} Click a point to protect that many."


def varied_width(relation: Relation) -> str:
    """Return what the chart of epsilon against w is drawn over."""
    return f"w, protected values {of_series(relation)}"


def width_name(relation: Relation, units: Units) -> str:
    """Return how many values are protected, and how long they last where they are in a row."""
    name = counted(relation.width, "value")
    if relation.level == "user" or units.time_step is None:
        return name
    return f"{name} ({units.time_step.duration(relation.width)})"


def width_ticks(widths: Sequence[int], step: TimeStep | None) -> list[tuple[float, str]]:
    """Return places along increasing widths with words: spoken durations, and powers of ten."""
    spoken = {} if step is None else {width: step.duration(width) for width in widths[1:]}
    wanted = {width: words for width, words in spoken.items() if words in _SPOKEN}
    wanted |= {10**power: f"{10**power:,}" for power in range(1, len(str(widths[-1])))}
    places = {1: "1"}
    for width, words in {widths[-1]: f"{widths[-1]:,}", **wanted}.items():
        if all(abs(math.log10(width / place)) >= _TICK_ROOM for place in places):
            places[width] = words
    return sorted(places.items())


def widths_title(own: SweepPoint, points: Sequence[SweepPoint]) -> str:
    """Return what epsilon is for the protected values, for one value, and for the most known."""
    at_delta = f"At δ = {power_of_ten(own.scenario.delta)}"
    values = f"{own.name} {PLACES[own.scenario.relation.level]}" if own.x > 1 else own.name
    ordered = sorted(points, key=lambda point: point.x)
    ends = [point for point in (*ordered[:1], *ordered[-1:]) if point.x != own.x]
    told = [f"{_epsilon(end)} for {counted(end.scenario.relation.width, 'value')}" for end in ends]
    return f"{at_delta}, {', '.join([f'{_epsilon(own)} for {values}', *told])}"


def _epsilon(point: SweepPoint) -> str:
    return epsilon_at_most(point.proven.epsilon_upper)
