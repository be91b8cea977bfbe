"""What does protecting the data itself do to forecasts, and what does it prove?"""

import streamlit as st

import dpviz.ui.first_import  # noqa: F401  before all others
from dpviz.ui import frame, protected_forecasts_answer
from dpviz.ui.address import current
from dpviz.ui.filling import go_on
from dpviz.ui.page import require_router
from dpviz.ui.protected_forecasts_controls import protection_controls
from dpviz.ui.texts import text
from dpviz.ui.turns import in_turn

require_router()
state = current()


@in_turn
def explore() -> None:
    """Draw the settings and the answer to them."""
    with frame.answer_below_choices(state, lambda: protection_controls(state)) as below:
        filled = protected_forecasts_answer.draw_answer(state)
        with below:
            protected_forecasts_answer.draw_reasons(state)
            protected_forecasts_answer.draw_shipped(state)
            protected_forecasts_answer.draw_code(state)
        go_on(filled)


frame.page_head(
    state,
    "Protect the data itself",
    lambda: protected_forecasts_answer.answer_csv(state),
    "dpviz-protected-forecasts.csv",
    of_scenario=False,
)
st.caption(text("protected_forecasts_introduction"))
explore()
