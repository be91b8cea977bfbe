"""Which table of the paper is shown, which column of it, and what opens its set-up elsewhere."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from dpviz.reported import (
    FIGURES_WITHOUT_NUMBERS,
    TABLES,
    ReportedTable,
    SetUp,
    UnreadFigure,
    setup_of,
)
from dpviz.scenario import PRESETS, Scenario
from dpviz.ui.act_button import act_button
from dpviz.ui.choice import menu, view_choice
from dpviz.ui.state import State, change, change_view
from dpviz.wording.paper_tables import column_name, figure_name, table_name

_KEY = "reported_table"
_ALL: dict[str, ReportedTable | UnreadFigure] = {**TABLES, **FIGURES_WITHOUT_NUMBERS}
# Where what a figure varies is explored.
_FIGURE_PAGES: dict[str, tuple[str, Mapping[str, Any]]] = {
    "batch_size": ("pages/sample_or_walk.py", {"compared_length": "run"}),
    "num_subsequences": ("pages/subsequences.py", {"chart": "curve", "compared_steps": 0}),
}


def shown_table(state: State) -> ReportedTable | UnreadFigure:
    """Return the chosen table, or the figure whose numbers are not known."""
    return _ALL[state.view.reported_table]


def shown_column(state: State, table: ReportedTable) -> int:
    """Return the place of the chosen column."""
    return table.column(state.view.reported_column)


def shown_setup(state: State) -> SetUp | None:
    """Return the set-up behind the chosen column; ``None`` where there is none that is private."""
    table = shown_table(state)
    if isinstance(table, UnreadFigure):
        return None
    return setup_of(table, shown_column(state, table), state.view.reported_windows)


def opened_scenario(state: State) -> Scenario:
    """Return what is saved: the set-up behind the column, or else the data set as it is set."""
    table, setup = shown_table(state), shown_setup(state)
    if setup is not None:
        return setup.scenario
    if isinstance(table, UnreadFigure):
        return table.scenario
    return PRESETS[table.data_set].scenario


def table_controls(state: State) -> None:
    """Choose the table, one of its columns, and how much its models read."""
    table = shown_table(state)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _table_box(table)
        places = list(_ALL)
        now = places.index(table.name)
        _step_button("Previous table", "chevron_left", places[:now][-1:])
        _step_button("Next table", "chevron_right", places[now + 1 :][:1])
    if isinstance(table, UnreadFigure):
        return
    with st.container(horizontal=True):
        view_choice(
            state,
            "reported_column",
            value=shown_column(state, table),
            options=range(len(table.columns)),
            name=lambda at: column_name(table, table.columns[at]),
            # With other options it is another choice.
            key=f"reported_column_{table.number}",
            of=lambda: state.view.reported_table,
        )
        if table.mechanism == "training":
            view_choice(state, "reported_windows")


def opening_buttons(state: State) -> None:
    """Offer to go on from the set-up on the pages that plan and explore."""
    table, setup = shown_table(state), shown_setup(state)
    with st.container(horizontal=True):
        if isinstance(table, UnreadFigure):
            page, view = _FIGURE_PAGES[table.varied]
            _open_button("Open its set-up, with privacy", "explorer", table.scenario, page, view)
        elif setup is not None:
            name = column_name(table, table.columns[shown_column(state, table)])
            epsilon = setup.target_epsilon
            goal = {"goal": "epsilon", "free_quantity": "training", "plan_chart": "curve"}
            _open_button(
                f"Plan the set-up at {name}",
                "planner",
                setup.scenario,
                "pages/planner.py",
                goal | {"target_epsilon": epsilon},
            )
            _open_button(
                f"See its ε over training, at {name}",
                "curve",
                setup.scenario,
                "pages/privacy_curve.py",
                {"chart": "training", "target_epsilon": epsilon},
            )


def _open_button(
    label: str, name: str, scenario: Scenario, page: str, view: Mapping[str, Any]
) -> None:
    if st.button(
        label,
        key=f"open_in_{name}",
        icon=":material/tune:",
        help="Makes this set-up yours, to change it one setting after the other. Undo brings your "
        "own back.",
    ):
        change(lambda _: scenario, is_origin=True, view=view)
        st.switch_page(page)


def _table_box(table: ReportedTable | UnreadFigure) -> None:
    menu(
        "Table",
        value=table.name,
        options=list(_ALL),
        name=_name,
        chosen=lambda name: change_view(lambda: {"reported_table": name}),
        key=_KEY,
    )


def _name(key: str) -> str:
    one = _ALL[key]
    return figure_name(one) if isinstance(one, UnreadFigure) else table_name(one)


def _step_button(label: str, icon: str, places: list[str]) -> None:
    act_button(
        label,
        lambda: change_view(lambda: {"reported_table": places[0]}),
        key=label.lower().replace(" ", "_"),
        icon=icon,
        disabled=not places,
    )
