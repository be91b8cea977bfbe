"""The controls of the page that releases one series: which series, how, under which budget."""

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
from dpviz.ui.act_button import act_button
from dpviz.ui.choice import view_choice
from dpviz.ui.drawn_settings import next_seed
from dpviz.ui.grids import evenly, round_counts, round_numbers
from dpviz.ui.number_control import view_number_control
from dpviz.ui.page import folded
from dpviz.ui.release_file import counts_upload
from dpviz.ui.state import State, change_view
from dpviz.ui.ways_back import draw_ways_back
from dpviz.wording.labels import LABELS
from dpviz.wording.release_page import SERIES_NAMES, way_name

_FREQUENCIES = (*(2.0**-power for power in range(6, 3, -1)), *evenly(0.08, 1.0, 0.01))
_OBSERVATION_NOISES = evenly(0.0, 500.0, 5.0)
_DAYS = round_counts(1, 35)
_PARTICIPATIONS = round_counts(1, 2000)
_RATES = round_numbers(0.005, 1.0)
_WIDTHS = round_numbers(0.5, 100.0)
_EPSILONS = round_numbers(0.01, 10.0)
_DELTAS = round_numbers(1e-9, 1e-3)
_REPETITIONS = round_counts(10, 1000)
_FACTORS = evenly(1.0, 10.0, 0.1)


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
    act_button(
        f"Draw anew (seed {state.view.release_seed:,})",
        lambda: change_view(lambda: {"release_seed": next_seed(state.view.release_seed)}),
        key="release_anew",
        icon="casino",
        explains="Draws the series and the noise anew. The same seed gives the same ones.",
    )
