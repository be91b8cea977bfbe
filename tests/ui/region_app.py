"""A page with nothing but the map of settings that meet a goal."""

import streamlit as st

from dpviz.export.table import without_cells
from dpviz.planning.target import goal_of
from dpviz.ui.acts import answering_acts
from dpviz.ui.frame import ask
from dpviz.ui.page import open_page
from dpviz.ui.question import Answer, Question
from dpviz.ui.questions.region import draw_region
from dpviz.ui.state import State

open_page("epsilon_meaning")  # which has no tabs: there is no other page to lead to


def answer(state: State) -> Answer:
    goal = goal_of(state.view, state.scenario.delta)
    draw_region(state, state.scenario, goal, headline="The map")
    yield


with answering_acts("page"):
    ask(
        Question(
            settings=(lambda _: st.write("No settings"),),
            answer=answer,
            table=lambda _: without_cells("none"),
            file="map.csv",
        )
    )
