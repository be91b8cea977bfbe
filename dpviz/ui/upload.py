"""A file of real series, or a saved scenario: read in memory, never stored."""

from collections.abc import Callable, Sequence

import streamlit as st

from dpviz.jobs import TooCostlyError
from dpviz.scenario import ScenarioError
from dpviz.series_file import SeriesFileError
from dpviz.ui.file_reading import draw_reading, stop_reading
from dpviz.ui.state import State
from dpviz.ui.streamlit_internals import UploadedFile, receive_files_in_memory
from dpviz.wording.labels import labelled

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
    draw_reading(state)


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
    stop_reading(state)
    state.problems, state.notes, state.said = [], [], {}
    try:
        opened(uploaded.getvalue(), uploaded.name)
    except (SeriesFileError, ScenarioError, TooCostlyError) as problem:
        state.problems.append(f"{refused} {labelled(str(problem))}")
