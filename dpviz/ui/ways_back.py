"""What stands over the settings of every page: ways back, what was taken back, and the pin."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.scenario import Scenario
from dpviz.settings.pages import PAGE_SETTINGS, WITHOUT_SCENARIO
from dpviz.ui.page_style import run_script
from dpviz.ui.pins import pin_button
from dpviz.ui.state import State, change_pins, is_reset, page_address, redo, reset, undo
from dpviz.ui.texts import plain
from dpviz.ui.widgets import act_button
from dpviz.wording.numbers import counted

_OF_SCENARIO = "Back to the preset, link or file that the settings began as."
_OF_BOTH = f"{_OF_SCENARIO} Resets what only this page has, too."
_OF_PAGE = "Resets what only this page has. Other pages keep theirs."


def draw_ways_back(state: State) -> DeltaGenerator:
    """Draw the buttons that take changes of settings back; return their row."""
    page = page_address()
    of_scenario = page not in WITHOUT_SCENARIO
    own = _OF_BOTH if PAGE_SETTINGS.get(page) else _OF_SCENARIO
    row = st.container(horizontal=True, gap="small")
    with row:
        act_button(
            "Undo",
            undo,
            key="undo",
            icon=":material/undo:",
            disabled=not state.history.past,
            explains="Takes back the last change, on any page.",
        )
        act_button(
            "Redo",
            redo,
            key="redo",
            icon=":material/redo:",
            disabled=not state.history.future,
            explains="Repeats what Undo took back.",
        )
        act_button(
            "Reset all",
            lambda: reset(page, of_scenario=of_scenario),
            key="reset_all",
            icon=":material/restart_alt:",
            disabled=is_reset(state, page, of_scenario=of_scenario),
            explains=own if of_scenario else _OF_PAGE,
        )
        said, state.undone = state.undone, ""  # what was taken back or done again is said once
        if said:
            st.toast(plain(said), icon=":material/check:", duration="long")
            # Streamlit's own notice is no live region. This one is the document's, so that it stays
            # when a run that only fills the page in takes the component away.
            run_script("undone", {"said": said})
    return row


def draw_pin(state: State, pinned_run: Scenario | None, *, shows_pins: bool) -> None:
    """Draw the buttons that keep settings; in a row with others.

    ``pinned_run`` is what can be pinned where that is not the visitor's own scenario;
    ``shows_pins`` says whether the page draws what is pinned, with a way to remove it.
    """
    pin_button(state, pinned_run)
    if state.pins and not shows_pins:
        act_button(
            f"Remove {counted(len(state.pins), 'pin')}",
            lambda: change_pins(lambda _: ()),
            key="remove_pins",
            quiet=True,
            explains="Pinned settings travel in the link. Compare sampling and Plan draw them.",
        )
