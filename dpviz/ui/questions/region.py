"""The map of settings that meet a goal, filled in from coarse to fine."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from dpviz.figures.region_map import region_chart
from dpviz.planning import ScenarioCurves
from dpviz.planning import region as maps
from dpviz.planning.region import Axis, Cell, Place, RegionMap, RegionPoint
from dpviz.planning.target import Goal, Target
from dpviz.scenario import Scenario, ScenarioError, to_json
from dpviz.scenario.errors import checked_integer
from dpviz.scenario.scenario import TARGET_EPSILON_RANGE
from dpviz.settings import SETTINGS, View
from dpviz.settings.planner import REGION_AXES
from dpviz.ui import frame
from dpviz.ui.compute import is_slow
from dpviz.ui.filling import Filled, fill_in, is_left_out, result_of
from dpviz.ui.page import folded_part, say
from dpviz.ui.results import RESULTS, Part
from dpviz.ui.state import State, change, change_view, session_state
from dpviz.ui.texts import plain, text
from dpviz.ui.widgets import act_button, menu, setting_menu, view_menu
from dpviz.wording import region_map as words
from dpviz.wording.glossary import field_help
from dpviz.wording.numbers import capitalised, joined
from dpviz.wording.scope import conditions
from dpviz.wording.training_length import TOO_COSTLY

# By how much a map has grown before it is drawn again: each drawing is about 100 kB to send.
_GROWTH = 3
# So many fields are computed at once, in less time than holds up anybody; where a field by itself
# may take that long, one.
_FIELDS_AT_ONCE = 8


def region_axes(
    view: View, scenario: Scenario, kept: Mapping[str, tuple[float, ...]]
) -> tuple[Axis, Axis]:
    """Return both axes, which differ; those ``kept`` stay as they were, but not at their ends."""
    x, y = (
        maps.region_axis(scenario, quantity, kept.get(_axis_name(scenario, quantity), ()))
        for quantity in _quantities(view, scenario)
    )
    return x, y


def _axis_name(scenario: Scenario, quantity: str) -> str:
    return scenario.training.unit if quantity == "training" else quantity


def _quantities(view: View, scenario: Scenario) -> tuple[str, str]:
    options = maps.possible_axes(scenario)

    def chosen(wanted: str, other: str) -> str:
        is_possible = wanted in options and wanted != other
        return wanted if is_possible else next(one for one in options if one != other)

    x = view.region_x if view.region_x in options else chosen("", view.region_y)
    return x, chosen(view.region_y, x)


def _axis_choice(field: str, state: State, scenario: Scenario) -> None:
    at, other = (0, "region_y") if field == "region_x" else (1, "region_x")

    def chosen(new: str) -> None:
        # Not as it was drawn: another act may have come since.
        now = _quantities(state.view, scenario)
        # The other axis's quantity: they change places.
        rest = now[at] if new == now[1 - at] else now[1 - at]
        change_view(lambda: {field: new, other: rest})

    setting_menu(
        field,
        value=_quantities(state.view, scenario)[at],
        options=maps.possible_axes(scenario),
        name=lambda name: capitalised(REGION_AXES[name]),
        chosen=chosen,
    )


def adopt_clicked(shown: RegionMap, point: Mapping[str, Any]) -> None:
    """Make the settings of a clicked place, by its ``customdata``, the visitor's own."""
    _adopt(shown, partial(_clicked, shown, point.get("customdata")))


def _adopt(shown: RegionMap, at: Callable[[], Place]) -> None:
    """Make the settings of a place the visitor's own; the map stays where it is."""
    axes = {_axis_name(shown.scenario, axis.quantity): axis.values for axis in (shown.x, shown.y)}
    session_state().map_axes = axes

    def taken_over(before: Scenario) -> Scenario:
        place = maps.region_scenario(shown.scenario, shown.x, shown.y, at())
        return replace(place, delta=before.delta)  # the goal's delta is no setting of the map

    change(taken_over)


