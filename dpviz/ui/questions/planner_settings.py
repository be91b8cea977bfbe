"""What a plan has to meet, what it leaves open, and all else that decides it."""

from collections.abc import Callable

import streamlit as st

from dpviz.ui import controls, data_controls
from dpviz.ui.page import fold, in_place, when
from dpviz.ui.state import Control, State
from dpviz.ui.upload import upload_control
from dpviz.ui.widgets import view_choice

chart_control = view_choice("plan_chart", shows_label=False)


def _heading(words: str) -> Control:
    return lambda _: st.markdown(f"**{words}**")


def _is_asked(goal: str) -> Callable[[State], bool]:
    return lambda state: state.view.goal == goal


# In the order in which a plan is made.
CONTROLS = (
    _heading("1 · Your data, and who is protected"),
    controls.preset_control,
    fold(
        "Data, windows and batch size, or a file",
        "open_data",
        upload_control,
        data_controls.data_controls,
    ),
    fold("Who is protected", "open_relation", data_controls.relation_controls),
    _heading("2 · What has to hold"),
    view_choice("goal", shows_label=False),
    in_place(
        when(
            _is_asked("success"),
            "target_success",
        ),
        when(
            _is_asked("hits"),
            "target_true_positive_rate",
            "target_false_positive_rate",
        ),
        when(
            _is_asked("epsilon"),
            "target_epsilon",
        ),
        controls.delta_control,
    ),
    _heading("3 · What is left open"),
    view_choice("free_quantity", shows_label=False),
    _heading("4 · All else"),
    in_place(
        when(lambda state: state.view.free_quantity != "noise_multiplier", controls.noise_control),
        when(lambda state: state.view.free_quantity != "training", controls.training_control),
        when(lambda state: state.view.free_quantity == "training", controls.training_unit_control),
    ),
    controls.folded_sampling,
    fold("Rates, set directly", "open_rates", controls.rate_controls),
    fold(
        "Noise on context and labels",
        "open_augmentation",
        data_controls.augmentation_controls,
        data_controls.max_change_box,
        data_controls.value_unit_box,
        data_controls.channels_box,
    ),
)
