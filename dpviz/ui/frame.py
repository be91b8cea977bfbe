"""The frame of the pages that ask a question: settings, answer, what it rests on."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.export.table import Table, without_cells
from dpviz.figures.parts import Spec
from dpviz.jobs import TooCostlyError
from dpviz.planning import ScenarioCurves
from dpviz.scenario import Scenario, ScenarioError, to_json
from dpviz.settings.pages import PAGE_SETTINGS, WITHOUT_SCENARIO
from dpviz.ui.acts import is_drawn
from dpviz.ui.address import current, show_link
from dpviz.ui.chart import CHART_HEIGHT, draw_chart
from dpviz.ui.classes import join_by_link, settle_truth, take_class_along
from dpviz.ui.file_reading import follow_reading, take_what_was_read
from dpviz.ui.filling import (
    begin_run,
    go_on,
    is_something_left_out,
    let_answers_go_first,
    progress,
    waiting_for_all,
)
from dpviz.ui.first_choices import draw_first_choices, first_to_choose
from dpviz.ui.head import draw_head
from dpviz.ui.lesson_links import (
    draw_instruction,
    draw_lesson_line,
    draw_lesson_ways,
    viewed_lesson,
)
from dpviz.ui.page import draw_each, draw_progress, say, show_messages
from dpviz.ui.page_style import run_script
from dpviz.ui.pins import pin_button
from dpviz.ui.presenter import draw_presenter, presented_height
from dpviz.ui.question import Question
from dpviz.ui.rests_on import draw_conditions, draw_theory
from dpviz.ui.state import State, change_pins, is_reset, page_address, redo, reset, undo
from dpviz.ui.texts import plain, text, with_documents
from dpviz.ui.turns import NotYetAskedError, draw_live, in_turn, is_crowded
from dpviz.ui.widgets import act_button, adopt_button
from dpviz.ui.workers import are_behind
from dpviz.wording.glossary import symbols_help
from dpviz.wording.numbers import counted
from dpviz.wording.setting_values import answer_warning, labelled, setting_warnings
from dpviz.wording.texts import with_formulas
from dpviz.wording.training_length import left_out_sentence, too_costly_sentence

_NOT_DRAWN = "These settings cannot be drawn here."
_PLANNER = "planner"
_UNDOES = "Takes back the last change, on any page."
_REDOES = "Repeats what Undo took back."
_OF_SCENARIO = "Back to the preset, link or file that the settings began as."
_OF_BOTH = f"{_OF_SCENARIO} Resets what only this page has, too."
_OF_PAGE = "Resets what only this page has. Other pages keep theirs."
# Of the answer and its settings.
_WIDTHS = (1.6, 1)
# Whether the page that is open has had an answer.
_IS_ANSWERED = "dpviz_is_answered"
# Of a headline without symbols: what scrolls, as it does on a phone, has to have a focus inside.
_TERMS = "[Glossary](glossary): all words that the pages use."


def ask(question: Question) -> None:
    """Draw a page: the question, what can be taken away, the answer beside its settings."""
    state = current()
    if not state.view.class_key:  # of who has come by a link of this page: a reload is no other one
        join_by_link(state)
    settle_truth(state)
    take_class_along(state)
    _draw_head(question, state)
    if question.introduction:
        st.caption(with_formulas(text(question.introduction)))
    draw = _explore_live if question.is_live else _explore

    def draw_all() -> None:
        begin_run()
        take_what_was_read(state)
        show_link(state)
        # Always there, so that a message does not make the chart a new one.
        draw(question, state, st.container())

    in_turn(draw_all, then=partial(follow_reading, state))()
    if question.held is not None and viewed_lesson(state) is None:
        draw_theory()


@waiting_for_all()
def _table_or_reason(question: Question, state: State) -> Table:
    """Return the chart's numbers, or why there are none, with the state of this moment."""
    if state.unchosen and question.is_saved:
        return without_cells(first_to_choose(state))
    try:
        return question.table(state)
    except ScenarioError as problem:
        return without_cells(f"{_NOT_DRAWN} {problem}")
    except TooCostlyError as problem:
        return without_cells(question.too_costly(state, str(problem)))


def _draw_head(question: Question, state: State) -> None:
    def scenario() -> str:
        if state.unchosen:
            return f"{first_to_choose(state)}\n"
        try:
            return to_json(question.saved(state), indent=2) + "\n"
        except ScenarioError as problem:
            return f"{_NOT_DRAWN} {problem}\n"
        except TooCostlyError as problem:
            return f"{too_costly_sentence(None, str(problem))}\n"

    st.session_state[_IS_ANSWERED] = False
    draw_lesson_line(state)
    draw_presenter(state)
    lesson, lacks = viewed_lesson(state), question.file_lacks
    if not lacks and PAGE_SETTINGS.get(page_address()):
        lacks = "What only this page has is in the link alone. "
    draw_head(
        state,
        title="" if lesson is None else lesson.text.title,
        table=partial(_table_or_reason, question, state),
        table_name=question.file,
        scenario=scenario if question.is_saved else None,
        saves=f"{question.saves} as JSON, for pages, the command line and Python. "
        f"{lacks}[Glossary](glossary?term=scenario)",
        lacks=first_to_choose(state),
    )
    draw_instruction(state)


