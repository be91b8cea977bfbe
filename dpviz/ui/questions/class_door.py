"""How a class is started, found, left and ended."""

from contextlib import suppress

import streamlit as st

from dpviz.classroom.records import ClassError
from dpviz.export.class_tables import class_table
from dpviz.scenario.missing_package import MissingPackageError
from dpviz.settings.dashboard import classes_file
from dpviz.settings.lessons import CODE_LENGTH, LESSONS
from dpviz.ui.classes import (
    join_class,
    lead,
    leads,
    leave_class,
    led,
    standing_in,
    start_class,
    tally_of,
)
from dpviz.ui.drawing import show_drawing
from dpviz.ui.sharing import qr_drawing, shared_link, warn_of_own_machine
from dpviz.ui.state import State, session_state
from dpviz.ui.widgets import act_button, text_box
from dpviz.wording import classroom as words

_EVERY_SECONDS = 5.0
_CODE_STYLE = """<style>
.st-key-class_code_shown p {
  font-size: min(12vw, 6.5rem); font-weight: 700; line-height: 1.1; letter-spacing: 0.1em;
  white-space: nowrap;
}
</style>"""


def draw_class(state: State) -> bool:
    """Draw the class that the visitor is in, or the box for a code; return whether they lead it."""
    standing = standing_in(state, LESSONS[0])
    if leads(standing):
        _draw_led(state)
        return True
    with st.container(horizontal=True, vertical_alignment="center", key="class_door"):
        if standing is None:
            text_box(
                "Code of your class",
                shows="",
                key="class_code_typed",
                typed=lambda typed: join_class(state, typed),
                placeholder=f"{CODE_LENGTH} letters",
                explains="Your teacher shows it. You join without a name.",
            )
            return False
        if isinstance(standing, ClassError):
            st.markdown(words.refusal(standing, state.view.class_code))
        else:
            st.markdown(words.in_class(state.view.class_code))
        act_button("Leave the class", leave_class, key="leave_class", quiet=True)
    return False


def draw_start(state: State) -> None:
    """Draw the button that starts a class, or why there is none."""
    if state.view.class_code:
        return
    if classes_file() is None:
        st.caption(words.OFF)
        return
    act_button(
        "Start a class",
        lambda: start_class(state),
        key="start_class",
        icon="groups",
        explains=words.STARTS,
    )


def _draw_led(state: State) -> None:
    code, url = state.view.class_code, st.context.url
    st.html(_CODE_STYLE)
    shown, drawn = st.columns([3, 2], vertical_alignment="center")
    with shown:
        st.markdown(words.HOW_TO_JOIN)
        with st.container(key="class_code_shown"):
            st.markdown(code)
        _draw_count()
        if not state.view.present:
            _draw_ways(state, code)
    if url is not None:
        with drawn:
            with suppress(MissingPackageError, ValueError):  # the code is there to be typed
                show_drawing(qr_drawing(shared_link(state, url)), key="class_qr")
            st.markdown(f"`{url}`")
    if url is not None:
        warn_of_own_machine(url)


@st.fragment(run_every=_EVERY_SECONDS)
def _draw_count() -> None:
    state = session_state()
    try:
        tally = tally_of(state, LESSONS[0])
    except ClassError as problem:
        st.caption(words.refusal(problem, state.view.class_code))
        return
    st.caption(words.participants_sentence(tally.participants))


def _draw_ways(state: State, code: str) -> None:
    def table() -> str:
        tallies = {name: tally_of(state, name) for name in LESSONS}
        scores = led(state, lambda classes, code, key: classes.scores(code, key))
        return class_table(code, tallies, scores).csv()

    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            "Download votes",
            table,
            f"dpviz-class-{code}.csv",
            "text/csv",
            key="download_class",
            icon=":material/download:",
            on_click="ignore",
        )

        def end() -> None:
            lead(state, lambda classes, code, key: classes.end(code, key))
            leave_class()

        with st.expander("End the class"):
            st.markdown(words.ENDS)
            act_button("End it and delete its votes", end, key="end_class", means=code)
