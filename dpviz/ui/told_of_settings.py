"""What stands over the settings of a page: what to mind about them, and a plan not in use."""

import streamlit as st

from dpviz.scenario import Scenario, to_json
from dpviz.ui.act_button import act_button
from dpviz.ui.acts import is_drawn
from dpviz.ui.page import page_address
from dpviz.ui.state import State, change
from dpviz.wording.setting_warnings import setting_warnings

_PLANNER = "planner"


def draw_warnings(scenario: Scenario) -> None:
    """Draw what to mind about settings whose controls are folded away."""
    for one in setting_warnings(scenario):
        if not is_drawn(one.field):
            st.caption(f"⚠️ {one.sentence}")


def draw_unused_plan(state: State) -> None:
    """Say that the plan is not what this page shows, for as long as it is a plan for it."""
    if state.plan is None or page_address() == _PLANNER:
        return
    planned_from, found, said = state.plan
    if planned_from != state.scenario or found == state.scenario:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="unused_plan"):
        st.markdown(said, width="stretch")
        act_button(
            "Use the plan",
            lambda: change(lambda _: found),
            key="use_plan",
            means=to_json(found),
            icon="input",
            explains="All pages then show it. Undo takes it back.",
        )
