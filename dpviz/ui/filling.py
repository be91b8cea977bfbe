"""Pages that answer at once, and fill in what takes longer."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from math import inf
from time import monotonic, sleep
from typing import Any, Generic, TypeVar

import streamlit as st

from dpviz.jobs import Outcome, TooCostlyError
from dpviz.ui import workers
from dpviz.ui.acts import answer_acts, note_all_drawn
from dpviz.ui.results import RESULTS, Part, T, T_co
from dpviz.ui.streamlit_internals import is_overtaken, session_name
from dpviz.ui.turns import draw_again, fill_in_next, is_moving, others_turn

# So long an answer of many results stays whole, with its sentence and its chart, rather than giving
# way to a few of the next one's.
WHOLE_SECONDS = 0.4
# Of the 100 ms that an answer may take; the rest is for drawing.
_BUDGET_SECONDS = 0.06
# After so long without the first choice of an answer, the second is asked for, too. Sooner, most
# would be computed twice when many visitors wait.
_PATIENCE_SECONDS = 0.3
# What is drawn leaves by another thread: without a pause it would be overtaken by the next run.
_SECONDS_TO_SEND = 0.03
# A page that is filled in is drawn again and again. On a busy server that takes longer, and is to
# be done less often.
_PAUSE_PER_RUN = 1.5
# It is drawn again when this part of what it lacks is there, or anything after so long.
_NEWS_SHARE, _NEWS_SECONDS = 0.25, 0.5
# Between two looks whether the visitor has done something else meanwhile.
_FIRST_LOOK_SECONDS, _LAST_LOOK_SECONDS = 0.05, 0.2
# What stands around an answer waits so long for the answers of others.
_MOST_SECONDS_FOR_OTHERS = 2.0
# How often the processes are told that somebody still waits.
_RENEW_SECONDS = 0.5
_BEGAN, _LEFT_OUT = "dpviz_run_began", "dpviz_left_out"
# What a run of the page has asked for, by its key: the part if it was still to come then.
_ASKED = "dpviz_asked"
K = TypeVar("K")
_WAITS_FOR_ALL = ContextVar("waits_for_all", default=False)


@dataclass(frozen=True, kw_only=True)
class Filled(Generic[T_co]):
    """Results in the order of their parts, as far as they are known.

    Args:
        results: ``None`` where one is still to come, or is left out.
    """

    results: tuple[T_co | None, ...]
    to_come: tuple[Part[Any], ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether everything is known: nothing is to come, and nothing was left out."""
        return None not in self.results

    @property
    def progress(self) -> float | None:
        """The part that is there, from 0 to 1; ``None`` when it is all."""
        return 1.0 - len(self.to_come) / len(self.results) if self.to_come else None

    def by(self, names: Iterable[K]) -> dict[K, T_co]:
        """Return what is known, by a name for each part, in their order."""
        pairs = zip(names, self.results, strict=True)
        return {name: result for name, result in pairs if result is not None}


def begin_run() -> None:
    """Note that a page is drawn anew, and nothing of it is left out or to come so far."""
    workers.begin_wave()
    st.session_state[_BEGAN] = monotonic()
    st.session_state[_LEFT_OUT], st.session_state[_ASKED] = set(), {}


def seconds_drawn() -> float:
    """Return for how long this page has been drawn by now."""
    now = monotonic()
    return now - float(st.session_state.get(_BEGAN, now))


def to_come() -> dict[str, Part[Any]]:
    """Return what this run of the page has asked for so far and lacks, be it there by now."""
    asked: dict[str, Part[Any] | None] = st.session_state.get(_ASKED, {})
    return {key: part for key, part in asked.items() if part is not None}


def progress() -> float | None:
    """Return the part of it that is there, from 0 to 1; ``None`` when it is all."""
    lacking = len(to_come())
    return 1.0 - lacking / len(st.session_state[_ASKED]) if lacking else None


def is_something_left_out() -> bool:
    """Return whether something of this page is coarser than usual, or left out, for its cost."""
    return bool(st.session_state.get(_LEFT_OUT))


def is_known(part: Part[Any]) -> bool:
    """Return whether a result is there already."""
    return RESULTS.peek(part.key) is not None


def is_left_out(part: Part[Any]) -> bool:
    """Return whether a result is known to cost too much."""
    outcome = RESULTS.outcome(part.key)
    return outcome is not None and isinstance(outcome.error, TooCostlyError)


