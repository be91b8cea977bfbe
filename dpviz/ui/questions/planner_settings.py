"""The four questions of a plan: data, who is protected, the goal, and the training."""

from collections.abc import Callable

import streamlit as st

from dpviz.scenario import Scenario
from dpviz.ui import controls, data_controls
from dpviz.ui.offered_file import upload_control
from dpviz.ui.page import fold, in_place, when
from dpviz.ui.state import Control, State
from dpviz.ui.widgets import view_choice, view_menu
from dpviz.wording import plan_questions as words
from dpviz.wording.plan_questions import Advice
from dpviz.wording.scope import protected_in

chart_control = view_choice("plan_chart", shows_label=False)


def _heading(words: str) -> Control:
    return lambda _: st.markdown(f"**{words}**")


def _line(of: Callable[..., str]) -> Callable[[State], str]:
    return lambda state: of(state.scenario, found=state.view.free_quantity)


def _data_line(state: State) -> str:
    found = state.view.free_quantity
    return words.data_line(state.scenario, found=found, is_chosen=not state.unchosen)


def _advice(of: Callable[[Scenario], Advice | None]) -> Control:
    """Return what draws the advice that applies to the settings, in a place that is always there.

    Nobody has chosen the windows of a file that was just opened: there is none on them.
    """

    def draw(state: State) -> None:
        with st.container():
            advice = None if state.unchosen else of(state.scenario)
            if advice is not None:
                st.caption(advice.linked)

    return draw


def _is_asked(goal: str) -> Callable[[State], bool]:
    return lambda state: state.view.goal == goal


def _is_set(quantity: str) -> Callable[[State], bool]:
    return lambda state: state.view.free_quantity != quantity


# In the order in which a plan is made. What is set once is folded, with its values in the line.
CONTROLS = (
    fold(
        "**1 Your data**",
        "open_data",
        controls.preset_control,
        upload_control,
        data_controls.data_controls,
        _advice(words.data_advice),
        controls.rate_controls,
        says=_data_line,
    ),
    fold(
        "**2 Who is protected**",
        "open_relation",
        data_controls.relation_controls,
        _advice(words.protection_advice),
        says=lambda state: protected_in(state.scenario),
    ),
    _heading("3 Your goal"),
    view_choice("goal", shows_label=False),
    in_place(
        when(_is_asked("success"), "target_success"),
        when(_is_asked("hits"), "target_true_positive_rate", "target_false_positive_rate"),
        when(_is_asked("epsilon"), "target_epsilon"),
        controls.delta_control,
        when(_is_asked("epsilon"), _advice(words.delta_advice)),
    ),
    view_menu("free_quantity"),
    _heading("4 Your training"),
    in_place(
        when(_is_set("noise_multiplier"), controls.noise_control),
        when(_is_set("training"), controls.training_control),
        when(lambda state: not _is_set("training")(state), controls.training_unit_control),
    ),
    fold(
        "**Batches**",
        "open_sampling",
        controls.sampling_controls,
        _advice(words.sampling_advice),
        says=_line(words.sampling_line),
    ),
    fold(
        "**Noise on windows**",
        "open_augmentation",
        data_controls.noise_on("context_noise"),
        when(_is_set("forecast_noise"), data_controls.noise_on("forecast_noise")),
        _advice(words.noise_advice),
        data_controls.max_change_box,
        data_controls.value_unit_box,
        data_controls.channels_box,
        says=_line(words.noise_line),
    ),
)
