"""Pages shown to a room: large, without controls, led through by the keys of a remote control."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import streamlit as st

from dpviz.settings import View
from dpviz.settings.destinations import PAGE_NAMES, START
from dpviz.settings.lessons import LESSONS, NO_LESSON, lessons_in, with_lesson
from dpviz.ui.lesson_links import (
    LESSONS_PAGE,
    open_lesson,
    prepared_page,
    prepared_query,
    view_query,
    viewed_lesson,
)
from dpviz.ui.page import page_file
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
# A chart has to be seen with its headline, without scrolling: 14.5 rem is about what stands above
# and below it, until chart.js measures it. Sliders over a chart take its room, and are controls.
# What a segment belongs to is said by its words, or not needed by a room; but who cannot see hears
# it.
_STYLE = """<style>
html {font-size: 21px;}
.stAppHeader, .st-key-share, .st-key-tabs, .st-key-lesson_line,
.stMain .stDownloadButton, .stMain .stExpander,
.stColumn:has(.st-key-answer) .stElementContainer:has(.dpviz-slides)
{display: none;}
.stMainBlockContainer {padding-top: 0; padding-bottom: 5rem;}
.stMain h1 {font-size: 1.4rem; padding: 0;}
.stMain .stVerticalBlock {gap: 0.5rem;}
.stMain .dpviz-kind-segments:not(:has(.dpviz-listed)) > .dpviz-head {
  position: absolute; width: 1px; height: 1px; min-height: 0; overflow: hidden;
  clip-path: inset(50%);
}
.dpviz-chart {max-height: max(18rem, 100vh - 14.5rem);}
.stElementContainer:has(.dpviz-chart) {flex: none !important; height: auto !important;}
.st-key-presenter {
  position: fixed; inset: auto 0 0 0; z-index: 95; padding: 0.25rem 1rem;
  background: var(--dpviz-page); border-top: 1px solid rgba(128, 128, 128, 0.5);
}
.st-key-presenter p {font-size: 0.8rem;}
@media (max-height: 800px) {
  .st-key-answer p {font-size: 0.85rem; line-height: 1.4;}
}
@media (max-width: 640px) {
  html {font-size: 18px;}
  .st-key-answer {position: static; max-height: none; border: 0; padding: 0;}
  .st-key-answer p {font-size: 1rem;}
  .st-key-presenter {flex-wrap: nowrap; gap: 0.25rem;}
}
</style>"""
_PAGE_STYLE = """<style>
.stColumn:has(.st-key-settings) {display: none;}
.stColumn:has(.st-key-answer) {flex: 1 1 100%; width: 100%;}
</style>"""
# Beside a lesson's chart, which takes all the height, stand its slider and the sentence: all become
# parts of one grid, whatever lies between.
_LESSON_STYLE = """<style>
@media (min-width: 641px) {
  .stHorizontalBlock:has(.st-key-settings):has(.st-key-answer, .st-key-game_panel) {
    display: grid; grid-template: repeat(8, max-content) 1fr / minmax(0, 2fr) minmax(0, 1fr);
    gap: 0.5rem 1.5rem;
    & > * {grid-column: 2; width: 100%;}
    & > .stColumn:has(.st-key-settings) {order: -1;}
    & :is(.stColumn, .stVerticalBlock, [data-testid=stLayoutWrapper]):has(.dpviz-chart):has(
      .st-key-answer, .st-key-game_panel) {
      display: contents;
      & > * {grid-column: 2; width: 100%;}
      & > .stElementContainer:has(.dpviz-chart) {grid-column: 1; grid-row: 1 / -1;}
    }
  }
  .stMainBlockContainer {padding-inline: 2rem; padding-bottom: 0;}
}
</style>"""
# Remote controls send PageUp and PageDown. Whoever types, slides or chooses keeps the keys.
_SCRIPT = """
const WAYS = {
  ArrowRight: "next", PageDown: "next", ArrowLeft: "previous", PageUp: "previous", Escape: "leave",
};
// Large type seldom fits a projector, and nothing that scrolls has the focus.
const SCROLLS = { ArrowDown: 1, ArrowUp: -1 };
const SCROLLED_PART = 0.5;  // of the window's height
const TYPING = "input:not([type=radio], [type=checkbox]), textarea, select, [role=slider], "
  + "[contenteditable=true], [role=option], [role=listbox], [role=menu]";
