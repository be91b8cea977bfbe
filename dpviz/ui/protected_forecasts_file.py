"""A file of series to protect: read in memory, kept in this session, never in a link."""

from functools import partial
from uuid import uuid4

import streamlit as st

from dpviz.protected_forecasts.data import SHORTEST_KNOWN, SeriesToProtect
from dpviz.protected_forecasts.from_file import MOST_SERIES, MOST_VALUES, series_from_file
from dpviz.series_file import MOST_BYTES, SeriesFileError
from dpviz.ui.shared import RESULTS
from dpviz.ui.state import State
from dpviz.ui.upload import read_in_turn, receive_in_memory

_KEPT, _KEYS = "series to protect", "computed of series to protect"


def file_control(state: State) -> None:
    """Offer to read series from a file."""
    receive_in_memory()
    key = f"upload_{state.uploads}"
    st.file_uploader(
        "A file of series (CSV, Parquet)",
        type=["csv", "gz", "tsv", "txt", "parquet"],
        key=key,
        on_change=_read,
        args=(state, key),
        max_upload_size=MOST_BYTES // 2**20,
        help=f"{SHORTEST_KNOWN + 1} to {MOST_VALUES:,} values from 1 on in each of at most "
        f"{MOST_SERIES:,} series, monthly if they have a season. Values stay in this server's "
        "memory while you look at them; nothing is stored, and no link has them.",
    )
    if (kept := kept_file(state)) is not None:
        st.caption(f"{len(kept[1]):,} series of your file are protected.")


def kept_file(state: State) -> tuple[str, SeriesToProtect] | None:
    """Return this visitor's series with a name that nobody else can guess; ``None`` without any."""
    found: tuple[str, SeriesToProtect] | None = state.opened.get(_KEPT)
    return found


def note_keys(state: State, keys: list[str]) -> None:
    """Note what is computed of this visitor's file, to forget it with the file."""
    state.opened.setdefault(_KEYS, set()).update(keys)


def _read(state: State, key: str) -> None:
    uploaded = st.session_state[key]
    if uploaded is None:
        return
    state.uploads += 1
    state.problems, state.notes, state.said = [], [], {}
    try:
        series = read_in_turn(partial(series_from_file, uploaded.getvalue(), uploaded.name))
    except SeriesFileError as problem:
        state.problems.append(f"The file was not used. {problem}")
        return
    # What was computed of the file before goes with it.
    for known in state.opened.pop(_KEYS, set()):
        RESULTS.forget(known)
    state.opened[_KEPT] = (str(uuid4()), series)
    state.notes.append(f"{len(series):,} series were read; the last value of each is forecast.")
