"""What stands above every page: the menu, the title, the tabs, and what the page hands over."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import streamlit as st

from dpviz.settings.destinations import DESTINATIONS, PAGE_NAMES, START, destination_of
from dpviz.settings.pages import PAGE_SETTINGS
from dpviz.ui.number_table import table_button
from dpviz.ui.page import begin_at_top, mark_as_routed, page_file
from dpviz.ui.presenter import present_button
from dpviz.ui.sharing import copy_link_button, qr_button, share_menu
from dpviz.ui.state import State, page_address, session_state

_MENU = "dpviz_menu"  # the page that the menu was made for
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


def navigate() -> st.Page:
    """Draw the menu of destinations; return the page that is asked for."""
    page, address = _route(st.session_state.get(_MENU, START))
    if st.session_state.get(_MENU) != address:
        # Which page is asked for is known only now: its entry is to be the one that is marked.
        st.session_state[_MENU] = address
        page, address = _route(address)
    st.set_page_config(page_title=f"{PAGE_NAMES[address]} · dpviz")
    mark_as_routed(address)
    return page


def _route(here: str) -> tuple[st.Page, str]:
    """Return the page that is asked for, and its address, after a menu made for a page."""
    pages: dict[str, st.Page] = {}
    for destination in DESTINATIONS:
        tabs = destination.pages
        entry = here if here in tabs else next(iter(tabs))
        for address, name in tabs.items():
            pages[address] = st.Page(
                page_file(address),
                title=destination.name if address == entry else name,
                url_path=address if address != START else None,
                default=address == START,
                visibility="visible" if address == entry else "hidden",
            )
    found = st.navigation(list(pages.values()), position="top")
    return found, next(address for address, page in pages.items() if page is found)


def draw_title() -> None:
    """Draw the destination's name and its tabs, above a page that hands nothing over."""
    with _head():
        pass


@contextmanager
def _head(title: str = "") -> Iterator[None]:
    address = page_address()
    destination = destination_of(address)
    # The code of a class that is started below is shown above.
    begin_at_top(f"{address} {session_state().view.class_code}")
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="head"):
        st.title(title or destination.name, anchor=False, width="content")
        if len(destination.pages) > 1:
            with st.container(horizontal=True, vertical_alignment="center", gap=None, key="tabs"):
                for one, name in destination.pages.items():
                    if one == address:  # no link: where one is is said without its colour, too
                        st.container(key="tab_here").markdown(f"**{name}**")
                    else:
                        st.page_link(page_file(one), label=name)
        yield


def draw_head(
    state: State,
    *,
    title: str = "",
    table: Callable[[], str] | None = None,
    table_name: str = "",
    scenario: Callable[[], str] | None = None,
) -> None:
    """Draw title, tabs and the menu of all that a page is for others: link, files, a room.

    Args:
        state: the visitor's.
        title: in place of the destination's name.
        table: returns the chart's numbers as CSV; ``None`` where there are none.
        table_name: their file's name.
        scenario: returns the settings as JSON; ``None`` where there are none to save.
    """
    with _head(title), share_menu():
        copy_link_button(key="copy_link")
        if not state.view.present:  # there the bar has it
            qr_button(state)
        present_button(state)
        if table is not None:
            table_button(table)
            _file_button("Download CSV", table, table_name, "text/csv", "download_csv", "download")
        if scenario is not None:
            _file_button(
                "Save scenario",
                scenario,
                "dpviz-scenario.json",
                "application/json",
                "save_scenario",
                "save",
                _saved_help(page_address()),
            )


def _file_button(
    label: str,
    data: Callable[[], str],
    name: str,
    kind: str,
    key: str,
    icon: str,
    explains: str = "",
) -> None:
    st.download_button(
        label,
        data,
        name,
        kind,
        key=key,
        icon=f":material/{icon}:",
        on_click="ignore",
        help=explains or None,
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
