"""How private are episodes whose records are drawn in stages?"""

from collections.abc import Callable
from functools import partial

import streamlit as st

from dpviz.export.code import staged_command_line
from dpviz.export.curve_tables import staged_table
from dpviz.export.programs import staged_python
from dpviz.figures.delta_lines import staged_chart
from dpviz.multistage import StagedDraw, comparison
from dpviz.multistage.guarantee import EXAMPLES, PRESET_LEVELS, Example
from dpviz.planning import ProvenCurve
from dpviz.planning.multistage import STAGED_LINES, staged_line
from dpviz.scenario.data import LARGEST_COUNT
from dpviz.scenario.errors import ScenarioError
from dpviz.scenario.levels import MOST_LEVELS, Level, levels_in, levels_text
from dpviz.settings.multistage import LEAST_STAGES
from dpviz.ui import frame
from dpviz.ui.compute import content, part_of
from dpviz.ui.filling import fill_in, fill_in_behind, is_known, waits_for_all
from dpviz.ui.number_control import draw_number
from dpviz.ui.page import folded_part, folded_text
from dpviz.ui.question import Answer, question_of_no_run
from dpviz.ui.rests_on import folded_code, folded_conditions
from dpviz.ui.state import State, change_view
from dpviz.ui.texts import text
from dpviz.ui.widgets import act_button, view_choice
from dpviz.wording import multistage as words
from dpviz.wording.glossary import field_help

_FIELD = "staged_levels"
_DRAWN_HELP = "How many each unit above gives to an episode, drawn at random."
_SIZE_HELP = "The least that any unit above has: of fewer, each is drawn with a higher probability."
# A level that takes all there is changes nothing until it is edited.
_NEW_LEVEL = Level(drawn=1, size=10)


def _shown_levels(state: State) -> tuple[Level, ...]:
    return levels_in(_FIELD, state.view.staged_levels, LEAST_STAGES)


def _presets(state: State) -> None:
    with st.container(horizontal=True):
        for name, text in PRESET_LEVELS.items():
            act_button(
                words.PRESET_NAMES[name],
                partial(_store, partial(str, text)),
                key=f"staged_preset_{name}",
                disabled=state.view.staged_levels == text,
                explains=words.PRESET_MEANINGS[name],
            )


def _store(text: Callable[[], str]) -> None:
    change_view(lambda: {_FIELD: text()})


def _levels_editor(state: State) -> None:
    levels = _shown_levels(state)
    st.markdown("**Levels**, from the primary units down to records", help=field_help(_FIELD))
    for at, level in enumerate(levels):
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            name = "Records" if at == len(levels) - 1 else f"Level {at + 1}"
            _box(state, at, "drawn", level.drawn, f"{name}: drawn", _DRAWN_HELP)
            _box(state, at, "size", level.size, f"{name}: of, at least", _SIZE_HELP)
            act_button(
                f"Remove level {at + 1}",
                partial(_store, partial(_without, state, levels, at)),
                key=f"staged_remove_{at}_reset",
                # Another level may have come to stand here meanwhile.
                means=f"{at} of {levels_text(levels)}",
                icon=":material/delete:",
                quiet=True,
                disabled=len(levels) <= LEAST_STAGES,
                explains="All other levels stay as they are.",
            )
    act_button(
        "Add a level",
        partial(_store, lambda: levels_text([*_shown_levels(state), _NEW_LEVEL])),
        key="staged_add",
        icon=":material/add:",
        disabled=len(levels) >= MOST_LEVELS,
        explains=f"Up to {MOST_LEVELS} levels: the units of the new one become the records.",
    )


def _without(state: State, shown: tuple[Level, ...], at: int) -> str:
    levels = _shown_levels(state)
    # Of two quick presses the second was not about the level that has come to stand there.
    return levels_text([*levels[:at], *levels[at + 1 :]] if levels == shown else levels)


