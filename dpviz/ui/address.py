"""The link in the address bar: what it opens, and how it follows what the visitor does."""

from dataclasses import replace
from urllib.parse import parse_qsl, urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dpviz.scenario import Pin, Scenario, to_query
from dpviz.scenario.pins import pins_to_query
from dpviz.settings import View
from dpviz.settings.pages import LOOKED_AT
from dpviz.settings.view import view_to_query
from dpviz.ui.opened_link import opened_link
from dpviz.ui.state import State, end_gesture, new_opening, note_change, session_state

# Of a link on a page: what stands in it besides. Followed, it opens what it holds; or it keeps the
# settings, which may be later than the link, and shows another lesson or answer of theirs.
FOLLOWED, OPENS, KEEPS = "followed", "opens", "keeps"


def current() -> State:
    """Return this visitor's state, after a look at the link in the address bar.

    The link wins whenever it is not one that was put there for the visitor: on arrival, after the
    browser's back button, and when a link of a page is followed. An address that the browser sent
    before it had the new one is no link that anybody opened.
    """
    state = session_state()
    given = st.query_params.to_dict()
    if given not in ({}, state.shown):
        if given in state.replaced and not _goes_back():
            st.query_params.from_dict(state.shown)
        else:
            parameters = {name: st.query_params.get_all(name) for name in st.query_params}
            follows = parameters.pop(FOLLOWED, [""])[-1]
            _open_link(state, parameters, keeps=follows == KEEPS)
    return state


def _goes_back() -> bool:
    context = get_script_run_ctx(suppress_warning=True)
    return context is not None and context.is_history_navigation


def link_to(scenario: Scenario, pins: tuple[Pin, ...], view: View) -> str:
    """Return the query string that opens all of these."""
    more = pins_to_query(pins) | view_to_query(view)
    return "&".join(filter(None, (to_query(scenario), urlencode(more))))


def shared_scenario(state: State) -> Scenario:
    """Return what links hold: while a file leaves fields open, the scenario from before."""
    return state.linked[0] if state.unchosen and state.linked is not None else state.scenario


def show_link(state: State) -> None:
    """Put the whole state into the address bar, so that a reload loses nothing.

    While a file leaves fields open, the link stays what it was: it would claim they were chosen.
    """
    if state.unchosen and state.linked is not None:
        if st.query_params.to_dict() != state.shown:
            st.query_params.from_dict(state.shown)
        return
    now = (state.scenario, state.pins, state.view)
    if state.linked is None or any(
        one is not other for one, other in zip(now, state.linked, strict=True)
    ):
        if state.shown:
            state.replaced.append(state.shown)
        state.link = link_to(*now)
        state.shown = dict(parse_qsl(state.link))
        state.linked = now
        st.query_params.from_dict(state.shown)
    elif not st.query_params:
        st.query_params.from_dict(state.shown)


def _open_link(state: State, given: dict[str, list[str]], *, keeps: bool) -> None:
    before = state.settings
    opened = opened_link(given, state.scenario)
    if keeps and state.linked is not None:
        looked_at = {name: getattr(opened.view, name) for name in LOOKED_AT}
        state.view = replace(state.view, **looked_at)
        return
    state.scenario, state.pins, state.view = opened.scenario, opened.pins, opened.view
    state.origin, state.first_view = opened.scenario, opened.view
    if state.linked is not None:  # nothing was there before an arrival
        note_change(state, before)
    state.problems, state.notes, state.file = opened.problems, opened.notes, None
    state.unchosen, state.origin_unchosen, state.plan = frozenset(), frozenset(), None
    end_gesture(state)
    state.linked, state.opening, state.said = None, new_opening(), {}
