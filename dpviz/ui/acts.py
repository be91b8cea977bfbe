"""What a visitor does with the controls of a page: one queue of acts, in their order.

"How a move travels" of docs/architecture.md tells why they are no widgets of Streamlit's. Each
message of the browser holds all acts that no run has answered yet, so that none is lost where
Streamlit lets a later message take the place of an earlier one; a number that was heard before is
passed over. An act is taken as one on whatever the settings are by now: "set sigma to 2", never
"all controls stand like this".
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeGuard

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.ui.state import Gesture, Said, session_state
from dpviz.ui.static_files import component_of
from dpviz.ui.streamlit_internals import newest_message
from dpviz.ui.texts import paragraphs, spans, unmarked

Handler = Callable[[Any], None]

_BOARD = "dpviz_acts"
_BRIDGE = _EVENT = "acts"
_LIVE_BRIDGE = "live_acts"
# The part that is all of a page, but for what Streamlit runs by itself.
PAGE = "page"
_LIVE = "live"
# A browser joins what a moving slider passes into one act; more than this is no visitor's doing.
_MOST_ACTS = 200
# JavaScript's whole numbers end here.
_MOST_COUNTED = 2**53


@dataclass
class _Part:
    """What of a page Streamlit runs by itself: all of it, or what a move of a control redraws."""

    handlers: dict[str, Handler] = field(default_factory=dict)
    # By its name whether a control says by itself what an act was refused for.
    drawn: dict[str, bool] = field(default_factory=dict)


@dataclass
class _Board:
    """What one visitor's session knows of acts."""

    opening: str = ""
    heard: int = 0
    parts: dict[str, _Part] = field(default_factory=dict)
    now: _Part = field(default_factory=_Part)
    wants_all: bool = False  # an act was on what only a run of the whole page draws anew
    is_begun_by_acts: bool = False  # the run that is to be drawn next was
    is_unsaid: bool = False  # no run has drawn yet what there was to say of the latest acts
    place: DeltaGenerator | None = None  # where this run says what it has answered, until it has

    def part_of(self, name: str) -> str:
        """Return the part of the page that has a control; empty where there is none."""
        return next((part for part, one in self.parts.items() if name in one.handlers), "")


def draw_control(
    name: str,
    kind: str,
    label: str,
    handler: Handler,
    *,
    explains: str = "",
    disabled: bool = False,
    width: Any = "stretch",
    **spec: Any,
) -> None:
    """Draw a control, and take acts on it from now on.

    ``browser/controls.js`` draws it by its ``kind`` and ``spec``. The label is one line of
    Markdown, what the question mark tells Markdown. The handler is given the value of each act,
    which comes from a browser: to be checked like all that a visitor types.
    """
    board = take_acts_on(name, lambda value: None if disabled else handler(value), tells=True)
    said = session_state().said.get(name, Said())
    data = {
        "name": name,
        "opening": board.opening,
        "heard": board.heard,
        "problem": " ".join(said.problems),
        "note": " ".join(said.notes),
        "kind": kind,
        "label": spans(label),
        "plainLabel": unmarked(label),
        "help": paragraphs(explains),
        "disabled": disabled,
        **spec,
    }
    control = component_of("control", "controls", "drawControl")
    control(key=name, data=json.dumps(data).encode(), width=width)


def take_acts_on(name: str, handler: Handler, *, tells: bool = False) -> _Board:
    """Take acts on something that draws itself, such as a chart; return the visitor's board.

    What it was refused for the page says above all else, unless it ``tells`` that.
    """
    board = _board()
    board.now.handlers[name] = handler
    board.now.drawn[name] = tells
    return board


def begin_controls() -> None:
    """Forget what was drawn on the page before."""
    _board().parts.clear()
    forget_said()


def forget_said() -> None:
    """Take what was said of acts back where another page is opened, unless none has said it yet."""
    if not _board().is_unsaid:
        session_state().said = {}


@contextmanager
def answering_acts(part: str) -> Iterator[None]:
    """Answer acts at the latest when what is inside is drawn."""
    board = _board()
    if part == PAGE:
        board.wants_all = False
    elif board.wants_all:
        board.wants_all = False
        st.rerun()
    around, board.now = board.now, board.parts.setdefault(part, _Part())
    if part == PAGE:
        # The browser asks for a run of the whole page whenever it has a connection again, which
        # Streamlit does not by itself where nothing was under way: a session that is new to the
        # browser, as of a server that was started since, takes no act on a part of the page.
        connection = component_of("connection", "controls", "connected")
        connection(key="connection", on_again_change=lambda: None, width="content")
    board.place, board.now.drawn = st.container(), {}
    try:
        yield
        note_all_drawn()
    finally:
        answer_acts()
        board.now = around


