"""How many subsequences per series?"""

from collections.abc import Iterator

import streamlit as st

import dpviz.ui.first_import  # noqa: F401  before all others
from dpviz.export import curves_csv, steps_csv
from dpviz.ui import controls, data_controls, frame
from dpviz.ui.address import current
from dpviz.ui.compute import exact_curves, steps_parts
from dpviz.ui.filling import go_on, result_of
from dpviz.ui.page import require_router
from dpviz.ui.shown_code import draw_code
from dpviz.ui.subsequence_answer import draw_curves, draw_steps, draw_why
from dpviz.ui.subsequence_controls import (
    chart_controls,
    compared_runs,
    compared_steps,
    subsequence_settings,
)
from dpviz.wording.subsequence_headlines import run_notes
from dpviz.wording.subsequences import scenario_label

require_router()
state = current()
QUESTION = "How many windows per series?"


def draw_settings() -> None:
    """Draw the controls of everything that decides the answer."""
    controls.preset_control(state)
    subsequence_settings(state)
    controls.rate_controls(state)
    controls.noise_control(state)
    controls.training_control(state)
    data_controls.folded_controls(state)


def draw_answer() -> Iterator[None]:
    """Draw the answer, then what it rests on."""
    chart_controls(state)
    runs = compared_runs(state)
    filled = draw_curves(runs) if state.view.chart == "curve" else draw_steps(state, runs)
    yield
    draw_why(runs)
    for note in run_notes(runs):
        st.caption(note)
    draw_code([(scenario_label(run), run) for run in runs])
    go_on(filled)


def csv() -> str:
    """Return the numbers of the chart."""
    runs = compared_runs(state)
    if state.view.chart == "curve":
        return curves_csv([(scenario_label(run), exact_curves(run)) for run in runs])
    steps = compared_steps(state)
    return steps_csv(list(map(result_of, steps_parts(runs, state.view.fixed_epsilon, steps))))


frame.page_head(state, QUESTION, csv, "dpviz-subsequences.csv")
frame.explore(state, draw_settings, draw_answer)
frame.draw_theory()
