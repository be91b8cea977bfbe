"""What a page as a whole is for others: its link and code, its files, its lesson, a room."""

from collections.abc import Callable

import streamlit as st

from dpviz.settings.pages import PAGE_SETTINGS
from dpviz.ui.lesson_links import draw_lesson_line
from dpviz.ui.number_table import table_button
from dpviz.ui.page import page_address
from dpviz.ui.presenter import draw_presenter, present_button
from dpviz.ui.sharing import copy_link_button, qr_button
from dpviz.ui.state import State, session_state

# Taller than wide screens show beside a headline in large type would not help.
_PRESENTED_CHART_HEIGHT = 600
# Where the training scenario that is saved is another one than the visitor's.
_SAVED = {
    "planner": "The plan, with what was found for the quantity left open; where there is none, "
    "what is set",
    "train": "The run that was trained, once one is shown; until then the settings that other "
    "pages share",
    "sweep_results": "The scenario of the row that is looked at",
    "paper_figures": "The settings behind this panel",
    "paper_tables": "The set-up behind this column; where it has none, its data set's own",
}
# What the file of a page lacks, where that has to be told by name.
_LACKS = {
    "planner": " The goal, and what is left open, are in the link alone: opened on this page, the "
    "file is planned anew for the goal that is set here; other pages show the plan.",
}


def draw_lesson_and_presenter(state: State) -> None:
    """Draw the way back to a lesson, and the bar for who presents, where there are any."""
    draw_lesson_line(state)
    draw_presenter(state)


def draw_link_buttons(state: State) -> None:
    """Draw the buttons that copy the link, show it as a code, and present the page."""
    copy_link_button(key="copy_link")
    if not state.view.present:  # there the bar has it
        qr_button(state)
    present_button(state)


def draw_downloads(
    table: Callable[[], str], table_name: str, scenario: Callable[[], str] | None
) -> None:
    """Draw the buttons that show and hand over the chart's numbers, and the settings.

    Args:
        table: returns the numbers as CSV.
        table_name: their file's name.
        scenario: returns the settings as JSON; ``None`` where there are none to save.
    """
    table_button(table)
    st.download_button(
        "Download CSV",
        table,
        table_name,
        "text/csv",
        key="download_csv",
        icon=":material/download:",
        on_click="ignore",
    )
    if scenario is None:
        return
    st.download_button(
        "Save scenario",
        scenario,
        "dpviz-scenario.json",
        "application/json",
        key="save_scenario",
        icon=":material/save:",
        on_click="ignore",
        help=_saved_help(page_address()),
    )


def _saved_help(page: str) -> str:
    """Return what the file of a page holds, what it is for, and what it lacks."""
    what = _SAVED.get(page, "The settings of this training run")
    lacks = " What only this page has is in the link alone." if PAGE_SETTINGS.get(page) else ""
    lacks = _LACKS.get(page, lacks)
    return (
        f"{what}, as JSON: for the command line, for Python, and to be opened again where pages "
        f"take a file.{lacks}"
    )


def presented_height(height: int) -> int:
    """Return a chart's height in CSS pixels: larger where the page is shown to a room."""
    return max(height, _PRESENTED_CHART_HEIGHT) if session_state().view.present else height
