"""What the map of settings that meet a goal says: as a finding, of one place, without a picture."""

import textwrap
from functools import lru_cache

from dpviz.planning.region import (
    Axis,
    Place,
    RegionMap,
    RegionPoint,
    Stretch,
    alone,
    least_noise,
    most_private,
    nearest_that_meet,
)
from dpviz.scenario import Scenario
from dpviz.settings import SETTINGS
from dpviz.settings.planner import REGION_AXES
from dpviz.wording.numbers import (
    capitalised,
    counted,
    counted_in,
    epsilon_at_most,
    in_full,
    number_rounded_up,
    power_of_ten,
    rounded,
    rounded_up,
)
from dpviz.wording.plan import goal_words
from dpviz.wording.scope import PLACES, protected_in, run_length
from dpviz.wording.setting_values import labelled
from dpviz.wording.theorems import qualified_label

_DIGITS = 6
# A hover text is not wrapped by itself.
_HOVER_WIDTH = 58


def axis_title(scenario: Scenario, quantity: str) -> str:
    """Return what an axis shows, with its unit."""
    if quantity == "training":
        return f"training, in {scenario.training.unit}"
    if quantity == "relation_width":
        return f"{REGION_AXES[quantity]}, {PLACES[scenario.relation.level]}"
    unit = SETTINGS[quantity].unit
    return REGION_AXES[quantity] + (f", in {unit}" if unit else "")


def tick_text(value: float) -> str:
    """Return a value beside an axis, where there is little room."""
    return f"{value:,}" if isinstance(value, int) else rounded(value, _DIGITS)


def value_text(scenario: Scenario, quantity: str, value: float) -> str:
    """Return a value with its quantity."""
    if quantity == "training":
        return f"{counted_in(int(value), scenario.training.unit)} of training"
    return f"{REGION_AXES[quantity]} = {in_full(value)}"


def _place(shown: RegionMap, at: Place) -> str:
    across = value_text(shown.scenario, shown.x.quantity, shown.x.values[at[0]])
    return f"{across}, {value_text(shown.scenario, shown.y.quantity, shown.y.values[at[1]])}"


def _epsilon(point: RegionPoint) -> str:
    return f"{epsilon_at_most(point.upper.quoted)} at δ = {power_of_ten(point.scenario.delta)}"


def _noise(point: RegionPoint) -> str:
    return f"{rounded_up(point.noise_per_gradient)} clipping norms"


def cell_lines(shown: RegionMap, at: Place) -> list[str]:
    """Return all that the map says of a computed place, the numbers with their meaning."""
    cell, place = shown.cells[at], _place(shown, at)
    if isinstance(cell, str):
        return [place, f"no answer: {labelled(cell)}"]
    verdict = "meets" if cell.meets else "is not proven to meet"
    scenario = cell.scenario
    is_axis = "noise_multiplier" in (shown.x.quantity, shown.y.quantity)
    noise = "" if is_axis else f" at σ = {in_full(scenario.noise.noise_multiplier)}"
    return [
        place,
        _epsilon(cell),
        qualified_label(cell.bound),
        f"hides {protected_in(scenario)}",
        f"after {run_length(scenario)}{noise}",
        f"{verdict} the goal: {goal_words(shown.goal)}",
        f"noise on each averaged gradient: {_noise(cell)}",
    ]


def hover_text(shown: RegionMap, at: Place, source: Place) -> str:
    """Return what is shown at a place of the map."""
    first, second, *more = cell_lines(shown, source)
    if isinstance(shown.cells[source], RegionPoint):
        second = f"<b>{second}</b>"
    if source != at:
        first = f"not computed yet; near here, at {first}:"
    wrapped = [part for line in (first, second, *more) for part in _wrapped(line)]
    return "<br>".join(wrapped)


@lru_cache(maxsize=1024)
def _wrapped(line: str) -> tuple[str, ...]:
    """Return a line in parts; who is hidden is the same at most fields."""
    if len(line) <= _HOVER_WIDTH:  # mostly, and wrapping all would take longest of the whole figure
        return (line,)
    return tuple(textwrap.wrap(line, _HOVER_WIDTH, break_long_words=False))