def _clicked(shown: RegionMap, told: object) -> Place:
    refused = ScenarioError("place", None, "click one of the map's fields")
    # The map that was clicked may have had other axes: what came before the click has changed them.
    if not isinstance(told, list | tuple) or len(told) != 3 or told[2] != shown.axes_key:
        raise refused
    rows, columns = shown.shape
    try:
        column = checked_integer("place", told[0], 0, columns - 1)
        return column, checked_integer("place", told[1], 0, rows - 1)
    except ScenarioError:
        raise refused from None


def _draw_adopting(shown: RegionMap) -> None:
    """Draw what a click does, for those who have no mouse: a place, what it says, a button."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        at = _value_choice(shown, shown.x, "x"), _value_choice(shown, shown.y, "y")
        act_button(
            "Adopt",
            lambda: _adopt(shown, lambda: at),
            key="region_adopt",
            # Not what it makes of the settings: that may be refused.
            means=f"{at} of {shown.x.quantity} and {shown.y.quantity}: {to_json(shown.scenario)}",
            disabled=at == shown.own,
            explains="Makes these two values the current settings.",
        )
    said = "This field is not computed yet."
    if at in shown.cells:
        said = plain("; ".join(words.cell_lines(shown, at)[1:]))
    with st.container():  # always there, so that what follows stays in its place
        st.caption(said)


def _value_choice(shown: RegionMap, axis: Axis, side: str) -> int:
    """Return the place of the chosen value; at first and after each change the own one."""
    values = axis.values
    identity = f"{axis.quantity}_{values[axis.own]!r}_{values[0]!r}_{values[-1]!r}_{len(values)}"
    picked = f"region_pick_{side}"
    before, at = st.session_state.get(picked, ("", axis.own))
    if before != identity:
        at = axis.own
    menu(
        capitalised(REGION_AXES[axis.quantity]),
        value=at,
        options=range(len(values)),
        name=lambda at: words.value_text(shown.scenario, axis.quantity, values[at]),
        chosen=lambda new: st.session_state.__setitem__(picked, (identity, new)),
        key=f"{picked}_of",
        explains=field_help("epochs" if axis.quantity == "training" else axis.quantity),
    )
    return int(at)


def draw_region(
    state: State,
    scenario: Scenario,
    goal: Goal,
    *,
    headline: str,
    curves: ScenarioCurves | None = None,
) -> None:
    """Draw which settings meet a goal, around an answer's headline; a click takes a place over."""
    scenario = goal.applied_to(scenario)
    x, y = region_axes(state.view, scenario, state.map_axes)
    shown, _ = known_region(scenario, goal, x, y)
    layer = state.view.region_layer
    # What costs too much once may not do so the next time: it is told beside the places.
    costly = [at for at, cell in shown.cells.items() if cell == TOO_COSTLY]
    needed = conditions([point.bound for point in shown.points.values()])
    frame.draw_answer(
        headline=headline,
        curves=curves,
        figure=lambda: region_chart(shown, layer),
        made_of=[scenario, goal, x, y, layer, list(shown.cells), costly],
        alt=words.region_description(shown, layer),
        key="region",
        on_click=partial(adopt_clicked, shown),
        place=shown.own,
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _axis_choice("region_x", state, scenario)
        _axis_choice("region_y", state, scenario)
        view_menu("region_layer", name=SETTINGS["region_layer"].choices.__getitem__)(state)
    say(f"{words.region_finding(shown, layer)}.")
    said = text("region_caption"), words.whole_batches(shown), words.coarseness(shown), needed
    st.caption(joined(*said))
    folded_part("Take a field without a pointer", "open_fields", _draw_adopting, shown)


def known_region(scenario: Scenario, goal: Goal, x: Axis, y: Axis) -> tuple[RegionMap, Filled[Any]]:
    """Return the map after some more computing, and what is to come; the own place is there."""
    parts = _Parts(scenario, goal, x, y)
    fill_in(parts.to_fill(), first=1, awaits=False)
    # What was computed may turn out to be too near the goal.
    filled = fill_in(parts.to_fill(), only_known=True)
    cells = parts.cells()
    drawn = _drawn(len(cells), len(x.values) * len(y.values))
    known = dict(list(cells.items())[:drawn])
    return RegionMap(scenario=scenario, goal=goal, x=x, y=y, cells=known), filled


def region_so_far(state: State, scenario: Scenario, goal: Goal) -> RegionMap:
    """Return all that is known of the map, for its table."""
    scenario = goal.applied_to(scenario)
    x, y = region_axes(state.view, scenario, state.map_axes)
    parts = _Parts(scenario, goal, x, y)
    result_of(parts.to_fill()[0])
    return RegionMap(scenario=scenario, goal=goal, x=x, y=y, cells=parts.cells())


class _Parts:
    """The parts of a map from coarse to fine, each of some places.

    Another target epsilon is judged by the same numbers; only what is too near it is computed once
    more, finely, from both sides. What an attacker gains is another computation for each goal.
    """

    def __init__(self, scenario: Scenario, goal: Goal, x: Axis, y: Axis) -> None:
        self.goal, self.own = goal, (x.own, y.own)
        self._compute = partial(maps.region_cells, scenario, x, y)
        self._asked = goal
        if isinstance(goal, Target):
            self._asked = Target(epsilon=TARGET_EPSILON_RANGE[1], delta=goal.delta)
        axes = (x.quantity, x.values, y.quantity, y.values)
        self._told = f"region {axes} {to_json(scenario)}"
        own, *others = maps.places_coarse_to_fine(x, y)
        may_be_slow = is_slow(scenario) or "num_subsequences" in (x.quantity, y.quantity)
        together = 1 if may_be_slow else _FIELDS_AT_ONCE
        starts = range(0, len(others), together)
        self.places = [(own,), *(tuple(others[at : at + together]) for at in starts)]

    def to_fill(self) -> list[Part[tuple[Cell, ...]]]:
        """Return all parts; fine ones follow the coarse one that does not tell."""
        parts = []
        for part, cells in self._coarse():
            parts.append(part)
            parts += [
                self._part((at,), self.goal)
                for at, cell in cells.items()
                if cell is not None and self._judged(at, cell) is None
            ]
        return parts

    def cells(self) -> dict[Place, Cell]:
        """Return what is known, in the order in which it is shown, up to the first gap."""
        found: dict[Place, Cell] = {}
        for _, cells in self._coarse():
            for at, cell in cells.items():
                judged = None if cell is None else self._judged(at, cell)
                if cell is not None and judged is None:
                    judged = self._cells((at,), self._part((at,), self.goal))[at]
                if judged is None:
                    return found
                found[at] = judged
        return found

    def _coarse(
        self,
    ) -> Iterator[tuple[Part[tuple[Cell, ...]], dict[Place, Cell | None]]]:
        """Yield parts with what is known by place; one by one where they cost too much together."""
        for places in self.places:
            together: list[tuple[Place, ...]] = [places]
            if len(places) > 1 and is_left_out(self._part(places, self._asked)):
                together = [(at,) for at in places]
            for some in together:
                part = self._part(some, self._asked)
                yield part, self._cells(some, part)

    def _cells(
        self, places: tuple[Place, ...], part: Part[tuple[Cell, ...]]
    ) -> dict[Place, Cell | None]:
        if is_left_out(part):
            return dict.fromkeys(places, TOO_COSTLY)
        known = RESULTS.peek(part.key)
        return dict.fromkeys(places) if known is None else dict(zip(places, known, strict=True))

    def _judged(self, at: Place, cell: Cell) -> Cell | None:
        if isinstance(cell, RegionPoint) and isinstance(self.goal, Target):
            return maps.judged_anew(cell, self.goal, is_exact=at == self.own)
        return cell

    def _part(self, places: tuple[Place, ...], goal: Goal) -> Part[tuple[Cell, ...]]:
        # What is asked for in place of the goal is judged by the end that is quoted.
        compute = partial(self._compute, places, goal, only_quoted=goal != self.goal)
        return Part(key=f"{self._told} {places} {goal!r}", compute=compute)


def _drawn(known: int, all_of_them: int) -> int:
    """Return how many of the known places are drawn, so that few drawings show all of them.

    >>> [_drawn(known, 200) for known in (1, 2, 11, 199, 200)]
    [1, 1, 9, 81, 200]
    """
    if known == all_of_them:
        return known
    drawn = 1
    while drawn * _GROWTH <= known:
        drawn *= _GROWTH
    return drawn
