"""What can be learnt in a workshop? One lesson, one idea a screen; or all of them on paper."""

from collections.abc import Container

import streamlit as st

from dpviz.settings.lessons import (
    ALL_LESSONS,
    CHOICES,
    LESSONS,
    NO_LESSON,
    answers_by_lesson,
    lessons_in,
    with_answer,
    with_lesson,
)
from dpviz.ui.lesson_links import LESSONS_PAGE, lesson_query, prepared_page, prepared_query
from dpviz.ui.state import State, change_view
from dpviz.ui.widgets import act_button, segments
from dpviz.wording.lessons import LESSONS_BY_NAME, Lesson, neighbour
from dpviz.wording.numbers import counted
from dpviz.wording.texts import wording_text

_LINES = 2  # to write on
# Streamlit's page scrolls inside of a box of the window's height, of which a printer sees one
# sheet: here it is as long as its content. Nothing but the lessons is printed, dark on white.
_STYLE = """<style>
[class*="st-key-line_"] {min-height: 2.2rem; border-bottom: 1px solid #888;}
@page {margin: 16mm;}
@media print {
  .stApp :is(.stMain, .stMainBlockContainer, [data-testid=stAppViewContainer]), .stApp,
  html, body, #root, #root > div {
    position: static !important; height: auto !important; overflow: visible !important;
    background: #fff !important; color-scheme: light;
  }
  .stApp, .stApp * {color: #000 !important;}
  .stApp * {background-color: transparent !important;}
  .stAppHeader, .st-key-print_ways, .stToastContainer {display: none !important;}
  .stMainBlockContainer {padding: 0 !important; max-width: none !important;}
  [class*="st-key-printed_"] {break-inside: avoid;}
  .st-key-printed_answers {break-before: page;}
}
</style>"""
_SCRIPT = """
export default function ({ parentElement }) {
  let button = parentElement.querySelector("button");
  if (!button) {
    button = document.createElement("button");
    button.textContent = "Print";
    button.onclick = () => window.print();
    parentElement.append(button);
  }
}
"""
_BUTTON_STYLE = """
button {
  font: inherit; color: var(--st-text-color); background: var(--st-background-color);
  border: 1px solid var(--st-border-color); border-radius: var(--st-base-radius);
  padding: 0.25rem 0.75rem; min-height: 2.5rem; cursor: pointer;
}
button:hover, button:focus-visible { border-color: var(--st-primary-color); }
button:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: 1px; }
"""


def draw_overview(state: State) -> None:
    """Draw the lessons to choose from, and how far the visitor has come."""
    st.markdown(wording_text("lessons/introduction"))
    answers, revealed = answers_by_lesson(state.view.answers), lessons_in(state.view.revealed)
    with st.container(key="lessons"):
        _draw_list(state, answers, revealed)
    with st.container(horizontal=True):
        st.page_link(
            LESSONS_PAGE,
            label="All lessons on paper",
            icon=":material/print:",
            query_params=lesson_query(state, ALL_LESSONS),
        )
        if answers or revealed:
            act_button(
                "Forget my answers",
                lambda: change_view(lambda: {"answers": "", "revealed": ""}),
                key="forget_answers",
                quiet=True,
            )
    st.markdown(wording_text("lessons/for_teachers"))


def _draw_list(state: State, answers: Container[str], revealed: Container[str]) -> None:
    for name, lesson in LESSONS_BY_NAME.items():
        done = "looked up" if name in revealed else "answered" if name in answers else ""
        st.page_link(
            LESSONS_PAGE,
            label=f"**{lesson.label}** ({lesson.minutes} minutes{done and f', {done}'})",
            query_params=lesson_query(state, name),
        )
        st.caption(lesson.text.aim)


def draw_lesson(state: State, lesson: Lesson) -> None:
    """Draw a lesson, and what is true as soon as the visitor asks for it.

    To a room, question and answer are a screen each.
    """
    is_revealed = lesson.name in lessons_in(state.view.revealed)
    st.caption(f"{lesson.number} of {len(LESSONS)}, about {counted(lesson.minutes, 'minute')}")
    if is_revealed and state.view.present:
        st.markdown(lesson.text.question)
        _draw_truth(lesson, None)
        return
    st.markdown(lesson.text.aim)
    st.header("Predict", anchor=False)
    st.markdown(lesson.text.question)
    chosen = _prediction(state, lesson)
    st.header("Look", anchor=False)
    st.markdown(lesson.text.look)
    st.page_link(
        prepared_page(lesson),
        label="Open the page that is set up for this",
        icon=":material/open_in_new_down:",
        query_params=prepared_query(state, lesson),
    )
    if is_revealed:
        _draw_truth(lesson, chosen)
    else:
        _draw_reveal_button(state, lesson, chosen)
    _draw_ways_on(state, lesson)


