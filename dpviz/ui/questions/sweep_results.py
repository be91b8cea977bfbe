"""What does a sweep over many scenarios show?"""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from dpviz.export.code import SWEEP_COMMAND, SWEEP_TOML
from dpviz.export.comparison_tables import sweep_rows_table
from dpviz.export.table import Table
from dpviz.figures import figure_json
from dpviz.figures.sweep_results import parallel_chart, parallel_columns, scatter_chart
from dpviz.scenario import Scenario, ScenarioError
from dpviz.settings import SETTINGS
from dpviz.settings.sweep import MOST_SWEEP_ROWS, SWEEP_AXES
from dpviz.sweeps.results import MOST_SHOWN_ROWS, SweepResults, example_results, read_results
from dpviz.ui import frame
from dpviz.ui.file_reading import read_box
from dpviz.ui.filling import result_of
from dpviz.ui.number_control import draw_number, view_number
from dpviz.ui.page import folded, in_columns
from dpviz.ui.question import Answer, Question
from dpviz.ui.results import Part
from dpviz.ui.state import Control, State, change_view
from dpviz.ui.texts import plain, text
from dpviz.ui.widgets import act_button, adopt_button, view_choice
from dpviz.wording import sweep_results as words
from dpviz.wording.glossary import field_help
from dpviz.wording.numbers import counted
from dpviz.wording.setting_values import labelled

_RESULTS = "results of a sweep"
_MOST_MEGABYTES = 10


def _shown_results(state: State) -> SweepResults:
    opened: SweepResults | None = state.opened.get(_RESULTS)
    if opened is not None:
        return opened
    return result_of(Part(key="example sweep", compute=example_results, is_long=True))


def _sweep_upload(state: State) -> None:
    read_box(
        state,
        "Results of a sweep (Parquet, CSV)",
        read_results,
        partial(_take, state),
        kinds=("parquet", "csv"),
        name="sweep_file",
        explains="What `python -m dpviz sweep` has written. It is read and not stored: after a "
        "reload, or from a link, it has to be opened again. At most "
        f"{MOST_SHOWN_ROWS:,} rows and {_MOST_MEGABYTES} MB.",
        megabytes=_MOST_MEGABYTES,
    )
    if _RESULTS in state.opened:
        act_button("Back to the example", partial(_closed, state), key="sweep_close")


def _take(state: State, results: SweepResults) -> None:
    state.opened[_RESULTS] = results
    _all_rows()
    state.notes = [f"{counted(len(results.rows), 'scenario')} of the file are shown."]


def _closed(state: State) -> None:
    state.opened.pop(_RESULTS, None)
    _all_rows()


def _all_rows() -> None:
    change_view(lambda: {"sweep_row": 0, "sweep_most_epsilon": 1e6})


def _axes(state: State) -> None:
    results = _shown_results(state)

    def axis(field: str) -> Control:
        return view_choice(
            field,
            value=lambda state: _known(results, getattr(state.view, field)),
            options=[name for name in SWEEP_AXES if name in results.numbers],
            name=SWEEP_AXES.__getitem__,
            in_sight=False,
        )

    with st.container():  # always there, so that what is drawn below stays the same
        if state.view.sweep_chart == "scatter":
            in_columns(axis("sweep_x"), axis("sweep_y"))(state)


def _draw_results(state: State) -> None:
    results = _shown_results(state)
    view = state.view
    shown = _shown_rows(state, results)
    chosen = _chosen(results, shown, view.sweep_row)
    if view.sweep_chart == "scatter":
        x, y = (_known(results, name) for name in (view.sweep_x, view.sweep_y))
        spec, columns = scatter_chart(results, shown, x, y, chosen), [x, y]
    else:
        spec, columns = parallel_chart(results, shown, chosen), parallel_columns(results, shown)
    source = "" if _RESULTS in state.opened else f"\n\n{text('sweep_example')}"
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


def _chosen_scenario(state: State) -> Scenario:
    results = _shown_results(state)
    chosen = _chosen(results, _shown_rows(state, results), state.view.sweep_row)
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
        st.caption(
            f"Row {state.view.sweep_row:,} is not in the chart: here is that of the smallest ε."
        )
    try:
        scenario = results.scenario_at(chosen)
    except ScenarioError as problem:
        st.error(plain(f"This row's settings cannot be read. {labelled(str(problem))}"))
        return
    st.markdown(words.row_sentence(results, chosen, scenario))
    with st.container(horizontal=True):
        adopt_button(
            "Make it the current scenario",
            scenario,
            key="sweep_adopt",
            replaces=True,
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


def _most_epsilon(state: State) -> None:
    grid = SETTINGS["sweep_most_epsilon"].grid
    largest = float(np.max(_shown_results(state).numbers["epsilon_upper"], initial=0.0))
    enough = next((stop for stop in grid if stop >= largest), grid[-1])
    view_number("sweep_most_epsilon", grid=[stop for stop in grid if stop <= enough])(state)


def _known(results: SweepResults, name: str) -> str:
    return name if name in results.numbers else "epsilon_upper"


def _shown_rows(state: State, results: SweepResults) -> np.ndarray:
    return np.flatnonzero(results.numbers["epsilon_upper"] <= state.view.sweep_most_epsilon)


def _answer(state: State) -> Answer:
    _draw_results(state)
    yield
    with folded("How to make such a file", key="open_sweep_code") as is_open:
        if is_open:
            st.markdown(text("sweep_making"))
            st.code(SWEEP_TOML, language="toml")
            st.code(SWEEP_COMMAND, language="bash")


def _table(state: State) -> Table:
    results = _shown_results(state)
    return sweep_rows_table(results, _shown_rows(state, results))


QUESTION = Question(
    introduction="sweep_introduction",
    settings=(_sweep_upload, view_choice("sweep_chart", shows_label=False), _axes, _most_epsilon),
    answer=_answer,
    table=_table,
    file="dpviz-sweep-rows.csv",
    saved=_chosen_scenario,
    saves="The row below the chart",
    held=None,
)
