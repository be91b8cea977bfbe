"""What a lesson asks and what is true, on the lesson's own page and beside its chart."""

import streamlit as st

from dpviz.settings.lessons import (
    PAPER_SEED,
    answers_by_lesson,
    lessons_in,
    letter_of,
    order_of_choices,
    with_answer,
    with_lesson,
)
from dpviz.ui.classes import vote
from dpviz.ui.state import State, change_view
from dpviz.ui.widgets import act_button, menu
from dpviz.wording.lessons import Lesson
from dpviz.wording.texts import with_formulas


def order_shown(state: State, lesson: Lesson, *, as_on_paper: bool) -> tuple[str, ...]:
    """Return the order of the choices: another one for each participant."""
    seed = PAPER_SEED if as_on_paper else state.view.participant or state.own_seed
    return order_of_choices(lesson.name, seed)


def draw_reveal_button(state: State, lesson: Lesson, chosen: str | None) -> None:
    """Draw the button that shows what is true to who has predicted."""
    act_button(
        "Show what is true",
        lambda: change_view(lambda: {"revealed": with_lesson(state.view.revealed, lesson.name)}),
        key=f"reveal_{lesson.name}",
        primary=True,
        disabled=chosen is None,
        explains="Choose an answer first. Then it stays as it is."
        if chosen is None
        else "Your prediction then stays as it is.",
    )


def draw_prediction(
    state: State, lesson: Lesson, *, is_revealed: bool, as_on_paper: bool
) -> tuple[tuple[str, ...], str | None]:
    """Draw question and choices; return their order, and which one was chosen."""
    st.markdown(with_formulas(lesson.text.question))
    chosen = answers_by_lesson(state.view.answers).get(lesson.name)
    order = order_shown(state, lesson, as_on_paper=as_on_paper)

    def predicted(answer: str) -> None:
        if lesson.name not in lessons_in(state.view.revealed):
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
        disabled=is_revealed,
    )
    return order, chosen


def draw_truth(lesson: Lesson, chosen: str | None, order: tuple[str, ...]) -> None:
    """Draw what is true, beside what was predicted, if anything."""
    text, right = lesson.text, lesson.right

    def named(choice: str) -> str:
        return f"**{letter_of(choice, order)}. {with_formulas(text.choices[choice])}**"

    if chosen is None:
        st.info(f"True is {named(right)}.")
    elif chosen == right:
        st.success(f"You predicted {named(chosen)}, and that is true.", icon=":material/check:")
    else:
        st.info(
            f"You predicted {named(chosen)}. {with_formulas(text.mistakes[chosen])} "
            f"True is {named(right)}.",
            icon=":material/lightbulb:",
        )
    st.markdown(with_formulas(text.reveal))
    st.markdown(with_formulas(f"**To take away.** {text.take_away}"))