# A difference of epsilon that makes none to anybody, and a bracket that says little.
_NEGLIGIBLE = 1e-4
_WIDE_PERCENT = 100.0


def region_title(shown: RegionMap, layer: str = "epsilon") -> str:
    """Return what is compared in a layer, and how much of the map is there."""
    first = "Settings" if layer == "epsilon" else "Noise per gradient, and settings"
    rows, columns = shown.shape
    known = f" ({len(shown.cells):,} of {rows * columns:,} fields)"
    so_far = "" if shown.is_complete else known
    return f"{first} that meet {goal_words(shown.goal)}{so_far}"


def region_finding(shown: RegionMap, layer: str = "epsilon") -> str:
    """Return what a layer of the map shows, as a finding that its computed fields prove."""
    so_far = "" if shown.is_complete else " (by the fields that are ready)"
    return f"{_finding(shown, layer)}{so_far}"


def _finding(shown: RegionMap, layer: str) -> str:
    met = sum(point.meets for point in shown.points.values())
    if not met:
        return _nothing_meets(shown)
    goal = goal_words(shown.goal)
    if layer == "noise":
        place = least_noise(shown)
        assert place is not None  # something meets the goal
        return (
            f"Of the fields that meet {goal}, the least noise on an averaged gradient is "
            f"{_noise(shown.points[place])}, at {_place(shown, place)}"
        )
    own = shown.cells[shown.own]
    if isinstance(own, str):
        meet = "meets" if met == 1 else "meet"
        return f"These settings have no answer; {counted(met, 'field')} of this map {meet} {goal}"
    x, y = (_alone_words(shown, axis) for axis in (shown.x, shown.y))
    if own.meets:
        if shown.is_complete and met == len(shown.cells):
            return f"Every field of this map meets {goal}"
        also = ", or ".join(filter(None, (x, y)))
        # A batch size between two of them may leak more than both: in as many steps as the smaller.
        of_map = f"; on this map also, one at a time, with {also}"
        return f"{capitalised(goal)} is met here{of_map if also else ''}"
    return f"{capitalised(goal)} is not proven here; {x}; {y}"


def _nothing_meets(shown: RegionMap) -> str:
    best = most_private(shown)
    if best is None:
        why = "no field has a finite ε" if shown.points else "no field has an answer"
    else:
        high = shown.points[best].upper.quoted
        assert high is not None  # of the most private place
        least = f"≤ {rounded_up(high)}, at {_place(shown, best)}"
        why = f"even its smallest ε is only proven to be {least}"
    return f"Nothing on this map is proven to meet {goal_words(shown.goal)}: {why}"


def region_description(shown: RegionMap, layer: str = "epsilon") -> str:
    """Return the map for those who cannot see it."""
    what = "upper bounds on epsilon" if layer == "epsilon" else "noise on each averaged gradient"
    sides = [
        f"{axis_title(shown.scenario, axis.quantity)}, {place}, from "
        f"{in_full(axis.values[0])} to {in_full(axis.values[-1])}"
        for axis, place in ((shown.x, "to the right"), (shown.y, "upwards"))
    ]
    right, top = len(shown.x.values) - 1, len(shown.y.values) - 1
    *corners, own = (
        f"{_place(shown, at)}: {_in_short(shown, at)}"
        for at in ((0, 0), (right, 0), (0, top), (right, top), shown.own)
    )
    return (
        f"{region_finding(shown, layer)}. A map of {what} over {sides[0]}, and {sides[1]}. "
        f"{_counts(shown)} At its corners: {'; '.join(corners)}. Marked is {own}."
    )


def whole_batches(shown: RegionMap) -> str:
    """Return why lines of equal epsilon jump between batch sizes; empty where they do not.

    An epoch of a walk, shuffled or not, counts once, however many steps it has.
    """
    scenario, sampling = shown.scenario, shown.scenario.sampling
    counts_epochs = sampling.is_walk and not sampling.has_bins
    has_batches = "batch_size" in (shown.x.quantity, shown.y.quantity)
    if not has_batches or scenario.training.unit != "epochs" or counts_epochs:
        return ""
    return "An epoch is whole batches: ε jumps between batch sizes."


