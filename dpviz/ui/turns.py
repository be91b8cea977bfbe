"""Runs of pages take turns: few are drawn at a time, in the order in which they came.

All threads of a process share one processor's worth of Python. A hundred pages drawn at once would
all be late, and hold up each other at Streamlit's locks: most of the time would go into changing
from thread to thread.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import wraps
from threading import Event, Lock, local
from time import monotonic
from typing import NamedTuple

import streamlit as st
from streamlit.errors import StreamlitAPIException

from dpviz.jobs.fair_queue import person_of
from dpviz.ui.acts import answering_acts, answering_live, is_begun_by_acts
from dpviz.ui.streamlit_internals import is_overtaken, visitor_name

# Two, so that a page that takes long to draw does not stop all others.
_AT_ONCE = 2
# Who only fills in what a page lacks lets others go first, but not for longer.
_PATIENCE_SECONDS = 1.0
# Nobody waits longer, whatever the others do.
_MOST_SECONDS = 5.0
# Between two looks of one who waits whether the visitor has done something else meanwhile.
_LOOK_SECONDS = 0.1
_MOST_REMEMBERED = 1000


class _Waiting(NamedTuple):
    since: float
    person: str
    is_filling: bool
    has_turn: Event


class Turns:
    """Who may draw, and who waits. For several threads.

    Of those who wait, who drew longest ago comes first, however many pages a person has open.

    Args:
        at_once: how many may draw at a time.
        most_seconds: after so long somebody who waits draws all the same.
    """

    def __init__(self, at_once: int, most_seconds: float = _MOST_SECONDS) -> None:
        self._free, self._most_seconds = at_once, most_seconds
        self._lock = Lock()
        self._waiting: list[_Waiting] = []
        self._last: dict[str, float] = {}

    def take(
        self,
        person: str = "",
        *,
        is_filling: bool = False,
        look: Callable[[], None] | None = None,
    ) -> bool:
        """Wait for a turn; return whether there was one.

        ``look`` is called again and again; where it raises an error, nobody waits here any more.
        """
        with self._lock:
            mine = _Waiting(monotonic(), person, is_filling, Event())
            if self._free > 0:
                self._free -= 1
                self._note_turn(person)
                return True
            self._waiting.append(mine)
        end = mine.since + self._most_seconds
        try:
            while not mine.has_turn.wait(min(_LOOK_SECONDS, max(0.0, end - monotonic()))):
                if monotonic() >= end:
                    break
                if look is not None:
                    look()
        except BaseException:
            if self._withdraw(mine):
                self.leave()
            raise
        return self._withdraw(mine)

    def is_crowded(self) -> bool:
        """Return whether somebody waits."""
        return bool(self._waiting)

    def leave(self) -> None:
        """Let the next one draw."""
        with self._lock:
            if not self._waiting:
                self._free += 1
                return
            patient = monotonic() - _PATIENCE_SECONDS
            ready = [one for one in self._waiting if not one.is_filling or one.since < patient]
            following = min(
                ready or self._waiting, key=lambda one: (self._last.get(one.person, 0.0), one.since)
            )
            self._waiting.remove(following)
            self._note_turn(following.person)
            following.has_turn.set()

    def _withdraw(self, mine: _Waiting) -> bool:
        """Wait no more; return whether there is a turn, be it since the last moment."""
        with self._lock:
            if mine in self._waiting:
                self._waiting.remove(mine)
            return mine.has_turn.is_set()

    def _note_turn(self, person: str) -> None:
        if len(self._last) > _MOST_REMEMBERED:
            self._last.clear()
        if person:
            self._last[person] = monotonic()


class NotYetAskedError(Exception):
    """Ends the drawing of a page whose settings the visitor has not chosen yet."""


class _Mine(local):
    """What a thread knows of its turn."""

    has_turn = False
    is_within = False
    is_filling = False
    is_inner = False
    is_moving = False


class _AgainError(Exception):
    """Ends the drawing of an answer within a page that is to be drawn anew, whole."""


_TURNS = Turns(_AT_ONCE)
_mine = _Mine()


@contextmanager
def turn() -> Iterator[None]:
    """Draw what is inside when it is this run's turn."""
    if _mine.is_within:
        yield
        return
    _mine.is_within = True
    try:
        # A click on one of Streamlit's own buttons, or another page, ends with its run.
        is_answered_later = is_begun_by_acts() or _mine.is_filling
        _take(look=_end_if_overtaken if is_answered_later else None)
        yield
    finally:
        _leave()
        _mine.is_within = False


@contextmanager
def others_turn() -> Iterator[None]:
    """Let others draw while this run waits; inside nothing is drawn."""
    _leave()
    yield
    # Not at the end by an exception: that ends the run.
    if _mine.is_within:
        _take()


def fill_in_next() -> None:
    """Note that this thread's next run only fills in what a page lacks."""
    _mine.is_filling = True


def is_crowded() -> bool:
    """Return whether visitors wait for a page to be drawn."""
    return _TURNS.is_crowded()


def in_turn(draw: Callable[[], None], then: Callable[[], None]) -> Callable[[], None]:
    """Return a part of a page that Streamlit runs again by itself, and only in its turn.

    ``then`` is called when it is drawn, and all acts are answered; it may wait, and draw it again.
    """

    @wraps(draw)
    def draw_in_turn() -> None:
        with turn():
            with answering_acts("moved"), suppress(NotYetAskedError):
                draw()
            then()

    return st.fragment(draw_in_turn)


def is_moving() -> bool:
    """Return whether a slider moves: what only makes its answer finer can wait until it rests."""
    return _mine.is_moving


def draw_live(draw: Callable[..., Iterator[None]]) -> Iterator[None]:
    """Draw up to its first ``yield`` what follows a moving slider; return what draws the rest.

    ``draw`` is told by ``is_alone`` whether Streamlit runs this by itself.
    """
    begun: list[Iterator[None]] = []
    is_to_be_drawn_again: list[bool] = []

    @st.fragment
    def live() -> None:
        is_alone = not _mine.is_within
        try:
            # Caught around what takes acts: controls that were not drawn yet are not gone.
            with turn(), answering_live(is_alone=is_alone):
                begun[:] = [draw(is_alone=is_alone)]
                _mine.is_inner, _mine.is_moving = not is_alone, is_alone
                next(begun[0], None)
        except _AgainError:
            is_to_be_drawn_again.append(True)
        finally:
            _mine.is_inner = _mine.is_moving = False

    live()
    if is_to_be_drawn_again:
        draw_again()
    return begun[0]


def draw_again() -> None:
    """End this run of the page, and begin it once more."""
    if _mine.is_inner:  # Streamlit ends a part by itself only where it runs it by itself
        raise _AgainError
    try:
        st.rerun(scope="fragment")
    except StreamlitAPIException:  # the whole page is being drawn
        st.rerun()


def _take(look: Callable[[], None] | None = None) -> None:
    is_filling, _mine.is_filling = _mine.is_filling, False
    _mine.has_turn = _TURNS.take(person_of(visitor_name()), is_filling=is_filling, look=look)


def _end_if_overtaken() -> None:
    """End a run that has drawn nothing yet: the visitor's next one answers its acts, too."""
    if is_overtaken():
        draw_again()


def _leave() -> None:
    if _mine.has_turn:
        _mine.has_turn = False
        _TURNS.leave()
