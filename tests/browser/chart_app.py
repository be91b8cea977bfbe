"""A page with one slider and one chart, whose script a test may change."""

import streamlit as st

from dpviz.figures.parts import STYLES, axis, figure, line
from dpviz.ui.acts import answering_acts
from dpviz.ui.answer_headers import MIDDLEWARE
from dpviz.ui.chart import draw_chart
from dpviz.ui.number_control import draw_number
from dpviz.ui.streamlit_internals import is_run_of_a_page

app = st.App(__file__, middleware=MIDDLEWARE)


def keep(number):
    st.session_state.noise_shown = number()


def main():
    """Draw the page."""
    noise = st.session_state.setdefault("noise_shown", 10)
    draw_number(
        "noise", "Noise", noise, (1, 50), keep, grid=range(1, 51), ends=("private", "accurate")
    )
    curve = line("curve", "", [0, 8], [1, 1 / noise], STYLES[0], 2)
    chart = figure([curve], "A curve", "curve", axis("ε"), axis("δ"))
    draw_chart(chart, key="curve", alt=f"δ against ε with noise {noise}")


if is_run_of_a_page():
    with answering_acts("page"):
        main()