def coarseness(shown: RegionMap) -> str:
    """Return how far a field's epsilon, as it is told, may be above what its theorem gives."""
    if not shown.points:
        return ""
    start = "Each ε is rounded up"
    brackets = [one.upper.bracket for one in shown.points.values() if not one.only_quoted]
    if not brackets:
        return f"{start}; by how much is not computed."
    told = [(number_rounded_up(one.high), one.low or 0.0) for one in brackets if one.high]
    gaps = [
        high / low - 1.0 if low else float("inf") for high, low in told if high - low > _NEGLIGIBLE
    ]
    percent = 100.0 * max(gaps, default=0.0)
    if percent > _WIDE_PERCENT:
        return f"{start}; of some fields the accountant cannot tell by how much."
    most = f"{rounded_up(percent, 2)} % or " if gaps else ""
    most += power_of_ten(_NEGLIGIBLE)
    known, fields = len(brackets), counted(len(shown.points), "field")
    if known < len(shown.points):
        return f"{start}: by at most {most} in the {known:,} of {fields} where that is computed."
    return f"{start}, by at most {most}."


def _in_short(shown: RegionMap, at: Place) -> str:
    cell = shown.cells.get(at)
    if cell is None:
        return "not computed yet"
    if isinstance(cell, str):
        return f"no answer ({labelled(cell).rstrip('.')})"
    verdict = "meets the goal" if cell.meets else "not proven to meet the goal"
    bound = qualified_label(cell.bound)
    return f"{_epsilon(cell)} ({bound}), noise per gradient {_noise(cell)}, {verdict}"


def _counts(shown: RegionMap) -> str:
    met = sum(point.meets for point in shown.points.values())
    missed, refused = len(shown.points) - met, len(shown.cells) - len(shown.points)
    so_far = "" if shown.is_complete else " that are ready"
    return (
        f"Of the {counted(len(shown.cells), 'field')}{so_far}, {met:,} "
        f"meet{'s' if met == 1 else ''} the goal, {missed:,} {'is' if missed == 1 else 'are'} not "
        f"proven to, and {refused:,} {'has' if refused == 1 else 'have'} no answer."
    )


def _alone_words(shown: RegionMap, axis: Axis) -> str:
    """Return how far a quantity may go alone, or which value would do; empty if not computed."""
    name, stretch = REGION_AXES[axis.quantity], alone(shown, axis)
    if stretch is not None:
        if stretch.first == stretch.last:
            return ""  # no other value does
        return f"{name} {_stretch_words(shown, stretch)}"
    found = nearest_that_meet(shown, axis)
    if not found:
        what = "length" if axis.quantity == "training" else "value"
        return f"no {what} of {name} on this map is proven to meet it alone"
    values = [value_text(shown.scenario, axis.quantity, axis.values[at]) for at in found]
    return f"{' or '.join(values)} alone would meet it"


def _stretch_words(shown: RegionMap, stretch: Stretch) -> str:
    values = [in_full(value) for value in stretch.axis.values]
    unit = f" {shown.scenario.training.unit}" if stretch.axis.quantity == "training" else ""
    first, last = values[stretch.first], values[stretch.last]
    missed = " or ".join(values[at] for at in (stretch.before, stretch.after) if at is not None)
    if not missed:
        is_whole = stretch.first == 0 and stretch.last + 1 == len(values)
        return f"{'at any value of the map,' if is_whole else 'from'} {first} to {last}{unit}"
    # What is met here already is none of what else would do.
    own, where = stretch.axis.own, f"from {first} to {last}{unit}"
    if stretch.before is None:
        where = f"{'below' if stretch.last == own else 'up to'} {last}{unit}"
    elif stretch.after is None:
        where = f"above {first}{unit}" if stretch.first == own else f"from {first}{unit} on"
    return f"{where} (not proven at {missed})"
