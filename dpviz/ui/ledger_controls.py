"""The controls of the budget ledger: add, rename, open and remove runs."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from dpviz.scenario import Scenario, ScenarioError, to_json
from dpviz.scenario.ledger import (
    LEDGER_PARAMETERS,
    MOST_RUNS,
    NamedRun,
    check_together,
    ledger_from_query,
    ledger_to_query,
    with_run,
)
from dpviz.scenario.ledger_json import LONGEST_LEDGER, ledger_from_json, ledger_to_json
from dpviz.settings.view import view_to_query
from dpviz.ui import controls, data_controls
from dpviz.ui.act_button import act_button
from dpviz.ui.number_control import view_number_control
from dpviz.ui.page import folded
from dpviz.ui.state import State, change, change_view
from dpviz.ui.text_box import text_box
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
    # A run whose windows nobody has chosen is none.
    is_full = len(runs) >= MOST_RUNS or bool(state.unchosen)

    def added() -> None:
        # What was typed is used up with the run.
        name = st.session_state.pop(_NAME, "") or proposed

        def with_new(before: _Runs) -> _Runs:
            return with_run(before, NamedRun(name=name, scenario=state.scenario))

        change_runs(state, with_new)

    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        text_box(
            "Name of the run",
            shows=st.session_state.get(_NAME, ""),
            key="name_of_run",
            typed=partial(st.session_state.__setitem__, _NAME),
            placeholder=proposed,
            disabled=is_full,
            explains="By which the ledger, its link and its files call it; empty, it is the one "
            "shown.",
        )
        act_button(
            "Add to the ledger",
            added,
            key="ledger_add",
            icon="add",
            primary=True,
            disabled=is_full,
            explains="Keeps the current settings as a run of the ledger, in the link: up to "
            f"{MOST_RUNS}, all on the same data and about the same individual.",
        )


def draw_run_rows(state: State) -> None:
    """Draw a row for each run: its name, and buttons to open and remove it."""
    for place, run in enumerate(shown_runs(state)):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            _name_box(state, place, run)
            act_button(
                "Open",
                partial(change, partial(_at_same_delta, run.scenario), replaces=True),
                key=f"ledger_open_{place}",
                means=to_json(run.scenario),
                explains="Makes these the current settings, at the current δ; the run stays.",
            )
            act_button(
                "Remove",
                partial(change_runs, state, partial(_without, run)),
                key=f"ledger_remove_{place}",
                # Another run may have come to stand here meanwhile.
                means=f"{run.name} {to_json(run.scenario)}",
                explains=plain(f"Remove {run.name}"),
            )


def _at_same_delta(kept: Scenario, before: Scenario) -> Scenario:
    return replace(kept, delta=before.delta)


def _without(run: NamedRun, before: _Runs) -> _Runs:
    return tuple(one for one in before if one != run)


def _name_box(state: State, place: int, run: NamedRun) -> None:
    def typed(name: str) -> None:
        def renamed(before: _Runs) -> _Runs:
            # By what it was called: it may stand elsewhere by now, or be gone.
            new = NamedRun(name=name, scenario=run.scenario)
            after = tuple(new if one == run else one for one in before)
            check_together(after)
            return after

        change_runs(state, renamed)

    text_box(
        f"Name of run {place + 1}",
        shows=run.name,
        key=f"ledger_rename_{place}",
        typed=typed,
        shows_label=False,
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
        state.notes, state.said = [], {}
        return
    change_runs(state, lambda _: runs)
    state.notes.append(f"The ledger of {counted(len(runs), 'run')} was opened.")
