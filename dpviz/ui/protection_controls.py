"""The settings of the page about who is protected: which values, by how much, from when on."""

from typing import Any

import streamlit as st

from dpviz.planning.protection import Missing, ReadyRelation, ready_relations, slider_widths
from dpviz.scenario import Rates, Scenario
from dpviz.settings import SETTINGS
from dpviz.settings.curves import FIRST_DATES
from dpviz.ui import controls
from dpviz.ui.act_button import act_button
from dpviz.ui.change_controls import max_change_box, value_unit_box
from dpviz.ui.choice import choice
from dpviz.ui.data_controls import (
    augmentation_controls,
    channels_box,
    data_controls,
    time_step_box,
    with_relation,
)
from dpviz.ui.number_control import number_control
from dpviz.ui.page import folded
from dpviz.ui.state import State, change, change_view
from dpviz.ui.text_box import text_box
from dpviz.ui.upload import upload_control
from dpviz.wording.protected_values import LEVEL_NAMES, READY_NAMES, missing_words
from dpviz.wording.scope import protected_unit


def protection_settings(state: State) -> None:
    """Draw the controls of who is protected, and of what they are protected from."""
    controls.preset_control(state)
    if isinstance(state.scenario.data, Rates):
        _fixed_relation(state)
    else:
        _relation_controls(state)
    left, right = st.columns(2)
    with left:
        max_change_box(state)
    with right:
        value_unit_box(state)
    channels_box(state)
    controls.rate_controls(state)
    controls.noise_control(state)
    controls.training_control(state)
    controls.delta_control(state)
    with folded("Data and windows, or a file", key="open_data") as is_open:
        if is_open:
            upload_control(state)
            data_controls(state)
    controls.folded_sampling(state)
    with folded("Noise on context and labels", key="open_augmentation") as is_open:
        if is_open:
            augmentation_controls(state)


def protect(state: State, level: Any, width: Any) -> None:
    """Protect so many values in a row, or anywhere; what is not allowed is refused by name."""
    change(lambda before: with_relation(state, before, level=level, width=width))


def _fixed_relation(state: State) -> None:
    """Say why the relation is fixed, and offer the way back."""
    scenario = state.scenario
    unit = protected_unit(scenario.relation, scenario.units)
    back = "start from a preset, or open a file"
    assert isinstance(scenario.data, Rates)  # the caller has looked
    if scenario.data.last_shape is not None:
        back = "go back to the data's shape"
    st.info(
        f"r and ρ are set directly, for {unit}. They do not tell how long windows and series are, "
        f"so who is protected is fixed, and no window can be drawn: {back}.",
        icon="🔒",
    )
    if scenario.data.last_shape is not None:
        act_button(
            "Back to the data's shape",
            lambda: change(lambda before: before.with_last_shape()),
            key="protection_shape",
        )


def _relation_controls(state: State) -> None:
    scenario = state.scenario
    longest = None if state.file is None else state.file.longest
    ready = ready_relations(scenario, longest)
    with st.container(horizontal=True, gap="small"):
        for one in ready:
            _ready_button(state, one)
    said = [
        f"{READY_NAMES[one.name]}: {missing_words(one.missing)}."
        for one in ready
        if one.missing is not None
    ]
    with st.container():  # always there, so that nothing below becomes a new element
        if said:
            st.caption(" ".join(said))
    choice(
        "relation",
        value=scenario.relation.level,
        options=LEVEL_NAMES,
        apply=lambda before, level: with_relation(state, before, level=level),
    )
    number_control(
        "relation_width",
        value=scenario.relation.width,
        grid=slider_widths(scenario),
        apply=lambda before, width: with_relation(state, before, width=int(width)),
        origin=state.origin.relation.width,
        takes_time=True,
    )
    left, right = st.columns(2)
    with left:
        time_step_box(state)
    with right:
        if scenario.units.time_step is not None:
            _first_date_box(state)


def _ready_button(state: State, ready: ReadyRelation) -> None:
    relation = ready.relation
    is_now = relation == state.scenario.relation

    def chosen() -> None:
        if relation is not None:
            protect(state, relation.level, relation.width)

    act_button(
        READY_NAMES[ready.name],
        chosen,
        key=f"ready_{ready.name}",
        # Two weeks are another number of values when the time step is another one.
        means=repr(relation),
        icon="check" if is_now else "",
        disabled=relation is None,
        explains=_ready_help(state.scenario, ready),
    )


def _ready_help(scenario: Scenario, ready: ReadyRelation) -> str:
    if ready.relation is None:
        return missing_words(ready.missing or Missing.TIME_STEP)
    return f"Protects {protected_unit(ready.relation, scenario.units)}."


def _first_date_box(state: State) -> None:
    first, last = FIRST_DATES
    text_box(
        SETTINGS["first_date"].title,
        shows=state.view.first_date,
        key="first_date",
        kind="date",
        limits=(first.isoformat(), last.isoformat()),
        typed=lambda day: change_view(lambda: {"first_date": day}) if day else None,
        explains="Only the drawing and its dates depend on it.",
    )
