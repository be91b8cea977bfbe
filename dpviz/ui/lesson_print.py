"""All lessons on paper: questions with room to write, the answers on pages of their own."""

import streamlit as st

from dpviz.settings.lessons import CHOICES, NO_LESSON
from dpviz.ui.lesson_links import LESSONS_PAGE, lesson_query
from dpviz.ui.state import State
from dpviz.wording.lessons import LESSONS_BY_NAME, Lesson

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
