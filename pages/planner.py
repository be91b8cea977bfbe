"""Which settings meet a privacy goal?"""

import streamlit as st

from dpviz.export import curves_csv
from dpviz.planning import curves_of
from dpviz.scenario import Scenario
from dpviz.ui import frame, planner_answer
from dpviz.ui.page import require_router
from dpviz.ui.planner_controls import chart_control, planner_settings
from dpviz.ui.shared import go_on
from dpviz.ui.state import current

require_router()
state = current()


@st.fragment
def explore() -> None:
    """Draw the settings and the answer to them."""
    with frame.answer_beside_settings(state, lambda: planner_settings(state)) as below:
        chart_control(state)
        planned = planner_answer.known_plan(state)
        filled, curves = planner_answer.draw_plan(planned)
        with below:
            if curves is None:
                go_on(planner_answer.draw_instead(state, planned))
            else:
                costs = planner_answer.draw_cost(planned)
                ways = planner_answer.draw_ways(planned)
                frame.draw_certificate(curves)
                frame.draw_code([(planner_answer.PLAN, curves.scenario)])
                for part in (filled, costs, ways):
                    go_on(part)


def csv() -> str:
    """Return the numbers of the plan's curve."""
    planned = planner_answer.known_plan(state)
    if planned.found is None:
        assert planned.problem is not None  # one of the two is there
        raise planned.problem
    return curves_csv([(planner_answer.PLAN, curves_of(planned.found.scenario))])


def saved() -> Scenario:
    """Return the plan or, where there is none, what is set."""
    planned = planner_answer.known_plan(state)
    return state.scenario if planned.found is None else planned.found.scenario


frame.page_head(state, "Which settings meet my goal?", csv, "dpviz-plan.csv", saved)
explore()
frame.draw_theory()
