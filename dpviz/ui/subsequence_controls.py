"""What the comparison of windows per series is about: which scheme, how long, which chart."""

import streamlit as st

from dpviz.planning.over_steps import after_steps, steps_to_show
from dpviz.planning.subsequences import possible_subsequences, with_subsequences
from dpviz.scenario import Scenario
from dpviz.ui import controls
from dpviz.ui.choice import view_choice
from dpviz.ui.number_control import view_number_control
from dpviz.ui.state import State
from dpviz.wording.numbers import counted

_STEPS = (1, 100, 1000, 0)
_CHART_NAMES = {"curve": "δ against ε", "training": "δ over training steps"}


def compared_runs(state: State) -> list[Scenario]:
    """Return the run with each number of windows that the batch size allows, one window first.

    Raises:
        ScenarioError: there are no windows per series in this scheme.
    """
    base = state.scenario
    if state.view.compared_steps:
        base = after_steps(base, state.view.compared_steps)
    # One window is refused where no number is possible, which says why.
    return [with_subsequences(base, windows) for windows in possible_subsequences(base) or (1,)]


def compared_steps(state: State) -> tuple[int, ...]:
    """Return the training steps at which delta is drawn."""
    return steps_to_show(state.view.compared_steps or state.scenario.num_steps)


def subsequence_settings(state: State) -> None:
    """Draw the choices of how series and windows are drawn, but not how many windows."""
    controls.top_level_control(state, of_several_windows=True)
    controls.bottom_level_control(state)


def chart_controls(state: State) -> None:
    """Draw the choice of the chart, and after how many steps it compares."""
    # After one step there is no course of training to draw.
    choices = [count for count in _STEPS if count != 1 or state.view.chart == "curve"]

    def name(count: int) -> str:
        if count:
            return counted(count, "step")
        return f"the run: {counted(state.scenario.num_steps, 'step')}"

    now = state.view.compared_steps
    counts = sorted({*choices, now}, key=lambda count: count or float("inf"))
    with st.container(horizontal=True):
        names = _CHART_NAMES.__getitem__
        view_choice(state, "chart", name=names, key="subsequences_view")
        view_choice(state, "compared_steps", label="After", value=now, options=counts, name=name)
    if state.view.chart == "training":
        view_number_control(state, "fixed_epsilon")
