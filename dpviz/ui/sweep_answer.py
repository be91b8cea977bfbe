"""The page about the results of a sweep: its controls, charts, and the row that is looked at."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import streamlit as st

from dpviz.export import sweep_code
from dpviz.figures import figure_json
from dpviz.figures.sweep_results import parallel_chart, parallel_columns, scatter_chart
from dpviz.scenario import Scenario, ScenarioError, to_json
from dpviz.settings import SETTINGS
from dpviz.settings.sweep import MOST_SWEEP_ROWS, SWEEP_AXES
from dpviz.sweeps.read_results import SweepResults
from dpviz.ui import frame
from dpviz.ui.act_button import act_button
from dpviz.ui.choice import menu, view_choice
from dpviz.ui.number_control import draw_number, view_number_control
from dpviz.ui.page import folded
from dpviz.ui.state import State, change, change_view
from dpviz.ui.sweep_file import is_file_open, shown_results, sweep_upload
from dpviz.ui.texts import plain, text
from dpviz.wording import sweep_results as words
from dpviz.wording.hover_help import field_help
from dpviz.wording.labels import labelled


def sweep_controls(state: State) -> None:
    """Draw the file, what is shown of it, and which rows."""
    sweep_upload(state)
    view_choice(state, "sweep_chart", shows_label=False)
    results = shown_results(state)
    known = [name for name in SWEEP_AXES if name in results.numbers]
    with st.container():  # always there, so that what is drawn below stays the same
        if state.view.sweep_chart == "scatter":
            left, right = st.columns(2)
            with left:
                _axis_choice(state, "sweep_x", "Across", known)
            with right:
                _axis_choice(state, "sweep_y", "Upwards", known)
    view_number_control(state, "sweep_most_epsilon")


def draw_results(state: State) -> None:
    """Draw the chart, and the row that is looked at."""
    results = shown_results(state)
    view = state.view
    upper = results.numbers["epsilon_upper"]
    shown = np.flatnonzero(upper <= view.sweep_most_epsilon)
    chosen = _chosen(results, shown, view.sweep_row)
    if view.sweep_chart == "scatter":
        x, y = (_known(results, name) for name in (view.sweep_x, view.sweep_y))
        spec, columns = scatter_chart(results, shown, x, y, chosen), [x, y]
    else:
        spec, columns = parallel_chart(results, shown, chosen), parallel_columns(results, shown)
    source = "" if is_file_open(state) else f"\n\n{text('sweep_example')}"
    frame.draw_answer(
        headline=words.results_headline(results, shown, view.sweep_most_epsilon),
        figure_json=figure_json(spec),
        alt=words.results_description(results, shown, columns),
        key="sweep_results",
        finding=source,
        caption=text("sweep_caption"),
        on_click=lambda point: _clicked(results, point),
    )
    if chosen >= 0:
        _draw_row(state, results, shown, chosen)


def draw_command() -> None:
    """Draw how such a file is made."""
    with folded("How to make such a file", key="open_sweep_code") as is_open:
        if is_open:
            st.markdown(text("sweep_making"))
            st.code(sweep_code.EXAMPLE_TOML, language="toml")
            st.code(sweep_code.EXAMPLE_COMMAND, language="bash")


def chosen_scenario(state: State) -> Scenario:
    """Return the scenario of the row that is looked at.

    Raises:
        ScenarioError: no row is shown, or the file's fields are none.
    """
    results = shown_results(state)
    shown = np.flatnonzero(results.numbers["epsilon_upper"] <= state.view.sweep_most_epsilon)
    chosen = _chosen(results, shown, state.view.sweep_row)
    if chosen < 0:
        raise ScenarioError("sweep_row", None, "no row is shown")
    return results.scenario_at(chosen)


def _draw_row(state: State, results: SweepResults, shown: np.ndarray, chosen: int) -> None:
    rows = results.rows[shown]
    draw_number(
        "sweep_row",
        SETTINGS["sweep_row"].title,
        int(results.rows[chosen]),
        (1, MOST_SWEEP_ROWS),
        lambda number: change_view(lambda: {"sweep_row": number()}),
        explains=field_help("sweep_row"),
    )
    if state.view.sweep_row and state.view.sweep_row not in rows:
        st.caption(f"Row {state.view.sweep_row:,} is not among those that are shown.")
    try:
        scenario = results.scenario_at(chosen)
    except ScenarioError as problem:
        st.error(plain(f"This row's settings cannot be read. {labelled(str(problem))}"))
        return
    st.markdown(words.row_sentence(results, chosen, scenario))
    with st.container(horizontal=True):
        act_button(
            "Make it the current scenario",
            lambda: change(lambda _: scenario, replaces=True),
            key="sweep_adopt",
            means=to_json(scenario),
            icon="input",
            disabled=scenario == state.scenario,
            explains="Every page then shows it, computed anew. Undo takes it back.",
        )
        if scenario == state.scenario:
            st.caption("This is the current scenario: all pages that explore or plan show it.")


def _chosen(results: SweepResults, shown: np.ndarray, row: int) -> int:
    """Return the place of the row that is looked at: of those shown, else the one of least ε."""
    if len(shown) == 0:
        return -1
    found = shown[results.rows[shown] == row]
    if len(found):
        return int(found[0])
    return int(shown[np.argmin(results.numbers["epsilon_upper"][shown])])


def _clicked(results: SweepResults, point: Mapping[str, Any]) -> None:
    row = point.get("customdata")
    if isinstance(row, int) and row in results.rows:
        change_view(lambda: {"sweep_row": row})


def _axis_choice(state: State, field: str, label: str, known: list[str]) -> None:
    value = _known(shown_results(state), getattr(state.view, field))
    menu(
        label,
        value=value,
        options=known,
        name=SWEEP_AXES.__getitem__,
        chosen=lambda name: change_view(lambda: {field: name}),
        key=field,
        explains=field_help(field),
    )


def _known(results: SweepResults, name: str) -> str:
    return name if name in results.numbers else "epsilon_upper"
