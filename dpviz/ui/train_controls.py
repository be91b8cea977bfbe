"""The settings of a small training run: its data, its model, its budget, its noise."""

from collections.abc import Sequence

import streamlit as st

from dpviz.scenario.training_view import (
    COMPARED_SEEDS,
    COMPARED_SETTINGS,
    LARGEST_TRAINED_SEED,
    LEARNING_RATES,
    PANEL_LENGTH,
    PANEL_PERIOD,
    PANEL_SERIES,
    TRAINED_BATCH,
    TRAINED_CHANGES,
    TRAINED_CONTEXT,
    TRAINED_DATA,
    TRAINED_FORECAST,
    TRAINED_MODELS,
    TRAINED_NOISE,
    TRAINED_PRIVACY,
    TRAINED_STEPS,
    TRAINING_CHARTS,
)
from dpviz.scenario.view import EPSILON_RANGE
from dpviz.ui import controls
from dpviz.ui.choice import view_choice
from dpviz.ui.data_controls import augmentation_controls, relation_controls
from dpviz.ui.grids import BUDGETS, round_counts, round_numbers
from dpviz.ui.number_control import view_number_control
from dpviz.ui.page import folded
from dpviz.ui.state import State
from dpviz.ui.texts import text
from dpviz.ui.train_data import file_control
from dpviz.wording.labels import LABELS
from dpviz.wording.small_run import MODEL_NAMES

_DATA_NAMES = {"generated": "made up here", "m3": "M3 competition", "file": "a file"}
_PRIVACY_NAMES = {"private": "within a budget", "none": "without privacy"}
_NOISE_NAMES = {"fit": "as the budget needs", "set": "σ as set"}
_CHART_NAMES = {"run": "One run", "compare": "Compare runs"}
_COMPARED_NAMES = {
    "num_subsequences": "λ = 1, 4, 16",
    "forecast_noise": "σ_F = 0, 1, 2, 5",
    "top_level": "draw or walk",
}
_MODEL_NAMES = MODEL_NAMES | {"naive": "seasonal naive"}
_CONTEXTS = (1, 6, 12, 24, 48, 96, 168, 336)


def chart_control(state: State) -> None:
    """Draw the choice between one run and several beside each other."""
    _choice(state, "training_chart", "Show", TRAINING_CHARTS, _CHART_NAMES)
    if state.view.training_chart == "compare":
        _choice(
            state,
            "compared_setting",
            LABELS["compared_setting"],
            COMPARED_SETTINGS,
            _COMPARED_NAMES,
        )


def train_settings(state: State) -> None:
    """Draw all settings."""
    view = state.view
    st.caption(text("train_settings"))
    _choice(state, "trained_on", LABELS["trained_on"], TRAINED_DATA, _DATA_NAMES)
    if view.trained_on == "file":
        file_control(state)
    _choice(state, "trained_model", LABELS["trained_model"], TRAINED_MODELS, _MODEL_NAMES)
    _choice(state, "trained_privacy", LABELS["trained_privacy"], TRAINED_PRIVACY, _PRIVACY_NAMES)
    if view.trained_privacy == "private":
        _number(state, "target_epsilon", BUDGETS, EPSILON_RANGE, ("more private", "more accurate"))
        _choice(state, "trained_noise", LABELS["trained_noise"], TRAINED_NOISE, _NOISE_NAMES)
        if view.trained_noise == "set":
            controls.noise_control(state)
    controls.sampling_controls(state)
    _number(
        state, "trained_steps", round_counts(50, 5000), TRAINED_STEPS,
        ("shorter", "longer"),
    )  # fmt: skip
    if view.training_chart == "compare":
        _number(state, "compared_seeds", (1, 2, 3, 4, 5), COMPARED_SEEDS, ("one", "surer"))
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
            _number(
                state,
                "trained_change",
                round_numbers(0.1, 1000.0),
                TRAINED_CHANGES,
                ("less", "more"),
            )
    with folded("Learning rate and seeds", key="open_optimiser") as is_open:
        if is_open:
            _number(
                state, "learning_rate", round_numbers(1e-4, 1.0), LEARNING_RATES, ("slow", "fast")
            )
            seeds = round_counts(0, 100)
            _number(state, "trained_seed", seeds, (0, LARGEST_TRAINED_SEED), ("", ""))
            if state.view.trained_on == "generated":
                _number(state, "panel_seed", seeds, (0, LARGEST_TRAINED_SEED), ("", ""))


def _data_settings(state: State) -> None:
    if state.view.trained_on == "generated":
        _number(state, "panel_series", round_counts(50, 500), PANEL_SERIES, ("few", "many"))
        lengths = round_counts(50, 1000)
        _number(state, "panel_length", lengths, PANEL_LENGTH, ("short", "long"))
    if state.view.trained_on != "m3":
        _number(state, "panel_period", round_counts(1, 52), PANEL_PERIOD, ("none", "long"))
    ends = ("more private", "longer windows")
    _number(state, "trained_context", _CONTEXTS, TRAINED_CONTEXT, ends)
    _number(state, "trained_forecast", round_counts(1, 48), TRAINED_FORECAST, ends)
    batches = round_counts(16, 512)
    _number(state, "trained_batch", batches, TRAINED_BATCH, ("more private", "less noise each"))


def _number(
    state: State,
    field: str,
    grid: Sequence[float],
    limits: tuple[float, float],
    ends: tuple[str, str],
) -> None:
    view_number_control(state, field, grid=grid, limits=limits, ends=ends)


def _choice(
    state: State, field: str, label: str, options: Sequence[str], names: dict[str, str]
) -> None:
    name = names.__getitem__
    view_choice(field, label, getattr(state.view, field), options, name, key=f"choose_{field}")
