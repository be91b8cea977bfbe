"""What do the figures of the main paper show, and how much of it is proven?"""

import streamlit as st

import dpviz.ui.first_import  # noqa: F401  before all others
from dpviz.ui import frame
from dpviz.ui.address import current
from dpviz.ui.filling import go_on
from dpviz.ui.page import require_router
from dpviz.ui.paper_figure_answer import (
    draw_panel,
    draw_parameters,
    draw_reading,
    draw_runs,
    panel_csv,
)
from dpviz.ui.paper_figure_controls import figure_controls, shown_panel
from dpviz.ui.texts import text
from dpviz.ui.turns import in_turn

require_router()
state = current()


@in_turn
def explore() -> None:
    """Draw the choice of a panel, the panel, and what it rests on."""
    with frame.answer_below_choices(state, lambda: figure_controls(state)) as below:
        panel = shown_panel(state)
        filled = draw_panel(panel)
        with below:
            draw_parameters(panel)
            draw_reading()
            draw_runs(panel)
        go_on(filled)


frame.page_head(
    state,
    "The paper's figures",
    lambda: panel_csv(shown_panel(state)),
    "dpviz-paper-figure.csv",
    lambda: shown_panel(state).opened,
)
st.caption(text("paper_figures_introduction"))
explore()
frame.draw_theory()
