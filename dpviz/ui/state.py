"""The scenario of one visitor, its pins and link, and what the visitor has to be told."""

import logging
import os
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from secrets import randbelow
from typing import Any, NamedTuple
from uuid import uuid4

import streamlit as st

from dpviz.classroom.store import new_key
from dpviz.scenario import PRESETS, Pin, Scenario, ScenarioError
from dpviz.series_file import SeriesFileError, SeriesLengths
from dpviz.settings import View
from dpviz.settings.history import History, Settings, Undone
from dpviz.settings.lessons import NO_LESSON
from dpviz.settings.pages import KEPT_BY_LESSONS, changed_settings, first_settings
from dpviz.settings.setting import SEEDS
from dpviz.wording.setting_values import RESET_SENTENCE, labelled, undone_sentence

LOGGER = logging.getLogger(__name__)
_KEY = "dpviz_state"
_PAGE = "dpviz_page"  # its address
# Whether what the page draws plays.
PLAYS = "dpviz_plays"
# Names the preset that a visitor finds who opens no link.
VARIABLE, _USUAL = "DPVIZ_START", "traffic"
# A browser may send an address that was replaced while its message was under way: one of the last.
_LINKS_REMEMBERED = 50


def first_scenario() -> Scenario:
    """Return the settings that visitors find who open no link: the server chooses the preset."""
    name = os.environ.get(VARIABLE, "").strip() or _USUAL
    if name not in PRESETS:
        LOGGER.warning(
            "%s = %r is not allowed: it must be one of %s; %s is used.",
            VARIABLE, name, ", ".join(PRESETS), _USUAL,
        )  # fmt: skip
        name = _USUAL
    return PRESETS[name].scenario


START = first_scenario()


class Gesture(NamedTuple):
    """Acts that undo takes back as one: a drag, or presses of a key in quick succession."""

    control: str
    number: int


class Said(NamedTuple):
    """What there is to say of an act: why it was refused, and what else it has changed."""

    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class Start(NamedTuple):
    """A scenario to go back to, with what a file says of it; fields as in :class:`State`."""

    scenario: Scenario
    unchosen: frozenset[str] = frozenset()
    file: SeriesLengths | None = None


class OwnSettings(NamedTuple):
    """What a visitor had before a lesson's settings."""

    settings: Settings
    pins: tuple[Pin, ...]


def new_opening() -> str:
    """Return a name for an opening that no other one has."""
    return uuid4().hex[:12]


def new_seed() -> int:
    """Return a seed that hardly any other visitor has; never 0, which is nobody's."""
    return 1 + randbelow(SEEDS[1])


@dataclass
class State:
    """What one visitor's pages share."""

    scenario: Scenario = START  # every control is a view of it
    pins: tuple[Pin, ...] = ()
    view: View = field(default_factory=View)
    # The preset, link or file that the scenario began as, and the view of the link that was opened:
    # controls go back to them.
    start: Start = field(default_factory=lambda: Start(START))
    first_view: View = field(default_factory=View)
    history: History = field(default_factory=History)
    # What could not be used as given, and what was changed on the visitor's behalf: one sentence
    # each, until the next change. Both, of the last acts, by the control that they were done with.
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    said: dict[str, Said] = field(default_factory=dict)
    undone: str = ""  # what has just been taken back or done again, until it is said
    # The lengths of an uploaded data set for as long as the shape comes from it, and the fields
    # that it leaves open and nobody has set: until then there is no answer.
    file: SeriesLengths | None = None
    unchosen: frozenset[str] = frozenset()
    # The settings that were planned from, those that were found, and how to say so.
    plan: tuple[Scenario, Scenario, str] | None = None
    # What pages have read of other files, each by a name of its own; no link holds it. It is here
    # because a download is made outside of a run of the page, where Streamlit's own session state
    # is empty.
    opened: dict[str, Any] = field(default_factory=dict)
    link: str = ""  # the query string that reopens the scenario
    # The parameters that the address bar was last given, the scenario, pins and view that they
    # hold, and the last ones that stood there before.
    shown: dict[str, str] = field(default_factory=dict)
    linked: tuple[Scenario, tuple[Pin, ...], View] | None = None
    replaced: deque[dict[str, str]] = field(default_factory=lambda: deque(maxlen=_LINKS_REMEMBERED))
    # Another one for each link that is opened, and for each session: what was done with controls of
    # another opening is void.
    opening: str = field(default_factory=new_opening)
    gesture: Gesture | None = None  # of the act that is being taken, unless it stands alone
    # The gesture of the last act, and what was there when it began; that of the last change.
    begun: tuple[Gesture | None, Start] = (None, Start(START))
    noted: Gesture | None = None
    # The values of a map's axes when its mark was moved last, by quantity.
    map_axes: dict[str, tuple[float, ...]] = field(default_factory=dict)
    # What comes back when the lesson is left: nothing where the visitor has begun with other data
    # since. And whether a lesson's settings, opened on arrival, are all that there is.
    before_lesson: OwnSettings | None = None
    holds_lesson: bool = False
    uploads: int = 0  # number of files read, which gives the next upload field a fresh identity
    own_seed: int = field(default_factory=lambda: new_seed())  # until a link holds one
    own_key: str = field(default_factory=new_key)  # of the visitor in a class, likewise
    # The keys of the classes that the visitor leads, by their codes; no link of a page holds them.
    led: dict[str, str] = field(default_factory=dict)
    # The class and the lesson that were open in the last run: who leads the class takes it there.
    taken_to: tuple[str, str] = ("", "")
    ended_class: str = ""  # the code of a class of which it was said that it has ended

    @property
    def settings(self) -> Settings:
        """What the history is of."""
        return Settings(
            scenario=self.scenario,
            view=self.view,
            unchosen=self.unchosen,
            file=self.file,
            beside=(self.start, self.first_view),
        )

    @property
    def origin(self) -> Scenario:
        """What the numbers of the scenario go back to."""
        return self.start.scenario

    @property
    def now(self) -> Start:
        """The scenario, to go back to from what comes next."""
        return Start(self.scenario, self.unchosen, self.file)


