"""A file of real series, or a saved scenario: read in memory, never stored."""

import threading
from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import uuid4

import streamlit as st
from starlette.formparsers import MultiPartParser

from dpviz.jobs import Limits, TooCostlyError
from dpviz.planning.first_windows import left_open
from dpviz.planning.plan import goal_of, quantity_of
from dpviz.scenario import ScenarioError, from_json
from dpviz.series_file import (
    LAYOUTS,
    MOST_BYTES,
    MOST_ROWS,
    MOST_SERIES,
    SeriesFileError,
    SeriesLengths,
    adopt_lengths,
    read_series_lengths,
)
from dpviz.ui.choice import menu
from dpviz.ui.filling import result_of
from dpviz.ui.page import page_address
from dpviz.ui.shared import RESULTS, Part
from dpviz.ui.state import State, begin_with
from dpviz.wording.numbers import rounded
from dpviz.wording.plan import opened_sentences

LIMITS = (
    f"At most {MOST_BYTES // 2**20} MB, unpacked, {MOST_ROWS:,} rows and {MOST_SERIES:,} series "
    "are read of a file."
)
# A large file takes seconds and hundreds of megabytes (bench/series_files.py): many at once would
# leave the server without memory.
_ONE_AT_A_TIME = threading.Lock()
_READING_LIMITS = Limits(seconds=20.0, megabytes=1500)
_LONGEST_WAIT = 30.0
_LAYOUT = "file_layout"
_LAYOUT_NAMES = {
    "auto": "Find out",
    "long": "long: one row a value",
    "wide": "wide: one column a series",
}


def upload_control(state: State) -> None:
    """Offer to read a data set's shape, or a scenario, from a file."""
    receive_in_memory()
    # A fresh identity after each file makes Streamlit drop the one before from memory.
    key = f"upload_{state.uploads}"
    st.file_uploader(
        "A file of series (CSV, Parquet), or a scenario (JSON)",
        type=["csv", "gz", "tsv", "txt", "parquet", "json"],
        key=key,
        on_change=_read,
        args=(state, key),
        max_upload_size=MOST_BYTES // 2**20,
        help="Only the number and the lengths of the series are used; every value counts as "
        f"trained on. Nothing is stored. {LIMITS}",
    )
    menu(
        "Layout of the file",
        value=st.session_state.get(_LAYOUT, LAYOUTS[0]),
        options=LAYOUTS,
        name=_LAYOUT_NAMES.__getitem__,
        chosen=partial(st.session_state.__setitem__, _LAYOUT),
        key="layout_of_file",
        explains="Choose one before you open a file whose layout was guessed wrongly.",
    )
    if state.file is not None:
        st.caption(lengths_summary(state.file))


def lengths_summary(file: SeriesLengths) -> str:
    """Return what was read from a file, in one line.

    >>> lengths_summary(SeriesLengths(lengths=(68, 69, 126), layout="long"))
    'From the file: N = 3 series of 68 to 126 values (median 69)'
    """
    count = f"From the file: N = {file.num_series:,} series"
    if file.shortest == file.longest:
        return f"{count} of {file.shortest:,} values"
    middle = rounded(file.median, 6)
    return f"{count} of {file.shortest:,} to {file.longest:,} values (median {middle})"


def receive_in_memory() -> None:
    """Let the server keep what arrives in memory alone.

    Else a file of more than a megabyte passes through the folder for temporary files: it would be
    stored, if for a moment, and a full disk would refuse it. Streamlit's own server is made of
    Starlette and has no setting for this.
    """
    MultiPartParser.spool_max_size = st.get_option("server.maxUploadSize") * 2**20 + 1


def _read(state: State, key: str) -> None:
    uploaded = st.session_state[key]
    if uploaded is None:
        return
    state.uploads += 1
    state.problems, state.notes, state.said = [], [], {}
    content, name, before = uploaded.getvalue(), uploaded.name, state.settings
    try:
        if name.lower().endswith(".json"):
            state.scenario, state.file = from_json(content), None
            state.unchosen = frozenset()
            begin_with(state, before)
            state.notes.append(_opened(state))
            return
        file = _lengths(content, name)
        adoption = adopt_lengths(state.scenario, file)
    except (SeriesFileError, ScenarioError) as problem:
        state.problems.append(f"The file was not used. {problem}")
        return
    state.unchosen = left_open(before.scenario, state.origin)
    state.scenario, state.file = adoption.scenario, file
    begin_with(state, before)
    state.notes += [lengths_summary(file) + ".", *file.notes, *adoption.changes]
    if state.scenario.bottom_rate == 1.0:
        state.notes.append(
            f"Every window of the shortest series ({file.shortest:,} values) may touch what is "
            "protected (r = 1): shorter windows make ε smaller."
        )


def _opened(state: State) -> str:
    if page_address() != "planner":
        return "The scenario was opened."
    try:
        goal = goal_of(state.view, state.scenario.delta)
    except ScenarioError:  # told in the answer's place
        goal = None
    return opened_sentences(state.scenario, quantity_of(state.view, state.scenario), goal)


def _lengths(content: bytes, name: str) -> SeriesLengths:
    layout = st.session_state.get(_LAYOUT, "auto")
    lengths = read_in_turn(partial(read_series_lengths, content, name, layout=layout))
    assert isinstance(lengths, SeriesLengths)
    return lengths


def read_in_turn(read: Callable[[], Any]) -> Any:
    """Return what is read of a file, by another process and within limits; one file at a time.

    Args:
        read: reads it; a function outside of ``dpviz.ui`` with its arguments.

    Raises:
        SeriesFileError: it cannot be read, or would cost too much.
    """
    if not _ONE_AT_A_TIME.acquire(timeout=_LONGEST_WAIT):
        raise SeriesFileError("The server is reading other visitors' files: try again in a minute.")
    part = Part(
        # Nobody else's, though the file be the same: what is read of it is not kept here.
        key=f"file {uuid4()}",
        compute=read,
        limits=_READING_LIMITS,
        is_long=True,
    )
    try:
        return result_of(part)
    except TooCostlyError as problem:
        raise SeriesFileError(f"Reading it would cost this server too much: {problem}.") from None
    finally:
        RESULTS.forget(part.key)
        _ONE_AT_A_TIME.release()