@contextmanager
def waiting_for_all() -> Iterator[None]:
    """Let all that is asked for inside be waited for, or be refused: nothing is left out.

    So a table has the numbers of its chart when nothing of that is to come any more.
    """
    before = _WAITS_FOR_ALL.set(True)
    try:
        yield
    finally:
        _WAITS_FOR_ALL.reset(before)


def waits_for_all() -> bool:
    """Return whether all that is asked for is waited for."""
    return _WAITS_FOR_ALL.get()


def fill_in(
    parts: Sequence[Part[T]],
    *,
    first: int = 0,
    only_known: bool = False,
    budget: float = _BUDGET_SECONDS,
    awaits: bool = True,
) -> Filled[T]:
    """Return what is known, and compute more of it, in order, for as long as the budget lasts.

    What would cost too much is left out, and noted. The ``first`` so many are not: they are waited
    for, however long they take. With ``only_known`` nothing else is computed. The budget is in
    seconds. What is then to come the page is drawn again for, unless it ``awaits`` none of it.

    Raises:
        TooCostlyError: one of the first would cost too much.
        Exception: what a computation raises, the first in their order.
    """
    if waits_for_all() and not only_known:
        return Filled(results=tuple(map(result_of, parts)))
    asked, parts = parts, parts[first:]
    at_once = first_of_each([[part] for part in asked[:first]])
    outcomes = [RESULTS.outcome(part.key) for part in parts]
    if not only_known and None in outcomes:
        _advance([part for part, known in zip(parts, outcomes, strict=True) if not known], budget)
        outcomes = [
            RESULTS.outcome(part.key) if known is None else known
            for part, known in zip(parts, outcomes, strict=True)
        ]
    results: list[T | None] = [*at_once]
    for part, outcome in zip(parts, outcomes, strict=True):
        if outcome is not None and isinstance(outcome.error, TooCostlyError):
            _note_left_out(part)
            results.append(None)
        else:
            results.append(None if outcome is None else RESULTS.told(part.key, outcome))
    lacking = [part for part, known in zip(parts, outcomes, strict=True) if known is None]
    if awaits and session_name():
        noted = st.session_state.setdefault(_ASKED, {})
        for part in asked:
            noted.setdefault(part.key, None)
        noted.update((part.key, part) for part in lacking)  # each in its first place
    return Filled(results=tuple(results), to_come=tuple(lacking))


def result_of(part: Part[T]) -> T:
    """Return a result, however long it takes.

    Raises:
        TooCostlyError: it would cost too much.
        Exception: what the computation raises.
    """
    return first_of_each([[part]])[0]


def fill_in_behind(
    coarse: Part[T], parts: Sequence[Part[T]], *, budget: float = _BUDGET_SECONDS
) -> tuple[T, Filled[T]]:
    """Return a coarse result, waited for, and what is known of the exact ones.

    A new coarse one is shown before anything else is computed. Errors are those of the coarse one.
    """
    is_new = not is_known(coarse)
    first = result_of(coarse)
    return first, fill_in(parts, only_known=is_new or is_moving(), budget=budget)


def first_of_each(groups: Sequence[Sequence[Part[T]]]) -> list[T]:
    """Return of each group of parts the result that is there first.

    Those of a group are begun in order, each one if those before are not there soon. One that would
    cost too much is left out.

    Raises:
        TooCostlyError: each of a group would cost too much.
        Exception: what a computation raises.
    """
    tried = 1
    while True:
        outcomes = [_settled(group) for group in groups]
        if None not in outcomes:
            break
        unsettled = [group for group, found in zip(groups, outcomes, strict=True) if not found]
        asked = [part for group in unsettled for part in _open(group)[:tried]]
        is_enough = partial(_all_settled, unsettled, asked)
        is_last = tried >= max(map(len, unsettled))
        _advance(asked, inf if is_last else _PATIENCE_SECONDS, until=is_enough, is_first=True)
        tried += 1
    for part in (part for group in groups for part in group if is_left_out(part)):
        _note_left_out(part)
    return [RESULTS.told(*settled) for settled in outcomes if settled is not None]


def _all_settled(groups: Sequence[Sequence[Part[Any]]], asked: Sequence[Part[Any]]) -> bool:
    return all(_settled(group) is not None for group in groups) or _all_known(asked)


