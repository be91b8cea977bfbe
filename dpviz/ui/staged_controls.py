"""The controls of the page about draws in stages: the levels, the noise, how many episodes."""

from collections.abc import Callable, Sequence

import streamlit as st

from dpviz.multistage.examples import PRESET_LEVELS
from dpviz.scenario.data import LARGEST_COUNT
from dpviz.scenario.levels import MOST_LEVELS, Level, levels_in, levels_text
from dpviz.scenario.mechanism import MOST_STEPS, NOISE_MULTIPLIER_RANGE
from dpviz.scenario.staged_view import LEAST_STAGES
from dpviz.scenario.view import EPSILON_RANGE
from dpviz.ui.grids import COUNTS, FIXED_EPSILONS, NOISE_MULTIPLIERS
from dpviz.ui.number_control import view_number_control
from dpviz.ui.state import State, change_view
from dpviz.ui.text_box import text_box
from dpviz.ui.typed_number import shown_number, typed_number
from dpviz.ui.ways_back import draw_ways_back
from dpviz.wording.hover_help import field_help
from dpviz.wording.staged import PRESET_MEANINGS, PRESET_NAMES

_FIELD = "staged_levels"
_DRAWN_HELP = "How many units of this level each unit above it gives to a batch, drawn at random."
_SIZE_HELP = (
    "How many units of this level there are in each unit above it: the least that any has, since "
    "fewer are drawn with a higher probability."
)
# A level that takes all there is changes nothing until it is edited.
_NEW_LEVEL = Level(drawn=1, size=10)


def shown_levels(state: State) -> tuple[Level, ...]:
    """Return the levels that are set."""
    return levels_in(_FIELD, state.view.staged_levels, LEAST_STAGES)


def staged_settings(state: State) -> None:
    """Draw the controls."""
    draw_ways_back(state)
    _presets(state)
    _levels_editor(shown_levels(state))
    view_number_control(
        state,
        "staged_noise",
        grid=NOISE_MULTIPLIERS,
        limits=NOISE_MULTIPLIER_RANGE,
        ends=("more accurate", "more private"),
    )
    view_number_control(
        state,
        "staged_episodes",
        grid=COUNTS,
        limits=(1, MOST_STEPS),
        ends=("more private", "longer training"),
    )
    view_number_control(
        state,
        "fixed_epsilon",
        grid=FIXED_EPSILONS,
        limits=EPSILON_RANGE,
        ends=("stricter", "looser"),
        explanation="The ε that the sentence over the chart is about.",
    )


def _presets(state: State) -> None:
    with st.container(horizontal=True):
        for name, text in PRESET_LEVELS.items():
            st.button(
                PRESET_NAMES[name],
                key=f"staged_preset_{name}",
                on_click=_store,
                args=(lambda text=text: text,),
                disabled=state.view.staged_levels == text,
                help=PRESET_MEANINGS[name],
            )


def _levels_editor(levels: Sequence[Level]) -> None:
    st.markdown("**Levels**, from the primary units down to records", help=field_help(_FIELD))
    for at, level in enumerate(levels):
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            name = _level_name(at, len(levels))
            _box(levels, at, "drawn", level.drawn, f"{name}: drawn", _DRAWN_HELP)
            _box(levels, at, "size", level.size, f"{name}: of, at least", _SIZE_HELP)
            st.button(
                f"Remove level {at + 1}",
                key=f"staged_remove_{at}_reset",
                icon=":material/delete:",
                type="tertiary",
                disabled=len(levels) <= LEAST_STAGES,
                on_click=_store,
                args=(lambda at=at: levels_text([*levels[:at], *levels[at + 1 :]]),),
                help=f"Takes level {at + 1} away.",
            )
    st.button(
        "Add a level",
        key="staged_add",
        icon=":material/add:",
        disabled=len(levels) >= MOST_LEVELS,
        on_click=_store,
        args=(lambda: levels_text([*levels, _NEW_LEVEL]),),
        help=f"Up to {MOST_LEVELS} levels: the units of the new one become the records.",
    )


def _box(levels: Sequence[Level], at: int, part: str, value: int, label: str, says: str) -> None:
    key = f"staged_{part}_{at}_{value}"
    shown = f"staged_{part}_{at}_shown"
    st.session_state[shown] = value

    def changed() -> str:
        number = int(typed_number(_FIELD, st.session_state[key], (1, LARGEST_COUNT), whole=True))
        pairs = [(level.drawn, level.size) for level in levels]
        drawn, size = pairs[at]
        pairs[at] = (number, size) if part == "drawn" else (drawn, number)
        return ",".join(f"{drawn}:{size}" for drawn, size in pairs)

    def typed() -> None:
        # A box that was replaced while the answer to it was under way reports its value late.
        if st.session_state[shown] == value:
            _store(changed)
        st.session_state[key] = shown_number(value)

    text_box(label, shows=shown_number(value), key=key, on_change=typed, width=150, help=says)


def _level_name(at: int, levels: int) -> str:
    return "Records" if at == levels - 1 else f"Level {at + 1}"


def _store(text: Callable[[], str]) -> None:
    change_view(lambda: {_FIELD: text()})
