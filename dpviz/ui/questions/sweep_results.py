"""What does a sweep over many scenarios show?"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from dpviz.export.code import SWEEP_COMMAND, SWEEP_TOML
from dpviz.export.comparison_tables import sweep_rows_table
from dpviz.figures.sweep_results import (
    parallel_chart,
    parallel_columns,
    scatter_chart,
    with_values,
)
from dpviz.jobs import TooCostlyError
from dpviz.scenario import Scenario, ScenarioError
from dpviz.settings import SETTINGS
from dpviz.settings.sweep import MOST_SWEEP_ROWS, SWEEP_AXES
from dpviz.sweeps.results import MOST_SHOWN_ROWS, SweepResults, example_results, read_results
from dpviz.ui import frame
from dpviz.ui.file_reading import read_box
from dpviz.ui.filling import result_of
from dpviz.ui.number_control import draw_number, view_number
from dpviz.ui.page import folded, in_columns, in_place, say, viewed, when
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
    if state.opened.get(_RESULTS) is not None:
        act_button("Back to the example", partial(_take, state, None), key="sweep_close")


def _take(state: State, results: SweepResults | None) -> None:
    """Show all rows of a file, or of the example again."""
    state.opened[_RESULTS] = results
    change_view(lambda: {"sweep_row": 0, "sweep_most_epsilon": 1e6})
    if results is not None:
        state.notes = [f"Shown: {counted(len(results.rows), 'scenario')} of the file."]


def _of_results(draw: Callable[[State, SweepResults], object]) -> Control:
    """Return what draws a control of results; where they cost too much the answer says so."""

    def drawn(state: State) -> None:
        with suppress(TooCostlyError):
            draw(state, _shown_results(state))

    return drawn


def _axis(field: str) -> Control:
    def draw(state: State, results: SweepResults) -> None:
        view_choice(
            field,
            value=lambda state: _known(results, getattr(state.view, field)),
            options=[name for name in SWEEP_AXES if name in results.numbers],
            name=SWEEP_AXES.__getitem__,
            in_sight=False,
        )(state)

    return _of_results(draw)


def _draw_results(state: State) -> None:
    view, (results, shown, chosen) = state.view, _shown(state)
    if view.sweep_chart == "scatter":
        x, y = (_known(results, name) for name in (view.sweep_x, view.sweep_y))
        spec, columns = scatter_chart(results, shown, x, y, chosen), [x, y]
        drawn = with_values(results, shown, columns)
    else:
        spec, columns = parallel_chart(results, shown, chosen), parallel_columns(results, shown)
        drawn = shown
    is_example = state.opened.get(_RESULTS) is None
    frame.draw_answer(
        headline=words.results_headline(results, shown, view.sweep_most_epsilon),
        figure=spec,
        alt=words.results_description(results, drawn, columns),
        key="sweep_results",
        finding=f"\n\n{text('sweep_example')}" if is_example else "",
        caption=text("sweep_caption"),
        on_click=lambda point: _clicked(results, point),
    )
    if chosen >= 0:
        _draw_row(state, results, shown, chosen)


def _chosen_scenario(state: State) -> Scenario:
    results, _, chosen = _shown(state)
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
    say(words.row_sentence(results, chosen, scenario))
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


def _shown(state: State) -> tuple[SweepResults, np.ndarray, int]:
    """Return results, shown rows, and the one looked at: else that of least ε, -1 for none."""
    results = _shown_results(state)
    epsilon = results.numbers["epsilon_upper"]
    shown = np.flatnonzero(epsilon <= state.view.sweep_most_epsilon)
    found = shown[results.rows[shown] == state.view.sweep_row]
    if len(found) == 0 and len(shown):
        found = shown[[np.argmin(epsilon[shown])]]
    return results, shown, int(found[0]) if len(found) else -1


def _clicked(results: SweepResults, point: Mapping[str, Any]) -> None:
    row = point.get("customdata")
    if isinstance(row, int) and row in results.rows:
        change_view(lambda: {"sweep_row": row})


def _most_epsilon(state: State, results: SweepResults) -> None:
    grid = SETTINGS["sweep_most_epsilon"].grid
    largest = float(np.max(results.numbers["epsilon_upper"], initial=0.0))
    enough = next((stop for stop in grid if stop >= largest), grid[-1])
    view_number("sweep_most_epsilon", grid=[stop for stop in grid if stop <= enough])(state)


def _known(results: SweepResults, name: str) -> str:
    return name if name in results.numbers else "epsilon_upper"


def _answer(state: State) -> Answer:
    _draw_results(state)
    yield
    with folded("How to make such a file", key="open_sweep_code") as is_open:
        if is_open:
            st.markdown(text("sweep_making"))
            st.code(SWEEP_TOML, language="toml")
            st.code(SWEEP_COMMAND, language="bash")


QUESTION = Question(
    introduction="sweep_introduction",
    settings=(
        _sweep_upload,
        view_choice("sweep_chart", shows_label=False),
        in_place(
            when(viewed("sweep_chart", "scatter"), in_columns(_axis("sweep_x"), _axis("sweep_y")))
        ),
        _of_results(_most_epsilon),
    ),
    answer=_answer,
    table=lambda state: sweep_rows_table(*_shown(state)[:2]),
    file="dpviz-sweep-rows.csv",
    saved=_chosen_scenario,
    saves="The row below the chart",
    held=None,
)