def _all_known(parts: Sequence[Part[Any]]) -> bool:
    return all(RESULTS.outcome(part.key) is not None for part in parts)


def let_answers_go_first() -> None:
    """Go on, with what can wait, when others have their answers, or have waited as long.

    What the visitor does meanwhile comes first, as in :func:`go_on`: who moves again soon has been
    told the answer, and nothing else is drawn for nothing.
    """
    answer_acts()
    began = monotonic()
    with others_turn():
        while workers.are_behind() and monotonic() < began + _MOST_SECONDS_FOR_OTHERS:
            sleep(_LAST_LOOK_SECONDS)
            if is_overtaken():
                draw_again()
        fill_in_next()
    st.session_state[_BEGAN] += monotonic() - began  # to wait is not to draw


def go_on() -> None:
    """Draw once more, with more results, if some are to come; ends this run of the page.

    What the visitor does meanwhile comes first: it takes the place of the run that would go on.
    """
    lacking = to_come()
    if not lacking:
        return
    note_all_drawn()
    answer_acts()
    earliest = monotonic() + max(_SECONDS_TO_SEND, _PAUSE_PER_RUN * seconds_drawn())
    latest = earliest + _NEWS_SECONDS

    def is_enough() -> bool:
        known, now = RESULTS.count_known(lacking), monotonic()
        return known > 0 and now >= (earliest if known >= _NEWS_SHARE * len(lacking) else latest)

    with others_turn():
        if workers.has_workers():
            _wait_for([*lacking.values()], inf, is_enough)
        else:
            sleep(_SECONDS_TO_SEND)
        fill_in_next()
        draw_again()


def _settled(group: Sequence[Part[Any]]) -> tuple[str, Outcome] | None:
    """Return the best outcome of a group, with its key; ``None`` while there may be a better."""
    known = [(part.key, found) for part in group if (found := RESULTS.outcome(part.key))]
    others = [one for one in known if not isinstance(one[1].error, TooCostlyError)]
    if others:
        return others[0]
    return known[0] if len(known) == len(group) else None


def _open(group: Sequence[Part[Any]]) -> list[Part[Any]]:
    return [part for part in group if RESULTS.outcome(part.key) is None]


def _advance(
    parts: Sequence[Part[Any]],
    budget: float,
    until: Callable[[], bool] | None = None,
    *,
    is_first: bool = False,
) -> None:
    """Let parts be computed for so long, or until all of them are there.

    Without processes that compute, at least one is there at the end. ``until`` returns whether it
    is enough, in place of whether all of them are there; ``is_first`` says that nothing is shown
    before.
    """
    if not workers.has_workers():
        _compute_here(parts, budget, until)
        return
    end = monotonic() + budget
    is_over = partial(_all_known, parts) if until is None else until
    if not is_over():
        with others_turn():
            _wait_for(parts, end, is_over, is_first=is_first)


def _wait_for(
    parts: Sequence[Part[Any]], end: float, is_over: Callable[[], bool], *, is_first: bool = False
) -> None:
    """Let the processes compute until it is enough, or a moment; end the run if it is overtaken."""
    with RESULTS.watched(part.key for part in parts) as news:
        look, asked = _FIRST_LOOK_SECONDS, 0.0
        while (now := monotonic()) < end and not is_over():
            if now > asked + _RENEW_SECONDS:
                unknown = (part for part in parts if RESULTS.outcome(part.key) is None)
                workers.want(unknown, is_first=is_first)
                asked = now
            news.wait(min(end - now, look))
            news.clear()
            look = min(look * 1.5, _LAST_LOOK_SECONDS)
            if is_overtaken():
                draw_again()


def _compute_here(
    parts: Sequence[Part[Any]], budget: float, until: Callable[[], bool] | None
) -> None:
    end = monotonic() + budget
    for part in parts:
        try:
            RESULTS.get(part)
        except Exception as problem:  # raised in its turn, from what is kept of it
            RESULTS.put(part.key, Outcome(error=problem.with_traceback(None)))
        if monotonic() > end or (until is not None and until()):
            return


def _note_left_out(part: Part[Any]) -> None:
    if session_name():
        st.session_state.setdefault(_LEFT_OUT, set()).add(part.key)
