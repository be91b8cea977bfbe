"""The results of a sweep that a visitor looks at: a file's, for the session, or the example's."""

from functools import partial

import streamlit as st

from dpviz.series_file import SeriesFileError
from dpviz.sweeps.example import example_results
from dpviz.sweeps.read_results import MOST_SHOWN_ROWS, SweepResults, read_results
from dpviz.ui.act_button import act_button
from dpviz.ui.filling import result_of
from dpviz.ui.shared import Part
from dpviz.ui.state import State, change_view
from dpviz.ui.upload import read_in_turn, receive_in_memory
from dpviz.wording.numbers import counted

_RESULTS = "results of a sweep"
_MOST_MEGABYTES = 10


def shown_results(state: State) -> SweepResults:
    """Return the results of the visitor's file, or the example's where none is open."""
    opened = state.opened.get(_RESULTS)
    if isinstance(opened, SweepResults):
        return opened
    found = result_of(Part(key="example sweep", compute=example_results, is_long=True))
    assert isinstance(found, SweepResults)
    return found


def is_file_open(state: State) -> bool:
    """Return whether the visitor has opened a file."""
    return _RESULTS in state.opened


def sweep_upload(state: State) -> None:
    """Offer to open a file of results, and to close it again."""
    receive_in_memory()
    key = f"sweep_file_{state.uploads}"
    st.file_uploader(
        "Results of a sweep (Parquet, CSV)",
        type=["parquet", "csv"],
        key=key,
        on_change=_opened,
        args=(state, key),
        max_upload_size=_MOST_MEGABYTES,
        help="What `python -m dpviz sweep` has written. It is read and not stored: after a reload, "
        f"or from a link, it has to be opened again. At most {MOST_SHOWN_ROWS:,} rows and "
        f"{_MOST_MEGABYTES} MB.",
    )
    if is_file_open(state):
        act_button("Back to the example", partial(_closed, state), key="sweep_close")


def _opened(state: State, key: str) -> None:
    uploaded = st.session_state[key]
    if uploaded is None:
        return
    state.uploads += 1
    content, name = uploaded.getvalue(), uploaded.name
    try:
        results = read_in_turn(partial(read_results, content, name))
    except SeriesFileError as problem:
        state.problems = [f"The file was not used. {problem}"]
        state.notes, state.said = [], {}
        return
    assert isinstance(results, SweepResults)
    state.opened[_RESULTS] = results
    _all_rows()
    state.notes = [f"{counted(len(results.rows), 'scenario')} of the file are shown."]


def _closed(state: State) -> None:
    state.opened.pop(_RESULTS, None)
    _all_rows()


def _all_rows() -> None:
    change_view(lambda: {"sweep_row": 0, "sweep_most_epsilon": 1e6})
