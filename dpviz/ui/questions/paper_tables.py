"""How well did privately trained models forecast, and how private were they?"""

from functools import partial
from typing import Any

import streamlit as st

from dpviz.export.paper_tables import reported_cells, unread_figure
from dpviz.export.table import Table
from dpviz.figures.reported import reported_chart
from dpviz.planning.paper_figures import Family
from dpviz.reported import table as reported
from dpviz.scenario import PRESETS, Scenario
from dpviz.ui import frame
from dpviz.ui.compute import epsilon_parts, used_up_part
from dpviz.ui.filling import fill_in, is_left_out, progress
from dpviz.ui.page import draw_progress, folded_text, say
from dpviz.ui.question import Answer, Question
from dpviz.ui.questions.paper_figures import EXPLORERS, open_button
from dpviz.ui.rests_on import draw_code, draw_theory
from dpviz.ui.results import Part
from dpviz.ui.state import State, change_view
from dpviz.ui.texts import text
from dpviz.ui.widgets import menu, neighbour_buttons, view_choice
from dpviz.wording import paper_tables, reported_setups

_ALL: dict[str, reported.ReportedTable | reported.UnreadFigure] = {
    **reported.TABLES,
    **reported.FIGURES_WITHOUT_NUMBERS,
}
# Which figures with numbers vary the same.
_FAMILIES = {"batch_size": Family.TOP_LEVELS, "num_subsequences": Family.WINDOWS}


def _shown_table(state: State) -> reported.ReportedTable | reported.UnreadFigure:
    return _ALL[state.view.reported_table]


def _shown_column(state: State, table: reported.ReportedTable) -> int:
    return table.column(state.view.reported_column)


def _shown_setup(state: State, table: reported.ReportedTable) -> reported.SetUp | None:
    """Return the set-up behind the chosen column; ``None`` where there is none that is private."""
    return reported.setup_of(table, _shown_column(state, table), state.view.reported_windows)


def _opened_scenario(state: State) -> Scenario:
    """Return what is saved: the set-up behind the column, or else the data set as it is set."""
    table = _shown_table(state)
    if isinstance(table, reported.UnreadFigure):
        return table.scenario
    setup = _shown_setup(state, table)
    return PRESETS[table.data_set].scenario if setup is None else setup.scenario


def _table_controls(state: State) -> None:
    table = _shown_table(state)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        menu(
            "Table",
            value=table.name,
            options=list(_ALL),
            name=_name,
            chosen=lambda name: change_view(lambda: {"reported_table": name}),
            key="reported_table",
        )
        places = [{"reported_table": name} for name in _ALL]
        neighbour_buttons("table", places, list(_ALL).index(table.name))
    if isinstance(table, reported.UnreadFigure):
        return
    with st.container(horizontal=True):
        view_choice(
            "reported_column",
            options=range(len(table.columns)),
            name=lambda at: paper_tables.column_name(table, table.columns[at]),
            key=f"reported_column_{table.number}",
            value=lambda _: _shown_column(state, table),
            of=lambda: state.view.reported_table,
        )(state)
        if table.mechanism == "training":
            view_choice("reported_windows")(state)


_open_button = partial(
    open_button,
    explains="Makes this set-up yours, to change it one setting after the other. Undo brings your "
    "own back.",
)


def _name(key: str) -> str:
    one = _ALL[key]
    if isinstance(one, reported.UnreadFigure):
        return paper_tables.figure_name(one)
    return paper_tables.table_name(one)


def _printed_table(state: State) -> Table:
    table = _shown_table(state)
    return (
        unread_figure(table) if isinstance(table, reported.UnreadFigure) else reported_cells(table)
    )


def _draw_table(table: reported.ReportedTable, column: int) -> None:
    said = [*paper_tables.print_and_numbers(table), *paper_tables.remarks(table)]
    frame.draw_answer(
        headline=paper_tables.table_headline(table, column),
        figure=lambda: reported_chart(table, column),
        made_of=[table.number, column],
        alt=paper_tables.table_description(table),
        key="reported_chart",
        finding="\n\n".join(said),
        caption=paper_tables.SIDE_BY_SIDE,
        height=520,  # the legend takes a part
    )


