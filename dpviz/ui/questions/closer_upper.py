"""A closer upper bound of the current run, computed in the background when it is asked for."""

from functools import partial

import streamlit as st

from dpviz.accounting import Curve
from dpviz.accounting.closer_upper import closer_bound, closer_progress
from dpviz.jobs import LongRun, LongRuns, State, TooCostlyError
from dpviz.planning import ScenarioCurves
from dpviz.ui.long_runs import (
    begin,
    is_under_way,
    known_run,
    leave,
    long_runs,
    tell_if_full,
    waiting_words,
)
from dpviz.ui.page import folded
from dpviz.ui.streamlit_internals import session_name
from dpviz.ui.widgets import act_button
from dpviz.wording import closer_upper as words

_EVERY_SECONDS = 1.0


def known_closer(curves: ScenarioCurves) -> Curve | None:
    """Return it, if this server has computed it and it is the smaller one."""
    run = known_run(_key(curves))
    found: Curve | None = run.told[-1][1] if run is not None and run.state is State.DONE else None
    return found


def _key(curves: ScenarioCurves) -> str:
    bound = curves.upper.bound
    return f"closer {bound.theorem} {bound.pair!r} {bound.count} {curves.scenario.delta!r}"


def draw_closer(curves: ScenarioCurves) -> None:
    """Draw what it is, and its number or the button that computes it; nothing where none applies.

    It is known by the bound and delta alone, so that after any change of them it is gone.
    """
    bound, delta = curves.upper.bound, curves.scenario.delta
    closer = closer_bound(bound)
    if closer is None:
        return
    with folded("A closer upper bound", key="open_closer") as is_open:
        if not is_open:
            return
        st.markdown(words.introduction(closer, curves))
        key = _key(curves)
        run, runs = known_run(key), long_runs()
        if run is not None and run.state is State.DONE:
            st.markdown(words.closer_sentence(known_closer(curves), curves))
            return
        if runs is None:
            st.markdown(words.ON_YOUR_OWN)
            return
        if run is not None and run.state is State.FAILED:
            st.warning(words.TOO_LONG if isinstance(run.error, TooCostlyError) else words.FAILED)
        act_button(
            "Compute it",
            partial(begin, runs, key, partial(closer_progress, bound, delta)),
            key="closer_start",
            means=key,
            icon="play_arrow",
            disabled=is_under_way(run),
            explains="Computes in the background: seconds to a minute, once for everybody.",
        )
        tell_if_full()
        if run is not None and is_under_way(run):
            act_button("Cancel", partial(leave, runs, run), key="closer_cancel", means=key)
            _draw_progress(runs, run)


@st.fragment(run_every=_EVERY_SECONDS)
def _draw_progress(runs: LongRuns, run: LongRun) -> None:
    if run.state.is_over:
        st.rerun()
    run.watch(session_name())
    if run.state is State.WAITING:
        st.progress(0.0, text=waiting_words(runs, run))
    else:
        st.progress(run.told[-1][0] if run.told else 0.0, text=words.UNDER_WAY)
