"""What a plan has to meet, what it leaves open, and all else that decides it."""

import streamlit as st

from dpviz.scenario.view import (
    EPSILON_RANGE,
    FREE_QUANTITIES,
    GOALS,
    PLAN_CHARTS,
    RATE_RANGE,
    SUCCESS_RANGE,
)
from dpviz.ui import controls, data_controls
from dpviz.ui.change_controls import max_change_box, value_unit_box
from dpviz.ui.choice import view_choice
from dpviz.ui.grids import BUDGETS, FALSE_POSITIVE_RATES, SUCCESSES, TRUE_POSITIVE_RATES
from dpviz.ui.number_control import view_number_control
from dpviz.ui.page import folded
from dpviz.ui.state import State
from dpviz.ui.upload import upload_control

_GOAL_NAMES = {
    "epsilon": "ε at δ",
    "success": "an attacker's success",
    "hits": "hits at few false alarms",
}
_FREE_NAMES = {
    "noise_multiplier": "noise σ",
    "training": "training length",
    "batch_size": "batch size Λ",
    "num_subsequences": "windows per series λ",
    "forecast_noise": "label noise σ_F",
}
_CHART_NAMES = {"curve": "The plan", "map": "Map around it", "compare": "Compare pins"}


def chart_control(state: State) -> None:
    """Choose what the plan is shown by."""
    names = _CHART_NAMES.__getitem__
    view_choice(
        "plan_chart",
        "Show",
        state.view.plan_chart,
        PLAN_CHARTS,
        names,
        key="plan_chart",
        shows_label=False,
    )


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
    view_choice(
        "free_quantity",
        "Left open",
        free,
        FREE_QUANTITIES,
        _FREE_NAMES.__getitem__,
        key="free_quantity",
        shows_label=False,
    )
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
    view_choice(
        "goal",
        "What has to hold",
        state.view.goal,
        GOALS,
        _GOAL_NAMES.__getitem__,
        key="goal",
        shows_label=False,
    )
    with st.container():  # always there, as above
        if state.view.goal == "success":
            view_number_control(
                state,
                "target_success",
                grid=SUCCESSES,
                limits=SUCCESS_RANGE,
                ends=("guessing", "certain"),
            )
        elif state.view.goal == "hits":
            view_number_control(
                state,
                "target_true_positive_rate",
                grid=TRUE_POSITIVE_RATES,
                limits=RATE_RANGE,
                ends=("more private", "less private"),
            )
            view_number_control(
                state,
                "target_false_positive_rate",
                grid=FALSE_POSITIVE_RATES,
                limits=RATE_RANGE,
                ends=("careful attacker", "bold"),
            )
        else:
            view_number_control(
                state,
                "target_epsilon",
                grid=BUDGETS,
                limits=EPSILON_RANGE,
                ends=("more private", "more accurate"),
            )
        controls.delta_control(state)
