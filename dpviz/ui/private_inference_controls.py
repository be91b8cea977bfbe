"""The controls of the page that hides contexts: who is hidden, how, and what is forecast."""

import streamlit as st

from dpviz.ui.act_button import act_button
from dpviz.ui.choice import view_choice
from dpviz.ui.drawn_settings import next_seed
from dpviz.ui.number_control import view_number_control
from dpviz.ui.page import folded
from dpviz.ui.state import State, change_view
from dpviz.ui.ways_back import draw_ways_back
from dpviz.wording.hover_help import field_help


def hiding_settings(state: State) -> None:
    """Draw the controls of the mechanism and of the example."""
    view = state.view
    draw_ways_back(state)
    view_choice(state, "hidden_given")
    is_budget = view.hidden_given == "budget"
    view_number_control(state, "hidden_epsilon" if is_budget else "hidden_noise")
    for field in ("hidden_rate", "hidden_change", "hidden_width"):
        view_number_control(state, field)
    view_choice(state, "hidden_level")
    for field in ("hidden_context", "hidden_forecasts", "hidden_stride", "hidden_delta"):
        view_number_control(state, field)
    with folded("The example: model, series, draw", key="open_hidden_example") as is_open:
        if is_open:
            view_choice(state, "hidden_model")
            view_number_control(state, "hidden_series")
    act_button(
        f"Draw anew (seed {view.hidden_seed:,})",
        lambda: change_view(lambda: {"hidden_seed": next_seed(state.view.hidden_seed)}),
        key="hide_anew",
        icon="casino",
        explains=field_help("hidden_seed"),
    )


def study_controls(state: State) -> None:
    """Draw the choices of the table that was computed before."""
    data, context, width = st.columns(3, gap="large")
    with data:
        view_choice(state, "hidden_study")
    with context:
        view_choice(state, "hidden_study_context")
    with width:
        view_choice(state, "hidden_study_width")


def paper_table_control(state: State) -> None:
    """Draw the choice of the paper's table."""
    view_choice(state, "hidden_table")
