"""What a visitor has to do with a class: to start, join, vote in and lead it."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from ipaddress import ip_address
from typing import TypeGuard, TypeVar

import streamlit as st

from dpviz.classroom.allowance import Allowance
from dpviz.classroom.records import (
    SCORED_ROUNDS,
    SECONDS,
    ClassError,
    NoSuchClassError,
    Standing,
    Tally,
)
from dpviz.classroom.store import Classes
from dpviz.planning.membership_game import Game, score
from dpviz.settings.dashboard import classes_file
from dpviz.settings.lessons import LESSONS, is_class_key, lessons_in, without_lesson
from dpviz.ui.page_style import run_script
from dpviz.ui.state import State, change_view
from dpviz.wording.classroom import ADDRESS_USED_UP, refusal
from dpviz.wording.lessons import LESSONS_BY_NAME, Lesson

T = TypeVar("T")
GAME_LESSON = LESSONS_BY_NAME["guess"]
# For one network address, which a whole school may share, in the time that a class lasts.
_STARTED = Allowance(10, SECONDS)
_JOINED = Allowance(400, SECONDS)


def kept_classes() -> Classes:
    """Return the classes of this server.

    Raises:
        NoSuchClassError: it keeps none.
    """
    path = classes_file()
    if path is None:
        raise NoSuchClassError
    return Classes(path)


def visitor_address() -> str:
    """Return the visitor's network address; empty where it is not known.

    What a proxy says of it is believed of those of this machine and of private networks.
    """
    direct = st.context.ip_address or ""
    told = st.context.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip()
    try:
        is_from_a_proxy = not direct or ip_address(direct).is_private
    except ValueError:
        return ""
    return told if told and is_from_a_proxy else direct


def own_key(state: State) -> str:
    """Return the visitor's key in a class: of the link, of a teacher's browser, of the session."""
    return state.view.class_key or _teachers_key(state) or state.own_key


def join_by_link(state: State) -> None:
    """Let the link of a visitor who has come by a class's code hold an own key from now on.

    A teacher's leaves it, as a room sees the address bar; a cookie keeps it.
    """
    code, key = state.view.class_code, state.view.class_key
    if not code:
        return
    if key and leads(standing_in(state, LESSONS[0])):
        state.led[code] = key
        key = ""
    elif not key and not _teachers_key(state):
        key = state.own_key
    if key != state.view.class_key:
        # No change of the visitor's: what there is to say of the link stays.
        state.view = replace(state.view, class_key=key)


def keep_teachers_key(state: State) -> None:
    """Let the browser of who has come to lead a class keep the key until the class ends."""
    code = state.view.class_code
    if code in state.led:
        kept = {"name": _cookie(code), "value": state.led[code], "seconds": SECONDS}
        # A server reads it when a page is opened, and nothing puts it into the address.
        run_script("class_key", kept, width="stretch")


def _teachers_key(state: State) -> str:
    """Return the key of the open class where this browser has led it; empty where it has not."""
    code = state.view.class_code
    key = state.led.get(code) or st.context.cookies.get(_cookie(code), "")
    return key if is_class_key(key) else ""


def _cookie(code: str) -> str:
    return f"dpviz_class_{code}"


def standing_in(state: State, lesson: str) -> Standing | ClassError | None:
    """Return how a lesson's question stands, or why that is not known; ``None`` without a class."""
    code = state.view.class_code
    if not code:
        return None
    try:
        return kept_classes().standing(code, own_key(state), lesson)
    except ClassError as problem:
        return problem


def leads(standing: Standing | ClassError | None) -> TypeGuard[Standing]:
    """Return whether the visitor is the teacher of a class that is open."""
    return isinstance(standing, Standing) and standing.is_teacher


def tell_truth(state: State, lesson: str) -> None:
    """Close the vote for who is shown what is true: for all of the class, where its teacher is."""
    if not state.view.class_code:
        return

    def told(classes: Classes, code: str, key: str) -> None:
        classes.tell_truth(code, key, lesson)

    standing = standing_in(state, lesson)
    if leads(standing):
        lead(state, told)
    elif isinstance(standing, Standing):
        with suppress(ClassError):  # the lesson says it
            _as_participant(state, standing, told)


def settle_truth(state: State) -> None:
    """Hide what is true of the open lesson where the class votes on it, or votes again.

    Where it is shown, as a link may do, too, who sees it has no vote until then.
    """
    lesson = state.view.lesson
    if lesson not in lessons_in(state.view.revealed):
        return
    standing = standing_in(state, lesson)
    if not isinstance(standing, Standing) or standing.is_closed:
        return
    if standing.is_asked_again or standing.is_teacher:
        # No change of the visitor's.
        state.view = replace(state.view, revealed=without_lesson(state.view.revealed, lesson))
    else:
        tell_truth(state, lesson)