def is_begun_by_acts() -> bool:
    """Return, once a run, whether acts began it: whatever comes next answers them, too."""
    board = _board()
    is_begun, board.is_begun_by_acts = board.is_begun_by_acts, False
    return is_begun


@contextmanager
def answering_live(*, is_alone: bool) -> Iterator[None]:
    """Take acts by what is inside, the part of a page that follows a slider while it moves."""
    board = _board()
    if is_alone and board.wants_all:
        board.wants_all = False
        st.rerun()
    around, board.now = board.now, board.parts.setdefault(_LIVE, _Part())
    place, board.now.drawn = st.container(), {}
    try:
        yield
        _forget_undrawn()
    finally:
        with place:
            _draw_bridge(_LIVE_BRIDGE, isLive=True, isAlone=is_alone)
        board.now = around


def note_all_drawn() -> None:
    """Note that all controls of a page stand there, and what there was to say of acts on them."""
    _forget_undrawn()
    _board().is_unsaid = False


def _forget_undrawn() -> None:
    """Take no more acts on controls of this part that were there before and are gone."""
    part = _board().now
    part.handlers = {name: part.handlers[name] for name in part.drawn}


def answer_acts() -> None:
    """Tell the browser, once a run, which acts are answered by now; it then sends the next."""
    board = _board()
    place, board.place = board.place, None
    if place is not None:
        with place:
            _draw_bridge(_BRIDGE, hasLive=_LIVE in board.parts)


def _draw_bridge(key: str, **more: bool) -> None:
    board = _board()
    bridge = component_of("acts", "controls", "answered")
    data = {"opening": board.opening, "heard": board.heard, **more}
    bridge(
        key=key, data=json.dumps(data).encode(), on_acts_change=partial(_hear, key), width="content"
    )


def is_drawn(name: str) -> bool:
    """Return whether this run of the page has drawn a control."""
    return any(part.drawn.get(name, False) for part in _board().parts.values())


def said_of_nothing_drawn() -> list[Said]:
    """Return what there is to say of acts on what this run has not drawn, such as a chart."""
    return [said for name, said in session_state().said.items() if not is_drawn(name)]


def _board() -> _Board:
    try:
        board: _Board = st.session_state[_BOARD]
    except KeyError:
        board = st.session_state[_BOARD] = _Board()
    state = session_state()
    if board.opening != state.opening:
        board.opening, board.heard = state.opening, 0
    return board


def _hear(bridge: str) -> None:
    """Take the acts of a message that were not heard before, in their order."""
    board, state, message = _board(), session_state(), newest_message(bridge, _EVENT)
    if not isinstance(message, dict) or message.get("opening") != board.opening:
        return  # done with what stood there before another link was opened
    acts, is_new = message.get("acts"), False
    said: dict[str, Said] = {**state.said} if board.is_unsaid else {}
    for act in acts[:_MOST_ACTS] if isinstance(acts, list) else ():
        if not isinstance(act, dict) or not _is_number(number := act.get("number")):
            continue
        name, gesture = act.get("name"), act.get("gesture")
        if number <= board.heard or not isinstance(name, str):
            continue
        board.heard = number
        part = board.part_of(name)
        if not part or not _can_be_told(value := act.get("value")):
            continue  # of a control that this page has not, or no words of a visitor's
        board.wants_all |= part == PAGE
        state.problems, state.notes = [], []
        state.gesture = Gesture(name, gesture) if isinstance(gesture, int) else None
        try:
            board.parts[part].handlers[name](value)
        finally:
            state.gesture = None
        if state.problems or state.notes:
            said[name] = Said(tuple(state.problems), tuple(state.notes))
            board.wants_all |= not is_drawn(name)  # what is said above all else
        else:
            said.pop(name, None)
        is_new = True
    if is_new:
        state.problems, state.notes, state.said = [], [], said
        board.is_begun_by_acts, board.is_unsaid = True, bool(said)


def _is_number(number: object) -> TypeGuard[int]:
    """Return whether an act can have this number: one that a browser counts to."""
    return isinstance(number, int) and not isinstance(number, bool) and 0 < number < _MOST_COUNTED


def _can_be_told(value: object) -> bool:
    r"""Return whether a message may quote a value: half of a character is no text.

    >>> _can_be_told("a"), _can_be_told("\ud800"), _can_be_told(None)
    (True, False, True)
    """
    return not isinstance(value, str) or value.encode(errors="ignore").decode() == value
