"""The controls of how a batch is drawn: which batch, which run, and what decides how."""

import streamlit as st

from dpviz.scenario import Rates
from dpviz.scenario.view import MOST_DRAWN_BATCHES
from dpviz.ui import controls
from dpviz.ui.data_controls import augmentation_controls, channels_box
from dpviz.ui.drawn_settings import drawn_settings, next_seed, way_back_from_rates
from dpviz.ui.grids import one_two_five
from dpviz.ui.number_control import view_number_control
from dpviz.ui.page import folded
from dpviz.ui.shown_batch import (
    PLAYED,
    Shown,
    next_hit,
    plays,
    start_playing,
    stop_playing,
)
from dpviz.ui.state import State, change_view

_BATCHES = [int(number) for number in one_two_five(0, 3)] + [MOST_DRAWN_BATCHES]


def batch_settings(state: State) -> None:
    """Draw the controls of what decides how batches are drawn."""
    controls.preset_control(state)
    if isinstance(state.scenario.data, Rates):
        way_back_from_rates(state.scenario.data)
    else:
        view_number_control(
            state,
            "drawn_batch",
            grid=_BATCHES,
            limits=(1, MOST_DRAWN_BATCHES),
            ends=("first", "later"),
        )
    drawn_settings(state)
    with folded("Noise on context and labels", key="open_augmentation") as is_open:
        if is_open:
            augmentation_controls(state)
            channels_box(state)


def steps_bar(state: State, shown: Shown) -> None:
    """Draw the buttons that lead from batch to batch."""
    is_playing = plays()

    def go(step: int) -> None:
        stop_playing()
        change_view(lambda: {"drawn_batch": min(max(shown.number + step, 1), shown.total)})

    def go_to_hit() -> None:
        stop_playing()
        found = next_hit(shown)
        if found is None:
            change_view(dict)  # what was said before is taken back
            state.notes.append("No later batch of this run has a sensitive window: draw anew.")
        else:
            change_view(lambda: {"drawn_batch": found})

    def other_run() -> None:
        stop_playing()
        change_view(lambda: {"drawing_seed": next_seed(state.view.drawing_seed)})

    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            "Previous",
            key="previous_batch",
            icon=":material/chevron_left:",
            disabled=is_playing or shown.number <= 1,
            on_click=go,
            args=(-1,),
        )
        st.button(
            "Next",
            key="next_batch",
            icon=":material/chevron_right:",
            disabled=is_playing or shown.number >= shown.total,
            on_click=go,
            args=(1,),
        )
        st.button(
            "Next hit",
            key="next_hit",
            icon=":material/skip_next:",
            disabled=is_playing or shown.number >= shown.total,
            on_click=go_to_hit,
            help="Goes to the next batch with a sensitive window.",
        )
        st.button(
            f"Play {PLAYED}",
            key="play_batches",
            icon=":material/play_arrow:",
            disabled=is_playing or shown.number >= shown.total,
            on_click=start_playing,
            help=f"Shows the next {PLAYED} batches one after the other, and stops. Where your "
            "system asks for little motion, it goes to the last of them at once.",
        )
        st.button(
            "Draw anew",
            key="other_run",
            icon=":material/casino:",
            disabled=is_playing,
            on_click=other_run,
            help=f"Draws another run. This one has seed {state.view.drawing_seed:,}.",
        )
