"""A page of nothing but the comparison."""

import streamlit as st

from dpviz.ui.acts import answering_acts
from dpviz.ui.address import current, show_link
from dpviz.ui.answer_headers import MIDDLEWARE
from dpviz.ui.filling import begin_run, go_on
from dpviz.ui.page import open_page, show_messages
from dpviz.ui.questions.comparison import draw_comparison
from dpviz.ui.streamlit_internals import is_run_of_a_page

app = st.App(__file__, middleware=MIDDLEWARE)

if is_run_of_a_page():
    open_page("comparison")
    state = current()
    begin_run()
    show_link(state)
    show_messages(state)
    with answering_acts("page"):
        draw_comparison(state, state.scenario)
    go_on()