const CHOOSING = TYPING + ", input, [role=radio], [role=tab]";  // by arrow keys

export default function ({ parentElement }) {
  parentElement.stop?.abort();
  const stop = parentElement.stop = new AbortController();
  window.addEventListener("keydown", (event) => {
    if (!parentElement.isConnected) return stop.abort();
    const way = WAYS[event.key];
    const places = SCROLLS[event.key];
    const isTaken = event.defaultPrevented || event.ctrlKey || event.altKey
      || event.metaKey || event.shiftKey || document.querySelector("[role=dialog]");
    if ((way === undefined && places === undefined) || isTaken) return;
    const [target] = event.composedPath();
    if (target.closest?.(event.key.startsWith("Arrow") ? CHOOSING : TYPING)) return;
    if (places !== undefined) {
      event.preventDefault();
      document.querySelector(".stMain").scrollBy({ top: places * SCROLLED_PART * innerHeight });
      return;
    }
    if (event.repeat) return;
    const control = document.querySelector(
      `.st-key-present_${way} a[href], .st-key-present_${way} button`);
    if (!control) return;
    event.preventDefault();
    control.click();
  }, { signal: stop.signal });
  return () => { if (!parentElement.isConnected) stop.abort(); };
}
"""
# Counts down wherever the keys lead within a lesson: the browser alone knows of it.
_TIMER = """
const SECOND_MS = 1000;

function show(button, seconds) {
  const [minutes, rest] = [Math.floor(Math.abs(seconds) / 60), Math.abs(seconds) % 60];
  const time = `${seconds < 0 ? "−" : ""}${minutes}:${String(rest).padStart(2, "0")}`;
  const now = window.dpvizTimer?.end === undefined ? "Start" : "Stop";
  if (button.textContent !== time) button.textContent = time;
  button.setAttribute("aria-label", `${now} the timer, ${time}`);
  button.classList.toggle("over", seconds < 0);
}

