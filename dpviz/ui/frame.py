"""The frame of the pages that explore: one question, its answer, the settings beside it."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.jobs import TooCostlyError
from dpviz.planning import ScenarioCurves
from dpviz.scenario import Scenario, ScenarioError, to_json
from dpviz.settings.pages import WITHOUT_SCENARIO
from dpviz.ui.address import show_link
from dpviz.ui.chart import CHART_HEIGHT, draw_chart
from dpviz.ui.filling import begin_run, is_something_left_out
from dpviz.ui.first_choices import draw_first_choices
from dpviz.ui.page import folded, page_address, show_messages
from dpviz.ui.page_actions import (
    draw_downloads,
    draw_lesson_and_presenter,
    draw_link_buttons,
    presented_height,
)
from dpviz.ui.second_opinion import draw_second_opinion
from dpviz.ui.state import State
from dpviz.ui.symbols_key import draw_symbols
from dpviz.ui.texts import plain, text
from dpviz.ui.told_of_settings import draw_unused_plan, draw_warnings
from dpviz.ui.turns import NotYetAskedError, draw_live, in_turn
from dpviz.ui.ways_back import draw_pin, draw_ways_back
from dpviz.wording.certificate import certificate
from dpviz.wording.costs import left_out_sentence, too_costly_sentence
from dpviz.wording.hover_help import symbols_help
from dpviz.wording.labels import labelled
from dpviz.wording.setting_warnings import answer_warnings
from dpviz.wording.texts import wording_text

_NOT_CHOSEN = "Choose context, forecast and batch size of your file first."
_NOT_DRAWN = "These settings cannot be drawn here."
# Whether the page that is open has had an answer.
_IS_ANSWERED = "dpviz_is_answered"
# Of a headline without symbols: what scrolls, as it does on a phone, has to have a focus inside.
_TERMS = "[Glossary](glossary): all words that the pages use."


def page_head(
    state: State,
    question: str,
    csv: Callable[[], str],
    csv_name: str,
    saved: Callable[[], Scenario] | None = None,
    *,
    of_scenario: bool = True,
) -> None:
    """Draw the question and what can be taken away.

    Args:
        state: the visitor's.
        question: the page's.
        csv: returns the chart's numbers; called on a click, with the state of that moment.
        csv_name: the downloaded file's name.
        saved: returns the scenario to save, where the page does not show the visitor's own.
        of_scenario: whether the page has a training scenario, which can be saved.
    """

    def scenario() -> str:
        if state.unchosen and of_scenario:
            return f"{_NOT_CHOSEN}\n"
        return to_json(state.scenario if saved is None else saved(), indent=2) + "\n"

    def table() -> str:
        if state.unchosen and of_scenario:
            return f"# {_NOT_CHOSEN}\n"
        try:
            return csv()
        except ScenarioError as problem:
            return f"# {_NOT_DRAWN} {problem}\n"
        except TooCostlyError as problem:
            return f"# {too_costly_sentence(state.scenario, str(problem))}\n"

    st.session_state[_IS_ANSWERED] = False
    draw_lesson_and_presenter(state)
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.title(question, anchor=False, width="stretch")
        # Together, so that where there is no room beside the title, none is left there alone.
        with st.container(horizontal=True, gap="xsmall", width="content", key="page_actions"):
            draw_link_buttons(state)
            draw_downloads(table, csv_name, scenario if of_scenario else None)


def explore(
    state: State,
    draw_settings: Callable[[], None],
    draw: Callable[[], Iterator[None]],
    *,
    draw_choices: Callable[[], None] | None = None,
    pinned_run: Callable[[], Scenario | None] | None = None,
    meanwhile: str = "",
    shows_pins: Callable[[], bool] = lambda: False,
) -> None:
    """Draw messages, settings, the answer, and below both what the answer rests on.

    What a slider move cannot change stays outside, and is not drawn again. Settings that no bound
    covers are named in the answer's place.

    Args:
        state: the visitor's.
        draw_settings: draws the controls.
        draw: draws the answer up to a ``yield``, and after it what the answer rests on. While a
            slider moves, the answer alone is drawn.
        draw_choices: draws the choice of what the answer is shown by, above it.
        pinned_run: finds what can be pinned, where that is not the visitor's own scenario.
        meanwhile: stands in the answer's place of a page that was just opened until it is found.
        shows_pins: returns whether the page draws what is pinned.
    """
    of_scenario = page_address() not in WITHOUT_SCENARIO

    def answer_first(*, is_alone: bool) -> Iterator[None]:
        if is_alone:
            if state.unchosen and of_scenario:
                st.rerun()  # a file came while a slider moved
            begin_run()
        rest = draw()
        with _refusals(state.scenario):
            next(rest, None)
        yield
        yield from rest

    @in_turn
    def draw_all() -> None:
        begin_run()
        show_link(state)
        messages = st.container()  # always there, so that one does not make the chart a new one
        answer, settings = st.columns([1.8, 1], gap="large")
        with settings, st.container(key="settings"):
            row, warnings = draw_ways_back(state), st.container()
            draw_settings()
        if of_scenario:
            with warnings:
                if not state.unchosen:  # else they would be about values that nobody has chosen
                    draw_warnings(state.scenario)
            with messages:
                draw_unused_plan(state)
        if of_scenario and state.unchosen:
            with messages:
                show_messages(state)
            with answer:
                draw_first_choices(state)
            raise NotYetAskedError
        with answer:
            if draw_choices is not None:
                draw_choices()
        with messages:
            show_messages(state)
        with answer:
            found = None if pinned_run is None else _found(pinned_run, meanwhile)
        with row:
            draw_pin(state, found, shows_pins=shows_pins())
        with answer:
            rest = draw_live(answer_first)
        is_told = is_something_left_out()
        with st.container(key="below"), _refusals(state.scenario, is_told=is_told):
            for _ in rest:
                pass

    draw_all()


def _found(run: Callable[[], Scenario | None], meanwhile: str) -> Scenario | None:
    place = st.empty()
    if not st.session_state.get(_IS_ANSWERED):  # later the last answer stays until then
        place.markdown(meanwhile)
    found = run()
    place.empty()
    st.session_state[_IS_ANSWERED] = True
    return found


@contextmanager
def answer_below_choices(
    state: State, draw_choices: Callable[[], None]
) -> Iterator[DeltaGenerator]:
    """Draw messages and choices; what is drawn inside is the answer, as wide as the page.

    For pages that do not show the visitor's own scenario, and so have no settings to take back.
    Yields the place below, for what the answer rests on.

    Args:
        state: the visitor's.
        draw_choices: draws the choices of what is shown.
    """
    begin_run()
    show_link(state)
    messages = st.container()  # always there, as above
    draw_choices()
    with messages:
        show_messages(state)
    answer, below = st.container(), st.container()
    with answer, _refusals(None):
        yield below


@contextmanager
def _refusals(scenario: Scenario | None, *, is_told: bool = False) -> Iterator[None]:
    place = st.container()  # always there, so that a note does not make the chart a new one
    try:
        yield
    except ScenarioError as problem:
        st.error(plain(f"{_NOT_DRAWN} {labelled(str(problem))}"))
    except TooCostlyError as problem:
        st.error(too_costly_sentence(scenario, str(problem)))
    else:
        if is_something_left_out() and not is_told:
            place.info(left_out_sentence(scenario))


def draw_answer(
    *,
    headline: str,
    figure_json: str,
    alt: str,
    key: str,
    finding: str = "",
    caption: str = "",
    progress: float | None = None,
    height: int = CHART_HEIGHT,
    curves: ScenarioCurves | None = None,
    on_click: Callable[[Mapping[str, Any]], None] | None = None,
    on_stop: Callable[[Any], None] | None = None,
) -> None:
    """Draw the sentence with the number, the chart, and how far the computation is.

    Args:
        headline: Markdown.
        figure_json: the chart.
        alt: the chart in words.
        key: the chart's identity in the page.
        finding: what else the chart says, as Markdown, below it.
        caption: how to read it.
        progress: from 0 to 1; ``None`` where everything is there.
        height: of the chart, in CSS pixels.
        curves: what the answer quotes an epsilon of, where that may be hardly any protection.
        on_click: see :func:`dpviz.ui.chart.draw_chart`.
        on_stop: likewise.
    """
    with st.container(key="answer"):
        st.markdown(headline, help=symbols_help(headline) or _TERMS)
        for one in () if curves is None else answer_warnings(curves):
            st.markdown(f"⚠️ {one.sentence}")
    draw_chart(
        figure_json,
        key=key,
        alt=alt,
        height=presented_height(height),
        file_name=f"dpviz-{key.replace('_', '-')}",
        on_click=on_click,
        on_stop=on_stop,
    )
    with st.container():  # always there, see above
        if progress is not None:
            st.progress(progress, text="Refining …")
    if finding:
        st.markdown(finding)
    if caption:
        st.caption(caption)


def draw_certificate(curves: ScenarioCurves, name: str = "", *, at: int = 0) -> None:
    """Draw what the numbers of a run rest on, and offer to see them by another library.

    Args:
        curves: of the run.
        name: which run it is, where the page has several.
        at: its place, where the page draws several.
    """
    label = "What these numbers rest on" + (f": {name}" if name else "")
    which = f"_{at}" if at else ""
    with folded(label, key=f"open_certificate{which}") as is_open:
        if not is_open:
            return
        st.markdown(certificate(curves))
        for side in ("upper", "lower"):
            if side == "lower" and curves.lower is None:
                continue
            draw_second_opinion(curves, side, key=f"second_{side}{which}")


def draw_theory() -> None:
    """Draw what has to hold, and how to read the chart."""
    st.header("What has to hold for these numbers", anchor=False)
    st.markdown(wording_text("assumptions"))
    with folded("How to read this, and where it comes from", key="open_reading") as is_open:
        if is_open:
            st.markdown(text("reading"))
    draw_symbols()