def _explore_live(question: Question, state: State, messages: DeltaGenerator) -> None:
    """Draw messages, settings, the answer, and below both what the answer rests on.

    What a slider move cannot change stays outside, and is not drawn again. Settings that no bound
    covers are named in the answer's place.
    """
    is_own, is_unchosen = question.shows_own(state), bool(state.unchosen)

    def answer_first(*, is_alone: bool) -> Iterator[None]:
        if is_alone:
            if state.unchosen:
                st.rerun()  # a file came while a slider moved
            begin_run()
        rest = question.answer(state)
        with _refusals(state.scenario, too_costly=partial(question.too_costly, state)):
            next(rest, None)
        yield
        yield from rest

    def draw_live_answer() -> tuple[Scenario | None, Iterator[None]]:
        return _found(question, state), draw_live(answer_first)

    answer, settings = st.columns(_WIDTHS, gap="large")
    with answer:
        # Always there, so that what was asked goes with the first answer: what a later run
        # does not draw stays in sight for as long as a page is filled in. While it is asked it is
        # never empty: a box would lose what is being typed into it.
        first_choices = st.container() if is_unchosen else st.empty()
        choices = st.container(key="choices")
    # Controls show what a visitor did with them at once; an answer is waited for.
    comes_first = (is_crowded() or are_behind()) and not is_unchosen
    accident = None
    if comes_first:
        with messages:
            show_messages(state, of_acts=False)  # nothing that ends this run may lose them
        with answer:
            try:
                found, rest = draw_live_answer()
            except Exception as problem:  # no reason to take the settings away
                accident = problem
        let_answers_go_first()
    with settings, st.container(key="settings"):
        row, warnings = draw_ways_back(state), st.container()
        lesson = viewed_lesson(state)
        if lesson is None:
            draw_each(state, question.settings)
        else:
            draw_each(state, question.in_lessons.get(lesson.name, ()))
            draw_lesson_ways(state, lesson)
        # Else they would be about what nobody has chosen, or the page does not show. Controls that
        # are drawn say it themselves: only those that are folded away are told of here.
        if is_own and not is_unchosen:
            with warnings:
                for name, sentence in setting_warnings(state.scenario).items():
                    if not is_drawn(name):
                        st.caption(with_formulas(f"⚠️ {sentence}"))
    # What shows no run, or an example, shows none in place of the plan.
    if is_own and (question.held is None or _held(question, state)):
        with messages:
            _draw_unused_plan(question, state)
    if is_unchosen:
        with first_choices:
            draw_first_choices(state)
    elif lesson is None:
        with choices:
            draw_each(state, question.choices)
    with messages:  # but for what the controls above say themselves
        show_messages(state, of_link=not comes_first)
    if accident is not None:
        raise accident
    if is_unchosen:
        raise NotYetAskedError
    if not comes_first:
        with answer:
            found, rest = draw_live_answer()
    with row:
        draw_pin(state, found, shows_pins=question.shows_pins(state))
    is_told = is_something_left_out()
    with st.container(key="below"), _refusals(state.scenario, is_told=is_told):
        for _ in rest:
            pass
        draw_conditions(_held(question, state))
        go_on()


def _found(question: Question, state: State) -> Scenario | None:
    """Return what is pinned, where that is not the visitor's own scenario."""
    if question.pinned is None:
        return None
    place = st.empty()
    if not st.session_state.get(_IS_ANSWERED):  # later the last answer stays until then
        place.markdown(question.meanwhile)
    found = question.pinned(state)
    place.empty()
    st.session_state[_IS_ANSWERED] = True
    return found


def _explore(question: Question, state: State, messages: DeltaGenerator) -> None:
    """Draw messages, the answer beside its own settings, and what it rests on."""
    answer, settings = st.columns(_WIDTHS, gap="large")
    below = st.container()
    with settings, st.container(key="settings"):
        if page_address() in WITHOUT_SCENARIO:  # what there is to take back is of this page
            draw_ways_back(state)
        draw_each(state, question.settings)
    with messages:  # but for what the controls above say themselves
        show_messages(state)
    with answer, _refusals(None):
        rest = question.answer(state)
        next(rest, None)
        with below:
            for _ in rest:
                pass
            draw_conditions(_held(question, state))
        go_on()


