"""How private are episodes whose records are drawn in stages?"""

import streamlit as st

import dpviz.ui.first_import  # noqa: F401  before all others
from dpviz.ui import frame
from dpviz.ui.address import current
from dpviz.ui.filling import go_on
from dpviz.ui.page import require_router
from dpviz.ui.staged_answer import draw_lines, draw_rests_on, draw_truth, staged_table
from dpviz.ui.staged_controls import staged_settings
from dpviz.ui.texts import text
from dpviz.ui.turns import in_turn

require_router()
state = current()


@in_turn
def explore() -> None:
    """Draw the settings, the answer to them, and what it rests on."""
    with frame.answer_below_choices(state, lambda: None) as below:
        answer, settings = st.columns([1.8, 1], gap="large")
        with settings, st.container(key="settings"):
            staged_settings(state)
        with answer:
            lines, filled = draw_lines(state)
        with below:
            draw_truth(state)
            draw_rests_on(state, lines)
        go_on(filled)


frame.page_head(
    state,
    "Sampling in stages",
    lambda: staged_table(state),
    "dpviz-sampling-in-stages.csv",
    of_scenario=False,
)
st.caption(text("staged_introduction"))
explore()
