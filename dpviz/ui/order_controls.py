"""After how much training the two ways of choosing series are compared."""

import streamlit as st

from dpviz.planning.top_levels import DRAWN, WALKED, after, under_top_level
from dpviz.scenario import Scenario
from dpviz.scenario.view import LENGTHS
from dpviz.ui.state import State, change_view, show_in_widget
from dpviz.wording.scope import run_length

LENGTH_NAMES = {
    "step": "1 step",
    "epoch": "1 epoch",
    "ten-epochs": "10 epochs",
    "run": "the whole run",
}


def both_ways(state: State, length: str) -> list[Scenario]:
    """Return the run of this length with series drawn at random, and walked through."""
    base = after(state.scenario, length)
    return [under_top_level(base, way) for way in (DRAWN, WALKED)]


def length_control(state: State) -> None:
    """Choose after how much training the two are compared."""
    key = "compared_length"
    show_in_widget(key, state.view.compared_length)

    def name(length: str) -> str:
        return run_length(state.scenario) if length == "run" else LENGTH_NAMES[length]

    st.segmented_control(
        "Compare after",
        LENGTHS,
        key=key,
        required=True,
        format_func=name,
        on_change=change_view,
        args=(lambda: {"compared_length": st.session_state[key]},),
    )
