"""What a plan has to meet, what it leaves open, and all else that decides it."""

import streamlit as st

from dpviz.ui import controls, data_controls
from dpviz.ui.change_controls import max_change_box, value_unit_box
from dpviz.ui.choice import view_choice
from dpviz.ui.number_control import view_number_control
from dpviz.ui.page import folded
from dpviz.ui.state import State
from dpviz.ui.upload import upload_control


def chart_control(state: State) -> None:
    """Choose what the plan is shown by."""
    view_choice(state, "plan_chart", shows_label=False)


def planner_settings(state: State) -> None:
    """Draw the settings in the order in which a plan is made."""
    st.markdown("**1 · Your data, and who is protected**")
    controls.preset_control(state)
    with folded("Data, windows and batch size, or a file", key="open_data") as is_open:
        if is_open:
            upload_control(state)
            data_controls.data_controls(state)
    with folded("Who is protected", key="open_relation") as is_open:
        if is_open:
            data_controls.relation_controls(state)
    st.markdown("**2 · What has to hold**")
    goal_controls(state)
    st.markdown("**3 · What is left open**")
    free = state.view.free_quantity
    view_choice(state, "free_quantity", shows_label=False)
    st.markdown("**4 · All else**")
    with st.container():  # always there, so that what is drawn below stays the same
        if free != "noise_multiplier":
            controls.noise_control(state)
        if free != "training":
            controls.training_control(state)
        else:
            controls.training_unit_control(state)
    controls.folded_sampling(state)
    with folded("Rates, set directly", key="open_rates") as is_open:
        if is_open:
            controls.rate_controls(state)
    with folded("Noise on context and labels", key="open_augmentation") as is_open:
        if is_open:
            data_controls.augmentation_controls(state)
            max_change_box(state)
            value_unit_box(state)
            data_controls.channels_box(state)


def goal_controls(state: State) -> None:
    """Choose what has to hold, and how much of it."""
    view_choice(state, "goal", shows_label=False)
    with st.container():  # always there, as above
        if state.view.goal == "success":
            view_number_control(state, "target_success")
        elif state.view.goal == "hits":
            view_number_control(state, "target_true_positive_rate")
            view_number_control(state, "target_false_positive_rate")
        else:
            view_number_control(state, "target_epsilon")
        controls.delta_control(state)
