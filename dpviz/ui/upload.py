"""A file of real series, or a saved scenario: read in memory, never stored."""

import threading
from collections.abc import Callable, Sequence
from functools import partial
from uuid import uuid4

import streamlit as st

from dpviz.jobs import Limits, TooCostlyError
from dpviz.planning.first_windows import left_open
from dpviz.scenario import ScenarioError, from_json
from dpviz.series_file import (
    LAYOUTS,
    MOST_BYTES,
    MOST_ROWS,
    MOST_SERIES,
    SeriesFileError,
    adopt_lengths,
    read_series_lengths,
)
from dpviz.ui.filling import result_of
from dpviz.ui.goal import goal_of, quantity_of
from dpviz.ui.shared import RESULTS, Part, T
from dpviz.ui.state import State, begin_with, page_address
from dpviz.ui.streamlit_internals import UploadedFile, receive_files_in_memory
from dpviz.ui.widgets import menu
from dpviz.wording.file_shape import LAYOUT_NAMES, lengths_summary
from dpviz.wording.labels import labelled
from dpviz.wording.plan import opened_sentences

LIMITS = (
    f"At most {MOST_BYTES // 2**20} MB, unpacked, {MOST_ROWS:,} rows and {MOST_SERIES:,} series "
    "are read of a file."
)
# A large file takes seconds and hundreds of megabytes (bench/series_files.py): many at once would
# leave the server without memory.
_ONE_AT_A_TIME = threading.Lock()
_READING_LIMITS = Limits(seconds=20.0, megabytes=800)
_LONGEST_WAIT = 30.0
NOT_USED = "The file was not used."
# Of files with a series or more.
SERIES_KINDS = ("csv", "gz", "zst", "tsv", "txt", "parquet", "tsf")
_LAYOUT = "file_layout"


def file_box(
    state: State,
    label: str,
    kinds: Sequence[str],
    opened: Callable[[bytes, str], None],
    *,
    name: str,
    explains: str,
    megabytes: int | None = None,
    refused: str = NOT_USED,
) -> None:
    """Draw a field for a file, which is read in memory and stored nowhere.

    Args:
        state: the visitor's.
        label: what file.
        kinds: the endings that it may have.
        opened: takes content and name; may raise SeriesFileError, ScenarioError or TooCostlyError.
        name: of the field in the page.
        explains: what the question mark tells.
        megabytes: how much it may have; by default what the server takes.
        refused: what a message begins with when it is not used.
    """
    receive_files_in_memory()
    # A fresh identity after each file makes Streamlit drop the one before from memory.
    key = f"{name}_{state.uploads}"
    st.file_uploader(
        label,
        type=kinds,
        key=key,
        on_change=lambda: use_file(state, st.session_state[key], opened, refused),
        max_upload_size=megabytes or st.get_option("server.maxUploadSize"),
        help=explains,
    )


def use_file(
    state: State,
    uploaded: UploadedFile | None,
    opened: Callable[[bytes, str], None],
    refused: str,
) -> None:
    """Open a file that has arrived, or say why it is refused; arguments as above."""
    if uploaded is None:
        return
    state.uploads += 1
    state.problems, state.notes, state.said = [], [], {}
    try:
        opened(uploaded.getvalue(), uploaded.name)
    except (SeriesFileError, ScenarioError, TooCostlyError) as problem:
        state.problems.append(f"{refused} {labelled(str(problem))}")


def upload_control(state: State) -> None:
    """Offer to read a data set's shape, or a scenario, from a file."""
    file_box(
        state,
        "A file of series (CSV, Parquet), or a scenario (JSON)",
        [*SERIES_KINDS, "json"],
        partial(_read, state),
        name="upload",
        explains="Only the number and the lengths of the series are used; every value counts as "
        f"trained on. Nothing is stored. {LIMITS}",
    )
    menu(
        "Layout of the file",
        value=st.session_state.get(_LAYOUT, LAYOUTS[0]),
        options=LAYOUTS,
        name=LAYOUT_NAMES.__getitem__,
        chosen=partial(st.session_state.__setitem__, _LAYOUT),
        key="layout_of_file",
        explains="Choose one before you open a file whose layout was guessed wrongly.",
    )
    if state.file is not None:
        st.caption(lengths_summary(state.file))


def _read(state: State, content: bytes, name: str) -> None:
    before = state.settings
    if name.lower().endswith(".json"):
        state.scenario, state.file = from_json(content), None
        state.unchosen = frozenset()
        begin_with(state, before)
        state.notes.append(_opened(state))
        return
    layout = st.session_state.get(_LAYOUT, "auto")
    file = read_in_turn(partial(read_series_lengths, content, name, layout=layout))
    adoption = adopt_lengths(state.scenario, file)
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


def read_in_turn(read: Callable[[], T]) -> T:
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
