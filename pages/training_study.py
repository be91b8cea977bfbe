"""What does privacy cost in accuracy? Runs made beforehand, and a criterion fixed before them."""

import streamlit as st

import dpviz.ui.first_import  # noqa: F401  before all others
from dpviz.ui import frame
from dpviz.ui.address import current
from dpviz.ui.page import require_router
from dpviz.ui.texts import text
from dpviz.ui.training_study_answer import draw_making, draw_paper, draw_study, shown_csv
from dpviz.ui.training_study_controls import study_controls
from dpviz.ui.turns import in_turn

require_router()
state = current()


@in_turn
def explore() -> None:
    """Draw the choice of a question, its answer, and what the main paper reports on it."""
    with frame.answer_below_choices(state, lambda: study_controls(state)) as below:
        draw_study(state)
        with below:
            draw_paper(state)
            draw_making()


frame.page_head(
    state,
    "What privacy costs in accuracy",
    lambda: shown_csv(state),
    "dpviz-training-study.csv",
    of_scenario=False,
)
st.caption(text("training_study_introduction"))
explore()
