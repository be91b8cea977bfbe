"""How private is this training run?"""

from collections.abc import Iterator

import streamlit as st

import dpviz.ui.first_import  # noqa: F401  before all others
from dpviz.ui import controls, curve_answer, data_controls, frame
from dpviz.ui.address import current
from dpviz.ui.filling import go_on
from dpviz.ui.page import folded, require_router
from dpviz.ui.pins import draw_pins
from dpviz.ui.shown_code import draw_code
from dpviz.ui.take_away import draw_take_away
from dpviz.wording.tables import bounds_table, deltas_table

require_router()
state = current()


def draw_settings() -> None:
    """Draw the controls of everything that decides the answer."""
    controls.preset_control(state)
    controls.rate_controls(state)
    controls.noise_control(state)
    controls.training_control(state)
    controls.sampling_controls(state)
    data_controls.folded_controls(state)


def draw_answer() -> Iterator[None]:
    """Draw the answer, then what it rests on."""
    curve_answer.chart_control(state)
    runs, filled = curve_answer.known_runs(state)
    curves = runs[0][1]
    if state.view.chart == "curve":
        curve_answer.draw_curves(state, runs, filled)
    else:
        filled = curve_answer.draw_training(state, curves)
    yield
    pins_filled = draw_pins(state, dict(runs))
    frame.draw_certificate(curves, "now" if len(runs) > 1 else "")
    with folded("All bounds, and δ at other values of ε", key="open_deltas") as is_open:
        if is_open:
            st.markdown(bounds_table(runs))
            st.markdown(deltas_table(runs))
    draw_take_away(state.scenario)
    draw_code(curve_answer.scenarios_shown(state))
    go_on(filled)
    go_on(pins_filled)


frame.page_head(
    state,
    "How private is this training run?",
    lambda: curve_answer.csv(state),
    "dpviz-privacy-curve.csv",
)
frame.explore(state, draw_settings, draw_answer, shows_pins=lambda: True)
frame.draw_theory()
