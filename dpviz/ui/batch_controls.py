"""The controls of how a batch is drawn: which batch, which run, and what decides how."""

import streamlit as st

from dpviz.scenario import Rates
from dpviz.ui import controls
from dpviz.ui.act_button import act_button
from dpviz.ui.data_controls import augmentation_controls, channels_box
from dpviz.ui.drawn_settings import drawn_settings, next_seed, way_back_from_rates
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


def batch_settings(state: State) -> None:
    """Draw the controls of what decides how batches are drawn."""
    controls.preset_control(state)
    if isinstance(state.scenario.data, Rates):
        way_back_from_rates(state.scenario.data)
    else:
        view_number_control(state, "drawn_batch")
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
        # From where the visitor is by now: two quick presses are two batches on.
        now = min(state.view.drawn_batch, shown.total)
        change_view(lambda: {"drawn_batch": min(max(now + step, 1), shown.total)})

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
        act_button(
            "Previous",
            lambda: go(-1),
            key="previous_batch",
            icon="chevron_left",
            disabled=is_playing or shown.number <= 1,
        )
        act_button(
            "Next",
            lambda: go(1),
            key="next_batch",
            icon="chevron_right",
            disabled=is_playing or shown.number >= shown.total,
        )
        act_button(
            "Next hit",
            go_to_hit,
            key="next_hit",
            icon="skip_next",
            disabled=is_playing or shown.number >= shown.total,
            explains="Goes to the next batch with a sensitive window.",
        )
        act_button(
            f"Play {PLAYED}",
            start_playing,
            key="play_batches",
            icon="play_arrow",
            disabled=is_playing or shown.number >= shown.total,
            explains=f"Shows the next {PLAYED} batches one after the other, and stops. Where your "
            "system asks for little motion, it goes to the last of them at once.",
        )
        act_button(
            "Draw anew",
            other_run,
            key="other_run",
            icon="casino",
            disabled=is_playing,
            explains=f"Draws another run. This one has seed {state.view.drawing_seed:,}.",
        )
