"""Which series the visitor trains on: generated ones, public ones, or those of a file."""

from dataclasses import replace
from functools import partial
from uuid import uuid4

import streamlit as st

from dpviz.jobs import Limits, TooCostlyError
from dpviz.scenario import ScenarioError
from dpviz.series_file import MOST_BYTES, SeriesFileError
from dpviz.settings.training import PANEL_PERIOD
from dpviz.training.panel_file import PanelFile, panel_from_file
from dpviz.training.panel_source import GeneratedSource, GivenSource, M3Source, PanelSource
from dpviz.ui.filling import result_of
from dpviz.ui.shared import RESULTS, Part
from dpviz.ui.state import State, change_view
from dpviz.ui.texts import plain
from dpviz.ui.upload import receive_in_memory
from dpviz.wording.numbers import counted

# Of one visitor's file, for as long as the page is open: 1.6 MB in memory.
MOST_FILE_VALUES = 200_000
_FILE, _NOTES = "series to train on", "notes on series to train on"
_UPLOADS = "dpviz_panel_uploads"
_READING_LIMITS = Limits(seconds=20.0, megabytes=1500)


def panel_source(state: State) -> PanelSource:
    """Return where the series come from.

    Raises:
        ScenarioError: the file has to be opened (again), which names ``trained_on``, or the season
            is out of range.
        MissingPackageError: the M3 competition's series are not installed.
    """
    view = state.view
    if view.trained_on == "generated":
        return GeneratedSource(
            num_series=view.panel_series,
            length=view.panel_length,
            period=view.panel_period,
            seed=view.panel_seed,
        )
    if view.trained_on == "m3":
        return M3Source()
    kept: GivenSource | None = state.opened.get(_FILE)
    if kept is None:
        raise ScenarioError(
            "trained_on",
            "file",
            "no file is open: open one in the settings. A file is never stored and not in the "
            "link, so it has to be opened again after a reload",
        )
    if kept.series.period != view.panel_period:
        kept = GivenSource(replace(kept.series, period=view.panel_period), kept.key)
        state.opened[_FILE] = kept
    return kept


def file_control(state: State) -> None:
    """Draw the field for a file of series, and what was read of the last one."""
    receive_in_memory()
    uploads = st.session_state.get(_UPLOADS, 0)
    key = f"panel_upload_{uploads}"
    st.file_uploader(
        "A file of series to train on (CSV, Parquet)",
        type=["csv", "gz", "tsv", "txt", "parquet"],
        key=key,
        on_change=_read,
        args=(state, key),
        max_upload_size=MOST_BYTES // 2**20,
        help=f"Up to {MOST_FILE_VALUES:,} values. They stay in this server's memory while this "
        "page is open, the forecasts of trained runs until newer runs take their place; nothing is "
        "written to a disk, and nobody else can ask for it.",
    )
    for note in state.opened.get(_NOTES, ()):
        st.caption(plain(note))


def _read(state: State, key: str) -> None:
    uploaded = st.session_state[key]
    if uploaded is None:
        return
    # A fresh identity after each file makes Streamlit drop the one before from memory.
    st.session_state[_UPLOADS] = st.session_state.get(_UPLOADS, 0) + 1
    try:
        read = _panel(uploaded.getvalue(), uploaded.name)
    except (SeriesFileError, ScenarioError, TooCostlyError) as problem:
        state.problems.append(f"The file was not used. {problem}")
        return
    panel = read.panel
    total = sum(panel.lengths)
    if total > MOST_FILE_VALUES:
        state.problems.append(
            f"The file was not used. It has {counted(total, 'value')}, and at most "
            f"{MOST_FILE_VALUES:,} are trained on here: leave series out, or train it on the "
            "command line."
        )
        return
    state.opened[_FILE] = GivenSource(panel, f"file {uuid4()}")
    notes = [f"From the file: {len(panel):,} series.", *read.notes]
    low, high = PANEL_PERIOD
    found = {"panel_period": min(max(panel.period, low), high), "shown_series": 1}
    windows = state.scenario.sampling.num_subsequences
    if state.view.trained_batch > len(panel) * windows:
        found["trained_batch"] = batch = _chosen_series(len(panel)) * windows
        notes.append(
            f"The batch size is now Λ = {batch}: the file has too few series for "
            f"{state.view.trained_batch}."
        )
    state.opened[_NOTES] = notes
    change_view(lambda: found)


def _chosen_series(num_series: int) -> int:
    """Return how many series a batch may choose: the largest power of two that leaves some out.

    >>> _chosen_series(30), _chosen_series(32), _chosen_series(1)
    (16, 16, 1)
    """
    return 1 << max((num_series - 1).bit_length() - 1, 0)


def _panel(content: bytes, name: str) -> PanelFile:
    part = Part(
        # Nobody else's, though the file be the same.
        key=f"panel {uuid4()}",
        compute=partial(panel_from_file, content, name),
        limits=_READING_LIMITS,
        is_long=True,
    )
    try:
        read = result_of(part)
    finally:
        RESULTS.forget(part.key)
    assert isinstance(read, PanelFile)
    return read
