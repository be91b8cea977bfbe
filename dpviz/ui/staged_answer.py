"""The answer about episodes drawn in stages: proven and printed, beside the truth."""

from functools import partial

import streamlit as st

from dpviz.export.staged_code import staged_command_line, staged_python
from dpviz.export.staged_csv import staged_csv
from dpviz.figures import figure_json
from dpviz.figures.staged import staged_chart
from dpviz.multistage import StagedDraw, comparison
from dpviz.multistage.examples import EXAMPLES, Example
from dpviz.planning.staged import STAGED_LINES, StagedLine, staged_line
from dpviz.scenario.levels import levels_text
from dpviz.ui import frame
from dpviz.ui.choice import view_choice
from dpviz.ui.compute import content
from dpviz.ui.filling import Filled, fill_in, result_of
from dpviz.ui.page import folded
from dpviz.ui.shared import Part
from dpviz.ui.staged_controls import shown_levels
from dpviz.ui.state import State
from dpviz.ui.texts import text
from dpviz.wording import staged as words

KEY = "staged_chart"
# Epsilon is told here in the certificate.
_DELTA = 1e-7


def shown_draw(state: State) -> StagedDraw:
    """Return the draw that is set."""
    return StagedDraw(levels=shown_levels(state))


def draw_lines(state: State) -> tuple[dict[str, StagedLine], Filled]:
    """Draw headline and chart of the lines that are known by now; return these."""
    parts = _parts(state)
    result_of(parts[0])  # the headline's number
    filled = fill_in(parts)
    lines = _by_name(filled.results)
    view, draw = state.view, shown_draw(state)
    key = [_told(state), view.fixed_epsilon, list(lines)]

    def chart() -> str:
        spec = staged_chart(
            lines, view.staged_episodes, view.fixed_epsilon, identity=f"staged {_told(state)}"
        )
        return figure_json(spec)

    frame.draw_answer(
        headline=words.staged_headline(lines, draw, view.staged_episodes, view.fixed_epsilon),
        figure_json=content("staged chart", key, chart),
        alt=words.staged_description(lines, draw, view.staged_episodes, view.fixed_epsilon),
        key=KEY,
        finding=words.staged_finding(draw, view.staged_noise, view.fixed_epsilon),
        caption=text("staged_caption"),
        progress=filled.progress,
    )
    return lines, filled


def draw_truth(state: State) -> None:
    """Draw one episode's claims beside what some gradients really give away."""
    st.header("The printed claim beside the truth", anchor=False)
    st.markdown(text("staged_truth"))
    chosen = state.view.staged_example
    view_choice(state, "staged_example", value=chosen)
    example = EXAMPLES.get(chosen) or _own(state)
    key = [levels_text(example.draw.levels), example.noise_multiplier, example.epsilon]
    found = content(
        "staged truth",
        key,
        lambda: comparison(example.draw, example.noise_multiplier, example.epsilon),
    )
    st.markdown(words.comparison_words(example.draw, example.noise_multiplier, found))


def draw_rests_on(state: State, lines: dict[str, StagedLine]) -> None:
    """Draw what has to hold, what the numbers rest on, and the code that gives them."""
    with folded("What these numbers rest on", key="open_certificate") as is_open:
        if is_open:
            st.markdown(words.staged_certificate(lines))
    with folded("Show the code", key="open_code") as is_open:
        if is_open:
            view, draw = state.view, shown_draw(state)
            run = (draw, view.staged_noise, view.staged_episodes, view.fixed_epsilon)
            st.caption("δ at this ε, from the command line:")
            st.code(staged_command_line(*run), language="bash")
            st.caption("The same from Python:")
            st.code(staged_python(*run), language="python")
    st.header("What has to hold for these numbers", anchor=False)
    st.markdown(text("staged_assumptions"))


def staged_table(state: State) -> str:
    """Return the numbers of all lines as CSV, however long they take."""
    lines = [result_of(part) for part in _parts(state)]
    view = state.view
    return staged_csv(shown_draw(state), view.staged_noise, view.staged_episodes, lines)


def _own(state: State) -> Example:
    return Example(
        draw=shown_draw(state),
        noise_multiplier=state.view.staged_noise,
        epsilon=state.view.fixed_epsilon,
    )


def _parts(state: State) -> list[Part]:
    view, draw = state.view, shown_draw(state)
    return [
        Part(
            key=f"staged {name} {view.fixed_epsilon!r} {_told(state)}",
            compute=partial(
                staged_line,
                name,
                draw,
                view.staged_noise,
                view.staged_episodes,
                view.fixed_epsilon,
                _DELTA,
            ),
        )
        for name in STAGED_LINES
    ]


def _by_name(results: tuple[StagedLine | None, ...]) -> dict[str, StagedLine]:
    return {line.name: line for line in results if line is not None}


def _told(state: State) -> str:
    view = state.view
    return f"{view.staged_levels} {view.staged_noise!r} {view.staged_episodes}"
