"""The settings of a small training run: its data, its model, its budget, its noise."""

import streamlit as st

from dpviz.ui import controls
from dpviz.ui.choice import view_choice
from dpviz.ui.data_controls import augmentation_controls, relation_controls
from dpviz.ui.number_control import view_number_control
from dpviz.ui.page import folded
from dpviz.ui.state import State
from dpviz.ui.texts import text
from dpviz.ui.train_data import file_control


def chart_control(state: State) -> None:
    """Draw the choice between one run and several beside each other."""
    _choice(state, "training_chart")
    if state.view.training_chart == "compare":
        _choice(state, "compared_setting")


def train_settings(state: State) -> None:
    """Draw all settings."""
    view = state.view
    st.caption(text("train_settings"))
    _choice(state, "trained_on")
    if view.trained_on == "file":
        file_control(state)
    _choice(state, "trained_model")
    _choice(state, "trained_privacy")
    if view.trained_privacy == "private":
        view_number_control(state, "target_epsilon")
        _choice(state, "trained_noise")
        if view.trained_noise == "set":
            controls.noise_control(state)
    controls.sampling_controls(state)
    view_number_control(state, "trained_steps")
    if view.training_chart == "compare":
        view_number_control(state, "compared_seeds")
    _folded_settings(state)


def _folded_settings(state: State) -> None:
    with folded("Data, windows and batch size", key="open_data") as is_open:
        if is_open:
            _data_settings(state)
    with folded("Who is protected, and at which δ", key="open_relation") as is_open:
        if is_open:
            relation_controls(state)
            controls.delta_control(state)
    with folded("Noise on context and labels", key="open_augmentation") as is_open:
        if is_open:
            augmentation_controls(state)
            view_number_control(state, "trained_change")
    with folded("Learning rate and seeds", key="open_optimiser") as is_open:
        if is_open:
            view_number_control(state, "learning_rate")
            view_number_control(state, "trained_seed")
            if state.view.trained_on == "generated":
                view_number_control(state, "panel_seed")


def _data_settings(state: State) -> None:
    if state.view.trained_on == "generated":
        view_number_control(state, "panel_series")
        view_number_control(state, "panel_length")
    if state.view.trained_on != "m3":
        view_number_control(state, "panel_period")
    view_number_control(state, "trained_context")
    view_number_control(state, "trained_forecast")
    view_number_control(state, "trained_batch")


def _choice(state: State, field: str) -> None:
    view_choice(state, field, key=f"choose_{field}")
