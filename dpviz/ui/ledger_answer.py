"""The answer of the budget ledger: the total, each run, and what the budget leaves."""

from functools import partial

import streamlit as st

from dpviz.export.ledger_csv import ledger_csv
from dpviz.figures import figure_json
from dpviz.figures.ledger import ledger_chart
from dpviz.planning.ledger import ROOM, Ledger, ledger, room_or_why_not
from dpviz.planning.target import Target
from dpviz.scenario import ScenarioError, to_json
from dpviz.scenario.ledger import NamedRun
from dpviz.scenario.ledger_json import ledger_to_json
from dpviz.ui import frame
from dpviz.ui.compute import content
from dpviz.ui.filling import Filled, fill_in, result_of
from dpviz.ui.ledger_controls import draw_run_rows, file_controls, shown_runs
from dpviz.ui.page import folded
from dpviz.ui.shared import Part
from dpviz.ui.state import State
from dpviz.ui.texts import plain, text
from dpviz.wording import ledger as words
from dpviz.wording.labels import labelled

_NEXT = "the next run"


def draw_ledger(state: State) -> None:
    """Draw the total of all runs, and each of them."""
    runs = shown_runs(state)
    if not runs:
        with st.container(key="answer"):
            st.markdown(words.EMPTY)
        return
    # A link may hold runs that do not belong together: they can be removed all the same.
    try:
        found = known_ledger(state)
    except ScenarioError as problem:
        st.error(plain(f"No total is stated. {labelled(str(problem))}"))
    else:
        key = [ledger_to_json(runs), found.delta, state.view.target_epsilon]
        frame.draw_answer(
            headline=words.ledger_headline(found),
            figure_json=content(
                "ledger chart",
                key,
                lambda: figure_json(ledger_chart(found, state.view.target_epsilon)),
            ),
            alt=words.ledger_description(found),
            key="ledger",
            finding=words.ledger_finding(found),
            caption=text("ledger_caption"),
            height=max(300, 150 + 45 * len(runs)),
        )
        st.markdown(words.ledger_table(found))
    st.header("The runs", anchor=False)
    draw_run_rows(state)
    file_controls(state)


def draw_room(state: State) -> Filled:
    """Draw how long, or with how little noise, the current settings may train beside the runs."""
    runs = shown_runs(state)
    target = Target(epsilon=state.view.target_epsilon, delta=state.scenario.delta)
    names = {run.name for run in runs}
    name = next(name for at in range(len(runs) + 1) if (name := _NEXT + "'" * at) not in names)
    following = NamedRun(name=name, scenario=state.scenario)
    told = f"{ledger_to_json(runs)} {to_json(state.scenario)} {target.epsilon!r}"
    parts = [
        Part(
            key=f"room {quantity} {told}",
            compute=partial(room_or_why_not, runs, following, quantity, target),
            is_long=True,
        )
        for quantity in ROOM
    ]
    filled = fill_in(parts)
    st.header("What the budget leaves for the next run", anchor=False)
    lines = words.room_sentences(filled.results, target.epsilon, target.delta, len(runs))
    st.markdown("\n".join([lines[0], "", *lines[1:]]))
    with st.container():  # always there, so that what is drawn below stays the same
        if filled.progress is not None:
            st.progress(filled.progress, text="Searching …")
    return filled


def draw_rests_on(state: State) -> None:
    """Draw the command that gives the same numbers, and what has to hold."""
    with folded("Show the code", key="open_code") as is_open:
        if is_open:
            st.caption("Save the ledger as JSON; the command prints its total, and each run's:")
            st.code(
                f"python -m dpviz ledger dpviz-ledger.json --delta {state.scenario.delta!r} --json",
                language="bash",
            )
    frame.draw_theory()


def known_ledger(state: State) -> Ledger:
    """Return what is proven about the visitor's ledger, however long it takes.

    Raises:
        ScenarioError: there is no run, they do not belong together, or no bound covers one.
        TooCostlyError: it would cost too much.
    """
    runs, delta = shown_runs(state), state.scenario.delta
    found = result_of(
        Part(
            key=f"ledger {delta!r} {ledger_to_json(runs)}",
            compute=partial(ledger, runs, delta),
            is_long=True,
        )
    )
    assert isinstance(found, Ledger)
    return found


def ledger_table_csv(state: State) -> str:
    """Return the ledger as CSV."""
    return ledger_csv(known_ledger(state))
