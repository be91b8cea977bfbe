"""A closer upper bound of a run, and the noise that it saves, computed when asked for."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import streamlit as st

from dpviz.accounting import Curve
from dpviz.accounting.closer_upper import closer_bound, closer_progress
from dpviz.guarantees import guarantee_for
from dpviz.jobs import LongRun, LongRuns, State, TooCostlyError
from dpviz.planning import ScenarioCurves
from dpviz.planning.calibrate import CloserNoise, Planned, closer_noise_progress
from dpviz.planning.target import Target
from dpviz.scenario import to_json
from dpviz.ui import long_runs
from dpviz.ui.page import folded, say
from dpviz.ui.streamlit_internals import session_name
from dpviz.ui.widgets import act_button, adopt_button
from dpviz.wording import closer_upper as words

_EVERY_SECONDS = 1.0


def known_closer(curves: ScenarioCurves) -> Curve | None:
    """Return it, if this server has computed it and it is the smaller one."""
    run = long_runs.known_run(_key(curves))
    found: Curve | None = run.told[-1][1] if run is not None and run.state is State.DONE else None
    return found


def _key(curves: ScenarioCurves) -> str:
    # All of the bound: a shuffled walk has pair and theorem of one in order, but not its proof.
    return f"closer {curves.upper.bound!r} {curves.scenario.delta!r}"


def draw_closer(curves: ScenarioCurves) -> None:
    """Draw a closer bound, known by bound and delta alone, or the button that computes it."""
    bound, delta = curves.upper.bound, curves.scenario.delta
    closer = closer_bound(bound)
    if closer is None:
        return
    with folded("A closer upper bound", key="open_closer") as is_open:
        if is_open:
            say(words.introduction(closer, curves))
            steps = partial(closer_progress, bound, delta)
            run = _computed(_key(curves), steps, "seconds to a minute", "epsilon")
            if run is not None:
                say(words.closer_sentence(run.told[-1][1], curves))


def draw_closer_noise(planned: Planned) -> None:
    """Draw the noise by which Proposition 23 proves a plan's ε, or the button that computes it."""
    goal, found = planned.goal, planned.found
    if planned.quantity != "noise_multiplier" or found is None or not isinstance(goal, Target):
        return
    classical = guarantee_for(found.scenario).upper
    closer = closer_bound(classical)
    if closer is None:
        return
    with folded("Less noise by a closer bound", key="open_closer_noise") as is_open:
        if not is_open:
            return
        say(words.noise_introduction(closer, classical))
        key = f"closer noise {goal!r} {to_json(found.scenario)}"
        steps = partial(closer_noise_progress, found.scenario, goal)
        run = _computed(key, steps, "up to some minutes", "calibrate")
        if run is None:
            return
        less: CloserNoise | None = run.told[-1][1]
        say(words.closer_noise_sentence(less, found.scenario, goal))
        if less is not None:
            adopt_button(
                "Use this σ on all pages",
                less.scenario,
                key="closer_adopt",
                explains="Every page then shows this σ; undo takes it back.",
            )


def _computed(
    key: str, steps: Callable[[], Iterator[Any]], how_long: str, command: str
) -> LongRun | None:
    """Return a long run that is over; draw its button and progress where it is not."""
    run, runs = long_runs.known_run(key), long_runs.long_runs()
    if run is not None and run.state is State.DONE:
        return run
    if runs is None:
        st.markdown(words.ON_YOUR_OWN.format(command=command))
        return None
    if run is not None and run.state is State.FAILED:
        is_ended = isinstance(run.error, TooCostlyError)
        st.warning(f"It was ended, as {run.error}." if is_ended else words.FAILED)
    act_button(
        f"Compute it ({how_long})",
        partial(long_runs.begin, runs, key, steps),
        key="closer_start",
        means=key,
        icon=":material/play_arrow:",
        disabled=long_runs.is_under_way(run),
        explains="Computes in the background, once for everybody.",
    )
    long_runs.tell_if_full()
    if run is not None and long_runs.is_under_way(run):
        act_button("Cancel", partial(long_runs.leave, runs, run), key="closer_cancel", means=key)
        _draw_progress(runs, run)
    return None


@st.fragment(run_every=_EVERY_SECONDS)
def _draw_progress(runs: LongRuns, run: LongRun) -> None:
    if run.state.is_over:
        st.rerun()
    run.watch(session_name())
    if run.state is State.WAITING:
        st.progress(0.0, text=long_runs.waiting_words(runs, run))
    else:
        st.progress(run.told[-1][0] if run.told else 0.0, text=words.UNDER_WAY)
