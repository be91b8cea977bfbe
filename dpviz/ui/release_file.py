"""A visitor's own counts: read in memory for this session, and nowhere kept beyond it."""

from dataclasses import dataclass
from functools import partial
from uuid import uuid4

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from dpviz.release.count_file import counts_in_file
from dpviz.series_file import MOST_BYTES, SeriesFileError
from dpviz.settings.release import MOST_RELEASED_STEPS
from dpviz.ui.state import State, change_view
from dpviz.ui.upload import read_in_turn, receive_in_memory

_COUNTS, _TURN = "series of counts", "dpviz_counts_turn"


@dataclass(frozen=True, eq=False)
class Counts:
    """A series of the visitor's.

    Args:
        name: nobody else's; results are known by it.
        values: of shape (length,).
    """

    name: str
    values: NDArray[np.float64]


def own_counts(state: State) -> Counts | None:
    """Return the visitor's series; ``None`` while no file was opened in this session."""
    return state.opened.get(_COUNTS)


def counts_upload(state: State) -> None:
    """Offer to open a file of counts."""
    receive_in_memory()
    # A fresh identity after each file makes Streamlit drop the one before from memory.
    key = f"counts_upload_{st.session_state.get(_TURN, 0)}"
    st.file_uploader(
        "A series of counts (CSV, Parquet)",
        type=["csv", "gz", "tsv", "txt", "parquet"],
        key=key,
        on_change=_read,
        args=(state, key),
        max_upload_size=MOST_BYTES // 2**20,
        help="One column of whole numbers, and the time or not. Kept in this session's memory "
        f"only; it is not in the link. At most {MOST_RELEASED_STEPS:,} steps.",
    )
    found = own_counts(state)
    if found is not None:
        st.caption(f"From the file: {len(found.values):,} steps.")


def _read(state: State, key: str) -> None:
    uploaded = st.session_state[key]
    if uploaded is None:
        return
    st.session_state[_TURN] = st.session_state.get(_TURN, 0) + 1
    change_view(lambda: {"release_source": "file"})  # also forgets what was said before
    try:
        values = read_in_turn(partial(counts_in_file, uploaded.getvalue(), uploaded.name))
        if len(values) > MOST_RELEASED_STEPS:
            raise SeriesFileError(
                f"The series has {len(values):,} steps; at most {MOST_RELEASED_STEPS:,} are "
                "released on this page: use the command line for longer ones."
            )
    except SeriesFileError as problem:
        state.problems.append(f"The file was not used. {problem}")
        return
    state.opened[_COUNTS] = Counts(uuid4().hex, values)
    state.notes.append(f"A series of {len(values):,} counts was opened.")