def draw_ways_back(state: State) -> DeltaGenerator:
    """Draw the buttons that take changes of settings back; return their row."""
    page = page_address()
    of_scenario = page not in WITHOUT_SCENARIO
    resets = _OF_BOTH if PAGE_SETTINGS.get(page) else _OF_SCENARIO
    resets = resets if of_scenario else _OF_PAGE

    def back() -> None:
        reset(page, of_scenario=of_scenario)

    row = st.container(horizontal=True, gap="small")
    with row:
        history, is_first = state.history, is_reset(state, page, of_scenario=of_scenario)
        for key, label, act, icon, rests, explains in (
            ("undo", "Undo", undo, ":material/undo:", not history.past, _UNDOES),
            ("redo", "Redo", redo, ":material/redo:", not history.future, _REDOES),
            ("reset_all", "Reset all", back, ":material/restart_alt:", is_first, resets),
        ):
            act_button(label, act, key=key, icon=icon, disabled=rests, explains=explains)
        said, state.undone = state.undone, ""  # what was taken back or done again is said once
        if said:
            st.toast(plain(said), icon=":material/check:", duration="long")
            # Streamlit's own notice is no live region. This one is the document's, so that it stays
            # when a run that only fills the page in takes the component away.
            run_script("undone", {"said": said})
    return row


def draw_pin(state: State, pinned_run: Scenario | None, *, shows_pins: bool) -> None:
    """Draw the buttons that keep settings; in a row with others.

    ``pinned_run`` is what can be pinned where that is not the visitor's own scenario;
    ``shows_pins`` says whether the page draws what is pinned, with a way to remove it.
    """
    pin_button(state, pinned_run)
    if state.pins and not shows_pins:
        act_button(
            f"Remove {counted(len(state.pins), 'pin')}",
            lambda: change_pins(lambda _: ()),
            key="remove_pins",
            quiet=True,
            explains="Pinned settings travel in the link. Compare sampling and Plan draw them.",
        )


def _held(question: Question, state: State) -> Sequence[Scenario]:
    """Return the runs that a page is about; none where they are refused, which the answer says."""
    try:
        return () if question.held is None else question.held(state)
    except ScenarioError:
        return ()


def _draw_unused_plan(question: Question, state: State) -> None:
    """Say that the plan is not what this page shows, for as long as it is a plan for it."""
    if state.plan is None or page_address() == _PLANNER:
        return
    planned_from, found, said = state.plan
    if planned_from != state.scenario or question.taken(found) == question.taken(state.scenario):
        return
    with st.container(horizontal=True, vertical_alignment="center", key="unused_plan"):
        say(said, width="stretch")
        adopt_button(
            "Use the plan",
            found,
            key="use_plan",
            explains="All pages then show it. Undo takes it back.",
        )


@contextmanager
def _refusals(
    scenario: Scenario | None,
    *,
    too_costly: Callable[[str], str] | None = None,
    is_told: bool = False,
) -> Iterator[None]:
    place = st.container()  # always there, so that a note does not make the chart a new one
    try:
        yield
    except ScenarioError as problem:
        st.error(plain(f"{_NOT_DRAWN} {labelled(str(problem))}"))
    except TooCostlyError as problem:
        told = too_costly or partial(too_costly_sentence, scenario)
        st.error(told(str(problem)))
    else:
        if is_something_left_out() and not is_told:
            place.info(left_out_sentence(scenario))


def draw_headline(headline: str, curves: ScenarioCurves | None = None) -> None:
    """Draw the sentence with the number, where no chart of its own follows it.

    Where an epsilon of ``curves`` may be hardly any protection, that is said.
    """
    with st.container(key="answer"):
        about = with_formulas(symbols_help(headline) or _TERMS)
        say(headline, help=about)
        if curves is not None and (warning := answer_warning(curves, headline)):
            say(f"⚠️ {warning}")


def draw_answer(
    *,
    headline: str,
    figure: Spec | Callable[[], Spec],
    alt: str,
    key: str,
    finding: str = "",
    caption: str = "",
    height: int = CHART_HEIGHT,
    curves: ScenarioCurves | None = None,
    **chart: Any,
) -> None:
    """Draw the sentence with the number, the chart, and how much of what was asked for is there.

    ``finding`` stands below the chart, ``caption`` says how to read it. ``curves`` are as in
    :func:`draw_headline`, all else of the chart as in :func:`dpviz.ui.chart.draw_chart`.
    """
    draw_headline(headline, curves)
    draw_chart(figure, key=key, alt=alt, height=presented_height(height), **chart)
    with st.container(key="chart_progress"):  # a wide screen gives it no room: nothing below moves
        draw_progress(progress())
    if finding:
        say(finding)
    if caption:
        st.caption(with_formulas(with_documents(caption)))
