"""The controls of the page that releases one series: which series, how, under which budget."""

import streamlit as st

from dpviz.scenario.release_view import (
    FILTER_WIDTHS,
    KEPT_RATES,
    LANE_DAYS,
    PARTICIPATION_FACTORS,
    PARTICIPATIONS,
    RELEASE_DELTAS,
    RELEASE_EPSILONS,
    RELEASE_REPETITIONS,
    RELEASE_WAYS,
    RELEASED_SERIES,
    SYNTH_FREQUENCIES,
    SYNTH_NOISES,
)
from dpviz.ui.choice import view_choice
from dpviz.ui.drawn_settings import next_seed
from dpviz.ui.number_control import view_number_control
from dpviz.ui.page import folded
from dpviz.ui.release_file import counts_upload
from dpviz.ui.state import State, change_view
from dpviz.ui.ways_back import draw_ways_back
from dpviz.wording.labels import LABELS
from dpviz.wording.release_page import SERIES_NAMES, way_name

_FREQUENCIES = (1 / 64, 1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1.0)
_OBSERVATION_NOISES = (0.0, 20.0, 50.0, 100.0, 200.0, 500.0)
_DAYS = (1, 2, 7, 14, 28, 35)
_PARTICIPATIONS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)
_RATES = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0)
_WIDTHS = (0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)
_EPSILONS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 0.9, 1.0, 2.0, 5.0, 10.0)
_DELTAS = (1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3)
_REPETITIONS = (10, 20, 50, 100, 200, 500, 1000)
_FACTORS = (1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 10.0)


def release_settings(state: State) -> None:
    """Draw the controls."""
    view = state.view
    draw_ways_back(state)
    view_choice(
        "release_source",
        LABELS["release_source"],
        view.release_source,
        RELEASED_SERIES,
        SERIES_NAMES.__getitem__,
        key="release_source",
    )
    _series_controls(state)
    view_choice(
        "release_way",
        LABELS["release_way"],
        view.release_way,
        RELEASE_WAYS,
        way_name,
        key="release_way",
    )
    view_number_control(
        state,
        "release_epsilon",
        grid=_EPSILONS,
        limits=RELEASE_EPSILONS,
        ends=("more private", "more accurate"),
    )
    view_number_control(
        state,
        "release_delta",
        grid=_DELTAS,
        limits=RELEASE_DELTAS,
        ends=("more private", "more accurate"),
    )
    view_number_control(
        state,
        "participation",
        grid=_PARTICIPATIONS,
        limits=PARTICIPATIONS,
        ends=("few", "many"),
    )
    view_number_control(
        state,
        "release_rate",
        grid=_RATES,
        limits=KEPT_RATES,
        ends=("few steps", "all"),
    )
    view_number_control(
        state,
        "filter_width",
        grid=_WIDTHS,
        limits=FILTER_WIDTHS,
        ends=("sharp", "smooth"),
    )
    with folded("Repetitions, seed, more participation", key="open_trials") as is_open:
        if is_open:
            _trial_controls(state)


def _series_controls(state: State) -> None:
    source = state.view.release_source
    if source == "synth":
        view_number_control(
            state,
            "synth_frequency",
            grid=_FREQUENCIES,
            limits=SYNTH_FREQUENCIES,
            ends=("rare", "often"),
        )
        view_number_control(
            state,
            "synth_noise",
            grid=_OBSERVATION_NOISES,
            limits=SYNTH_NOISES,
            ends=("clean", "noisy"),
        )
    elif source == "lane":
        view_number_control(
            state, "lane_days", grid=_DAYS, limits=LANE_DAYS, ends=("short", "long")
        )
    else:
        counts_upload(state)


def _trial_controls(state: State) -> None:
    view_number_control(
        state,
        "release_repetitions",
        grid=_REPETITIONS,
        limits=RELEASE_REPETITIONS,
        ends=("coarse", "fine"),
    )
    view_number_control(
        state,
        "participation_factor",
        grid=_FACTORS,
        limits=PARTICIPATION_FACTORS,
        ends=("as planned", "often"),
    )
    st.button(
        f"Draw anew (seed {state.view.release_seed:,})",
        key="release_anew",
        icon=":material/casino:",
        on_click=change_view,
        args=(lambda: {"release_seed": next_seed(state.view.release_seed)},),
        help="Draws the series and the noise anew. The same seed gives the same ones.",
    )
