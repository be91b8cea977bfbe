"""The controls of the page about draws in stages: the levels, the noise, how many episodes."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from dpviz.multistage.examples import PRESET_LEVELS
from dpviz.scenario.data import LARGEST_COUNT
from dpviz.scenario.levels import MOST_LEVELS, Level, levels_in, levels_text
from dpviz.settings.staged import LEAST_STAGES
from dpviz.ui.act_button import act_button
from dpviz.ui.number_control import draw_number, view_number_control
from dpviz.ui.state import State, change_view
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
    _levels_editor(state)
    view_number_control(state, "staged_noise")
    view_number_control(state, "staged_episodes")
    view_number_control(
        state,
        "fixed_epsilon",
        explanation="The ε that the sentence over the chart is about.",
    )


def _presets(state: State) -> None:
    with st.container(horizontal=True):
        for name, text in PRESET_LEVELS.items():
            act_button(
                PRESET_NAMES[name],
                partial(_store, partial(str, text)),
                key=f"staged_preset_{name}",
                disabled=state.view.staged_levels == text,
                explains=PRESET_MEANINGS[name],
            )


def _levels_editor(state: State) -> None:
    levels = shown_levels(state)
    st.markdown("**Levels**, from the primary units down to records", help=field_help(_FIELD))
    for at, level in enumerate(levels):
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            name = _level_name(at, len(levels))
            _box(state, at, "drawn", level.drawn, f"{name}: drawn", _DRAWN_HELP)
            _box(state, at, "size", level.size, f"{name}: of, at least", _SIZE_HELP)
            act_button(
                f"Remove level {at + 1}",
                partial(_store, partial(_without, state, levels, at)),
                key=f"staged_remove_{at}_reset",
                # Another level may have come to stand here meanwhile.
                means=f"{at} of {levels_text(levels)}",
                icon="delete",
                quiet=True,
                disabled=len(levels) <= LEAST_STAGES,
                explains=f"Takes level {at + 1} away.",
            )
    act_button(
        "Add a level",
        partial(_store, lambda: levels_text([*shown_levels(state), _NEW_LEVEL])),
        key="staged_add",
        icon="add",
        disabled=len(levels) >= MOST_LEVELS,
        explains=f"Up to {MOST_LEVELS} levels: the units of the new one become the records.",
    )


def _without(state: State, shown: tuple[Level, ...], at: int) -> str:
    levels = shown_levels(state)
    # Of two quick presses the second was not about the level that has come to stand there.
    return levels_text([*levels[:at], *levels[at + 1 :]] if levels == shown else levels)


def _box(state: State, at: int, part: str, value: int, label: str, says: str) -> None:
    def store(number: Callable[[], int]) -> None:
        def changed() -> str:
            pairs = [(level.drawn, level.size) for level in shown_levels(state)]
            if at >= len(pairs):  # the level is gone
                return levels_text(shown_levels(state))
            drawn, size = pairs[at]
            pairs[at] = (number(), size) if part == "drawn" else (drawn, number())
            return ",".join(f"{drawn}:{size}" for drawn, size in pairs)

        _store(changed)

    key = f"staged_{part}_{at}"
    draw_number(_FIELD, label, value, (1, LARGEST_COUNT), store, key=key, explains=says, width=150)


def _level_name(at: int, levels: int) -> str:
    return "Records" if at == levels - 1 else f"Level {at + 1}"


def _store(text: Callable[[], str]) -> None:
    change_view(lambda: {_FIELD: text()})
