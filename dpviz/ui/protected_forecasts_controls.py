"""What is protected, how, and by whom it is forecast."""

from collections.abc import Sequence

import streamlit as st

from dpviz.protected_forecasts import FORECASTERS, METHODS
from dpviz.scenario.missing_package import MissingPackageError
from dpviz.settings import SETTINGS
from dpviz.settings.protected_forecasts import (
    LIVE_FORECASTERS,
)
from dpviz.ui.act_button import act_button
from dpviz.ui.choice import several, view_choice, view_menu
from dpviz.ui.drawn_settings import next_seed
from dpviz.ui.number_control import view_number_control
from dpviz.ui.protected_forecasts_file import file_control
from dpviz.ui.state import State, change_view
from dpviz.ui.ways_back import draw_ways_back
from dpviz.wording.hover_help import field_help
from dpviz.wording.protected_forecasts import SHORT_FORECASTERS

_FORECASTERS_BOX = "live_forecasters"


def protection_controls(state: State) -> None:
    """Draw the controls, in three columns where there is room."""
    draw_ways_back(state)
    data, protection, forecasts = st.columns(3, gap="large")
    with data:
        _data_controls(state)
    with protection:
        view_menu(state, "protection_method")
        method = METHODS[state.view.protection_method]
        for name in method.strengths[: method.needed]:
            view_number_control(state, name)
    with forecasts:
        _forecasters_box(state)
        _series_control(state)
        _draw_anew(state)


def _data_controls(state: State) -> None:
    view_choice(state, "protected_data")
    if state.view.protected_data == "file":
        file_control(state)
    view_number_control(state, "forecast_count")


def _forecasters_box(state: State) -> None:
    asked = state.view.live_forecasters.split(",")

    def chosen(names: Sequence[str]) -> None:
        # Without any there would be no answer: the last ones stay.
        if names:
            change_view(lambda: {"live_forecasters": ",".join(names)})

    several(
        SETTINGS["live_forecasters"].title,
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
    )


def _draw_anew(state: State) -> None:
    act_button(
        f"Draw anew (seed {state.view.protection_seed:,})",
        lambda: change_view(lambda: {"protection_seed": next_seed(state.view.protection_seed)}),
        key="protect_anew",
        icon="casino",
        explains=field_help("protection_seed"),
    )
