"""The link in the address bar: what it opens, and how it follows what the visitor does."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import parse_qs, parse_qsl, urlencode

import streamlit as st

from dpviz.planning.first_windows import ASKED, FIELDS
from dpviz.scenario import (
    Pin,
    Scenario,
    ScenarioError,
    scenario_from_link,
    to_fields,
    to_query,
)
from dpviz.scenario.errors import MISSING, shown_name
from dpviz.scenario.fields import FIELD_NAMES
from dpviz.scenario.link import SHORT_PARAMETER as SHORT
from dpviz.scenario.link import expanded
from dpviz.scenario.pins import PIN_PARAMETERS, pins_from_query, pins_to_query
from dpviz.settings import View
from dpviz.settings.lessons import LESSONS, lessons_in
from dpviz.settings.pages import KEPT_BY_LESSONS, LOOKED_AT
from dpviz.settings.view import VIEW_PARAMETERS, view_from_query, view_to_query
from dpviz.ui.acts import forget_said
from dpviz.ui.classes import tell_truth
from dpviz.ui.state import (
    OwnSettings,
    State,
    close_lesson,
    end_gesture,
    new_opening,
    note_change,
    session_state,
)
from dpviz.ui.streamlit_internals import goes_through_history
from dpviz.wording.lessons import LESSONS_BY_NAME

_MOST_UNKNOWN = 5
_KNOWN = FIELD_NAMES.union(PIN_PARAMETERS, VIEW_PARAMETERS)
# Of a link on a page: what stands in it besides. Followed, it opens what it holds, or it keeps all
# but the fields that it names: the visitor may have gone on since it was drawn. Both keep answers
# and the ledger's runs. What opens is a lesson's settings, which are left again.
FOLLOWED, OPENS, KEEPS = "followed", "opens", "keeps"
# Of links that are made to be short.
_SHORT_NAMES = {"class": "class_code"}


@dataclass(frozen=True, kw_only=True)
class OpenedLink:
    """A link's state."""

    scenario: Scenario  # the one before where the link has none
    pins: tuple[Pin, ...]
    view: View
    problems: list[str]
    notes: list[str]
    unchosen: frozenset[str]  # fields that it has for want of others, and that nobody has chosen


def opened_link(given: Mapping[str, Sequence[str]], before: Scenario) -> OpenedLink:
    """Return what a link opens; the scenario before takes the place of what the link lacks."""
    given, refused = _expanded(given)
    asked = given.pop(ASKED, [""])[-1].split(",")
    single = {name: values[-1] for name, values in given.items()}
    others = [name for name in (*PIN_PARAMETERS, *VIEW_PARAMETERS) if name in single]
    beside = {name: single.pop(name) for name in others}
    # A hostile link may hold thousands: what is too much is counted, not read.
    unknown = [name for name in single if name not in FIELD_NAMES]
    for name in unknown[_MOST_UNKNOWN:]:
        del single[name]
    scenario, problems = before, list[ScenarioError]()
    if single:  # a link may open pins beside whatever is there
        scenario, problems = scenario_from_link(single, before)
    pins, pin_problems = pins_from_query(beside)
    view, view_problems = view_from_query(beside)
    said = _on_scenario(scenario, problems)
    said += [f"From the link: {problem}" for problem in pin_problems]
    for problem in view_problems:
        used = getattr(view, problem.field)
        said.append(f"From the link: {problem}" + _used(problem.field, used, is_told=used != ""))
    if len(unknown) > _MOST_UNKNOWN:
        more = len(unknown) - _MOST_UNKNOWN
        said.append(f"From the link: {more:,} more parameters have no such field.")
    return OpenedLink(
        scenario=scenario,
        pins=pins,
        view=view,
        problems=refused + said + _on_repeated(given),
        notes=_on_file(scenario),
        unchosen=frozenset(() if scenario.shape is None else asked).intersection(FIELDS),
    )


def _expanded(given: Mapping[str, Sequence[str]]) -> tuple[dict[str, Sequence[str]], list[str]]:
    """Return what a link holds, its code replaced by what that stands for, and why it is not."""
    rest = {_SHORT_NAMES.get(name, name): values for name, values in given.items() if name != SHORT}
    if SHORT not in given:
        return rest, []
    try:
        meant = parse_qs(expanded(given[SHORT][-1]), keep_blank_values=True)
    except ScenarioError as problem:
        return rest, [f"From the link: {problem}"]
    return {**meant, **rest}, []


