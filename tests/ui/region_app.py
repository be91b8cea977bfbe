"""A page with nothing but the map of settings that meet a goal."""

from collections.abc import Iterator

import streamlit as st

from dpviz.planning.plan import goal_of
from dpviz.ui import frame
from dpviz.ui.acts import answering_acts
from dpviz.ui.address import current
from dpviz.ui.filling import go_on
from dpviz.ui.page import mark_as_routed
from dpviz.ui.region_answer import draw_region

mark_as_routed("Plan your training", "planner")
state = current()


def draw_answer() -> Iterator[None]:
    """Draw the map."""
    filled = draw_region(state, state.scenario, goal_of(state.view, state.scenario.delta))
    yield
    go_on(filled)


with answering_acts("page"):
    frame.explore(state, lambda: st.write("No settings"), draw_answer)
