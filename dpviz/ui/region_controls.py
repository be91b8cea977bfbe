"""What the map of settings shows, and taking a place of it over."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from dpviz.planning.region import Axis, possible_axes, region_axis, region_scenario
from dpviz.planning.region_map import Place, RegionMap
from dpviz.scenario import Scenario, ScenarioError, to_json
from dpviz.scenario.errors import checked_integer
from dpviz.settings import SETTINGS, View
from dpviz.settings.planner import REGION_AXES
from dpviz.ui.act_button import act_button
from dpviz.ui.choice import menu, view_choice
from dpviz.ui.state import State, change, change_view
from dpviz.ui.texts import plain
from dpviz.wording.hover_help import field_help
from dpviz.wording.region_cells import cell_lines, value_text


def region_axes(view: View, scenario: Scenario) -> tuple[Axis, Axis]:
    """Return both axes: the chosen ones, as far as the scenario has them and they differ."""
    x, y = _quantities(view, scenario)
    return region_axis(scenario, x), region_axis(scenario, y)


def region_choices(state: State, scenario: Scenario) -> None:
    """Draw the choice of both axes and of what the shades show."""
    now = _quantities(state.view, scenario)
    options = possible_axes(scenario)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _axis_choice("region_x", now, options)
        _axis_choice("region_y", now, options)
        view_choice(state, "region_layer")


def _quantities(view: View, scenario: Scenario) -> tuple[str, str]:
    options = possible_axes(scenario)
    x = view.region_x if view.region_x in options else _first(options, without=view.region_y)
    y = view.region_y if view.region_y in options and view.region_y != x else None
    return x, y or _first(options, without=x)


def _first(options: tuple[str, ...], without: str) -> str:
    return next(option for option in options if option != without)


def _axis_choice(field: str, now: tuple[str, str], options: tuple[str, ...]) -> None:
    at, other = (0, "region_y") if field == "region_x" else (1, "region_x")

    def chosen(new: str) -> None:
        # The other axis's quantity: they change places.
        rest = now[at] if new == now[1 - at] else now[1 - at]
        change_view(lambda: {field: new, other: rest})

    menu(
        SETTINGS[field].title,
        value=now[at],
        options=options,
        name=lambda name: REGION_AXES[name][0].upper() + REGION_AXES[name][1:],
        chosen=chosen,
        key=field,
        explains=field_help(field),
    )


def adopt_clicked(shown: RegionMap, point: Mapping[str, Any]) -> None:
    """Make the settings of a clicked place the visitor's own.

    Args:
        shown: the map that was clicked.
        point: its ``customdata`` is column and row as the browser reports them; what is no place
            of the map is told.
    """
    change(lambda before: _taken_over(shown, _clicked(shown, point.get("customdata")), before))


def _clicked(shown: RegionMap, told: object) -> Place:
    refused = ScenarioError("place", None, "click one of the map's fields")
    if not isinstance(told, list | tuple) or len(told) != 2:
        raise refused
    rows, columns = shown.shape
    try:
        column = checked_integer("place", told[0], 0, columns - 1)
        return column, checked_integer("place", told[1], 0, rows - 1)
    except ScenarioError:
        raise refused from None


def _taken_over(shown: RegionMap, at: Place, before: Scenario) -> Scenario:
    place = region_scenario(shown.scenario, shown.x, shown.y, at)
    return replace(place, delta=before.delta)  # the goal's delta is no setting of the map


def draw_adopting(shown: RegionMap) -> None:
    """Draw what a click does, for those who have no mouse: a place, what it says, a button."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        at = _value_choice(shown, shown.x, "x"), _value_choice(shown, shown.y, "y")
        act_button(
            "Adopt",
            lambda: change(partial(_taken_over, shown, at)),
            key="region_adopt",
            # Not what it makes of the settings: that may be refused.
            means=f"{at} of {shown.x.quantity} and {shown.y.quantity}: {to_json(shown.scenario)}",
            disabled=at == shown.own,
            explains="Makes these two values the current settings.",
        )
    with st.container():  # always there, so that what follows stays in its place
        if at in shown.cells:
            _, *said = cell_lines(shown, at)
            st.caption(plain("; ".join(said)))
        else:
            st.caption("This field is not computed yet.")


def _value_choice(shown: RegionMap, axis: Axis, side: str) -> int:
    """Return the place of the chosen value; at first and after each change the own one."""
    values = axis.values
    identity = f"{axis.quantity}_{values[axis.own]!r}_{values[0]!r}_{values[-1]!r}_{len(values)}"
    name = REGION_AXES[axis.quantity]
    picked = f"region_pick_{side}"
    before, at = st.session_state.get(picked, ("", axis.own))
    if before != identity:
        at = axis.own
    menu(
        name[0].upper() + name[1:],
        value=at,
        options=range(len(values)),
        name=lambda at: value_text(shown.scenario, axis.quantity, values[at]),
        chosen=lambda new: st.session_state.__setitem__(picked, (identity, new)),
        key=f"{picked}_of",
        explains=field_help("epochs" if axis.quantity == "training" else axis.quantity),
    )
    return int(at)
