"""What a file of series leaves open is asked for before anything is answered."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import streamlit as st

from dpviz.planning.first_windows import IN_TIME, chosen_value, suggested
from dpviz.scenario import Scenario
from dpviz.settings import SETTINGS
from dpviz.ui.data_controls import time_step_box, with_field, with_relation
from dpviz.ui.number_control import typed_values
from dpviz.ui.state import State, change, page_address
from dpviz.ui.widgets import act_button, text_box
from dpviz.wording.file_shape import lengths_summary, longer_than_shortest
from dpviz.wording.numbers import in_full, listed
from dpviz.wording.setting_values import setting_warnings

_QUESTIONS = {
    "context_length": "How many past values does your model read?",
    "forecast_length": "How many values ahead does it forecast?",
    "batch_size": "How many windows are in a batch?",
    "relation_width": "How many values in a row of one series may one individual be behind?",
    "training": "How long do you train?",
}


def first_to_choose(state: State) -> str:
    """Return what has to be chosen before there is anything to hand over; empty where nothing."""
    titles = [_title(state, field) for field in _QUESTIONS if field in state.unchosen]
    return f"Choose first: {listed(titles)}." if titles else ""


def draw_first_choices(state: State) -> None:
    """Ask for what is open, in the answer's place."""
    with st.container(key="answer"):
        said = "" if state.file is None else f"{lengths_summary(state.file)}. "
        st.markdown(
            f"**{said}Five numbers decide what can be promised**: choose them, and the answer "
            "stands here."
        )
    with st.container():  # always there: the boxes below stay, with what is being typed into them
        if state.scenario.units.time_step is None:
            st.caption(
                "With a time step, lengths can be typed as times, and usual ones are suggested:"
            )
            time_step_box(state, key="first_time_step")
    found, warnings = _suggested(state), setting_warnings(state.scenario)
    step, is_anywhere = state.scenario.units.time_step, state.scenario.relation.level == "user"
    for field, question in _QUESTIONS.items():
        value = "" if field in state.unchosen else str(chosen_value(state.scenario, field))
        asked = question.replace(" in a row", "") if is_anywhere else question
        example = f"such as {found[field]}" if field in found else ""
        if example and step is not None and field in IN_TIME:
            example += f" ({step.duration(found[field])})"
        text_box(
            f"{asked} ({_title(state, field)})",
            shows=value,
            key=f"first_{field}",
            typed=partial(_typed, state, field),
            warning=warnings.get(field, "") if value else "",
            placeholder=example,
        )
    if "relation_width" in state.unchosen:
        st.caption(
            "Protect all that an individual may be behind: a week of a shop, a day of a household. "
            "Values anywhere in a series, and a person in several: under *Who is protected*."
        )
    if found:
        taken = found | {
            field: chosen_value(state.scenario, field)
            for field in _QUESTIONS
            if field not in state.unchosen
        }
        kept = ", ".join(f"{_title(state, field)} = {taken[field]:,}" for field in _QUESTIONS)
        act_button(f"Take {kept}", partial(_take, state, taken), key="first_keep", means=kept)
        if longer := longer_than_shortest(taken, state.file):
            st.caption(longer)
    if page_address() != "planner":
        sigma = f"σ = {in_full(state.scenario.noise.noise_multiplier)}"
        stays = f"A file does not tell the noise: {sigma} stays until you change it."
        st.caption(f"{stays} *Plan* finds σ.")


def _suggested(state: State) -> dict[str, int]:
    shape = state.scenario.shape
    if state.file is not None:
        return suggested(state.scenario, state.file.median)
    return {} if shape is None else suggested(state.scenario, shape.series_lengths[0])


def _title(state: State, field: str) -> str:
    if field == "training":
        return SETTINGS[state.scenario.training.unit].title
    return "Protected values w" if field == "relation_width" else SETTINGS[field].title


def _typed(state: State, field: str, text: str) -> None:
    def entered(before: Scenario) -> Scenario:
        step = before.units.time_step if field in IN_TIME else None
        limits = SETTINGS["steps" if field == "training" else field].limits
        return _with(state, before, field, int(typed_values(field, text, limits, step)))

    change(entered)


def _take(state: State, taken: Mapping[str, int]) -> None:
    def entered(before: Scenario) -> Scenario:
        after = before
        for field in _QUESTIONS:
            after = _with(state, after, field, taken[field])
        return after

    change(entered)


def _with(state: State, before: Scenario, field: str, value: int) -> Scenario:
    if field == "relation_width":
        return with_relation(state, before, width=value)
    if field == "training":
        after = replace(before, training=replace(before.training, count=value))
        state.unchosen -= {field}
        return after
    return with_field(state, before, field, value)
