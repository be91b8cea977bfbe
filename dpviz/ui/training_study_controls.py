"""Which question of the study is shown, on which series, with which model."""

import streamlit as st

from dpviz.training_study.questions import QUESTIONS
from dpviz.ui.choice import view_choice, view_menu
from dpviz.ui.state import State


def study_controls(state: State) -> None:
    """Choose the question, the series and the model."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        view_menu(state, "study_question", name=lambda name: QUESTIONS[name].title)
        view_choice(state, "study_data")
        view_choice(state, "study_model")
