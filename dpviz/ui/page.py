"""What every page has: the router around it, and what the visitor has to be told."""

import gc
import runpy
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import streamlit as st

from dpviz.ui.accessible_style import draw_accessible_style
from dpviz.ui.acts import begin_controls, said_of_nothing_drawn
from dpviz.ui.long_runs import start_long_runs
from dpviz.ui.memory import share_memory_among_threads
from dpviz.ui.own_address import ask_nobody_for_own_address
from dpviz.ui.page_style import draw_page_style
from dpviz.ui.state import State, begin_page
from dpviz.ui.texts import plain
from dpviz.ui.warm_up import start_warming_up
from dpviz.ui.workers import start_workers

_ROUTED = "dpviz_routed"
_ADDRESS = "dpviz_address"
_ROUTER = Path(__file__).parents[2] / "app.py"


@st.cache_resource(show_spinner=False)
def prepare_server() -> None:
    """Do once per server what spares every visitor waiting later.

    The modules imported by now live as long as the server does: leaving them out of garbage
    collection saves most of its cost.
    """
    share_memory_among_threads()
    ask_nobody_for_own_address()
    gc.collect()
    gc.freeze()
    start_workers()
    start_long_runs()
    start_warming_up()


def tighten_layout() -> None:
    """Fit the pages to small screens, to the keyboard and to who wants little motion."""
    draw_page_style()
    draw_accessible_style()


def mark_as_routed(page: str, address: str = "") -> None:
    """Note, in the router, that it runs around this visitor's pages, and which one is next.

    Args:
        page: its title.
        address: the last part of its address, which is its file's name; the start page's is empty.
    """
    st.session_state[_ROUTED] = True
    st.session_state[_ADDRESS] = address
    if begin_page(page):
        begin_controls()


def page_address() -> str:
    """Return the last part of the address of the page that is drawn."""
    return str(st.session_state[_ADDRESS])


def require_router() -> None:
    """Run app.py first where Streamlit started a page without it.

    Until the first ``st.navigation`` of its life a server treats pages/ as self-contained
    scripts: somebody who opens a link to a page on a fresh server would see it bare.
    """
    if _ROUTED not in st.session_state:
        runpy.run_path(str(_ROUTER))
        st.stop()


def show_messages(state: State) -> None:
    """Say what could not be used as given, and what was changed.

    What a control was refused for stands beside the control.
    """
    others = said_of_nothing_drawn()
    problems = [*state.problems, *(one for said in others for one in said.problems)]
    notes = [*state.notes, *(one for said in others for one in said.notes)]
    if problems:
        st.warning("  \n".join(map(plain, problems)), icon="⚠️")
    if notes:
        st.info("  \n".join(map(plain, notes)), icon="ℹ️")


@contextmanager
def folded(label: str, *, key: str) -> Iterator[bool]:
    """Draw a part that is folded at first; yields whether it is open and so has to be drawn.

    What nobody sees then costs nothing: every element is a message to the browser at every
    slider move.
    """
    part = st.expander(label, key=key, on_change="rerun")
    with part:
        yield bool(part.open)
