"""What a file of series leaves open is asked for before anything is answered."""

from collections.abc import Mapping
from functools import partial

import streamlit as st

from dpviz.planning.first_windows import chosen_value, suggested
from dpviz.scenario import Scenario
from dpviz.scenario.data import LARGEST_COUNT, LONGEST_WINDOW
from dpviz.settings import SETTINGS
from dpviz.ui.controls import warning_beside
from dpviz.ui.data_controls import with_field
from dpviz.ui.number_control import typed_values
from dpviz.ui.state import State, change
from dpviz.ui.widgets import act_button, text_box
from dpviz.wording.file_shape import lengths_summary
from dpviz.wording.numbers import rounded
from dpviz.wording.setting_values import training_length

_QUESTIONS = {
    "context_length": "How many past values does your model read?",
    "forecast_length": "How many values ahead does it forecast?",
    "batch_size": "How many windows are in a batch?",
}
_LEAST = {"context_length": 0, "forecast_length": 1, "batch_size": 1}


def draw_first_choices(state: State) -> None:
    """Ask for what is open, in the answer's place."""
    with st.container(key="answer"):
        said = "" if state.file is None else f"{lengths_summary(state.file)}. "
        st.markdown(
            f"**{said}Three numbers decide what can be promised**: choose them, and the answer "
            "stands here."
        )
    found = suggested(state.scenario)
    for field, question in _QUESTIONS.items():
        value = chosen_value(state.scenario, field)
        example = found.get(field)
        text_box(
            f"{question} ({SETTINGS[field].title})",
            shows="" if field in state.unchosen else str(value),
            key=f"first_{field}",
            typed=partial(_typed, state, field),
            warning="" if field in state.unchosen else warning_beside(state.scenario, field),
            placeholder="" if example is None else f"such as {_told(state, field, example)}",
        )
    taken = {
        field: found.get(field, chosen_value(state.scenario, field))
        if field in state.unchosen
        else chosen_value(state.scenario, field)
        for field in _QUESTIONS
    }
    kept = ", ".join(f"{SETTINGS[field].title} = {value:,}" for field, value in taken.items())
    act_button(f"Take {kept}", partial(_take, state, taken), key="first_keep", means=kept)
    length = training_length(state.scenario)
    sigma = rounded(state.scenario.noise.noise_multiplier)
    st.caption(
        f"No file tells how long you train and with how much noise: {length} and σ = {sigma} stay "
        "until you change them. *Plan* finds σ."
    )


def _typed(state: State, field: str, text: str) -> None:
    most = LARGEST_COUNT if field == "batch_size" else LONGEST_WINDOW
    limits = (_LEAST[field], most)

    def entered(before: Scenario) -> Scenario:
        number = int(typed_values(field, text, limits, before.units.time_step))
        return with_field(state, before, field, number)

    change(entered)


def _take(state: State, taken: Mapping[str, int]) -> None:
    def entered(before: Scenario) -> Scenario:
        after = before
        for field, value in taken.items():
            after = with_field(state, after, field, value)
        return after

    change(entered)


def _told(state: State, field: str, number: int) -> str:
    step = state.scenario.units.time_step
    if step is None or field == "batch_size":
        return str(number)
    return f"{number} ({step.duration(number)})"