def _draw_reveal_button(state: State, lesson: Lesson, chosen: str | None) -> None:
    act_button(
        "Show what is true",
        lambda: change_view(lambda: {"revealed": with_lesson(state.view.revealed, lesson.name)}),
        key=f"reveal_{lesson.name}",
        primary=True,
        disabled=chosen is None and not state.view.present,
        explains="Choose an answer first." if chosen is None else "",
    )


def _prediction(state: State, lesson: Lesson) -> str | None:
    chosen = answers_by_lesson(state.view.answers).get(lesson.name)
    names = dict(zip(CHOICES, lesson.text.choices, strict=True))

    def predicted(answer: str) -> None:
        change_view(lambda: {"answers": with_answer(state.view.answers, lesson.name, answer)})

    segments(
        "Your prediction",
        value=chosen,
        options=CHOICES,
        name=lambda choice: f"**{choice.upper()}.** {names[choice]}",
        chosen=predicted,
        key=f"predict_{lesson.name}",
        is_list=True,
    )
    return chosen


def _draw_truth(lesson: Lesson, chosen: str | None) -> None:
    st.header("What is true", anchor=False)
    words = lesson.text.choices[CHOICES.index(lesson.right)]
    right = f"**{lesson.right.upper()}** is true: {words}"
    if chosen is None:
        st.info(right)
    elif chosen == lesson.right:
        st.success(f"You predicted {chosen.upper()}. {right}", icon=":material/check:")
    else:
        st.info(f"You predicted {chosen.upper()}. {right}", icon=":material/lightbulb:")
    st.markdown(lesson.text.reveal)
    st.markdown(f"**To take away.** {lesson.text.take_away}")


def _draw_ways_on(state: State, lesson: Lesson) -> None:
    before, after = neighbour(lesson, -1), neighbour(lesson, 1)
    with st.container(horizontal=True, key="lesson_ways"):
        st.page_link(LESSONS_PAGE, label="All lessons", query_params=lesson_query(state, NO_LESSON))
        for other, icon in ((before, "arrow_back"), (after, "arrow_forward")):
            if other is not None:
                st.page_link(
                    LESSONS_PAGE,
                    label=other.label,
                    icon=f":material/{icon}:",
                    query_params=lesson_query(state, other.name),
                )


def draw_all_lessons(state: State) -> None:
    """Draw every lesson's question, and at the end every answer."""
    st.html(_STYLE)
    with st.container(horizontal=True, vertical_alignment="center", key="print_ways"):
        st.components.v2.component("dpviz_print", js=_SCRIPT, css=_BUTTON_STYLE)(
            key="print", width="content"
        )
        st.page_link(
            LESSONS_PAGE,
            label="Back to the lessons",
            icon=":material/arrow_back:",
            query_params=lesson_query(state, NO_LESSON),
        )
    st.title("Lessons", anchor=False)
    for lesson in LESSONS_BY_NAME.values():
        with st.container(key=f"printed_{lesson.name}"):
            _draw_question(lesson)
    with st.container(key="printed_answers"):
        st.header("Answers", anchor=False)
    for lesson in LESSONS_BY_NAME.values():
        with st.container(key=f"printed_answer_{lesson.name}"):
            _draw_answer(lesson)


def _draw_question(lesson: Lesson) -> None:
    text = lesson.text
    st.header(lesson.label, anchor=False)
    st.markdown(f"*{text.aim}*")
    st.markdown(text.question)
    named = zip(CHOICES, text.choices, strict=True)
    st.markdown("  \n".join(f"☐ **{choice.upper()}.** {words}" for choice, words in named))
    st.markdown(f"*On the page:* {text.look}")
    st.markdown("Why?")
    for line in range(_LINES):
        st.container(key=f"line_{lesson.name}_{line}").caption(" ")


def _draw_answer(lesson: Lesson) -> None:
    text = lesson.text
    right = text.choices[CHOICES.index(lesson.right)]
    st.subheader(lesson.label, anchor=False)
    st.markdown(f"**{lesson.right.upper()}.** {right}")
    st.markdown(text.reveal)
    st.markdown(f"**To take away.** {text.take_away}")
