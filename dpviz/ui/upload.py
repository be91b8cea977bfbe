"""A file of real series, or a saved scenario: read in memory, never stored."""

import threading
from collections.abc import Callable, Sequence
from uuid import uuid4

import streamlit as st

from dpviz.jobs import Limits, TooCostlyError
from dpviz.scenario import ScenarioError
from dpviz.series_file import SeriesFileError
from dpviz.ui.filling import result_of
from dpviz.ui.shared import RESULTS, Part, T
from dpviz.ui.state import State
from dpviz.ui.streamlit_internals import UploadedFile, receive_files_in_memory
from dpviz.wording.labels import labelled

# A large file takes seconds and hundreds of megabytes (bench/series_files.py): many at once would
# leave the server without memory.
_ONE_AT_A_TIME = threading.Lock()
_READING_LIMITS = Limits(seconds=20.0, megabytes=800)
_LONGEST_WAIT = 30.0
NOT_USED = "The file was not used."
# Of files with a series or more.
SERIES_KINDS = ("csv", "gz", "zst", "tsv", "txt", "parquet", "tsf")


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
