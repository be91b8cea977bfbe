"""What do several training runs on the same data give away together?"""

from collections.abc import Iterator

import streamlit as st

import dpviz.ui.first_import  # noqa: F401  before all others
from dpviz.ui import frame
from dpviz.ui.address import current
from dpviz.ui.filling import go_on
from dpviz.ui.ledger_answer import draw_ledger, draw_rests_on, draw_room, ledger_table_csv
from dpviz.ui.ledger_controls import ledger_settings
from dpviz.ui.page import require_router
from dpviz.ui.texts import text

require_router()
state = current()


def draw_answer() -> Iterator[None]:
    """Draw the answer, then what it rests on."""
    draw_ledger(state)
    filled = draw_room(state)
    yield
    draw_rests_on(state)
    go_on(filled)


# Its runs are saved below them: the settings of the next one alone are not what the page is about.
frame.page_head(
    state,
    "Budget ledger",
    lambda: ledger_table_csv(state),
    "dpviz-ledger.csv",
    of_scenario=False,
)
st.caption(text("ledger_introduction"))
frame.explore(state, lambda: ledger_settings(state), draw_answer)
