"""The scenario of one visitor, its link, and what the visitor has to be told."""

from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import parse_qsl

import streamlit as st

from dpviz.scenario import (
    PRESETS,
    Scenario,
    ScenarioError,
    scenario_from_link,
    to_fields,
    to_query,
)
from dpviz.series_file import SeriesLengths
from dpviz.wording.labels import labelled

_KEY = "dpviz_state"
START = PRESETS["toy"].scenario


@dataclass
class State:
    """What one visitor's pages share.

    Args:
        scenario: the current one; every control is a view of it.
        problems: what could not be used as given, one sentence each, until the next change.
        unseen: whether what was said last has still to be shown where the visitor looks.
        notes: what was changed on the visitor's behalf, likewise.
        file: the lengths of an uploaded data set for as long as the shape comes from it.
        link: the query string that reopens the scenario.
        shown: the parameters that the address bar was last given.
        linked: the scenario that they hold.
        uploads: number of files read, which gives the next upload field a fresh identity.
    """

    scenario: Scenario = START
    problems: list[str] = field(default_factory=list)
    unseen: bool = False
    notes: list[str] = field(default_factory=list)
    file: SeriesLengths | None = None
    link: str = ""
    shown: dict[str, str] = field(default_factory=dict)
    linked: Scenario | None = None
    uploads: int = 0


def current() -> State:
    """Return this visitor's state, after a look at the link in the address bar.

    The link wins whenever it is not the one that was put there last: on arrival, after the
    browser's back button, and when somebody edits it.
    """
    state: State = st.session_state.setdefault(_KEY, State())
    if st.query_params.to_dict() not in ({}, state.shown):
        _open_link(state, {name: st.query_params.get_all(name) for name in st.query_params})
    return state


def show_link(state: State) -> None:
    """Put the whole scenario into the address bar, so that a reload loses nothing."""
    if state.linked is not state.scenario or not st.query_params:
        state.link = to_query(state.scenario)
        state.shown = dict(parse_qsl(state.link))
        state.linked = state.scenario
        st.query_params.from_dict(state.shown)


def change(make: Callable[[Scenario], Scenario]) -> None:
    """Replace the scenario by what ``make`` returns, or say why it is not allowed."""
    state: State = st.session_state[_KEY]
    state.problems, state.notes, state.unseen = [], [], True
    try:
        state.scenario = make(state.scenario)
    except ScenarioError as problem:
        state.problems.append(f"{labelled(str(problem))} The value before it was kept.")


def show_in_widget(key: str, value: object) -> None:
    """Make a widget show a value of the scenario.

    Only where it shows another one: a value that is written is sent to the browser, where it
    would overtake what the visitor does next.
    """
    if key not in st.session_state or st.session_state[key] != value:
        st.session_state[key] = value


def _open_link(state: State, given: dict[str, list[str]]) -> None:
    single = {name: values[-1] for name, values in given.items()}
    state.scenario, problems = scenario_from_link(single, state.scenario)
    state.notes, state.file = [], None
    used = to_fields(state.scenario)
    shown = used.keys() - {"schema"}
    state.problems = [
        f"From the link: {problem}"
        + (f" {problem.field} = {used[problem.field]} is used." if problem.field in shown else "")
        for problem in problems
    ]
    state.problems += [
        f"From the link: {name} is given {len(values)} times; the last one is used."
        for name, values in given.items()
        if len(values) > 1
    ]
    state.linked = None
