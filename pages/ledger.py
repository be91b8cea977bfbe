"""What do several training runs on the same data give away together?"""

import streamlit as st

import dpviz.ui.first_import  # noqa: F401  before all others
from dpviz.ui import frame
from dpviz.ui.address import current
from dpviz.ui.filling import go_on
from dpviz.ui.ledger_answer import draw_ledger, draw_rests_on, draw_room, ledger_table_csv
from dpviz.ui.ledger_controls import ledger_settings
from dpviz.ui.page import require_router
from dpviz.ui.texts import text
from dpviz.ui.turns import in_turn

require_router()
state = current()


@in_turn
def explore() -> None:
    """Draw the ledger beside the settings of its next run."""
    with frame.answer_beside_settings(state, lambda: ledger_settings(state)) as below:
        draw_ledger(state)
        filled = draw_room(state)
        with below:
            draw_rests_on(state)
        go_on(filled)


# Its runs are saved below them: the settings of the next one alone are not what the page is about.
frame.page_head(
    state,
    "Budget ledger",
    lambda: ledger_table_csv(state),
    "dpviz-ledger.csv",
    of_scenario=False,
)
st.caption(text("ledger_introduction"))
explore()
