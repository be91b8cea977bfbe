"""What stands over the settings of every page: ways back, and the pin."""

import streamlit as st

from dpviz.scenario import Scenario
from dpviz.ui.pins import pin_button
from dpviz.ui.state import State, change, change_pins, undo
from dpviz.wording.numbers import counted


def draw_ways_back(state: State, pinned_run: Scenario | None, *, shows_pins: bool) -> None:
    """Draw the buttons that take changes back and keep settings.

    Args:
        state: the visitor's.
        pinned_run: what can be pinned, where that is not the visitor's own scenario.
        shows_pins: whether the page draws what is pinned, with a way to remove it.
    """
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Undo",
            key="undo",
            icon=":material/undo:",
            disabled=not state.past,
            on_click=undo,
            help="Takes the last change of a setting back.",
        )
        st.button(
            "Reset all",
            key="reset_all",
            icon=":material/restart_alt:",
            disabled=state.scenario == state.origin,
            on_click=change,
            args=(lambda _: state.origin,),
            help="Back to the preset, link or file that these settings began as.",
        )
        pin_button(state, pinned_run)
        if state.pins and not shows_pins:
            st.button(
                f"Remove {counted(len(state.pins), 'pin')}",
                key="remove_pins",
                type="tertiary",
                on_click=change_pins,
                args=(lambda _: (),),
                help="Pinned settings travel in the link. They are compared on the pages Privacy "
                "curve and Plan your training.",
            )
