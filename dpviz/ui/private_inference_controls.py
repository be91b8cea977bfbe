"""The controls of the page that hides contexts: who is hidden, how, and what is forecast."""

import streamlit as st

from dpviz.scenario.private_inference_view import (
    HIDDEN_CHANGES,
    HIDDEN_CONTEXTS,
    HIDDEN_DELTAS,
    HIDDEN_EPSILONS,
    HIDDEN_FORECASTS,
    HIDDEN_GIVEN,
    HIDDEN_MODELS,
    HIDDEN_NOISES,
    HIDDEN_RATES,
    HIDDEN_SERIES,
    HIDDEN_STRIDES,
    HIDDEN_STUDIES,
    HIDDEN_STUDY_CONTEXTS,
    HIDDEN_STUDY_WIDTHS,
    HIDDEN_TABLES,
    HIDDEN_WIDTHS,
)
from dpviz.scenario.relation import LEVELS
from dpviz.ui.act_button import act_button
from dpviz.ui.choice import view_choice
from dpviz.ui.drawn_settings import next_seed
from dpviz.ui.grids import evenly, round_counts, round_numbers
from dpviz.ui.number_control import view_number_control
from dpviz.ui.page import folded
from dpviz.ui.state import State, change_view
from dpviz.ui.ways_back import draw_ways_back
from dpviz.wording.hover_help import field_help
from dpviz.wording.inference_study import STUDY_NAMES, WIDTH_NAMES
from dpviz.wording.labels import LABELS
from dpviz.wording.private_inference import GIVEN_NAMES, LEVEL_NAMES
from dpviz.wording.small_run import MODEL_NAMES

_PRIVATE = ("more private", "more accurate")
# Grid, limits and what the ends of the slider mean.
_NUMBERS = {
    "hidden_rate": (
        evenly(0.05, 1.0, 0.01), HIDDEN_RATES, ("few values", "all"),
    ),
    "hidden_epsilon": (
        round_numbers(0.1, 32.0), HIDDEN_EPSILONS, _PRIVATE,
    ),
    "hidden_noise": (
        round_numbers(1.0, 200.0), HIDDEN_NOISES, _PRIVATE[::-1],
    ),
    "hidden_delta": (round_numbers(1e-9, 1e-3), HIDDEN_DELTAS, _PRIVATE),
    "hidden_width": (round_counts(1, 48), HIDDEN_WIDTHS, ("one value", "many")),
    "hidden_change": (
        round_numbers(0.1, 100.0), HIDDEN_CHANGES, ("small", "large"),
    ),
    "hidden_context": (round_counts(1, 48), HIDDEN_CONTEXTS, ("short", "long")),
    "hidden_forecasts": (round_counts(1, 365), HIDDEN_FORECASTS, ("one", "many")),
    "hidden_stride": (round_counts(0, 24), HIDDEN_STRIDES, ("same context", "far apart")),
    "hidden_series": (tuple(range(1, HIDDEN_SERIES[1] + 1)), HIDDEN_SERIES, ("first", "last")),
}  # fmt: skip


def hiding_settings(state: State) -> None:
    """Draw the controls of the mechanism and of the example."""
    view = state.view
    draw_ways_back(state)
    _choice(state, "hidden_given", HIDDEN_GIVEN, GIVEN_NAMES)
    _number(state, "hidden_epsilon" if view.hidden_given == "budget" else "hidden_noise")
    for field in ("hidden_rate", "hidden_change", "hidden_width"):
        _number(state, field)
    _choice(state, "hidden_level", LEVELS, LEVEL_NAMES)
    for field in ("hidden_context", "hidden_forecasts", "hidden_stride", "hidden_delta"):
        _number(state, field)
    with folded("The example: model, series, draw", key="open_hidden_example") as is_open:
        if is_open:
            _choice(state, "hidden_model", HIDDEN_MODELS, MODEL_NAMES)
            _number(state, "hidden_series")
    act_button(
        f"Draw anew (seed {view.hidden_seed:,})",
        lambda: change_view(lambda: {"hidden_seed": next_seed(state.view.hidden_seed)}),
        key="hide_anew",
        icon="casino",
        explains=field_help("hidden_seed"),
    )


def study_controls(state: State) -> None:
    """Draw the choices of the table that was computed before."""
    data, context, width = st.columns(3, gap="large")
    with data:
        _choice(state, "hidden_study", HIDDEN_STUDIES, STUDY_NAMES)
    with context:
        lengths = {name: name for name in HIDDEN_STUDY_CONTEXTS}
        _choice(state, "hidden_study_context", HIDDEN_STUDY_CONTEXTS, lengths)
    with width:
        _choice(state, "hidden_study_width", HIDDEN_STUDY_WIDTHS, WIDTH_NAMES)


def paper_table_control(state: State) -> None:
    """Draw the choice of the paper's table."""
    names = {"11": "Table 11: traffic", "12": "Table 12: electricity", "13": "Table 13: solar"}
    _choice(state, "hidden_table", HIDDEN_TABLES, names)


def _choice(state: State, field: str, options: tuple[str, ...], names: dict[str, str]) -> None:
    current = getattr(state.view, field)
    view_choice(field, LABELS[field], current, options, names.__getitem__, key=field)


def _number(state: State, field: str) -> None:
    grid, limits, ends = _NUMBERS[field]
    view_number_control(state, field, grid=grid, limits=limits, ends=ends)
