"""Which series is released, how, under which budget; and a visitor's own counts."""

from functools import partial
from uuid import uuid4

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from dpviz.release.series import counts_in_file
from dpviz.series_file import SeriesFileError
from dpviz.settings.release import MOST_RELEASED_STEPS
from dpviz.ui.file_reading import read_box
from dpviz.ui.page import fold, when
from dpviz.ui.state import State
from dpviz.ui.ways_back import draw_ways_back
from dpviz.ui.widgets import draw_anew

_COUNTS = "series of counts"


def own_counts(state: State) -> tuple[str, NDArray[np.float64]] | None:
    """Return the visitor's series, by a name of its own; ``None`` while no file was opened."""
    return state.opened.get(_COUNTS)


def _counts_upload(state: State) -> None:
    read_box(
        state,
        "A series of counts (CSV, Parquet)",
        counts_in_file,
        partial(_take, state),
        name="counts_upload",
        explains="One column of whole numbers, and the time or not. Kept in this session's memory "
        f"only; it is not in the link. At most {MOST_RELEASED_STEPS:,} steps.",
    )
    if (found := own_counts(state)) is not None:
        st.caption(f"From the file: {len(found[1]):,} steps.")


def _take(state: State, values: NDArray[np.float64]) -> None:
    if len(values) > MOST_RELEASED_STEPS:
        raise SeriesFileError(
            f"The series has {len(values):,} steps; at most {MOST_RELEASED_STEPS:,} are "
            "released on this page: use the command line for longer ones."
        )
    state.opened[_COUNTS] = (uuid4().hex, values)
    state.notes.append(f"A series of {len(values):,} counts was opened.")


CONTROLS = (
    draw_ways_back,
    "release_source",
    when(lambda state: state.view.release_source == "lane", "lane_days"),
    when(lambda state: state.view.release_source == "file", _counts_upload),
    "release_epsilon",
    "release_delta",
    "participation",
    "times_per_step",
    "release_rate",
    when(lambda state: state.view.release_source == "synth", "synth_frequency", "synth_noise"),
    fold("Another mechanism", "open_mechanism", "release_way", "filter_width"),
    fold(
        "Repetitions, seed, more participation",
        "open_trials",
        "release_repetitions",
        "participation_factor",
        draw_anew(
            "release_seed",
            "release_anew",
            "Draws the series and the noise anew. The same seed gives the same ones.",
        ),
    ),
)
