"""How is a batch drawn, and how often does it hold a sensitive value?"""

from collections.abc import Iterator

import streamlit as st

import dpviz.ui.first_import  # noqa: F401  before all others
from dpviz.export.batch_csv import batch_csv
from dpviz.ui import batch_answer, frame
from dpviz.ui.address import current
from dpviz.ui.batch_controls import batch_settings, steps_bar
from dpviz.ui.filling import go_on
from dpviz.ui.page import require_router
from dpviz.ui.shown_batch import Shown
from dpviz.wording.batch_hits import batch_headline

require_router()
state = current()


def draw_answer() -> Iterator[None]:
    """Draw the answer, then what it rests on."""
    outputs = batch_answer.known_outputs(state.scenario)
    if state.scenario.shape is None:
        with st.container(key="answer"):
            st.markdown(batch_headline(state.scenario, outputs))
        batch_answer.draw_outputs(state.scenario, outputs)
        return
    shown = Shown.of(state)
    steps_bar(state, shown)
    filled = batch_answer.draw_batch(shown, outputs)
    yield
    batch_answer.draw_outputs(state.scenario, outputs)
    batch_answer.draw_partition(shown)
    batch_answer.draw_take_away(shown)
    go_on(filled)


def csv() -> str:
    """Return the windows of the shown batch."""
    shown = Shown.of(state)
    return batch_csv(shown.scenario, shown.seed, shown.number)


frame.page_head(state, "How is a batch drawn?", csv, "dpviz-batch.csv")
frame.explore(state, lambda: batch_settings(state), draw_answer)
frame.draw_theory()
