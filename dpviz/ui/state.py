"""The scenario of one visitor, its pins and link, and what the visitor has to be told."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from dpviz.scenario import (
    PRESETS,
    DataShape,
    Pin,
    Scenario,
    ScenarioError,
    View,
    scenario_from_link,
    to_fields,
    to_query,
)
from dpviz.scenario.errors import MISSING, shown_name
from dpviz.scenario.fields import FIELD_NAMES
from dpviz.scenario.pins import PIN_PARAMETERS, pins_from_query, pins_to_query
from dpviz.scenario.view import VIEW_PARAMETERS, view_from_query, view_to_query
from dpviz.series_file import SeriesFileError, SeriesLengths
from dpviz.wording.labels import labelled

_KEY = "dpviz_state"
_PAGE, _SHOWN = "dpviz_page", "dpviz_shown"  # of the page: its name, and the widgets it has set
START = PRESETS["toy"].scenario
_MOST_UNDONE = 50
_MOST_UNKNOWN = 5
_KNOWN = FIELD_NAMES.union(PIN_PARAMETERS, VIEW_PARAMETERS)


@dataclass
class State:
    """What one visitor's pages share.

    Args:
        scenario: the current one; every control is a view of it.
        pins: scenarios kept beside it.
        view: what the pages show of them.
        origin: the preset, link or file that the scenario began as: controls go back to it.
        past: the scenarios before the last changes, the latest at the end.
        problems: what could not be used as given, one sentence each, until the next change.
        unseen: whether what was said last has still to be shown where the visitor looks.
        notes: what was changed on the visitor's behalf, likewise.
        file: the lengths of an uploaded data set for as long as the shape comes from it.
        opened: what pages have read of other files, each by a name of its own; no link holds it. It
            is here because a download is made outside of a run of the page, where Streamlit's
            own session state is empty.
        link: the query string that reopens the scenario.
        shown: the parameters that the address bar was last given.
        linked: the scenario, pins and view that they hold.
        uploads: number of files read, which gives the next upload field a fresh identity.
        arrives: whether the visitor has changed nothing yet since the session began.
    """

    scenario: Scenario = START
    pins: tuple[Pin, ...] = ()
    view: View = field(default_factory=View)
    origin: Scenario = START
    past: list[Scenario] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    unseen: bool = False
    notes: list[str] = field(default_factory=list)
    file: SeriesLengths | None = None
    opened: dict[str, Any] = field(default_factory=dict)
    link: str = ""
    shown: dict[str, str] = field(default_factory=dict)
    linked: tuple[Scenario, tuple[Pin, ...], View] | None = None
    uploads: int = 0
    arrives: bool = True


def current() -> State:
    """Return this visitor's state, after a look at the link in the address bar.

    The link wins whenever it is not the one that was put there last: on arrival, after the
    browser's back button, and when somebody edits it.
    """
    state: State = st.session_state.setdefault(_KEY, State())
    if st.query_params.to_dict() not in ({}, state.shown):
        _open_link(state, {name: st.query_params.get_all(name) for name in st.query_params})
    return state


def known_view() -> View:
    """Return what this visitor's page shows, without a look at the link."""
    state: State = st.session_state.setdefault(_KEY, State())
    return state.view


def link_to(scenario: Scenario, pins: tuple[Pin, ...], view: View) -> str:
    """Return the query string that opens all of these."""
    more = pins_to_query(pins) | view_to_query(view)
    return "&".join(filter(None, (to_query(scenario), urlencode(more))))


def show_link(state: State) -> None:
    """Put the whole state into the address bar, so that a reload loses nothing."""
    now = (state.scenario, state.pins, state.view)
    if state.linked is None or any(
        one is not other for one, other in zip(now, state.linked, strict=True)
    ):
        state.link = link_to(*now)
        state.shown = dict(parse_qsl(state.link))
        state.linked = now
        st.query_params.from_dict(state.shown)
    elif not st.query_params:
        st.query_params.from_dict(state.shown)


def change(make: Callable[[Scenario], Scenario], *, is_origin: bool = False) -> None:
    """Replace the scenario by what ``make`` returns, or say why it is not allowed.

    Args:
        make: returns the new scenario for the one before; may raise ScenarioError, and
            SeriesFileError where the lengths of an uploaded file do not allow it.
        is_origin: whether the controls go back to the new one from now on.
    """
    state = _told_anew()
    before = state.scenario
    try:
        state.scenario = make(before)
    except (ScenarioError, SeriesFileError) as problem:
        state.problems.append(f"{labelled(str(problem))} The value before it was kept.")
        return
    if is_origin:
        state.origin = state.scenario
    if state.scenario != before:
        state.past = [*state.past[1 - _MOST_UNDONE :], before]


def begin_with(state: State, before: Scenario) -> None:
    """Make the scenario what the controls go back to, and ``before`` what undoing goes back to."""
    state.origin = state.scenario
    if state.scenario != before:
        state.past = [*state.past[1 - _MOST_UNDONE :], before]


def undo() -> None:
    """Go back to the scenario before the last change."""
    state = _told_anew()
    if state.past:
        state.scenario = state.past.pop()
        state.file = None