def _box(state: State, at: int, part: str, value: int, label: str, says: str) -> None:
    def changed(number: Callable[[], int]) -> str:
        levels = list(_shown_levels(state))
        if at < len(levels):  # else the level is gone
            counts = vars(levels[at]) | {part: number()}
            if counts["drawn"] > counts["size"]:
                least, most = f"at least {counts['drawn']:,}", f"at most {counts['size']:,}"
                allowed = f"it must be {most if part == 'drawn' else least} here"
                raise ScenarioError(part, counts[part], allowed)
            levels[at] = Level(**counts)
        return levels_text(levels)

    draw_number(
        part,
        label,
        value,
        (1, LARGEST_COUNT),
        lambda number: _store(partial(changed, number)),
        key=f"staged_{part}_{at}",
        explains=says,
        width=140,
    )


def _shown_run(state: State) -> tuple[StagedDraw, float, int, float]:
    """Return what is drawn and composed: the draw, noise and episodes, and the ε asked about."""
    view, draw = state.view, StagedDraw(levels=_shown_levels(state))
    return draw, view.staged_noise, view.staged_episodes, view.fixed_epsilon


def _known_lines(state: State) -> dict[str, ProvenCurve]:
    """Return the lines that are known; the first, which has the headline's number, be it coarse."""
    parts = [part_of(staged_line, name, *_shown_run(state)) for name in STAGED_LINES]
    if waits_for_all() or is_known(parts[0]):
        return fill_in(parts).by(STAGED_LINES)
    name = STAGED_LINES[0]
    coarse = part_of(staged_line, name, *_shown_run(state), only_quoted=True)
    line, filled = fill_in_behind(coarse, parts)
    return {name: line} | filled.by(STAGED_LINES)


def _draw_truth(state: State) -> None:
    st.markdown(text("multistage_truth"))
    view_choice("staged_example")(state)
    draw, noise, _, epsilon = _shown_run(state)
    own = Example(draw=draw, noise_multiplier=noise, epsilon=epsilon)
    example = EXAMPLES.get(state.view.staged_example, own)
    key = [levels_text(example.draw.levels), example.noise_multiplier, example.epsilon]
    found = content(
        "staged truth",
        key,
        lambda: comparison(example.draw, example.noise_multiplier, example.epsilon),
    )
    st.markdown(words.comparison_words(example.draw, example.noise_multiplier, found))


def _answer(state: State) -> Answer:
    lines, run = _known_lines(state), _shown_run(state)
    draw, noise, episodes, epsilon = run
    told = f"{state.view.staged_levels} {noise!r} {episodes}"
    frame.draw_answer(
        headline=words.staged_headline(lines, draw, episodes, epsilon),
        figure=lambda: staged_chart(lines, episodes, epsilon, identity=f"staged {told}"),
        made_of=[told, epsilon, list(lines), lines[STAGED_LINES[0]].only_quoted],
        alt=words.staged_description(lines, draw, episodes, epsilon),
        key="staged_chart",
        finding=words.staged_finding(draw, noise, epsilon),
        caption=text("multistage_caption"),
    )
    yield
    folded_part("The printed claim, refuted", "open_printed", _draw_truth, state)
    folded_text(
        "What these numbers rest on",
        "open_certificate",
        lambda: words.staged_certificate(lines) + words.moments_text(draw, noise, lines["upper"]),
    )
    folded_conditions(lambda: text("multistage_assumptions"))
    folded_code(
        lambda: [
            ("δ at this ε, from the command line:", staged_command_line(*run), "bash"),
            ("The same from Python:", staged_python(*run), "python"),
        ]
    )


QUESTION = question_of_no_run(
    introduction="multistage_introduction",
    settings=(_presets, _levels_editor, "staged_noise", "staged_episodes", "fixed_epsilon"),
    answer=_answer,
    table=lambda state: staged_table(*_shown_run(state)[:3], _known_lines(state)),
    file="dpviz-sampling-in-stages.csv",
)
