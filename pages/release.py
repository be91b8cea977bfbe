"""How is one series of counts released privately, and at which cost?"""

import streamlit as st

import dpviz.ui.first_import  # noqa: F401  before all others
from dpviz.ui import frame
from dpviz.ui.address import current
from dpviz.ui.filling import go_on
from dpviz.ui.page import require_router
from dpviz.ui.release_answer import (
    draw_comparison,
    draw_release,
    draw_rests_on,
    known_rows,
    released_csv,
    shown_release,
)
from dpviz.ui.release_controls import release_settings
from dpviz.ui.texts import text
from dpviz.ui.turns import in_turn

require_router()
state = current()


@in_turn
def explore() -> None:
    """Draw the settings, a release, and every mechanism beside it."""
    with frame.answer_below_choices(state, lambda: None) as below:
        answer, settings = st.columns([1.8, 1], gap="large")
        with settings, st.container(key="settings"):
            release_settings(state)
        with answer:
            shown = shown_release(state)
            if shown is None:
                with st.container(key="no_file"):
                    st.info(text("release_no_file"), icon=":material/upload_file:")
                return
            rows, filled = known_rows(shown, state.view)
            draw_release(state, shown, rows, filled)
        with below:
            draw_comparison(shown, rows)
            draw_rests_on(state, shown)
        go_on(filled)


frame.page_head(
    state, "Release one series", lambda: released_csv(state), "dpviz-release.csv", of_scenario=False
)
st.caption(text("release_introduction"))
explore()
