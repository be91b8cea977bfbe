"""How well did privately trained models forecast, and what privacy had they by our accounting?"""

import streamlit as st

import dpviz.ui.first_import  # noqa: F401  before all others
from dpviz.ui import frame
from dpviz.ui.address import current
from dpviz.ui.filling import go_on
from dpviz.ui.page import require_router
from dpviz.ui.paper_tables_answer import draw_table, draw_what_it_rests_on, shown_csv
from dpviz.ui.paper_tables_controls import opened_scenario, table_controls
from dpviz.ui.texts import text
from dpviz.ui.turns import in_turn

require_router()
state = current()


@in_turn
def explore() -> None:
    """Draw the choice of a table, the table, and what our accounting says of it."""
    with frame.answer_below_choices(state, lambda: table_controls(state)) as below:
        filled = draw_table(state)
        with below:
            draw_what_it_rests_on(state)
        go_on(filled)


frame.page_head(
    state,
    "What training reported",
    lambda: shown_csv(state),
    "dpviz-reported-table.csv",
    lambda: opened_scenario(state),
)
st.caption(text("paper_tables_introduction"))
explore()
