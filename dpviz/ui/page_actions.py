"""What a page as a whole is for others: its link and code, its files, its lesson, a room."""

from collections.abc import Callable

import streamlit as st

from dpviz.ui.copy_link import copy_link_button
from dpviz.ui.lesson_line import draw_lesson_line
from dpviz.ui.number_table import table_button
from dpviz.ui.presenter import draw_presenter, present_button
from dpviz.ui.qr_code import qr_button
from dpviz.ui.state import State, known_view

# Taller than wide screens show beside a headline in large type would not help.
_PRESENTED_CHART_HEIGHT = 600


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
    )


def presented_height(height: int) -> int:
    """Return a chart's height in CSS pixels: larger where the page is shown to a room."""
    return max(height, _PRESENTED_CHART_HEIGHT) if known_view().present else height
