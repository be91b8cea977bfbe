"""The file that was planned for, kept until it is trained on: nobody opens it twice."""

from dataclasses import dataclass
from threading import Lock
from weakref import ref

import streamlit as st

from dpviz.series_file import Choice
from dpviz.series_file.any_layout import ColumnNames
from dpviz.ui.state import State
from dpviz.ui.widgets import act_button

# Of one visitor's file, for as long as the page is open: 80 MB in memory.
MOST_FILE_VALUES = 10_000_000
# Of all visitors of a server; what was kept first goes first.
_MOST_BYTES_KEPT = 200 * 2**20
_USED = "how the file of series was read"
_lock = Lock()
_kept: "list[ref[UsedFile]]" = []


@dataclass(eq=False)
class UsedFile:
    """A file whose shape is planned for.

    Args:
        choice: how it was read.
        content: all of it; ``None`` once it was trained on or forgotten.
    """

    name: str
    size: int
    choice: Choice
    layout: str
    columns: ColumnNames
    content: bytes | None


def keep(state: State, file: UsedFile) -> None:
    """Note how the visitor's file was read, and keep it, in the place of the one before."""
    state.opened[_USED] = file
    if file.content is None:
        return
    with _lock:
        others = [one for one in (kept() for kept in _kept) if one is not None and one.content]
        room = _MOST_BYTES_KEPT - file.size
        for one in reversed(others):
            room -= one.size
            if room < 0:
                one.content = None
        _kept[:] = [ref(one) for one in (*others, file) if one.content]


def used_file(state: State) -> UsedFile | None:
    """Return the file that was planned for."""
    return state.opened.get(_USED)


def choice_for(state: State, content: bytes, name: str) -> Choice | None:
    """Return how a file was read that is opened once more; ``None`` where it was not used."""
    used = used_file(state)
    is_it = used is not None and (used.name, used.size) == (name, len(content))
    return used.choice if used is not None and is_it else None


def draw_kept(state: State) -> None:
    """Say what is kept of the file that was planned for, with the button that drops it."""
    used = used_file(state)
    if used is None or used.content is None:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            "Kept in this server's memory for *Train*, until another is opened or the page closed."
        )
        act_button("Forget it", lambda: forget(used), key="forget_kept", quiet=True)


def forget(used: UsedFile) -> None:
    """Drop what is kept of a file; how it was read stays known."""
    used.content = None
