"""What stands on top of a page that a lesson has led to: the way back, and what to look at."""

import streamlit as st

from dpviz.settings.lessons import NO_LESSON
from dpviz.ui.act_button import act_button
from dpviz.ui.lesson_links import LESSONS_PAGE, lesson_query, open_lesson
from dpviz.ui.state import State, change_view


def draw_lesson_line(state: State) -> None:
    """Draw it where a lesson is open."""
    with st.container():  # always there, so that a lesson does not make the chart a new one
        lesson = open_lesson(state)
        if lesson is None:
            return
        with st.container(key="lesson_line", gap=None):
            with st.container(horizontal=True, vertical_alignment="center"):
                st.page_link(
                    LESSONS_PAGE,
                    label=f"Back to lesson {lesson.number}",
                    icon=":material/arrow_back:",
                    query_params=lesson_query(state, lesson.name),
                )
                act_button(
                    "Leave the lesson",
                    lambda: change_view(lambda: {"lesson": NO_LESSON}),
                    key="leave_lesson",
                    quiet=True,
                    explains="The settings stay. What you answered stays in the link.",
                )
            st.markdown(f"**{lesson.text.title}.** {lesson.text.look}")
