"""What is protected, how, and by whom it is forecast; and a file of series."""

from collections.abc import Sequence
from functools import partial
from uuid import uuid4

import streamlit as st

from dpviz.protected_forecasts import FORECASTERS, METHODS, data
from dpviz.protected_forecasts.data import SeriesToProtect
from dpviz.settings import SETTINGS
from dpviz.settings.protected_forecasts import LIVE_FORECASTERS, PROTECTION_METHODS
from dpviz.ui.file_reading import read_box
from dpviz.ui.number_control import view_number
from dpviz.ui.page import draw_each, fold, viewed, when
from dpviz.ui.results import RESULTS
from dpviz.ui.state import State, change_view
from dpviz.ui.widgets import act_button, draw_anew, several, view_menu
from dpviz.wording.glossary import field_help
from dpviz.wording.numbers import capitalised
from dpviz.wording.protected_forecasts import SHORT_FORECASTERS

# It alone proves something.
_RECOMMENDED = "laplace-known-bounds"
_KEPT, _KEYS = "series to protect", "computed of series to protect"


def _file_control(state: State) -> None:
    read_box(
        state,
        "A file of series (CSV, Parquet)",
        data.series_from_file,
        partial(_take, state),
        name="upload",
        explains=f"{data.SHORTEST_KNOWN + 1} to {data.MOST_VALUES:,} values, each at least 1, in "
        f"each of at most {data.MOST_SERIES:,} series, monthly if they have a season. Values stay "
        "in this server's memory while you look at them, results until another file is opened or "
        "newer ones need the room. Nothing is stored, and no link has them.",
    )
    if (kept := kept_file(state)) is not None:
        st.caption(f"{len(kept[1]):,} series of your file are protected.")


def kept_file(state: State) -> tuple[str, SeriesToProtect] | None:
    """Return this visitor's series with a name that nobody else can guess; ``None`` without any."""
    return state.opened.get(_KEPT)


def note_keys(state: State, keys: list[str]) -> None:
    """Note what is computed of this visitor's file, to forget it with the file."""
    state.opened.setdefault(_KEYS, set()).update(keys)


def _take(state: State, series: SeriesToProtect) -> None:
    # What was computed of the file before goes with it.
    for known in state.opened.pop(_KEYS, set()):
        RESULTS.forget(known)
    state.opened[_KEPT] = (str(uuid4()), series)
    state.notes += [
        f"{len(series):,} series were read; the last value of each is forecast.",
        *series.notes,
    ]


def _recommended(state: State) -> None:
    name = PROTECTION_METHODS[state.view.protection_method]
    st.markdown(f"**{capitalised(name)}**")
    act_button(
        "Use the recommended protection",
        lambda: change_view(lambda: {"protection_method": _RECOMMENDED}),
        key="recommended_protection",
        means=_RECOMMENDED,
        disabled=state.view.protection_method == _RECOMMENDED,
        explains=f"{PROTECTION_METHODS[_RECOMMENDED]}: the one with a guarantee.",
    )


def _strengths(state: State) -> None:
    method = METHODS[state.view.protection_method]
    draw_each(state, method.strengths[: method.needed])


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
        st.caption("Automatic ARIMA and ETS are not on this server.")


def _series_control(state: State) -> None:
    count = state.view.forecast_count
    if state.view.protected_data == "file" and (kept := kept_file(state)) is not None:
        count = min(count, len(kept[1]))
    view_number("forecast_series", grid=range(1, count + 1), limits=(1, count))(state)


CONTROLS = (
    _recommended,
    _strengths,
    fold("Another protection", "open_protection", view_menu("protection_method")),
    "protected_data",
    when(viewed("protected_data", "file"), _file_control),
    "forecast_count",
    fold(
        "Forecasters, and what is drawn",
        "open_forecasters",
        _forecasters_box,
        _series_control,
        draw_anew("protection_seed", "protect_anew", field_help("protection_seed")),
    ),
)
