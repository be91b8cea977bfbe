"""Whom a run could protect: ready-made relations, and those along which epsilon is drawn."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import Enum

from dpviz.planning.comparison import refusal
from dpviz.scenario import DataShape, Relation, Scenario, TimeStep
from dpviz.scenario.relation import LEVELS, WIDEST_RELATION

_TWO_WEEKS = (2, "week")
_VISITS = 4
_DIGITS = (1, 2, 5)
# Times that people speak of, where they are whole numbers of values.
_DURATIONS = ((1, "day"), (1, "week"), (4, "week"), (1, "year"))


class Missing(Enum):
    """Why a ready-made relation cannot be had."""

    TIME_STEP = "the time step is not known"
    CALENDAR = "weeks are no whole number of months"
    TOO_WIDE = "so many values are more than a relation may hold"
    LONGEST = "the length of the longest series is not known"


def ready_relations(
    scenario: Scenario, longest: int | None = None
) -> dict[str, Relation | Missing]:
    """Return relations to start from, or why one cannot be had, by their names.

    One value, two weeks in a row, four visits, and the whole series, ``longest`` where the shape
    leaves that out. They keep how far a value may change, and the channels.
    """
    ready = {
        "one-value": ("event", 1),
        "two-weeks": ("event", _two_weeks(scenario.units.time_step)),
        "four-visits": ("user", _VISITS),
        "whole-series": ("event", _whole(scenario.given_shape, longest)),
    }
    return {
        name: width
        if isinstance(width, Missing)
        else replace(scenario.relation, level=level, width=width)
        for name, (level, width) in ready.items()
    }


def _two_weeks(step: TimeStep | None) -> int | Missing:
    if step is None:
        return Missing.TIME_STEP
    width = step.values_in(*_TWO_WEEKS)
    if width is None:
        return Missing.CALENDAR
    return width if width <= WIDEST_RELATION else Missing.TOO_WIDE


def _whole(shape: DataShape, longest: int | None) -> int | Missing:
    if longest is None and shape.longer_series_beyond is not None:
        return Missing.LONGEST
    length = max(longest or 0, shape.series_lengths[-1])
    return length if length <= WIDEST_RELATION else Missing.TOO_WIDE


def at_relation(scenario: Scenario, level: str, width: int) -> Scenario:
    """Return the run with so many other values protected, all else the same."""
    return replace(scenario, relation=replace(scenario.relation, level=level, width=width))


def widths_to_show(scenario: Scenario, level: str, *, thin: bool = False) -> tuple[int, ...]:
    """Return the numbers of protected values to draw epsilon at, increasing; few if ``thin``.

    Round numbers, durations where the time step is known, the scenario's own and, of series of one
    length, the first number that touches all windows: without noise on windows more values change
    nothing from there on, and only the whole series follows.
    """
    shape = scenario.given_shape
    whole = _whole_series(scenario)
    widths = _round_numbers(whole, (1,)) if thin else set(slider_widths(scenario))
    saturated = first_touching_all(shape, level)
    if len(shape.series_lengths) == 1 and saturated is not None:
        if _depends_on_touched_windows_alone(scenario):
            widths = {width for width in widths if width < saturated}
        widths.add(saturated)
    widths = {width for width in widths if width <= whole} | {whole}
    if level == scenario.relation.level:
        widths.add(scenario.relation.width)
    covered = sorted(widths)
    if shape.longer_series_beyond is not None:
        covered = [width for width in covered if not refusal(at_relation(scenario, level, width))]
    return tuple(covered)


def swept_relations(scenario: Scenario) -> dict[str, list[Scenario]]:
    """Return the runs along which epsilon is drawn, by kind of relation, the own kind first."""
    now = scenario.relation.level
    return {
        level: [
            at_relation(scenario, level, width)
            for width in widths_to_show(scenario, level, thin=level != now)
        ]
        for level in sorted(LEVELS, key=lambda level: level != now)
    }


def slider_widths(scenario: Scenario) -> list[int]:
    """Return round numbers of values and durations, up to the whole series."""
    whole = _whole_series(scenario)
    widths = _round_numbers(whole, _DIGITS) | {whole}
    if scenario.units.time_step is not None:
        widths |= set(_durations(scenario.units.time_step))
    return sorted(width for width in widths if width <= whole)


def first_touching_all(shape: DataShape, level: str) -> int | None:
    """Return the fewest values that touch every window of the shortest series.

    ``None`` where a relation may not be so wide.
    """
    positions, window = shape.start_positions, shape.window_length
    width = max(1, positions - window + 1) if level == "event" else -(-positions // window)
    return width if width <= WIDEST_RELATION else None


def shared_form(scenario: Scenario) -> Scenario:
    """Return a scenario with the same bounds, which all of the same k share.

    Without noise on windows and with series of one length every bound depends on who is protected
    through k alone (Schuchardt et al., App. I): values anywhere then are as good as so many in a
    row that touch as many windows.
    """
    shape = scenario.shape
    if shape is None or not _depends_on_touched_windows_alone(scenario):
        return scenario
    k, window = scenario.relation.touched_windows(shape), shape.window_length
    width = max(1, k - window + 1)
    return scenario if width > WIDEST_RELATION else at_relation(scenario, "event", width)


def length_order_is_known(scenario: Scenario) -> bool:
    """Return whether the shortest of several lengths is known to be the worst.

    So it is for windows drawn from series with replacement, and without noise on them (Schuchardt
    et al., App. I.1). Else all lengths are looked at; in one bag the longest, if it is known, too.
    """
    sampling = scenario.sampling
    from_series = not (sampling.takes_windows_by_coins or sampling.is_bag)
    return from_series and not scenario.noise.is_on_windows


def length_with_clean_windows(scenario: Scenario) -> tuple[int, float] | None:
    """Return the first longer length of the series with a rate r below 1, and that rate."""
    shape = scenario.shape
    if shape is not None:
        for length in shape.series_lengths[1:]:
            starts = length - shape.forecast_length + 1
            touched = scenario.relation.touched_windows(shape, starts)
            if touched < starts:  # the first of them has the largest rate
                return length, touched / starts
    return None


def next_has_clean_windows(scenario: Scenario) -> bool:
    """Return whether the shortest length is the only one that has none."""
    found, shape = length_with_clean_windows(scenario), scenario.shape
    return found is not None and shape is not None and found[0] == shape.series_lengths[1]


def hides_all_values(scenario: Scenario) -> bool:
    """Return whether more protected values change no bound: all windows are touched already."""
    shape = scenario.shape
    if shape is None or scenario.relation.touched_windows(shape) < shape.start_positions:
        return False
    return length_order_is_known(scenario) or _depends_on_touched_windows_alone(scenario)


def _depends_on_touched_windows_alone(scenario: Scenario) -> bool:
    shape = scenario.given_shape
    return shape.is_of_one_length and not scenario.noise.is_on_windows


def _whole_series(scenario: Scenario) -> int:
    shape = scenario.given_shape
    return min(shape.series_lengths[-1], WIDEST_RELATION)


def _round_numbers(last: int, digits: Sequence[int]) -> set[int]:
    return {digit * 10**power for power in range(len(str(last))) for digit in digits}


def _durations(step: TimeStep) -> Iterator[int]:
    for count, unit in _DURATIONS:
        width = step.values_in(count, unit)
        # Rounded up where it does not fit: that would be another time than it is called.
        if width is not None and step.duration(width) == str(TimeStep(count, unit)):
            yield width
