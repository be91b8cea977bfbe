"""How a plan is taken: as the settings of all pages, into files, or to a small run."""

from functools import partial
from typing import Any

import streamlit as st

from dpviz.planning import ScenarioCurves
from dpviz.scenario import DataShape, Scenario, to_json
from dpviz.settings import SETTINGS
from dpviz.ui.page import folded, page_file
from dpviz.ui.state import State, change
from dpviz.ui.take_away import draw_files, draw_request
from dpviz.ui.widgets import act_button
from dpviz.wording.numbers import number_rounded_up

# Of each series two forecasts are kept from training, and a window has to be left.
_FORECASTS_OF_A_SERIES = 3


def draw_taken(state: State, curves: ScenarioCurves) -> None:
    """Draw the ways to take a plan.

    Args:
        state: the visitor's.
        curves: what is proven of the plan.
    """
    found = curves.scenario
    st.subheader("Take it", anchor=False)
    budget = state.view.target_epsilon if state.view.goal == "epsilon" else None
    draw_files(found, target_epsilon=budget)
    with folded("Name your organisation and data set in them", key="open_request") as is_open:
        if is_open:
            draw_request()
    with st.container(horizontal=True, vertical_alignment="center"):
        act_button(
            "Use this plan on all pages",
            partial(change, lambda _: found),
            key="plan_adopt",
            means=to_json(found),
            icon="input",
            disabled=found == state.scenario,
            explains="Every page then shows this plan; until then they show what is set. Undo "
            "takes it back.",
        )
        if st.button(
            "Train a small run with this plan",
            key="train_plan",
            icon=":material/model_training:",
            help="Makes the plan your settings, and trains on made-up series with its windows, "
            "batch and ε. They are fewer and shorter, so that σ is found anew for them. Undo takes "
            "it back.",
        ):
            change(lambda _: found, view=small_run_view(found, curves.epsilon_upper, budget))
            st.switch_page(page_file("train"))


def small_run_view(found: Scenario, epsilon: float | None, budget: float | None) -> dict[str, Any]:
    """Return the settings of the page that trains: the plan's, as far as small series have room.

    Args:
        found: the plan.
        epsilon: what is proven of it.
        budget: what is asked for, where that is an epsilon.
    """
    made: dict[str, Any] = {
        "trained_privacy": "private",
        "trained_noise": "fit",
        "training_chart": "run",
    }
    limits = SETTINGS["target_epsilon"].limits
    if budget is None and epsilon is not None and limits[0] <= epsilon <= limits[1]:
        made |= {"target_epsilon": min(number_rounded_up(epsilon), limits[1])}
    return made | (_small_windows(found, found.shape) if found.shape is not None else {})


def _small_windows(found: Scenario, shape: DataShape) -> dict[str, Any]:
    """Return panel, windows and batch; those of the page itself where a series has no room."""
    series = _within("panel_series", shape.num_series)
    length = _within("panel_length", min(shape.series_lengths))
    context = _within("trained_context", shape.context_length)
    forecast = _within("trained_forecast", shape.forecast_length)
    if context + _FORECASTS_OF_A_SERIES * forecast > length:
        return {}
    batch = min(found.sampling.batch_size, series * found.sampling.num_subsequences)
    return {
        "trained_on": "generated",
        "panel_series": series,
        "panel_length": length,
        "trained_context": context,
        "trained_forecast": forecast,
        "trained_batch": _within("trained_batch", batch),
    }


def _within(field: str, number: int) -> int:
    least, most = SETTINGS[field].limits
    return int(min(max(number, least), most))