# Draws what of a page a visitor sets.
Control = Callable[[State], object]


def session_state() -> State:
    """Return this visitor's state, without a look at the link."""
    try:
        state: State = st.session_state[_KEY]
    except KeyError:
        state = st.session_state[_KEY] = State()
    return state


def change(
    make: Callable[[Scenario], Scenario],
    *,
    is_origin: bool = False,
    replaces: bool = False,
    view: Mapping[str, Any] | None = None,
) -> None:
    """Replace the scenario by what ``make`` returns, or say why it is not allowed.

    ``make`` may raise ScenarioError, and SeriesFileError where the lengths of an uploaded file do
    not allow it. To what ``is_origin`` the controls go back from now on; what ``replaces`` is of
    other data: no file's any more. Choices of the ``view`` are part of the same change.
    """
    state = _told_anew()
    before = state.settings
    if state.gesture is None or state.gesture != state.begun[0]:
        state.begun = (state.gesture, state.now)
    start = state.begun[1]
    try:
        # A drag leads to the same settings by whatever values it passes, and whichever of them
        # have reached the server.
        state.unchosen, state.file = start.unchosen, start.file
        scenario = make(start.scenario)
        state.view = replace(before.view, **(view or {}))
    except (ScenarioError, SeriesFileError) as problem:
        state.problems.append(f"{labelled(str(problem))} The value before it was kept.")
        # Nor does it stay where it happened to be seen last; what was refused is not chosen.
        (state.scenario, state.unchosen, state.file), state.notes = start, []
        note_change(state, before)
        return
    state.scenario = scenario
    if is_origin or replaces:
        state.file, state.unchosen = None, frozenset()
    if is_origin or (replaces and series_of(scenario) != series_of(before.scenario)):
        state.before_lesson, state.holds_lesson = None, False
    if is_origin:
        state.start = state.now
    note_change(state, before)


def begin_with(state: State, before: Settings) -> None:
    """Make the scenario what the controls go back to, and ``before`` what undoing goes back to."""
    end_gesture(state)
    state.start = state.now
    state.before_lesson, state.holds_lesson = None, False
    note_change(state, before)


def close_lesson(state: State) -> None:
    """Leave the lesson: what the visitor had before it is back. New pins and runs stay."""
    before, own = state.settings, state.before_lesson
    state.holds_lesson = False
    if own is not None:
        end_gesture(state)
        kept = {name: getattr(state.view, name) for name in (*KEPT_BY_LESSONS, "present")}
        state.scenario, state.unchosen = own.settings.scenario, own.settings.unchosen
        state.view = replace(own.settings.view, **kept)
        state.plan, state.linked = None, None
        _give_back(state, own)
        state.undone = "Your own settings are back."
    state.view = replace(state.view, lesson=NO_LESSON, whole_page=0)
    note_change(state, before)


def _give_back(state: State, own: OwnSettings) -> None:
    """Give back what belongs to settings that are the visitor's own again."""
    as_hidden = {replace(pin, shown=False): pin for pin in own.pins}
    state.pins = tuple(as_hidden.get(pin, pin) for pin in state.pins)
    state.start, state.first_view = own.settings.beside
    state.file = own.settings.file
    state.before_lesson = None