def take_class_along(state: State) -> None:
    """Note that the class is at the lesson that its teacher opens.

    Once, when it is opened: a tab that goes on showing another lesson does not take it back. Where
    no lesson is open, as where who comes late sees the code, the class stays at the last one.
    """
    opened = code, lesson = state.view.class_code, state.view.lesson
    if opened == state.taken_to:
        return
    if code and lesson in LESSONS and leads(standing_in(state, lesson)):
        try:
            led(state, lambda classes, code, key: classes.go_to(code, key, lesson))
        except ClassError:
            return  # the next run tries it again
    state.taken_to = opened


def start_class(state: State) -> None:
    """Start a class, or say why there is none; the visitor's browser leads it."""
    if state.view.class_code:
        return  # a second press, before the first was answered
    if not _STARTED.take(visitor_address()):
        state.problems.append(ADDRESS_USED_UP)
        return
    started = _tried(state, lambda: kept_classes().start())
    if started is None:
        _STARTED.give_back(visitor_address())
        return
    state.led[started.code] = started.key
    own = {"answers": "", "revealed": ""}  # a room is to see neither
    change_view(lambda: {"class_code": started.code, "class_key": "", **own})


def join_class(state: State, typed: str) -> None:
    """Join the class of a code, or say why not; an emptied box names none."""
    code = typed.upper()
    if not code:
        return
    try:
        kept_classes().standing(code, state.own_key, LESSONS[0])
    except ClassError as problem:
        state.problems.append(refusal(problem, code))
    else:
        # The page's next run gives the link a key, unless this browser leads the class.
        change_view(lambda: {"class_code": code, "class_key": ""})


def leave_class() -> None:
    """Go on without a class."""
    change_view(lambda: {"class_code": "", "class_key": ""})


def end_class(state: State) -> None:
    """End the class as its teacher and leave it, or say why not: then its votes are still kept."""
    lead(state, Classes.end)
    if not state.problems:
        leave_class()


def vote(state: State, lesson: Lesson, choice: str) -> None:
    """Count a participant's vote, if there is a class that is not led here, and it is open."""
    standing, code = standing_in(state, lesson.name), state.view.class_code
    if isinstance(standing, ClassError):
        if state.ended_class != code:
            state.problems.append(refusal(standing, code))
        if isinstance(standing, NoSuchClassError):
            state.ended_class = code
    elif standing is not None and not (standing.is_teacher or standing.is_closed):

        def voted(classes: Classes, code: str, key: str) -> None:
            classes.vote(code, key, lesson.name, choice)

        _tried(state, partial(_as_participant, state, standing, voted))


def note_game(state: State, game: Game, answers: str) -> None:
    """Count a participant's score, where it is the lesson's game that is played."""
    lesson = GAME_LESSON
    if state.scenario != lesson.scenario or game.kind != lesson.view.game_kind:
        return
    standing = standing_in(state, lesson.name)
    if isinstance(standing, Standing) and not standing.is_teacher:
        # Again with each later round: a call may fail, and a class may be joined late.
        now = score(game, answers[:SCORED_ROUNDS])

        def noted(classes: Classes, code: str, key: str) -> None:
            classes.note_score(code, key, game=game.code, rounds=now.rounds, right=now.player)

        with suppress(ClassError):  # whoever plays is not to be held up; the lesson says it later
            _as_participant(state, standing, noted)


def _as_participant(
    state: State, standing: Standing, act: Callable[[Classes, str, str], None]
) -> None:
    """Do something as a participant, if the address may have one more; may raise ClassError."""
    joins, address = not standing.is_participant, visitor_address()
    if joins and not _JOINED.take(address):
        state.problems.append(ADDRESS_USED_UP)
        return
    try:
        act(kept_classes(), state.view.class_code, own_key(state))
    except ClassError:
        if joins:
            _JOINED.give_back(address)
        raise


def led(state: State, act: Callable[[Classes, str, str], T]) -> T:
    """Return what is known to the teacher of the class alone; may raise ClassError."""
    return act(kept_classes(), state.view.class_code, own_key(state))


def tally_of(state: State, lesson: str) -> Tally:
    """Return the votes on a lesson's question to the teacher; may raise ClassError."""
    return led(state, lambda classes, code, key: classes.tally(code, key, lesson))


def lead(state: State, act: Callable[[Classes, str, str], None]) -> None:
    """Do something as the teacher of the class, or say why it is not done."""
    _tried(state, lambda: led(state, act))


def _tried(state: State, act: Callable[[], T]) -> T | None:
    try:
        return act()
    except ClassError as problem:
        state.problems.append(refusal(problem, state.view.class_code))
    return None
