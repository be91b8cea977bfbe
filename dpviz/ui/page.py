"""What every page has: the router around it, and what the visitor has to be told."""

import gc
import runpy
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import streamlit as st

from dpviz.ui.accessible_style import draw_accessible_style
from dpviz.ui.long_runs import start_long_runs
from dpviz.ui.memory import share_memory_among_threads
from dpviz.ui.own_address import ask_nobody_for_own_address
from dpviz.ui.session_lookup import look_up_single_values
from dpviz.ui.state import State, begin_page
from dpviz.ui.texts import plain
from dpviz.ui.warm_up import start_warming_up
from dpviz.ui.workers import start_workers

_ROUTED = "dpviz_routed"
_ADDRESS = "dpviz_address"
_ROUTER = Path(__file__).parents[2] / "app.py"
# The empty band under the navigation goes, so that the chart is in the first screen; a table that
# is wider than a phone scrolls by itself instead of widening the page. The answer stays in sight
# while the settings are scrolled: on a wide screen the chart with its headline, on a phone the
# headline, at the bottom. What a way back is called is for screen readers; its icon shows it.
_STYLE = """<style>
.stMainBlockContainer {padding-top: 4rem; padding-bottom: 3rem;}
.stMarkdown table {display: block; max-width: 100%; overflow-x: auto;}
.stMarkdown td {min-width: 6rem;}
[class*="_reset"] button > div {gap: 0;}
[class*="_reset"]:not(.st-key-reset_all) button p {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
}
.st-key-lesson_line p, .st-key-lessons p {white-space: normal;}
[data-variant=segmented_control] p {color: CanvasText;}
.stMain h1 {font-size: 1.75rem; padding: 0.5rem 0;}
@media (min-width: 641px) {
  .stColumn:has(.st-key-answer) {
    position: sticky; top: 3.5rem; align-self: flex-start;
  }
}
@media (max-width: 640px) {
  .st-key-qr_code p, .st-key-present p, .st-key-show_table p, .st-key-download_csv p,
  .st-key-save_scenario p {
    position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  }
  .st-key-download_csv button > div, .st-key-save_scenario button > div,
  .st-key-qr_code button > div, .st-key-present button > div,
  .st-key-show_table button > div {gap: 0;}
  .st-key-answer {
    position: fixed; inset: auto 0 0 0; z-index: 90; width: 100%; padding: 0.5rem 1rem;
    max-height: 24vh; overflow-y: auto;
    background: var(--st-background-color, Canvas); border-top: 1px solid rgba(128, 128, 128, 0.5);
  }
  .st-key-answer p {font-size: 0.8rem; line-height: 1.35;}
  .stMainBlockContainer {padding-bottom: 10rem;}
}
</style>"""


@st.cache_resource(show_spinner=False)
def prepare_server() -> None:
    """Do once per server what spares every visitor waiting later.

    The modules imported by now live as long as the server does: leaving them out of garbage
    collection saves most of its cost.
    """
    share_memory_among_threads()
    ask_nobody_for_own_address()
    look_up_single_values()
    gc.collect()
    gc.freeze()
    start_workers()
    start_long_runs()
    start_warming_up()


def tighten_layout() -> None:
    """Fit the pages to small screens, to the keyboard and to who wants little motion."""
    st.html(_STYLE)
    draw_accessible_style()


def mark_as_routed(page: str, address: str = "") -> None:
    """Note, in the router, that it runs around this visitor's pages, and which one is next.

    Args:
        page: its title.
        address: the last part of its address, which is its file's name; the start page's is empty.
    """
    st.session_state[_ROUTED] = True
    st.session_state[_ADDRESS] = address
    begin_page(page)


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

    The first time also where it is seen from any place of the page.
    """
    if state.unseen:
        said = [*state.problems, *state.notes]
        if said:  # one is enough to look up
            more = f" (and {len(said) - 1} more, at the top)" if len(said) > 1 else ""
            st.toast(plain(said[0] + more), icon="⚠️" if state.problems else "ℹ️")
        state.unseen = False
    if state.problems:
        st.warning("  \n".join(map(plain, state.problems)), icon="⚠️")
    if state.notes:
        st.info("  \n".join(map(plain, state.notes)), icon="ℹ️")


@contextmanager
def folded(label: str, *, key: str) -> Iterator[bool]:
    """Draw a part that is folded at first; yields whether it is open and so has to be drawn.

    What nobody sees then costs nothing: every element is a message to the browser at every
    slider move.
    """
    part = st.expander(label, key=key, on_change="rerun")
    with part:
        yield bool(part.open)