def _draw_accounting(state: State, table: reported.ReportedTable, column: int) -> None:
    setups = {
        windows: [reported.setup_of(table, column, windows) for column in range(len(table.columns))]
        for windows in reported.WINDOWS
    }
    known = {windows: _accounts(found) for windows, found in setups.items()}
    first = {windows: next(filter(None, found)) for windows, found in setups.items()}
    named = [
        (reported_setups.windows_name(first[windows], windows), accounts)
        for windows, accounts in known.items()
    ]
    say(reported_setups.accounts_table(table, named))
    draw_progress(progress())
    own = known[state.view.reported_windows][column]
    told = [
        reported_setups.unlimited_sentence(table, known["stated"]),
        "" if own is None else reported_setups.whole_sentence(own),
        reported_setups.accounts_meaning(table, first["stated"]),
    ]
    say("\n\n".join(filter(None, told)))
    folded_text(
        "Where the paper's training differs",
        "open_accounted",
        lambda: reported_setups.ACCOUNTED_OTHERWISE,
    )
    if own is not None:
        name, run = paper_tables.column_name(table, table.columns[column]), own.setup.scenario
        goal = {"target_epsilon": own.setup.target_epsilon}
        plan = goal | {"goal": "epsilon", "free_quantity": "training", "plan_chart": "map"}
        with st.container(horizontal=True):
            _open_button(f"Plan the set-up at {name}", "planner", run, "planner", plan)
            curve, label = goal | {"chart": "training"}, f"See its ε over training, at {name}"
            _open_button(label, "curve", run, "privacy_curve", curve)


def _accounts(setups: list[reported.SetUp | None]) -> list[reported_setups.SetUpAccount | None]:
    """Return what is known of set-ups: first of their whole training, then where budgets end."""
    private = {at: setup for at, setup in enumerate(setups) if setup is not None}
    parts = epsilon_parts([setup.scenario for setup in private.values()])
    wholes = fill_in(parts).by(private)
    end_parts = {
        at: used_up_part(setup.scenario, setup.target_epsilon)
        for at, setup in private.items()
        if at in wholes and not reported_setups.is_within(wholes[at], setup.target_epsilon)
    }
    used = fill_in(list(end_parts.values())).by(end_parts)
    last_parts: dict[int, Part[Any]] = {**dict(zip(private, parts, strict=True)), **end_parts}
    known = {
        at: reported_setups.SetUpAccount(
            setup=setup,
            whole=wholes.get(at),
            used=used.get(at),
            is_left_out=is_left_out(last_parts[at]),
        )
        for at, setup in private.items()
    }
    return [known.get(at) for at in range(len(setups))]


def _answer(state: State) -> Answer:
    table = _shown_table(state)
    if isinstance(table, reported.UnreadFigure):
        st.info("\n\n".join(paper_tables.figure_sentences(table)))
        st.markdown(reported_setups.drawing_text(table.varied))
        explorer = EXPLORERS[_FAMILIES[table.varied]]
        with st.container(horizontal=True):
            _open_button("Open its set-up, with privacy", "explorer", table.scenario, *explorer)
        return
    column = _shown_column(state, table)
    _draw_table(table, column)
    yield
    say("\n".join(f"- {line}" for line in paper_tables.what_was_done(table)))
    st.header("What dpviz's accounting gives for these set-ups", anchor=False)
    if table.mechanism != "training":
        st.markdown(text("paper_tables_forecasting"))
        return
    _draw_accounting(state, table, column)
    if (setup := _shown_setup(state, table)) is not None:
        draw_code([("the set-up of this column", setup.scenario)])
    draw_theory()


QUESTION = Question(
    introduction="paper_tables_introduction",
    settings=(_table_controls,),
    answer=_answer,
    table=_printed_table,
    file="dpviz-reported-table.csv",
    saved=_opened_scenario,
    saves="This column's set-up; where it has none, its data set's,",
    is_live=False,
    held=None,
)