export default function ({ parentElement, data }) {
  let button = parentElement.querySelector("button");
  if (!button) {
    button = document.createElement("button");
    button.type = "button";
    parentElement.append(button);
  }
  if (window.dpvizTimer?.lesson !== data.lesson) window.dpvizTimer = { lesson: data.lesson };
  const timer = window.dpvizTimer;
  const whole = data.minutes * 60;
  const left = () => timer.end === undefined
    ? whole : Math.ceil((timer.end - Date.now()) / SECOND_MS);
  button.onclick = () => {
    timer.end = timer.end === undefined ? Date.now() + whole * SECOND_MS : undefined;
    show(button, left());
  };
  show(button, left());
  clearInterval(parentElement.ticks);
  parentElement.ticks = setInterval(() => show(button, left()), SECOND_MS / 4);
  return () => clearInterval(parentElement.ticks);
}
"""
_TIMER_STYLE = """
button {
  font: inherit; font-variant-numeric: tabular-nums; color: var(--st-text-color);
  background: var(--st-background-color); border: 1px solid var(--st-border-color);
  border-radius: var(--st-base-radius); padding: 0.25rem 0.75rem; min-height: 2.5rem;
  cursor: pointer;
}
button.over { border: 2px solid var(--st-red-color, #b00020); font-weight: 700; }
button:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: 1px; }
"""


@dataclass(frozen=True, kw_only=True)
class Stop:
    """Where a key leads to.

    Args:
        page: as Streamlit names it.
        query: the parameters of its link.
        name: what it is called.
    """

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
            icon="present_to_all",
            explains="Large type and no controls, for a projector. Left and right arrow, PageUp "
            "and PageDown lead on and back; up and down arrow scroll; Escape leaves.",
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
    ways = {"previous": stop_at(state, address, -1), "next": stop_at(state, address, 1)}
    with st.container(
        horizontal=True, vertical_alignment="center", horizontal_alignment="center", key="presenter"
    ):
        _draw_way("previous", ways["previous"], "arrow_back")
        _draw_way("next", ways["next"], "arrow_forward")
        qr_button(state)
        lesson = open_lesson(state)
        if lesson is not None:
            timed = {"lesson": lesson.name, "minutes": lesson.minutes}
            timer = st.components.v2.component("dpviz_timer", js=_TIMER, css=_TIMER_STYLE)
            timer(key="timer", data=timed, width="content")
        with st.container(key="present_leave", width="content"):
            act_button(
                "Leave (Esc)",
                lambda: change_view(lambda: {"present": 0}),
                key="leave_presenter",
                quiet=True,
            )
        st.components.v2.component("dpviz_presenter_keys", js=_SCRIPT)(key="presenter_keys")


def stop_at(state: State, address: str, places: int) -> Stop | None:
    """Return where one step on (1) or back (-1) leads; ``None`` at the ends.

    A lesson has three stops: its question, the page that it leads to, and what is true; or the page
    comes first. Outside of lessons, pages follow each other.

    Args:
        state: the visitor's.
        address: of the page that is shown, such as ``protection``.
        places: 1 or -1.
    """
    lesson = open_lesson(state)
    if lesson is not None:
        return _lesson_stop(state, lesson, is_lesson_page=address == _LESSONS, places=places)
    if address == _LESSONS:
        first = LESSONS_BY_NAME[LESSONS[0]]
        return _stops_of(first)[0](state, first) if places > 0 else None
    if address not in PAGES or not 0 <= PAGES.index(address) + places < len(PAGES):
        return None
    other = PAGES[PAGES.index(address) + places]
    return Stop(
        page=page_file(other),
        query=view_query(state, state.view),
        name="Next" if places > 0 else "Before",
    )


def _lesson_stop(state: State, lesson: Lesson, *, is_lesson_page: bool, places: int) -> Stop | None:
    stops = _stops_of(lesson)
    here = _prepared
    if is_lesson_page:
        here = _truth if lesson.name in lessons_in(state.view.revealed) else _question
    at = stops.index(here) + places
    if 0 <= at < len(stops):
        return stops[at](state, lesson)
    other = neighbour(lesson, places)
    if other is None:
        overview = replace(state.view, lesson=NO_LESSON)
        return Stop(page=LESSONS_PAGE, query=view_query(state, overview), name="All lessons")
    return _stops_of(other)[0 if places > 0 else -1](state, other)


def _stops_of(lesson: Lesson) -> tuple[Callable[[State, Lesson], Stop], ...]:
    if lesson.begins_with_page:
        return (_prepared, _question, _truth)
    return (_question, _prepared, _truth)


def _question(state: State, lesson: Lesson) -> Stop:
    """Return the stop at a lesson before anything is told."""
    shown = [name for name in lessons_in(state.view.revealed) if name != lesson.name]
    view = replace(state.view, lesson=lesson.name, revealed=".".join(shown))
    name = "Question" if lesson.name == state.view.lesson else f"Lesson {lesson.number}"
    return _on_lesson_page(state, view, name)


def _truth(state: State, lesson: Lesson) -> Stop:
    revealed = with_lesson(state.view.revealed, lesson.name)
    view = replace(state.view, lesson=lesson.name, revealed=revealed)
    return _on_lesson_page(
        state, view, "Answer" if lesson.name == state.view.lesson else f"Lesson {lesson.number}"
    )


def _on_lesson_page(state: State, view: View, name: str) -> Stop:
    return Stop(page=LESSONS_PAGE, query=view_query(state, view), name=name)


def _prepared(state: State, lesson: Lesson) -> Stop:
    name = "Chart" if lesson.name == state.view.lesson else f"Lesson {lesson.number}"
    return Stop(page=prepared_page(lesson), query=prepared_query(state, lesson), name=name)


def _draw_way(way: str, stop: Stop | None, icon: str) -> None:
    with st.container(key=f"present_{way}", width="content"):
        if stop is not None:
            st.page_link(
                stop.page, label=stop.name, icon=f":material/{icon}:", query_params=stop.query
            )
