"""What does it take to hide what a forecast reads?"""

import streamlit as st

import dpviz.ui.first_import  # noqa: F401  before all others
from dpviz.ui import frame
from dpviz.ui import private_inference_answer as answer
from dpviz.ui.address import current
from dpviz.ui.filling import go_on, together
from dpviz.ui.page import require_router
from dpviz.ui.private_inference_controls import hiding_settings
from dpviz.ui.texts import text
from dpviz.ui.turns import in_turn

require_router()
state = current()


@in_turn
def explore() -> None:
    """Draw the settings, one hidden context, and what was computed before."""
    with frame.answer_below_choices(state, lambda: None) as below:
        left, settings = st.columns([1.8, 1], gap="large")
        with settings, st.container(key="settings"):
            hiding_settings(state)
        with left:
            shown = answer.shown_hiding(state.view)
            example = answer.draw_example(state, shown)
        with below:
            noise = answer.draw_noise(shown)
            answer.draw_study(state)
            answer.draw_rests_on(state, shown)
        go_on(together(example, noise))


frame.page_head(
    state, "Hide the context", lambda: answer.answer_csv(state), answer.FILE, of_scenario=False
)
st.caption(text("private_inference_introduction"))
explore()
