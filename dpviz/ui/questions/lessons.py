"""What can be learnt in a workshop? One lesson, one idea a screen; or all of them on paper."""

from urllib.parse import urlsplit

import streamlit as st

from dpviz.classroom.records import ClassError, Standing
from dpviz.export.kit import kit_facts, kit_zip
from dpviz.jobs import Limits
from dpviz.settings import lessons as settings
from dpviz.ui.classes import GAME_LESSON, leads, standing_in
from dpviz.ui.doors import draw_door, draw_door_style
from dpviz.ui.filling import result_of
from dpviz.ui.lesson_links import (
    LESSONS_PAGE,
    draw_prediction,
    draw_reveal_button,
    draw_truth,
    lesson_link,
    prepared_query,
    view_query,
)
from dpviz.ui.page import folded_part, hand_over, page_file, say
from dpviz.ui.page_style import run_script, style_part
from dpviz.ui.questions import classroom
from dpviz.ui.results import Part
from dpviz.ui.sharing import app_address, is_own_machine
from dpviz.ui.state import State, change_view, new_seed
from dpviz.ui.widgets import act_button
from dpviz.wording.lessons import LESSONS_BY_NAME, Lesson, neighbour
from dpviz.wording.numbers import counted
from dpviz.wording.texts import wording_text

_PICTURES = style_part("lesson_cards.css")
# For all teachers of a server at once: it does not depend on who asks.
_FACTS = Part(key="teacher's kit", compute=kit_facts, limits=Limits(seconds=120.0), is_long=True)


def draw_kit_button() -> None:
    """Draw the button that hands over the kit, with the address at which it was asked for."""
    url = st.context.url
    address = None if url is None or is_own_machine(url) else app_address(urlsplit(url))
    hand_over(
        "Download the teacher's kit",
        lambda: kit_zip(result_of(_FACTS), address),
        "dpviz-kit.zip",
        "application/zip",
        key="download_kit",
        icon=":material/download:",
        help="Plans, slides, a handout, exercises and two tests, as pages to print that need "
        "no network. It takes some seconds. Links and QR codes in it lead to the address in your "
        "browser, unless that is this machine's own.",
    )


_LINES = 2  # to write on
# Streamlit's page scrolls inside of a box of the window's height, of which a printer sees one
# sheet: here it is as long as its content. Nothing but the lessons is printed, dark on white.
_STYLE = style_part("printed_lessons.css")
# In front of a room, where the bar's keys lead on.
_ROOM_STYLE = style_part("lesson_room.css")


def draw_overview(state: State) -> None:
    """Draw the lessons to choose from, and how far the visitor has come; to a room, its class."""
    if classroom.draw_class(state) and state.view.present:
        st.html(_ROOM_STYLE)
        return
    st.markdown(wording_text("lessons/introduction"))
    answers, revealed = (
        settings.answers_by_lesson(state.view.answers),
        settings.lessons_in(state.view.revealed),
    )
    st.html(_PICTURES)
    draw_door_style()
    with st.container(key="lessons"):
        for name, lesson in LESSONS_BY_NAME.items():
            done = "done" if name in revealed else "answered" if name in answers else ""
            draw_door(
                f"lesson_{name}",
                LESSONS_PAGE,
                lesson.label,
                f"{lesson.text.aim} {lesson.minutes} minutes{done and f', **{done}**'}.",
                view_query(state, lesson=name),
            )
    with st.container(horizontal=True):
        lesson_link(state, settings.ALL_LESSONS, "All lessons on paper", ":material/print:")
        if answers or revealed or state.view.game_answers:
            act_button(
                "Forget my answers", lambda: _forget(state), key="forget_answers", quiet=True
            )
    label = f"For teachers: {'' if state.view.class_code else 'start a class, '}teacher's kit"
    folded_part(label, "open_for_teachers", _draw_for_teachers, state)


def _draw_for_teachers(state: State) -> None:
    say(wording_text("lessons/for_teachers"))
    with st.container(horizontal=True, vertical_alignment="center"):
        classroom.draw_start(state)
        draw_kit_button()


def _forget(state: State) -> None:
    forgotten: dict[str, object] = {"answers": "", "revealed": ""}
    if state.view.game_answers:  # whose rounds were revealed
        forgotten |= {"game_seed": new_seed(), "game_answers": ""}
    change_view(lambda: forgotten)


