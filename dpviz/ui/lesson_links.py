"""The lessons' true links, with all that the visitor has set and answered, and the way back."""

from dataclasses import replace
from urllib.parse import parse_qsl

import streamlit as st

from dpviz.settings import View
from dpviz.settings.lessons import LESSONS, NO_LESSON
from dpviz.ui.address import FOLLOWED, KEEPS, OPENS, link_to, shared_scenario
from dpviz.ui.page import page_file
from dpviz.ui.state import State, change_view
from dpviz.ui.widgets import act_button
from dpviz.wording.lessons import LESSONS_BY_NAME, Lesson, with_lesson_open

LESSONS_PAGE = page_file("lessons")


def open_lesson(state: State) -> Lesson | None:
    """Return the lesson that is open; ``None`` for none and for all of them."""
    return LESSONS_BY_NAME[state.view.lesson] if state.view.lesson in LESSONS else None


def prepared_page(lesson: Lesson) -> str:
    """Return the page that a lesson leads to, as Streamlit names it."""
    return page_file(lesson.page)


def view_query(state: State, view: View) -> dict[str, str]:
    """Return the parameters that keep the visitor's settings and show another view of them."""
    return {FOLLOWED: KEEPS} | dict(parse_qsl(link_to(shared_scenario(state), state.pins, view)))


def lesson_query(state: State, lesson: str) -> dict[str, str]:
    """Return the parameters that open a lesson, all of them or none, by its name."""
    return view_query(state, replace(state.view, lesson=lesson))


def prepared_query(state: State, lesson: Lesson) -> dict[str, str]:
    """Return the parameters of a lesson's prepared state; what is pinned is kept, but hidden."""
    pins = tuple(replace(pin, shown=False) for pin in state.pins)
    view = with_lesson_open(state.view, lesson.name, lesson.view)
    return {FOLLOWED: OPENS} | dict(parse_qsl(link_to(lesson.scenario, pins, view)))


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
            title = lesson.text.title
            stop = "" if title.endswith("?") else "."
            st.markdown(f"**{title}{stop}** {lesson.text.look}")
