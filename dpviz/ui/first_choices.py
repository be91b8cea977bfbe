"""What a file of series leaves open is asked for before anything is answered."""

from functools import partial

import streamlit as st

from dpviz.planning.first_windows import chosen_value, usual_windows
from dpviz.scenario import Scenario
from dpviz.scenario.data import LARGEST_COUNT, LONGEST_WINDOW
from dpviz.settings import SETTINGS
from dpviz.ui.controls import warning_beside
from dpviz.ui.data_controls import with_field
from dpviz.ui.number_control import typed_values
from dpviz.ui.state import State, change, note_change
from dpviz.ui.widgets import act_button, text_box
from dpviz.wording.file_shape import lengths_summary

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
    usual = usual_windows(state.scenario.units.time_step)
    examples = {} if usual is None else {"forecast_length": usual[0], "context_length": usual[1]}
    for field, question in _QUESTIONS.items():
        value = chosen_value(state.scenario, field)
        example = examples.get(field)
        text_box(
            f"{question} ({SETTINGS[field].title})",
            shows="" if field in state.unchosen else str(value),
            key=f"first_{field}",
            typed=partial(_typed, state, field),
            warning="" if field in state.unchosen else warning_beside(state.scenario, field),
            placeholder="" if example is None else f"such as {_told(state, example)}",
        )
    kept = ", ".join(
        f"{SETTINGS[field].title} = {chosen_value(state.scenario, field):,}" for field in _QUESTIONS
    )
    act_button(f"Take {kept}", partial(_keep, state), key="first_keep", means=kept)


def _typed(state: State, field: str, text: str) -> None:
    most = LARGEST_COUNT if field == "batch_size" else LONGEST_WINDOW
    limits = (_LEAST[field], most)

    def entered(before: Scenario) -> Scenario:
        number = int(typed_values(field, text, limits, before.units.time_step))
        return with_field(state, before, field, number)

    change(entered)


def _keep(state: State) -> None:
    before = state.settings
    state.unchosen = frozenset()
    note_change(state, before)


def _told(state: State, values: int) -> str:
    step = state.scenario.units.time_step
    return str(values) if step is None else f"{values} ({step.duration(values)})"