def leave_lesson() -> None:
    """Leave the lesson, and say where the visitor's own settings are back."""
    close_lesson(_told_anew())


def undo() -> None:
    """Go back to the settings before the last change, and say what it was."""
    state = _told_anew()
    _go_to(state, state.history.undo(state.settings))


def redo() -> None:
    """Make the change that was taken back last once more, and say what it was."""
    state = _told_anew()
    _go_to(state, state.history.redo(state.settings), is_again=True)


def reset(page: str, *, of_scenario: bool) -> None:
    """Go back to the settings that a page began with, as one change, and say so."""
    state: State = st.session_state[_KEY]

    def first(before: Scenario) -> Scenario:
        if of_scenario:
            before, state.unchosen, state.file = state.start
        return before

    change(first, view=first_settings(page, state.first_view))
    if not state.problems:
        state.undone = RESET_SENTENCE


def is_reset(state: State, page: str, *, of_scenario: bool) -> bool:
    """Return whether a page's settings are those that it began with."""
    first = first_settings(page, state.first_view)
    return (not of_scenario or state.now[:2] == state.start[:2]) and all(
        getattr(state.view, name) == value for name, value in first.items()
    )


def _go_to(state: State, undone: Undone | None, *, is_again: bool = False) -> None:
    end_gesture(state)
    if undone is None:
        return
    before = state.scenario
    state.scenario, state.view = undone.now.scenario, undone.now.view
    state.unchosen, state.file = undone.now.unchosen, undone.now.file
    state.start, state.first_view = undone.now.beside
    own = state.before_lesson
    if own is not None and state.scenario == own.settings.scenario:
        others = changed_settings(own.settings.view, state.view).keys() - set(KEPT_BY_LESSONS)
        if not others:  # or the lesson has the same scenario
            _give_back(state, own)
    _forget_axes(state, before)
    state.undone = undone_sentence(undone, page_address(), is_again=is_again)


def change_pins(make: Callable[[tuple[Pin, ...]], tuple[Pin, ...]]) -> None:
    """Replace the pins by what ``make`` returns, or say why it is not allowed."""
    state = _told_anew()
    try:
        state.pins = make(state.pins)
    except ScenarioError as problem:
        state.problems.append(str(problem))


def change_view(choices: Callable[[], dict[str, Any]], *, goes_on: bool = False) -> None:
    """Replace choices of the view by what ``choices`` returns, by name, or say why one is refused.

    It may raise ScenarioError. What ``goes_on`` is taken back together with the last change.
    """
    state = _told_anew()
    before = state.settings
    try:
        state.view = replace(state.view, **choices())
    except ScenarioError as problem:
        # What is refused may be no choice of the view, such as a run of the ledger.
        kept = " The value before it was kept." if hasattr(before.view, problem.field) else ""
        state.problems.append(f"{labelled(str(problem))}{kept}")
        return
    note_change(state, before, goes_on=goes_on)


def _told_anew() -> State:
    state: State = st.session_state[_KEY]
    state.problems, state.notes, state.said, state.undone = [], [], {}, ""
    return state


def page_address() -> str:
    """Return the name of the file of the page that is drawn: the last part of its address."""
    return str(st.session_state.get(_PAGE, ""))


def begin_page(page: str) -> bool:
    """Note which page is drawn; return whether it is another one than before."""
    if page_address() == page:
        return False
    st.session_state[PLAYS] = False  # nothing plays on for who has left
    st.session_state[_PAGE] = page
    return True


def end_gesture(state: State) -> None:
    """Take what comes next as another change, whatever it goes on with in the browser."""
    state.noted, state.begun = None, (None, state.begun[1])


def note_change(state: State, before: Settings, *, goes_on: bool = False) -> None:
    """Keep what the settings were, so that the change can be taken back."""
    _forget_axes(state, before.scenario)
    goes_on |= state.gesture is not None and state.gesture == state.noted
    if state.history.note(page_address(), before, state.settings, goes_on=goes_on):
        state.noted = state.gesture
    elif state.settings != before:  # a drag is back where it began: there is nothing to go on with
        state.noted = None


def _forget_axes(state: State, before: Scenario) -> None:
    """Let a map lie around its mark again where the series are others: they limit its axes."""
    if series_of(state.scenario) != series_of(before):
        state.map_axes = {}


def series_of(scenario: Scenario) -> tuple[int, tuple[int, ...]] | None:
    """Return the number of series and their lengths, of rates those that they came from."""
    shape = scenario.known_shape
    return None if shape is None else (shape.num_series, shape.series_lengths)
