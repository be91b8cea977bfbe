"""A table of the paper: its chart, what holds of it, and our own accounting of its set-ups."""

import streamlit as st

from dpviz.accounting import DEFAULT_TOLERANCE
from dpviz.export.reported_csv import reported_table_csv, unread_figure_csv
from dpviz.figures import figure_json
from dpviz.figures.reported import reported_chart
from dpviz.planning.proven import ProvenEpsilon
from dpviz.reported import WINDOWS, ReportedTable, SetUp, UnreadFigure, setup_of
from dpviz.ui import frame
from dpviz.ui.compute import content, epsilon_parts, used_up_part
from dpviz.ui.filling import Filled, fill_in, is_left_out, together
from dpviz.ui.paper_tables_controls import (
    opened_scenario,
    opening_buttons,
    shown_column,
    shown_setup,
    shown_table,
)
from dpviz.ui.shared import Part
from dpviz.ui.shown_code import draw_code
from dpviz.ui.state import State
from dpviz.ui.texts import text
from dpviz.wording.paper_table_findings import in_numbers, in_print, remarks
from dpviz.wording.paper_tables import (
    figure_sentences,
    table_description,
    table_headline,
    what_was_done,
)
from dpviz.wording.reported_setups import (
    SetUpAccount,
    accounts_meaning,
    accounts_table,
    is_within,
    unlimited_sentence,
    whole_sentence,
    windows_name,
)

_NOTHING = Filled(results=())
_HEIGHT = 520  # pixels: the legend takes a part


def shown_csv(state: State) -> str:
    """Return the numbers of the chosen table."""
    table = shown_table(state)
    if isinstance(table, UnreadFigure):
        return unread_figure_csv(table)
    return reported_table_csv(table)


def draw_table(state: State) -> Filled:
    """Draw the chosen table, and what our accounting says of it, as far as that is computed."""
    table = shown_table(state)
    if isinstance(table, UnreadFigure):
        st.info("\n\n".join(figure_sentences(table)))
        opening_buttons(state)
        return _NOTHING
    column = shown_column(state, table)
    key = [table.number, column]
    frame.draw_answer(
        headline=table_headline(table, column),
        figure_json=content(
            "reported chart", key, lambda: figure_json(reported_chart(table, column))
        ),
        alt=content("reported words", [table.number], lambda: table_description(table)),
        key="reported_chart",
        finding=_finding(table),
        height=_HEIGHT,
    )
    st.markdown("\n".join(f"- {line}" for line in what_was_done(table)))
    return _draw_accounting(state, table)


def draw_what_it_rests_on(state: State) -> None:
    """Draw the code that gives our own numbers and what has to hold for them, if there are any."""
    table = shown_table(state)
    if isinstance(table, UnreadFigure) or table.mechanism != "training":
        return
    if shown_setup(state) is not None:
        draw_code([("the set-up of this column", opened_scenario(state))])
    frame.draw_theory()


def _finding(table: ReportedTable) -> str:
    said = [f"**In print:** {in_print(table)}"]
    said.append(f"**By the printed numbers:** {' '.join(in_numbers(table))}")
    return "\n\n".join([*said, *remarks(table)])


def _draw_accounting(state: State, table: ReportedTable) -> Filled:
    st.header("What our accounting gives for these set-ups", anchor=False)
    if table.mechanism != "training":
        st.markdown(text("paper_tables_forecasting"))
        return _NOTHING
    setups = {windows: _setups(table, windows) for windows in WINDOWS}
    known = {windows: _accounts(found) for windows, found in setups.items()}
    filled = together(*(one for _, one in known.values()))
    first = next(setup for setup in setups["stated"] if setup is not None)
    named = [
        (windows_name(next(filter(None, setups[windows])), windows), accounts)
        for windows, (accounts, _) in known.items()
    ]
    st.markdown(accounts_table(table, named))
    with st.container():  # always there, so that what is drawn below stays the same
        if filled.progress is not None:
            st.progress(filled.progress, text="Refining …")
        chosen = known[state.view.reported_windows][0]
        own = chosen[shown_column(state, table)]
        told = [
            unlimited_sentence(table, known["stated"][0]),
            "" if own is None else whole_sentence(own),
            accounts_meaning(table, first),
        ]
        st.markdown("\n\n".join(filter(None, told)))
    opening_buttons(state)
    return filled


def _setups(table: ReportedTable, windows: str) -> list[SetUp | None]:
    return [setup_of(table, column, windows) for column in range(len(table.columns))]


def _accounts(setups: list[SetUp | None]) -> tuple[list[SetUpAccount | None], Filled]:
    """Return what is known of set-ups: first of their whole training, then where budgets end."""
    private = [setup for setup in setups if setup is not None]
    whole_parts = epsilon_parts([setup.scenario for setup in private], DEFAULT_TOLERANCE)
    wholes = fill_in(whole_parts)
    end_parts: dict[int, Part] = {
        at: used_up_part(setup.scenario, setup.target_epsilon)
        for at, (setup, whole) in enumerate(zip(private, wholes.results, strict=True))
        if isinstance(whole, ProvenEpsilon) and not is_within(whole, setup.target_epsilon)
    }
    ends = fill_in(list(end_parts.values()))
    used = dict(zip(end_parts, ends.results, strict=True))
    known = iter(
        SetUpAccount(
            setup=setup,
            whole=wholes.results[at],
            used=used.get(at),
            is_left_out=is_left_out(end_parts.get(at, whole_parts[at])),
        )
        for at, setup in enumerate(private)
    )
    return [None if setup is None else next(known) for setup in setups], together(wholes, ends)
