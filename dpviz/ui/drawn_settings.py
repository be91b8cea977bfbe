"""Settings of pages on which batches are drawn by the samplers themselves."""

import streamlit as st

from dpviz.scenario import Rates
from dpviz.settings.attacker import SEEDS
from dpviz.ui import controls
from dpviz.ui.act_button import act_button
from dpviz.ui.data_controls import data_controls
from dpviz.ui.data_controls import relation_controls as relation_boxes
from dpviz.ui.page import folded
from dpviz.ui.state import State, change
from dpviz.ui.upload import upload_control


def drawn_settings(state: State) -> None:
    """Draw the controls of what decides which batches are drawn."""
    controls.sampling_controls(state)
    controls.noise_control(state)
    with folded("Data, windows and batch size, or a file", key="open_data") as is_open:
        if is_open:
            upload_control(state)
            data_controls(state)
    with folded("Which values are sensitive", key="open_relation") as is_open:
        if is_open:
            relation_boxes(state)


def way_back_from_rates(data: Rates) -> None:
    """Say why nothing is drawn while rates are set directly, and offer the shape before them."""
    st.info(
        "r and ρ are set directly. They do not tell how many series and windows there are, so no "
        "batch can be drawn: start from a preset, or open a file.",
        icon="🔒",
    )
    if data.last_shape is not None:
        act_button(
            "Back to the data's shape",
            lambda: change(lambda before: before.with_last_shape()),
            key="batch_shape",
        )


def next_seed(seed: int) -> int:
    """Return the seed of the next draws.

    >>> next_seed(1), next_seed(LARGEST_SEED)
    (2, 0)
    """
    return seed + 1 if seed < SEEDS[1] else 0