def change_pins(make: Callable[[tuple[Pin, ...]], tuple[Pin, ...]]) -> None:
    """Replace the pins by what ``make`` returns, or say why it is not allowed."""
    state = _told_anew()
    try:
        state.pins = make(state.pins)
    except ScenarioError as problem:
        state.problems.append(str(problem))


def change_view(choices: Callable[[], dict[str, Any]]) -> None:
    """Replace choices of the view, or say why one is not allowed.

    Args:
        choices: returns the new ones by name; may raise ScenarioError.
    """
    state = _told_anew()
    try:
        state.view = replace(state.view, **choices())
    except ScenarioError as problem:
        state.problems.append(f"{labelled(str(problem))} The value before it was kept.")


def _told_anew() -> State:
    state: State = st.session_state[_KEY]
    state.problems, state.notes, state.unseen = [], [], True
    state.arrives = False
    return state


def begin_page(page: str) -> None:
    """Note which page is drawn.

    A widget with the same key on another page is another one: it begins at its default while the
    session still holds the value of the first.
    """
    if st.session_state.get(_PAGE) != page:
        st.session_state[_PAGE] = page
        st.session_state[_SHOWN] = set()


def show_in_widget(key: str, value: object) -> None:
    """Make a widget show a value of the scenario.

    Only the first time on a page, and where it shows another one: a value that is written is sent
    to the browser, where it would overtake what the visitor does next.
    """
    shown: set[str] = st.session_state.setdefault(_SHOWN, set())
    if key not in shown or key not in st.session_state or st.session_state[key] != value:
        st.session_state[key] = value
        shown.add(key)


def is_first_in_session(key: str) -> bool:
    """Return whether a widget is drawn for the first time, and the browser may hold an old value.

    Only before the first change: what the browser held from a session before is gone by then.
    """
    state: State = st.session_state[_KEY]
    shown: set[str] = st.session_state.setdefault(_SHOWN, set())
    is_first = state.arrives and key not in shown
    shown.add(key)
    return is_first


def _open_link(state: State, given: dict[str, list[str]]) -> None:
    single = {name: values[-1] for name, values in given.items()}
    others = [name for name in (*PIN_PARAMETERS, *VIEW_PARAMETERS) if name in single]
    beside = {name: single.pop(name) for name in others}
    # A hostile link may hold thousands: what is too much is counted, not read.
    unknown = [name for name in single if name not in FIELD_NAMES]
    for name in unknown[_MOST_UNKNOWN:]:
        del single[name]
    problems: list[ScenarioError] = []
    before = state.scenario
    if single:  # a link may open pins beside whatever is there
        state.scenario, problems = scenario_from_link(single, before)
    state.pins, pin_problems = pins_from_query(beside)
    state.view, view_problems = view_from_query(beside)
    state.origin = state.scenario
    if state.scenario != before and state.linked is not None:  # nothing was there before an arrival
        state.past = [*state.past[1 - _MOST_UNDONE :], before]
    state.notes, state.file = _on_file(state.scenario), None
    used = to_fields(state.scenario)
    shown = used.keys() - {"schema"}
    missing = [problem.field for problem in problems if problem.allowed == MISSING]
    state.problems = [
        f"From the link: {problem}"
        + (f" {problem.field} = {used[problem.field]} is used." if problem.field in shown else "")
        for problem in problems
        if problem.field not in missing
    ]
    if missing:
        state.problems.append(
            f"The link lacks {', '.join(missing)}: these keep the values that they had."
        )
    state.problems += [f"From the link: {problem}" for problem in (*pin_problems, *view_problems)]
    if len(unknown) > _MOST_UNKNOWN:
        more = len(unknown) - _MOST_UNKNOWN
        state.problems.append(f"From the link: {more:,} more parameters have no such field.")
    state.problems += _on_repeated(given)
    state.linked = None


def _on_file(scenario: Scenario) -> list[str]:
    """Return what to say of a shape of which the file held more than a link does."""
    shape = scenario.data
    if not isinstance(shape, DataShape) or shape.longer_series_beyond is None:
        return []
    return [
        "These series come from a file, and only those lengths that decide are in the link: open "
        "the file again before you make windows longer or protect more values."
    ]


def _on_repeated(given: dict[str, list[str]]) -> list[str]:
    """Return what to say of parameters that a link has more than once, known ones first."""
    repeated = [name for name, values in given.items() if len(values) > 1]
    repeated.sort(key=_KNOWN.__contains__, reverse=True)
    told, others = repeated[:_MOST_UNKNOWN], repeated[_MOST_UNKNOWN:]
    sentences = [
        f"From the link: {shown_name(name)} is given {len(given[name]):,} times; the last one is "
        "used."
        for name in told
    ]
    if others:
        known = [name for name in others if name in _KNOWN]
        unknown = len(others) - len(known)
        names = ", ".join(known + [f"{unknown:,} that have no such field"] * bool(unknown))
        sentences.append(f"From the link: also given several times, the last one is used: {names}.")
    return sentences
