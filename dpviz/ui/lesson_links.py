"""An open lesson on a page: its links with all that is set, what it asks, and what is true."""

from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl

import streamlit as st

from dpviz.classroom.records import ClassError, NoSuchClassError, Standing
from dpviz.settings.lessons import (
    LESSONS,
    PAPER_SEED,
    answers_by_lesson,
    lessons_in,
    letter_of,
    order_of_choices,
    with_answer,
    with_lesson,
)
from dpviz.ui.address import FOLLOWED, KEEPS, OPENS, link_to, shared_query
from dpviz.ui.classes import leads, standing_in, tell_truth, vote
from dpviz.ui.page import page_file, say
from dpviz.ui.page_style import style_part
from dpviz.ui.state import State, change_view, leave_lesson, page_address, session_state
from dpviz.ui.widgets import act_button, menu
from dpviz.wording.classroom import own_vote_sentence, refusal, where_class_is
from dpviz.wording.lessons import LESSONS_BY_NAME, Lesson, neighbour, with_lesson_open
from dpviz.wording.texts import with_formulas

LESSONS_PAGE = page_file("lessons")
# So often each participant's page looks how the vote stands: there may be two hundred.
_STANDING_EVERY_SECONDS = 10.0
# Instruction, slider, chart and headline, and nothing else of the page. What is hidden is drawn all
# the same: it refines what is seen. Beside the chart, which takes the height that is left, stand
# its slider and the sentence: all become parts of one grid, whatever lies between. What the game
# asks comes before the way on.
_VIEW_STYLE = style_part("lesson.css")


def open_lesson(state: State) -> Lesson | None:
    """Return the lesson that is open; ``None`` for none and for all of them."""
    return LESSONS_BY_NAME[state.view.lesson] if state.view.lesson in LESSONS else None


def view_query(state: State, **shows: Any) -> dict[str, str]:
    """Return the parameters that keep all that the visitor has set, but show something else."""
    link = shared_query(state, replace(state.view, **shows))
    return {FOLLOWED: ",".join([KEEPS, *shows])} | dict(parse_qsl(link))


def lesson_link(state: State, lesson: str, label: str, icon: str | None = None) -> None:
    """Draw the link to a lesson, all of them or none, by its name."""
    query = view_query(state, lesson=lesson)
    st.page_link(LESSONS_PAGE, label=label, icon=icon, query_params=query)


def prepared_query(state: State, lesson: Lesson) -> dict[str, str]:
    """Return the parameters of a lesson's prepared state; what is pinned is kept, but hidden."""
    pins = tuple(replace(pin, shown=False) for pin in state.pins)
    view = with_lesson_open(state.view, lesson.name, lesson.view)
    return {FOLLOWED: OPENS} | dict(parse_qsl(link_to(lesson.scenario, pins, view)))


def viewed_lesson(state: State) -> Lesson | None:
    """Return the lesson that the page shows nothing but the chart and the slider of, if any."""
    lesson = open_lesson(state)
    is_its_page = lesson is not None and lesson.page == page_address()
    return lesson if is_its_page and not state.view.whole_page else None


def draw_lesson_line(state: State) -> None:
    """Draw it where a lesson is open."""
    with st.container():  # always there, so that a lesson does not make the chart a new one
        lesson = open_lesson(state)
        if lesson is None:
            return
        if viewed_lesson(state) is not None:
            st.html(_VIEW_STYLE)
        with st.container(key="lesson_line", gap=None):
            with st.container(horizontal=True, vertical_alignment="center"):
                back = f"Back to lesson {lesson.number}"
                lesson_link(state, lesson.name, back, ":material/arrow_back:")
                if lesson.page == page_address():
                    is_whole = state.view.whole_page
                    act_button(
                        "Less" if is_whole else "More",
                        lambda: change_view(lambda: {"whole_page": 1 - state.view.whole_page}),
                        key="whole_page",
                        means=f"{is_whole}",
                        quiet=True,
                        explains="Shows the lesson's slider alone."
                        if is_whole
                        else "Shows the whole page: all settings, numbers and what they rest on.",
                    )
                stay = state.before_lesson is None
                settings = "The settings stay." if stay else "Your own settings come back."
                act_button(
                    "Leave the lesson",
                    leave_lesson,
                    key="leave_lesson",
                    quiet=True,
                    explains=f"{settings} What you answered stays in the link.",
                )
            if viewed_lesson(state) is None:
                title = lesson.text.title
                stop = "" if title.endswith("?") else "."
                say(f"**{title}{stop}** {lesson.text.look}")


def draw_instruction(state: State) -> None:
    """Draw what to do, where the lesson's title is that of the page."""
    with st.container(key="instruction"):  # always there, as above
        lesson = viewed_lesson(state)
        if lesson is not None:
            say(lesson.text.look)


def order_shown(state: State, lesson: Lesson, *, as_on_paper: bool) -> tuple[str, ...]:
    """Return the order of the choices: another one for each participant."""
    seed = PAPER_SEED if as_on_paper else state.view.participant or state.own_seed
    return order_of_choices(lesson.name, seed)


