"""What does a sweep over many scenarios show?"""

from collections.abc import Iterator

import numpy as np
import streamlit as st

import dpviz.ui.first_import  # noqa: F401  before all others
from dpviz.export.sweep_rows_csv import sweep_rows_csv
from dpviz.ui import frame
from dpviz.ui.address import current
from dpviz.ui.page import require_router
from dpviz.ui.sweep_answer import chosen_scenario, draw_command, draw_results, sweep_controls
from dpviz.ui.sweep_file import shown_results
from dpviz.ui.texts import text

require_router()
state = current()


def draw_answer() -> Iterator[None]:
    """Draw the answer, then what it rests on."""
    draw_results(state)
    yield
    draw_command()


def csv() -> str:
    """Return the rows that are shown."""
    results = shown_results(state)
    limit = state.view.sweep_most_epsilon
    return sweep_rows_csv(results, np.flatnonzero(results.numbers["epsilon_upper"] <= limit))


frame.page_head(state, "Sweep results", csv, "dpviz-sweep-rows.csv", lambda: chosen_scenario(state))
st.caption(text("sweep_introduction"))
frame.explore(state, lambda: sweep_controls(state), draw_answer)