def _on_scenario(scenario: Scenario, problems: list[ScenarioError]) -> list[str]:
    used = {name: value for name, value in to_fields(scenario).items() if name != "schema"}
    missing = [problem.field for problem in problems if problem.allowed == MISSING]
    said = [
        f"From the link: {one}"
        + _used(
            one.field,
            used.get(one.field),
            # What is not allowed beside the link's other fields may be what was open before.
            is_told=used.get(one.field, one.value) != one.value,
        )
        for one in problems
        if one.field not in missing
    ]
    if missing:
        kept = "it keeps its value" if len(missing) == 1 else "they keep their values"
        said.append(f"The link lacks {', '.join(missing)}: {kept}.")
    return said


def _used(field: str, value: object, *, is_told: bool) -> str:
    return f" {field} = {value} is used." if is_told else ""


def _on_file(scenario: Scenario) -> list[str]:
    """Return what to say of a shape of which the file held more than a link does."""
    if scenario.shape is None or scenario.shape.longer_series_beyond is None:
        return []
    return [
        "These series come from a file, and only those lengths that decide are in the link: open "
        "the file again before you make windows or forecasts longer or protect more values."
    ]


def _on_repeated(given: Mapping[str, Sequence[str]]) -> list[str]:
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


def current() -> State:
    """Return this visitor's state, after a look at the link in the address bar.

    The link wins whenever it is not one that was put there for the visitor: on arrival, after the
    browser's back button, and when a link of a page is followed. An address that the browser sent
    before it had the new one is no link that anybody opened.
    """
    state = session_state()
    given = st.query_params.to_dict()
    if given not in ({}, state.shown):
        if given in state.replaced and not goes_through_history():
            st.query_params.from_dict(state.shown)
        else:
            parameters = {name: st.query_params.get_all(name) for name in st.query_params}
            follows = parameters.pop(FOLLOWED, [""])[-1].split(",")
            _open_link(state, parameters, follows)
    return state


def link_to(scenario: Scenario, pins: tuple[Pin, ...], view: View) -> str:
    """Return the query string that opens all of these."""
    more = pins_to_query(pins) | view_to_query(view)
    return "&".join(filter(None, (to_query(scenario), urlencode(more))))


def shared_query(state: State, view: View) -> str:
    """Return the query string that opens what links of a visitor hold, with a view.

    While a file leaves fields open, that is the scenario from before: a link would claim that they
    were chosen. One that leaves them open itself goes on saying so.
    """
    scenario, asked = state.scenario, ",".join(sorted(state.unchosen))
    if state.unchosen and state.linked is not None:
        scenario, asked = state.linked[0], state.shown.get(ASKED, "")
    link = link_to(scenario, state.pins, view)
    return f"{link}&{urlencode({ASKED: asked}, safe=',')}" if asked else link


def holds_link_before(state: State) -> bool:
    """Return whether links hold the scenario from before a file that leaves fields open."""
    linked = state.linked
    return bool(state.unchosen) and linked is not None and linked[0] is not state.scenario


def show_link(state: State) -> None:
    """Put the whole state into the address bar, so that a reload loses nothing.

    While a file leaves fields open, the link stays what it was.
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
        state.link = shared_query(state, state.view)
        state.shown = dict(parse_qsl(state.link))
        state.linked = now
        st.query_params.from_dict(state.shown)
    elif not st.query_params:
        st.query_params.from_dict(state.shown)


def _open_link(state: State, given: dict[str, list[str]], follows: list[str]) -> None:
    """Open a link; ``follows`` says how it is followed, and names what it sets."""
    before = state.settings
    opened = opened_link(given, state.scenario)
    view = opened.view
    if state.linked is not None and follows[0] == KEEPS:
        named = LOOKED_AT.intersection(follows[1:])
        if "lesson" in named and view.lesson not in LESSONS:
            close_lesson(state)
        state.view = replace(state.view, **{name: getattr(view, name) for name in named})
        forget_said()
        if "revealed" in named and view.lesson in lessons_in(view.revealed):
            tell_truth(state, view.lesson)
        return
    own = None
    if state.linked is not None and follows[0] == OPENS:
        view = replace(view, **{name: getattr(state.view, name) for name in KEPT_BY_LESSONS})
        own = state.before_lesson or (
            None if state.holds_lesson else OwnSettings(before, state.pins)
        )
    else:
        of_link = view.lesson in LESSONS and opened.scenario is not state.scenario
        state.holds_lesson = of_link and opened.scenario == LESSONS_BY_NAME[view.lesson].scenario
    state.scenario, state.pins, state.view = opened.scenario, opened.pins, view
    if state.linked is not None:  # nothing was there before an arrival
        note_change(state, before)
    state.problems, state.notes, state.file = opened.problems, opened.notes, None
    state.unchosen, state.first_view = opened.unchosen, view
    state.start = state.now
    state.plan, state.before_lesson, state.map_axes = None, own, {}
    end_gesture(state)
    state.linked, state.opening, state.said = None, new_opening(), {}
