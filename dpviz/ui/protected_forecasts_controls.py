"""What is protected, how, and by whom it is forecast."""

from collections.abc import Sequence

import streamlit as st

from dpviz.protected_forecasts import FORECASTERS, METHODS
from dpviz.scenario.missing_package import MissingPackageError
from dpviz.scenario.protected_forecasts_view import (
    BOUND_RANGE,
    CODED_SHARE_RANGE,
    FORECAST_COUNTS,
    LIVE_FORECASTERS,
    LONGEST_SWAP_WINDOW,
    MOST_NEIGHBOURS,
    NOISE_MULTIPLE_RANGE,
    PROTECTED_DATA,
    PROTECTION_METHODS,
    SWAP_RADIUS_RANGE,
    VALUE_EPSILON_RANGE,
)
from dpviz.ui.act_button import act_button
from dpviz.ui.choice import menu, several, view_choice
from dpviz.ui.drawn_settings import next_seed
from dpviz.ui.grids import round_counts
from dpviz.ui.number_control import view_number_control
from dpviz.ui.protected_forecasts_file import file_control
from dpviz.ui.state import State, change_view
from dpviz.ui.ways_back import draw_ways_back
from dpviz.wording.hover_help import field_help
from dpviz.wording.labels import LABELS
from dpviz.wording.protected_forecasts import DATA_NAMES, METHOD_NAMES, SHORT_FORECASTERS

_FORECASTERS_BOX = "live_forecasters"
# Grid, limits and what the ends of the slider mean.
_STRENGTHS = {
    "coded_share": (
        (0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5),
        CODED_SHARE_RANGE,
        ("as it is", "cut off"),
    ),
    "noise_multiple": (
        (0.05, 0.1, 0.2, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0),
        NOISE_MULTIPLE_RANGE,
        ("as it is", "noise"),
    ),
    "value_epsilon": (
        (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0),
        VALUE_EPSILON_RANGE,
        ("more noise", "less"),
    ),
    "value_low": ((0.0, 10.0, 100.0, 1000.0), BOUND_RANGE, ("low", "high")),
    "value_high": (
        (100.0, 1000.0, 2000.0, 5000.0, 10_000.0, 20_000.0, 50_000.0, 100_000.0),
        BOUND_RANGE,
        ("low", "high"),
    ),
    "neighbours": ((1, 2, 3, 5, 7, 10, 15, 17), (1, MOST_NEIGHBOURS), ("like it", "mixed")),
    "swap_window": (
        (1, 2, 3, 6, 12, 24, 36),
        (1, LONGEST_SWAP_WINDOW),
        ("this value", "long past"),
    ),
    "swap_radius": (
        (100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0, 10_000.0, 20_000.0),
        SWAP_RADIUS_RANGE,
        ("few near", "many"),
    ),
}
_COUNTS = round_counts(*FORECAST_COUNTS)


def protection_controls(state: State) -> None:
    """Draw the controls, in three columns where there is room."""
    draw_ways_back(state)
    data, protection, forecasts = st.columns(3, gap="large")
    with data:
        _data_controls(state)
    with protection:
        _protection_box(state)
        method = METHODS[state.view.protection_method]
        for name in method.strengths[: method.needed]:
            grid, limits, ends = _STRENGTHS[name]
            view_number_control(state, name, grid=grid, limits=limits, ends=ends)
    with forecasts:
        _forecasters_box(state)
        _series_control(state)
        _draw_anew(state)


def _data_controls(state: State) -> None:
    view_choice(
        "protected_data",
        LABELS["protected_data"],
        state.view.protected_data,
        PROTECTED_DATA,
        DATA_NAMES.__getitem__,
        key="protected_data",
    )
    if state.view.protected_data == "file":
        file_control(state)
    view_number_control(
        state,
        "forecast_count",
        grid=_COUNTS,
        limits=FORECAST_COUNTS,
        ends=("quick", "more to see"),
    )


def _protection_box(state: State) -> None:
    field = "protection_method"
    menu(
        LABELS[field],
        value=state.view.protection_method,
        options=PROTECTION_METHODS,
        name=lambda name: METHOD_NAMES[name][0].upper() + METHOD_NAMES[name][1:],
        chosen=lambda name: change_view(lambda: {field: name}),
        key=field,
        explains=field_help(field),
    )


def _forecasters_box(state: State) -> None:
    asked = state.view.live_forecasters.split(",")

    def chosen(names: Sequence[str]) -> None:
        # Without any there would be no answer: the last ones stay.
        if names:
            change_view(lambda: {"live_forecasters": ",".join(names)})

    several(
        LABELS["live_forecasters"],
        values=asked,
        options=[
            name for name in LIVE_FORECASTERS if FORECASTERS[name].is_installed or name in asked
        ],
        name=SHORT_FORECASTERS.__getitem__,
        chosen=chosen,
        key="live_forecasters",
        explains=field_help("live_forecasters"),
    )
    if not all(FORECASTERS[name].is_installed for name in LIVE_FORECASTERS):
        missing = MissingPackageError("statsforecast")
        st.caption(f"Automatic ARIMA and ETS are not on this server: {missing}.")


def _series_control(state: State) -> None:
    view_number_control(
        state,
        "forecast_series",
        grid=tuple(range(1, state.view.forecast_count + 1)),
        limits=(1, FORECAST_COUNTS[1]),
        ends=("first", "last"),
    )


def _draw_anew(state: State) -> None:
    act_button(
        f"Draw anew (seed {state.view.protection_seed:,})",
        lambda: change_view(lambda: {"protection_seed": next_seed(state.view.protection_seed)}),
        key="protect_anew",
        icon="casino",
        explains=field_help("protection_seed"),
    )
