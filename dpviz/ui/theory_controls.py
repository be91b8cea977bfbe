"""The controls of whether the theory holds: what is simulated, how often, and where it is told."""

import streamlit as st

from dpviz.scenario import Rates
from dpviz.ui import controls
from dpviz.ui.act_button import act_button
from dpviz.ui.data_controls import augmentation_controls
from dpviz.ui.drawn_settings import drawn_settings, next_seed, way_back_from_rates
from dpviz.ui.number_control import view_number_control
from dpviz.ui.page import folded
from dpviz.ui.state import State, change_view


def theory_settings(state: State) -> None:
    """Draw the controls."""
    controls.preset_control(state)
    if isinstance(state.scenario.data, Rates):
        way_back_from_rates(state.scenario.data)
    view_number_control(
        state,
        "simulated_units",
        explanation="How many noisy gradients the attacker sees in each run. Of series that are "
        "walked through it is one of each epoch: the step that uses the series.",
    )
    view_number_control(
        state,
        "simulated_runs",
        explanation="How often the attack is tried on both data sets. The band shrinks with the "
        "root of that number.",
    )
    view_number_control(
        state,
        "fixed_epsilon",
        explanation="The ε that the sentence over the chart is about: the nearest tested one.",
    )
    _draw_anew(state)
    drawn_settings(state)
    with folded("Noise on context and labels", key="open_augmentation") as is_open:
        if is_open:
            st.caption("Has to be 0 here: which gradients are the worst with it is not known.")
            augmentation_controls(state)


def _draw_anew(state: State) -> None:
    act_button(
        f"Draw anew (seed {state.view.drawing_seed:,})",
        lambda: change_view(lambda: {"drawing_seed": next_seed(state.view.drawing_seed)}),
        key="simulate_anew",
        icon="casino",
        explains="Simulates other runs. The same seed gives the same runs, on any computer.",
    )
