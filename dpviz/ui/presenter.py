"""Pages shown to a room: large, without controls, led through by the keys of a remote control."""

from typing import NamedTuple

import streamlit as st

from dpviz.settings.destinations import PAGE_NAMES, START
from dpviz.settings.lessons import (
    LESSONS,
    NO_LESSON,
    lessons_in,
    with_lesson,
    without_lesson,
)
from dpviz.ui.address import holds_link_before
from dpviz.ui.lesson_links import (
    LESSONS_PAGE,
    open_lesson,
    prepared_query,
    view_query,
    viewed_lesson,
)
from dpviz.ui.page import page_file
from dpviz.ui.page_style import run_script, style_part
from dpviz.ui.sharing import qr_button, shut_share_menu
from dpviz.ui.state import State, change_view, page_address, session_state
from dpviz.ui.widgets import act_button
from dpviz.wording.lessons import LESSONS_BY_NAME, Lesson, neighbour

# Without those to read, which have nothing to hide from a room.
PAGES = tuple(
    page
    for page in PAGE_NAMES
    if page not in (START, "how_to_choose", "lessons", "theorems", "glossary")
)
# Taller than a projector's screen: chart.js takes of it what the room leaves.
_CHART_HEIGHT = 900
_LESSONS = "lessons"
_QUESTION, _CHART, _ANSWER = "Question", "Chart", "Answer"
# A chart has to be seen with its headline, without scrolling: 14.5 rem is about what stands above
# and below it, until chart.js measures it. Sliders over a chart take its room, and are controls.
# What a segment belongs to is said by its words, or not needed by a room; but who cannot see hears
# it.
_STYLE = style_part("presenter.css")
_PAGE_STYLE = style_part("presented_page.css")
_LESSON_STYLE = style_part("presented_lesson.css")


class Stop(NamedTuple):
    """Where a key leads to."""

    page: str
    query: dict[str, str]
    name: str


def presented_height(height: int) -> int:
    """Return a chart's height in CSS pixels: larger where the page is shown to a room."""
    return max(height, _CHART_HEIGHT) if session_state().view.present else height


def _present() -> None:
    shut_share_menu()
    change_view(lambda: {"present": 1})


def present_button(state: State) -> None:
    """Draw the button that begins it."""
    if not state.view.present:
        act_button(
            "Present",
            _present,
            key="present",
            icon=":material/present_to_all:",
            explains="Large type for a projector. Arrows lead on and back; Escape leaves.",
        )


def draw_presenter(state: State) -> None:
    """Make the page large and draw the bar that leads on, back and out."""
    if not state.view.present:
        return
    st.html(_STYLE)
    if viewed_lesson(state) is None:
        st.html(_PAGE_STYLE)
    else:
        st.html(_LESSON_STYLE)
    address = page_address()
    with st.container(
        horizontal=True, vertical_alignment="center", horizontal_alignment="center", key="presenter"
    ):
        _draw_way("previous", stop_at(state, address, -1), ":material/arrow_back:")
        _draw_way("next", stop_at(state, address, 1), ":material/arrow_forward:")
        qr_button(state, disabled=holds_link_before(state))
        lesson = open_lesson(state)
        if lesson is not None:
            # Counts down wherever the keys lead within a lesson: the browser alone knows of it.
            run_script("timer", {"lesson": lesson.name, "minutes": lesson.minutes})
        with st.container(key="present_leave", width="content"):
            act_button(
                "Leave (Esc)",
                lambda: change_view(lambda: {"present": 0}),
                key="leave_presenter",
                quiet=True,
            )
        # Remote controls send PageUp and PageDown. Whoever types, slides or chooses keeps the keys.
        run_script("presenter_keys", width="stretch")


def stop_at(state: State, address: str, places: int) -> Stop | None:
    """Return where one step on (1) or back (-1) leads; ``None`` at the ends.

    Outside of lessons, pages follow each other.
    """
    lesson = open_lesson(state)
    if lesson is not None:
        return _lesson_stop(state, lesson, is_lesson_page=address == _LESSONS, places=places)
    if address == _LESSONS:
        return _stops_of(state, LESSONS_BY_NAME[LESSONS[0]])[0] if places > 0 else None
    if address not in PAGES or not 0 <= PAGES.index(address) + places < len(PAGES):
        return None
    page = page_file(PAGES[PAGES.index(address) + places])
    return Stop(page=page, query=view_query(state), name="Next" if places > 0 else "Before")


def _lesson_stop(state: State, lesson: Lesson, *, is_lesson_page: bool, places: int) -> Stop | None:
    here = _CHART
    if is_lesson_page:
        here = _ANSWER if lesson.name in lessons_in(state.view.revealed) else _QUESTION
    stops = _stops_of(state, lesson)
    at = [stop.name for stop in stops].index(here) + places
    if 0 <= at < len(stops):
        return stops[at]
    other = neighbour(lesson, places)
    if other is None:
        query = view_query(state, lesson=NO_LESSON)
        return Stop(page=LESSONS_PAGE, query=query, name="All lessons")
    return _stops_of(state, other)[0 if places > 0 else -1]


def _stops_of(state: State, lesson: Lesson) -> list[Stop]:
    """Return a lesson's question, the page that it leads to, and what is true; or the page first.

    They have names of their own within the lesson that is open, else all are called by it.
    """

    def on_lesson_page(revealed: str) -> tuple[str, dict[str, str]]:
        return LESSONS_PAGE, view_query(state, lesson=lesson.name, revealed=revealed)

    stops = {
        _QUESTION: on_lesson_page(without_lesson(state.view.revealed, lesson.name)),
        _CHART: (page_file(lesson.page), prepared_query(state, lesson)),
        _ANSWER: on_lesson_page(with_lesson(state.view.revealed, lesson.name)),
    }
    is_open = lesson.name == state.view.lesson
    order = sorted(stops, key=lambda own: own != _CHART) if lesson.begins_with_page else stops
    return [Stop(*stops[own], own if is_open else f"Lesson {lesson.number}") for own in order]


def _draw_way(way: str, stop: Stop | None, icon: str) -> None:
    with st.container(key=f"present_{way}", width="content"):
        if stop is not None:
            st.page_link(stop.page, label=stop.name, icon=icon, query_params=stop.query)