def draw_lesson(state: State, lesson: Lesson) -> None:
    """Draw a lesson, and what is true once it is asked for; to a room each is a screen."""
    is_revealed = lesson.name in settings.lessons_in(state.view.revealed)
    standing = standing_in(state, lesson.name)
    is_led = leads(standing)
    if state.view.present:
        st.html(_ROOM_STYLE)
        _draw_to_room(state, lesson, standing, is_revealed=is_revealed)
        return
    st.html(_PICTURES)
    with st.container(key=f"about_lesson_{lesson.name}"):
        st.caption(f"Lesson {lesson.number}, about {counted(lesson.minutes, 'minute')}")
        st.markdown(lesson.text.aim)
    if lesson.begins_with_page:
        _draw_look(state, lesson, waits=False)
    order, chosen = _draw_question(
        state, lesson, standing, is_revealed=is_revealed, as_on_paper=is_led
    )
    if leads(standing):
        classroom.draw_votes(state, lesson, standing, order)
    elif standing is not None:
        classroom.draw_own_vote(state, lesson, standing, chosen, is_revealed=is_revealed)
    if not lesson.begins_with_page:
        # The chart's title may be the answer.
        _draw_look(state, lesson, waits=chosen is None and not (is_revealed or is_led))
    if is_revealed:
        with st.container(key="truth"):  # in sight for who comes back from the chart
            _draw_truth(lesson, chosen, order)
        if is_led and lesson is GAME_LESSON:
            classroom.draw_scores()
    else:
        draw_reveal_button(state, lesson, chosen, standing)
    with st.container(horizontal=True, key="lesson_ways"):
        lesson_link(state, settings.NO_LESSON, "All lessons")
        for places, icon in ((-1, ":material/arrow_back:"), (1, ":material/arrow_forward:")):
            if (other := neighbour(lesson, places)) is not None:
                lesson_link(state, other.name, other.label, icon)


def _draw_to_room(
    state: State, lesson: Lesson, standing: Standing | ClassError | None, *, is_revealed: bool
) -> None:
    """Draw question or truth, and beside it what a class has answered, where one is led."""
    order = settings.order_of_choices(lesson.name, settings.PAPER_SEED)
    has_answers = leads(standing) and (not is_revealed or lesson is GAME_LESSON)
    told, answered = st.columns([3, 2], gap="medium") if has_answers else (st.container(), None)
    with told:
        if is_revealed:
            _draw_truth(lesson, None, order)
        else:
            _draw_question(state, lesson, standing, is_revealed=False, as_on_paper=True)
    if answered is not None:
        with answered:
            if is_revealed:
                classroom.draw_scores()
            elif leads(standing):
                classroom.draw_votes(state, lesson, standing, order)
    if is_revealed and leads(standing):
        classroom.follow_votes(lesson.name, standing, is_told=False)


def _draw_look(state: State, lesson: Lesson, *, waits: bool) -> None:
    st.header("Look", anchor=False)
    say(lesson.text.look)
    st.page_link(
        page_file(lesson.page),
        label="Open the lesson's chart",
        icon=":material/open_in_new_down:",
        query_params=prepared_query(state, lesson),
        disabled=waits,
        help="Predict first." if waits else None,
    )


def _draw_question(
    state: State,
    lesson: Lesson,
    standing: Standing | ClassError | None,
    *,
    is_revealed: bool,
    as_on_paper: bool,
) -> tuple[tuple[str, ...], str | None]:
    st.header("Predict", anchor=False)
    if lesson.text.words:
        say(lesson.text.words)
    return draw_prediction(
        state, lesson, standing, is_revealed=is_revealed, as_on_paper=as_on_paper
    )


def _draw_truth(lesson: Lesson, chosen: str | None, order: tuple[str, ...]) -> None:
    st.header("What is true", anchor=False)
    draw_truth(lesson, chosen, order)


def draw_all_lessons(state: State) -> None:
    """Draw every lesson's question, and at the end every answer."""
    st.html(_STYLE)
    with st.container(horizontal=True, vertical_alignment="center", key="print_ways"):
        run_script("print")
        lesson_link(state, settings.NO_LESSON, "Back to the lessons", ":material/arrow_back:")
    st.title("Lessons", anchor=False)
    for lesson in LESSONS_BY_NAME.values():
        with st.container(key=f"printed_{lesson.name}"):
            _print_question(lesson)
    with st.container(key="printed_answers"):
        st.header("Answers", anchor=False)
    for lesson in LESSONS_BY_NAME.values():
        text = lesson.text
        with st.container(key=f"printed_answer_{lesson.name}"):
            letter = settings.letter_of(lesson.right, tuple(lesson.on_paper.values()))
            st.subheader(lesson.label, anchor=False)
            st.markdown(f"**{letter}.** {text.choices[lesson.right]}")
            say(text.reveal)
            say(f"**To take away.** {text.take_away}")


def _print_question(lesson: Lesson) -> None:
    text = lesson.text
    st.header(lesson.label, anchor=False)
    st.markdown(f"*{text.aim}*")
    if text.words:
        say(text.words)
    say(text.question)
    on_paper = lesson.on_paper.items()
    st.markdown("  \n".join(f"☐ **{letter}.** {text.choices[one]}" for letter, one in on_paper))
    say(f"*On the page:* {text.look}")
    st.markdown("Why?")
    for line in range(_LINES):
        st.container(key=f"line_{lesson.name}_{line}").caption(" ")
