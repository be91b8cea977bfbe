"""The long runs of all visitors of this server, and how one visitor's page follows one."""

import atexit
import os
from collections.abc import Callable, Iterator
from time import monotonic
from typing import Any

import streamlit as st

from dpviz.jobs import Limits, LongRun, LongRuns, QueueFullError, State
from dpviz.ui import workers
from dpviz.ui.streamlit_internals import is_overtaken, is_test_of_a_page, session_name
from dpviz.ui.turns import draw_again, fill_in_next, others_turn
from dpviz.wording.numbers import counted

# What a run is refused for beforehand is far less; this ends what was guessed wrongly.
LIMITS = Limits(seconds=300.0, megabytes=800)
_MOST_AT_ONCE, _MOST_WAITING, _MOST_KEPT = 4, 20, 24
# Somebody who looks at another page, or whose phone sleeps, may come back.
PATIENCE_SECONDS = 60.0
# A page is drawn at most once in so long, and less often where that takes long.
_SECONDS_BETWEEN = 1.0
_PAUSE_PER_RUN = 3.0
# A place in the queue changes without a word of one's own run.
_MOST_SECONDS = 3.0
_LOOK_SECONDS = 0.1
_MINE = "dpviz_my_runs"
_IS_FULL = "dpviz_queue_is_full"
_QUEUE_IS_FULL = "As many runs wait as may wait on this server: try again in a minute."
_runs: LongRuns | None = None


def start_long_runs() -> None:
    """Make room for them, once per server; half of the processors are left to the pages."""
    global _runs
    if is_test_of_a_page() or _runs is not None or not workers.has_workers():
        return
    _runs = LongRuns(
        at_once=max(1, min(_MOST_AT_ONCE, (os.cpu_count() or 1) // 2)),
        most_waiting=_MOST_WAITING,
        most_kept=_MOST_KEPT,
        limits=LIMITS,
        patience_seconds=PATIENCE_SECONDS,
    )
    atexit.register(_runs.close)


def long_runs() -> LongRuns | None:
    """Return the runs of this server; ``None`` where it may start no processes."""
    return _runs


def found_run(key: str) -> LongRun | None:
    """Return a run if the server has it; for files, where nobody knows whose a run is."""
    return None if _runs is None else _runs.find(key)


def known_run(key: str) -> LongRun | None:
    """Return a run if the server has it, unless only others wait for it or have cancelled it."""
    found = found_run(key)
    is_for_all = found is None or found.state in (State.DONE, State.FAILED)
    return found if is_for_all or key in st.session_state.get(_MINE, ()) else None


def begin(
    runs: LongRuns, key: str, steps: Callable[[], Iterator[Any]], answer: type | tuple[()] = ()
) -> None:
    """Start a run (:class:`dpviz.jobs.LongRun`), or join it; :func:`tell_if_full` tells if not."""
    try:
        run = runs.start(key, steps, session_name(), answer=answer)
    except QueueFullError:
        st.session_state[_IS_FULL] = True
    else:
        st.session_state.setdefault(_MINE, set()).add(run.key)


def leave(runs: LongRuns, run: LongRun) -> None:
    """Wait for a run no more; it ends unless somebody else does."""
    runs.leave(run, session_name())
    if not run.state.is_over:  # what a run of the visitor's own has told by then stays in sight
        st.session_state.get(_MINE, set()).discard(run.key)


def tell_if_full() -> None:
    """Draw that a run did not begin, as too many wait."""
    if st.session_state.pop(_IS_FULL, False):
        st.warning(_QUEUE_IS_FULL)


def waiting_words(runs: LongRuns, run: LongRun) -> str:
    """Return how many are before a run that waits for its turn."""
    before = runs.place(run)
    others = f", after {counted(before, 'other run')}" if before else ""
    return f"Waits for its turn{others} …"


def is_under_way(run: LongRun | None) -> bool:
    """Return whether more of a run is to come, for a visitor who waits for it."""
    mine = st.session_state.get(_MINE, ())
    return run is not None and not run.state.is_over and run.key in mine


def follow(
    run: LongRun,
    known: tuple[State, int],
    drawn_for: float,
    seconds_between: float = _SECONDS_BETWEEN,
) -> None:
    """Wait for news of a run, or for the visitor's acts, and draw the page again: this run ends.

    ``known`` is its state, and how many things it had told, when the page was drawn.
    """
    visitor, begin = session_name(), monotonic()
    earliest = begin + max(seconds_between, _PAUSE_PER_RUN * drawn_for)
    latest = max(earliest, begin + _MOST_SECONDS)
    with others_turn():
        while (now := monotonic()) < latest:
            run.watch(visitor)
            is_new = now >= earliest and (run.state, len(run.told)) != known
            if is_new or run.state.is_over:
                break
            run.wait_for_news(known[1] if now >= earliest else len(run.told), _LOOK_SECONDS)
            if is_overtaken():
                break
    fill_in_next()
    draw_again()
