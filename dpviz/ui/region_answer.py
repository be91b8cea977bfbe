"""The map of settings that meet a goal, filled in from coarse to fine."""

from dataclasses import dataclass
from functools import partial

from dpviz.figures import figure_json
from dpviz.figures.region_map import region_chart
from dpviz.planning.region import Axis, RegionPoint, judged_anew
from dpviz.planning.region_map import (
    Cell,
    Place,
    Refusal,
    RegionMap,
    places_coarse_to_fine,
    region_cell,
)
from dpviz.planning.target import TARGET_EPSILON_RANGE, Goal, Target
from dpviz.scenario import Scenario, to_json
from dpviz.ui import frame
from dpviz.ui.compute import content
from dpviz.ui.filling import Filled, fill_in, is_left_out, result_of
from dpviz.ui.region_controls import adopt_clicked, draw_adopting, region_axes, region_choices
from dpviz.ui.shared import RESULTS, Part
from dpviz.ui.state import State
from dpviz.ui.texts import text
from dpviz.wording.costs import TOO_COSTLY
from dpviz.wording.protection import conditions
from dpviz.wording.region_map import coarseness, region_description, region_headline

# By how much a map has grown before it is drawn again: each drawing is about 100 kB to send.
_GROWTH = 1.15


@dataclass(frozen=True, kw_only=True)
class KnownRegion:
    """The map as far as it is drawn, and what is still to come."""

    shown: RegionMap
    filled: Filled


def draw_region(state: State, scenario: Scenario, goal: Goal) -> Filled:
    """Draw which settings meet a goal, over two chosen quantities; a click takes a place over.

    What is taken over is the whole of ``scenario`` with the place's two values.

    Args:
        state: the visitor's, whose view says what the map shows.
        scenario: the settings around which it is drawn.
        goal: what has to be met.

    Returns:
        what is still to come, for :func:`dpviz.ui.shared.go_on`.
    """
    scenario = goal.applied_to(scenario)
    region_choices(state, scenario)
    x, y = region_axes(state.view, scenario)
    found = known_region(scenario, goal, x, y)
    shown, layer = found.shown, state.view.region_layer
    # What costs too much once may not do so the next time: it is told beside the places.
    costly = [at for at, cell in shown.cells.items() if cell == Refusal(problem=TOO_COSTLY)]
    told = [scenario, goal, x.quantity, y.quantity, layer, list(shown.cells), costly]
    needed = conditions([point.bound for point in shown.points.values()])
    frame.draw_answer(
        headline=region_headline(shown),
        figure_json=content("region chart", told, lambda: figure_json(region_chart(shown, layer))),
        alt=region_description(shown, layer),
        key="region",
        caption=" ".join(filter(None, (text("region_caption"), coarseness(shown), needed))),
        progress=found.filled.progress,
        on_click=partial(adopt_clicked, shown),
    )
    draw_adopting(shown)
    return found.filled


def known_region(scenario: Scenario, goal: Goal, x: Axis, y: Axis) -> KnownRegion:
    """Return the map after some more computing; the scenario's own place is there at once."""
    parts = _Parts(scenario, goal, x, y)
    result_of(parts.to_fill()[0])
    fill_in(parts.to_fill())
    # What was computed may turn out to be too near the goal.
    filled = fill_in(parts.to_fill(), only_known=True)
    cells = parts.cells()
    drawn = _drawn(len(cells), len(parts.coarse))
    known = dict(list(cells.items())[:drawn])
    return KnownRegion(
        shown=RegionMap(scenario=scenario, goal=goal, x=x, y=y, cells=known), filled=filled
    )


def region_so_far(state: State, scenario: Scenario, goal: Goal) -> RegionMap:
    """Return all that is known of the map, for its table."""
    scenario = goal.applied_to(scenario)
    x, y = region_axes(state.view, scenario)
    parts = _Parts(scenario, goal, x, y)
    result_of(parts.to_fill()[0])
    fill_in(parts.to_fill(), only_known=True)
    return RegionMap(scenario=scenario, goal=goal, x=x, y=y, cells=parts.cells())


class _Parts:
    """The parts of a map from coarse to fine, by place.

    Another target epsilon is judged by the same numbers; only what is too near it is computed once
    more, finely. What an attacker gains is another computation for each goal.
    """

    def __init__(self, scenario: Scenario, goal: Goal, x: Axis, y: Axis) -> None:
        self.goal, self.own = goal, (x.own, y.own)
        self.cell = partial(region_cell, scenario, x, y)
        asked: Goal = goal
        if isinstance(goal, Target):
            asked = Target(epsilon=TARGET_EPSILON_RANGE[1], delta=goal.delta)
        told = f"{asked!r} {to_json(scenario)}"
        columns, rows = ([f"{axis.quantity}={value!r}" for value in axis.values] for axis in (x, y))
        self.coarse = {
            at: Part(
                key=f"region {columns[at[0]]} {rows[at[1]]} {told}",
                compute=partial(self.cell, at, asked),
            )
            for at in places_coarse_to_fine(x, y)
        }

    def to_fill(self) -> list[Part]:
        """Return all parts; a fine one follows the coarse one that does not tell."""
        parts = []
        for at, part in self.coarse.items():
            parts.append(part)
            cell = RESULTS.peek(part.key)
            if cell is not None and self._judged(at, cell) is None:
                parts.append(self._fine(at))
        return parts

    def cells(self) -> dict[Place, Cell]:
        """Return what is known, in the order in which it is shown, up to the first gap."""
        found: dict[Place, Cell] = {}
        for at, part in self.coarse.items():
            cell = self._cell(part)
            if cell is not None and self._judged(at, cell) is None:
                cell = self._cell(self._fine(at))
            else:
                cell = None if cell is None else self._judged(at, cell)
            if cell is None:
                break
            found[at] = cell
        return found

    def _cell(self, part: Part) -> Cell | None:
        if is_left_out(part):
            return Refusal(problem=TOO_COSTLY)
        known: Cell | None = RESULTS.peek(part.key)
        return known

    def _judged(self, at: Place, cell: Cell) -> Cell | None:
        if isinstance(cell, RegionPoint) and isinstance(self.goal, Target):
            return judged_anew(cell, self.goal, is_exact=at == self.own)
        return cell

    def _fine(self, at: Place) -> Part:
        key = f"{self.coarse[at].key} {self.goal!r}"
        return Part(key=key, compute=partial(self.cell, at, self.goal))


def _drawn(known: int, all_of_them: int) -> int:
    """Return how many of the known places are drawn, so that few drawings show all of them.

    >>> [_drawn(known, 200) for known in (1, 2, 11, 199, 200)]
    [1, 2, 11, 187, 200]
    """
    if known == all_of_them:
        return known
    drawn = 1
    while (more := max(drawn + 1, int(drawn * _GROWTH))) <= known:
        drawn = more
    return drawn
