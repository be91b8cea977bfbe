"""Which settings meet a privacy goal?"""

from collections.abc import Iterator

import dpviz.ui.first_import  # noqa: F401  before all others
from dpviz.export.region_csv import region_csv
from dpviz.planning.plan import Planned
from dpviz.scenario import Scenario
from dpviz.ui import comparison, frame, planner_answer, region_answer
from dpviz.ui.address import current
from dpviz.ui.filling import Filled, go_on, together
from dpviz.ui.page import require_router
from dpviz.ui.planner_controls import chart_control, planner_settings
from dpviz.ui.shown_code import draw_code
from dpviz.ui.take_away import draw_take_away

require_router()
state = current()


def plan_or_set(planned: Planned) -> Scenario:
    """Return the plan or, where there is none, what is set."""
    return state.scenario if planned.found is None else planned.found.scenario


def draw_plan(planned: Planned) -> Filled:
    """Draw the plan, the map around it, or the runs to compare it with."""
    if state.view.plan_chart == "map":
        return region_answer.draw_region(state, plan_or_set(planned), planned.goal)
    if state.view.plan_chart == "compare":
        return comparison.draw_comparison(state, plan_or_set(planned))
    drawn = planner_answer.draw_plan(state, planned)
    if planned.found is None:  # in the chart's place: further down nobody would look for it
        return planner_answer.draw_instead(state, planned)
    return together(drawn, planner_answer.draw_cost(planned))


def draw_what_follows(planned: Planned) -> list[Filled]:
    """Draw what the plan gives, or what would meet the goal instead."""
    if planned.found is None:
        if state.view.plan_chart == "curve":
            return []
        return [planner_answer.draw_instead(state, planned)]
    curves = planner_answer.known_plan_curves(planned)
    filled = [planner_answer.draw_ways(planned)]
    if state.view.plan_chart != "curve":  # whose own chart leaves room beside the settings
        filled.insert(0, planner_answer.draw_cost(planned))
    frame.draw_certificate(curves)
    budget = state.view.target_epsilon if state.view.goal == "epsilon" else None
    draw_take_away(curves.scenario, target_epsilon=budget)
    draw_code([(planner_answer.PLAN, curves.scenario)])
    return filled


def draw_answer() -> Iterator[None]:
    """Draw the plan, then what it gives."""
    planned = planner_answer.known_plan(state)
    filled = draw_plan(planned)
    yield
    for part in (filled, *draw_what_follows(planned)):
        go_on(part)


def csv() -> str:
    """Return the numbers of what is shown."""
    planned = planner_answer.known_plan(state)
    if state.view.plan_chart == "map":
        shown = region_answer.region_so_far(state, plan_or_set(planned), planned.goal)
        return region_csv(shown)
    if state.view.plan_chart == "compare":
        return comparison.csv(state, plan_or_set(planned))
    return planner_answer.csv(planned)


def saved() -> Scenario:
    """Return what is saved: the plan or, where there is none, what is set."""
    found = planner_answer.found_run(state)
    return state.scenario if found is None else found


frame.page_head(state, "Which settings meet my goal?", csv, "dpviz-plan.csv", saved)
frame.explore(
    state,
    lambda: planner_settings(state),
    draw_answer,
    draw_choices=lambda: chart_control(state),
    pinned_run=lambda: planner_answer.found_run(state),
    meanwhile="Searching for what just meets this goal …",
    shows_pins=lambda: state.view.plan_chart == "compare",
)
frame.draw_theory()
