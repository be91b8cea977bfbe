"""The controls of the budget ledger: add, rename, open and remove runs."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from dpviz.scenario import ScenarioError
from dpviz.scenario.ledger import (
    LEDGER_PARAMETERS,
    LONGEST_NAME,
    MOST_RUNS,
    NamedRun,
    check_together,
    ledger_from_query,
    ledger_to_query,
    with_run,
)
from dpviz.scenario.ledger_json import LONGEST_LEDGER, ledger_from_json, ledger_to_json
from dpviz.scenario.view import EPSILON_RANGE, view_to_query
from dpviz.ui import controls, data_controls
from dpviz.ui.grids import BUDGETS
from dpviz.ui.number_control import view_number_control
from dpviz.ui.page import folded
from dpviz.ui.state import State, change, change_view
from dpviz.ui.texts import plain
from dpviz.ui.upload import receive_in_memory
from dpviz.wording.labels import labelled
from dpviz.wording.numbers import counted

_Runs = Sequence[NamedRun]
_NAME = "ledger_name"


def shown_runs(state: State) -> tuple[NamedRun, ...]:
    """Return the ledger's runs."""
    return ledger_from_query(view_to_query(state.view))


def change_runs(state: State, make: Callable[[_Runs], _Runs]) -> None:
    """Replace the runs by what ``make`` returns, or say why it is not allowed."""

    def choices() -> dict[str, Any]:
        runs = make(shown_runs(state))
        return dict.fromkeys(LEDGER_PARAMETERS, "") | ledger_to_query(runs)

    change_view(choices)


def ledger_settings(state: State) -> None:
    """Draw what adds a run, the budget, and the settings of the next run."""
    add_control(state)
    view_number_control(
        state,
        "target_epsilon",
        grid=BUDGETS,
        limits=EPSILON_RANGE,
        ends=("more private", "more accurate"),
        explanation="Here it is the budget of all runs together.",
    )
    st.markdown("**The current settings, as the next run**")
    controls.preset_control(state)
    controls.noise_control(state)
    controls.training_control(state)
    controls.folded_sampling(state)
    data_controls.folded_controls(state)


def add_control(state: State) -> None:
    """Draw a name and the button that adds the current settings under it."""
    runs = shown_runs(state)
    names = {run.name for run in runs}
    proposed = next(name for at in range(1, MOST_RUNS + 2) if (name := f"run {at}") not in names)
    # A box of its own for each proposal: what was typed is used up with the run.
    key = f"{_NAME}_{len(runs)}_{proposed}"
    is_full = len(runs) >= MOST_RUNS

    def added() -> None:
        name = st.session_state[key].strip() or proposed

        def with_new(before: _Runs) -> _Runs:
            return with_run(before, NamedRun(name=name, scenario=state.scenario))

        change_runs(state, with_new)

    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.text_input(
            "Name of the run",
            key=key,
            placeholder=proposed,
            max_chars=LONGEST_NAME,
            disabled=is_full,
            help="By which the ledger, its link and its files call it; empty, it is the one shown.",
        )
        st.button(
            "Add to the ledger",
            key="ledger_add",
            icon=":material/add:",
            type="primary",
            disabled=is_full,
            on_click=added,
            help="Keeps the current settings as a run of the ledger, in the link: up to "
            f"{MOST_RUNS}, all on the same data and about the same individual.",
        )


def draw_run_rows(state: State) -> None:
    """Draw a row for each run: its name, and buttons to open and remove it."""
    for place, run in enumerate(shown_runs(state)):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            _name_box(state, place, run)
            st.button(
                "Open",
                key=f"ledger_open_{place}",
                on_click=change,
                args=(lambda before, kept=run.scenario: replace(kept, delta=before.delta),),
                help="Makes these the current settings, at the current δ; the run stays.",
            )
            st.button(
                "Remove",
                key=f"ledger_remove_{place}",
                on_click=change_runs,
                args=(state, lambda before, at=place: (*before[:at], *before[at + 1 :])),
                help=plain(f"Remove {run.name}"),
            )


def _name_box(state: State, place: int, run: NamedRun) -> None:
    key = f"ledger_rename_{place}_{run.name}"

    def typed() -> None:
        name = st.session_state[key].strip()

        def renamed(before: _Runs) -> _Runs:
            new = NamedRun(name=name, scenario=before[place].scenario)
            after = (*before[:place], new, *before[place + 1 :])
            check_together(after)
            return after

        change_runs(state, renamed)

    st.text_input(
        f"Name of run {place + 1}",
        value=run.name,
        key=key,
        max_chars=LONGEST_NAME,
        on_change=typed,
        label_visibility="collapsed",
        width="stretch",
    )


def file_controls(state: State) -> None:
    """Offer the ledger as JSON, and to open one."""
    with folded("Save or open the ledger", key="open_ledger_file") as is_open:
        if not is_open:
            return
        runs = shown_runs(state)
        st.download_button(
            "Save the ledger (JSON)",
            lambda: ledger_to_json(runs),
            "dpviz-ledger.json",
            "application/json",
            key="ledger_save",
            on_click="ignore",
            disabled=not runs,
        )
        receive_in_memory()
        key = f"ledger_file_{state.uploads}"
        st.file_uploader(
            "Open a ledger (JSON)",
            type=["json"],
            key=key,
            on_change=_opened,
            args=(state, key),
            max_upload_size=1,
            help="Takes the place of the runs above. It is read and not stored; "
            f"at most {MOST_RUNS} runs and {LONGEST_LEDGER:,} bytes.",
        )


def _opened(state: State, key: str) -> None:
    uploaded = st.session_state[key]
    if uploaded is None:
        return
    state.uploads += 1
    try:
        runs = ledger_from_json(uploaded.getvalue(), most=MOST_RUNS)
    except ScenarioError as problem:
        state.problems = [f"The ledger was not opened. {labelled(str(problem))}"]
        state.notes, state.unseen = [], True
        return
    change_runs(state, lambda _: runs)
    state.notes.append(f"The ledger of {counted(len(runs), 'run')} was opened.")
