"""What noise on context and labels is asked about: the noise, the data's unit, which chart."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from dpviz.planning.label_noise import NOISES, with_noise
from dpviz.scenario import Scenario, ScenarioError
from dpviz.scenario.errors import checked_integer
from dpviz.ui.change_controls import max_change_box, value_unit_box
from dpviz.ui.choice import view_choice
from dpviz.ui.data_controls import augmentation_controls, channels_box
from dpviz.ui.state import State, change
from dpviz.ui.texts import plain
from dpviz.wording.noised_values import noise_in_units


def noise_settings(state: State) -> None:
    """Draw how much noise there is, and what it comes to in the data's unit."""
    augmentation_controls(state)
    with st.container():  # always there, so that what is below stays where it is
        if said := noise_in_units(state.scenario):
            st.caption(plain(said))
    left, right = st.columns(2)
    with left:
        max_change_box(state)
    with right:
        value_unit_box(state)
    channels_box(state)


def chart_control(state: State) -> None:
    """Draw the choice of the chart."""
    view_choice(state, "noise_chart", key="noise_view", shows_label=False)


def adopt_place(point: Mapping[str, Any]) -> None:
    """Make the noise at a clicked place of the map the scenario's own."""
    change(lambda before: at_place(before, point))


def at_place(before: Scenario, point: Mapping[str, Any]) -> Scenario:
    """Return the scenario with the noise at a place of the map.

    Args:
        before: the scenario.
        point: x and y, the place's column and row, as the browser reports them.

    Raises:
        ScenarioError: there is no such place on the map.
    """
    return with_noise(
        before,
        context=_noise_at("context_noise", point.get("x")),
        forecast=_noise_at("forecast_noise", point.get("y")),
    )


def _noise_at(field: str, place: object) -> float:
    try:
        return NOISES[checked_integer(field, place, 0, len(NOISES) - 1)]
    except ScenarioError:
        raise ScenarioError(field, place, "it must be a field of the map") from None