def draw_reveal_button(
    state: State, lesson: Lesson, chosen: str | None, standing: Standing | ClassError | None
) -> None:
    """Draw the button that shows what is true to who has predicted, and to who leads a class."""

    def reveal() -> None:
        change_view(lambda: {"revealed": with_lesson(state.view.revealed, lesson.name)})
        tell_truth(state, lesson.name)

    is_led = leads(standing)
    explains = "Your prediction then stays as it is."
    if is_led:
        explains = "Shows it here. The vote is then closed until the class votes again."
    elif chosen is None:
        explains = "Choose an answer first. Then it stays as it is."
    act_button(
        "Show what is true",
        reveal,
        key=f"reveal_{lesson.name}",
        primary=True,
        disabled=chosen is None and not is_led,
        explains=explains,
    )


@st.fragment(run_every=_STANDING_EVERY_SECONDS)
def draw_own_vote_line(
    lesson: str, drawn: Standing, chosen: str | None, *, is_revealed: bool
) -> None:
    """Draw what a participant is told of the own vote, as it stands by now.

    The page is drawn anew where its choices are no longer as they were drawn.
    """
    state = session_state()
    standing, code = standing_in(state, lesson), state.view.class_code
    if isinstance(standing, Standing):
        if (standing.is_closed, standing.round) != (drawn.is_closed, drawn.round):
            st.rerun()
        st.caption(own_vote_sentence(code, standing, chosen, is_revealed=is_revealed))
        _draw_way_to_class(state, standing)
    elif isinstance(standing, NoSuchClassError):
        st.rerun()
    elif standing is not None:
        st.caption(refusal(standing, code))


@st.fragment(run_every=_STANDING_EVERY_SECONDS)
def draw_way_to_class() -> None:
    """Draw where the class is to a participant who has no lesson open."""
    state = session_state()
    standing = standing_in(state, LESSONS[0])
    if isinstance(standing, Standing):
        _draw_way_to_class(state, standing)
    elif isinstance(standing, NoSuchClassError):
        st.rerun()


def _draw_way_to_class(state: State, standing: Standing) -> None:
    lesson = LESSONS_BY_NAME.get(standing.place)
    if lesson is not None and lesson.name != state.view.lesson:
        lesson_link(state, lesson.name, where_class_is(lesson), ":material/arrow_forward:")


def draw_prediction(
    state: State,
    lesson: Lesson,
    standing: Standing | ClassError | None,
    *,
    is_revealed: bool,
    as_on_paper: bool,
) -> tuple[tuple[str, ...], str | None]:
    """Draw question and choices; return their order, and which one was chosen.

    Once the class was shown what is true, who has chosen cannot choose again.
    """
    say(lesson.text.question)
    chosen = answers_by_lesson(state.view.answers).get(lesson.name)
    order = order_shown(state, lesson, as_on_paper=as_on_paper)

    def is_final(standing: Standing | ClassError | None) -> bool:
        is_closed = isinstance(standing, Standing) and standing.is_closed and not leads(standing)
        return is_closed and lesson.name in answers_by_lesson(state.view.answers)

    def predicted(answer: str) -> None:
        is_known = lesson.name in lessons_in(state.view.revealed)
        if not (is_known or is_final(standing_in(state, lesson.name))):
            answers = with_answer(state.view.answers, lesson.name, answer)
            participant = state.view.participant or state.own_seed
            change_view(lambda: {"answers": answers, "participant": participant})
            vote(state, lesson, answer)

    menu(
        "Your prediction",
        value=chosen,
        options=order,
        name=lambda choice: f"**{letter_of(choice, order)}.** {lesson.text.choices[choice]}",
        chosen=predicted,
        key=f"predict_{lesson.name}",
        in_sight=True,
        is_list=True,
        disabled=is_revealed or is_final(standing),
    )
    return order, chosen


def draw_truth(lesson: Lesson, chosen: str | None, order: tuple[str, ...]) -> None:
    """Draw what is true, beside what was predicted, if anything."""
    text, right = lesson.text, lesson.right

    def named(choice: str) -> str:
        return f"**{letter_of(choice, order)}. {with_formulas(text.choices[choice])}**"

    if chosen is None:
        # Letters are in another order on everybody else's screen.
        st.info(f"True is **{with_formulas(text.choices[right])}**.")
    elif chosen == right:
        st.success(f"You predicted {named(chosen)}, and that is true.", icon=":material/check:")
    else:
        st.info(
            f"You predicted {named(chosen)}. {with_formulas(text.mistakes[chosen])} "
            f"True is {named(right)}.",
            icon=":material/lightbulb:",
        )
    say(text.reveal)
    say(f"**To take away.** {text.take_away}")


def draw_lesson_ways(state: State, lesson: Lesson) -> None:
    """Draw, beside the chart, the lesson's question, or what is true once it is asked for.

    To a room, keys lead there.
    """
    if state.view.present:
        return
    is_revealed = lesson.name in lessons_in(state.view.revealed)
    standing = standing_in(state, lesson.name)
    as_on_paper = leads(standing)
    following = neighbour(lesson, 1)
    chosen = answers_by_lesson(state.view.answers).get(lesson.name)
    with st.container(key="lesson_ways"):
        if not is_revealed:
            draw_prediction(state, lesson, standing, is_revealed=False, as_on_paper=as_on_paper)
        if isinstance(standing, Standing) and not as_on_paper:
            draw_own_vote_line(lesson.name, standing, chosen, is_revealed=is_revealed)
        if not is_revealed:
            draw_reveal_button(state, lesson, chosen, standing)
            return
        draw_truth(lesson, chosen, order_shown(state, lesson, as_on_paper=as_on_paper))
        if following is not None:
            lesson_link(state, following.name, following.label, ":material/arrow_forward:")
