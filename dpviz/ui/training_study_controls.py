"""Which question of the study is shown, on which series, with which model."""

import streamlit as st

from dpviz.scenario.training_study_view import STUDY_DATA, STUDY_MODELS, STUDY_QUESTIONS
from dpviz.training_study.questions import QUESTIONS
from dpviz.ui.choice import menu, view_choice
from dpviz.ui.state import State, change_view
from dpviz.wording.hover_help import field_help
from dpviz.wording.labels import LABELS
from dpviz.wording.training_study import DATA_NAMES, MODEL_NAMES

_QUESTION = "study_question"


def study_controls(state: State) -> None:
    """Choose the question, the series and the model."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        menu(
            LABELS[_QUESTION],
            value=state.view.study_question,
            options=STUDY_QUESTIONS,
            name=lambda name: QUESTIONS[name].title,
            chosen=lambda name: change_view(lambda: {_QUESTION: name}),
            key=_QUESTION,
            explains=field_help(_QUESTION),
        )
        for field, options, names in (
            ("study_data", STUDY_DATA, DATA_NAMES),
            ("study_model", STUDY_MODELS, MODEL_NAMES),
        ):
            view_choice(
                field,
                LABELS[field],
                getattr(state.view, field),
                options,
                names.__getitem__,
                key=field,
            )
